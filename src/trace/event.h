/* Events: what a program under test did that another thread could notice.
 *
 * An event is named by (thread, index): the thread that did it and its position among that thread's events.
 * Threads carry a small canonical id (struct tid); tid 0 is the main thread. The same hierarchical thread ("0.2.1" is
 * the first child of the second child of main) has the same tid in every execution of one process.
 *
 * Under TSO and PSO a thread's store buffer is an agent with a tid of its own, which takes the steps that flush it; under PSO one for each
 * location that it holds a store to. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define THREADS_MAX 256
/* Under TSO and PSO threads have tids below this, and agents have the others. */
#define AGENTS_FROM (THREADS_MAX / 4)

#define EVENT_LIST(X)                                                                            \
  X(NONE, "none")                                                                                \
  X(BEGIN, "begin") /* first step of a thread */                                                 \
  X(END, "end")     /* last step of a thread; makes joins possible */                            \
  X(FORK, "fork")   /* object: tid of the child */                                               \
  X(JOIN, "join")   /* object: tid of the child */                                               \
  X(READ, "read")   /* object: address, size */                                                  \
  X(WRITE, "write")                                                                              \
  X(RMW, "rmw")                                                                                  \
  X(FENCE, "fence")                                                                              \
  X(ACQUIRE, "acquire") /* object: address of the lock */                                        \
  X(RELEASE, "release")                                                                          \
  X(TRYFAIL, "tryfail")       /* failed try-lock: reads the lock's state */                      \
  X(WAIT_ENTER, "wait.enter") /* object: condition variable; object2: mutex */                   \
  X(WAIT_LEAVE, "wait.leave") /* object: condition variable; object2: mutex */                   \
  X(SIGNAL, "signal")                                                                            \
  X(BROADCAST, "broadcast")                                                                      \
  X(BARRIER_ENTER, "barrier.enter")                                                              \
  X(BARRIER_LEAVE, "barrier.leave")                                                              \
  X(SEM_POST, "sem.post")                                                                        \
  X(SEM_WAIT, "sem.wait")                                                                        \
  X(OUTPUT, "output") /* object: output_object(); only where the order of outputs counts */      \
  X(ALLOC, "alloc")   /* object: address, size: memory that was shared before is in use again */ \
  X(FREE, "free")     /* also destruction of a synchronisation object, ends of locals */         \
  X(CHOICE, "choice") /* value: the alternative taken */                                         \
  X(AWAIT, "await")   /* a spinning thread that waits for a change */                            \
  X(ATOMIC, "atomic") /* an atomic section: one step; its own events follow, flagged INTERNAL */ \
  X(YIELD, "yield")   /* a scheduling point without effect */                                    \
  X(FLUSH, "flush")   /* by an agent: a store becomes visible; value2: flush_value2() of its WRITE */

enum event_op {
#define X(name, text) EVENT_##name,
  EVENT_LIST(X)
#undef X
      EVENT_COUNT
};

/* In sets of operations: OP(READ) | OP(WRITE). */
#define OP(name) (1ull << EVENT_##name)
_Static_assert(EVENT_COUNT <= 64, "operations are bits of a word");

/* What threads order each other by, if it is done; and what is done to memory. */
#define EVENTS_SYNCHRONISING                                                                                                            \
  (OP(FORK) | OP(JOIN) | OP(ACQUIRE) | OP(RELEASE) | OP(WAIT_ENTER) | OP(WAIT_LEAVE) | OP(SIGNAL) | OP(BROADCAST) | OP(BARRIER_ENTER) | \
   OP(BARRIER_LEAVE) | OP(SEM_POST) | OP(SEM_WAIT))
#define EVENTS_ACCESSING (OP(READ) | OP(WRITE) | OP(RMW) | OP(FREE))

const char *event_op_text(enum event_op op);

/* C11 memory orders; PLAIN is a non-atomic access. */
enum event_order { ORDER_PLAIN, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST };

/* Some flags share a bit: their operations tell them apart.
 *
 * A step with EVENT_TIMED_OUT did not get what it asked for: a TRYFAIL whose time was up; a WAIT_LEAVE that left without a signal (its
 * value2 is 0: it takes the mutex back by an ACQUIRE of its own); a JOIN that found the thread running, and orders nothing. Whether a
 * pending ACQUIRE with EVENT_TRY or EVENT_TIMED will be a TRYFAIL, the state at the step decides. A READ with EVENT_WAITS that is not the
 * first event of its step says that the thread could have been interrupted (machine/interrupt.c). */
enum event_flag {
  EVENT_SHARED_LOCK = 1, /* ACQUIRE, RELEASE, TRYFAIL: for reading (rwlock) */
  EVENT_KEPT = 1,        /* READ, WRITE, RMW (causal/causal.h, recorded runs): stays in order with all others of its object */
  EVENT_TIMED_OUT = 2,   /* see above */
  EVENT_INTERNAL = 4,    /* inside an atomic section, or not the first event of its step */
  EVENT_TRY = 8,         /* never blocks (an AWAIT before a try-lock has no such flag: it does) */
  EVENT_BLANK = 8,       /* READ, WRITE, RMW (causal/causal.h, recorded runs): the values are not known */
  EVENT_METHOD = 8,      /* OUTPUT: an invocation of a method, of the object at this address; value2: a number for method and arguments */
  EVENT_LOCAL = 8,       /* FREE: of locals, whose function has returned or whose scope has ended */
  EVENT_TIMED = 16,      /* blocks for a time only */
  EVENT_OUTSIDE = 16,    /* READ, WRITE, RMW, BRANCH (recorded runs): code that is not recorded may have done this; part of no finding */
  EVENT_UNUSED = 32,     /* READ (causal/causal.h, recorded runs): nothing depends on its value */
  EVENT_RESULT = 32,     /* the program looks at what the operation tells it (which thread a barrier singles out) */
  EVENT_FAILS = 32,      /* YIELD: its thread fails with it */
  EVENT_DRAINS = 32,     /* READ, FENCE (TSO, PSO): the step waited until the buffer was empty (a compare-exchange that failed) */
  EVENT_EXIT = 64,       /* YIELD: the process ends with it, whatever its other threads would still do */
  EVENT_CLOCK = 64,      /* RMW: of the clock, which is no access of the program's and waits for no buffer; likewise of signals */
  EVENT_BUFFERED = 64,   /* WRITE (TSO, PSO): went into the thread's buffer; a FLUSH will follow */
  EVENT_WAITS = 128      /* READ, RMW, AWAIT: disabled as long as what it watches has the values that the thread has seen */
};

struct event {
  uint8_t op;      /* enum event_op */
  uint8_t order;   /* enum event_order, of READ, WRITE, RMW, FENCE */
  uint8_t flags;   /* enum event_flag */
  uint8_t choice;  /* the alternative that the step took (0 if there was only one) */
  uint32_t thread; /* tid */
  uint32_t index;  /* position among the events of its thread */
  uint32_t site;   /* index into the image's sites */
  uint64_t object, size;
  uint64_t value;  /* value read, written, signalled (bit set of tids as far as they fit), chosen; RELEASE, WAIT_ENTER: 1 if another
                      thread has tried to take the lock meanwhile (spin.c) */
  uint64_t value2; /* RMW: value written; WAIT_*: address of the mutex; BARRIER_ENTER: 1 if it completes the round */
};

#define EVENT_MUTEX_SIZE 40u /* bytes of the mutex that a WAIT_* names in value2 */

_Static_assert(sizeof(struct event) == 48, "events are copied by the million: keep them at 48 bytes");

/* Of an OUTPUT: what stands for the file that the descriptor names; no address of the program. */
static inline uint64_t output_object(int descriptor) { return 16 * (uint64_t)(unsigned)descriptor; }

/* Of a FLUSH: the name of its store's event. */
static inline uint64_t flush_value2(uint32_t thread, uint32_t index) { return (uint64_t)thread << 32 | index; }
static inline uint32_t flush_thread(const struct event *flush) { return (uint32_t)(flush->value2 >> 32); }
static inline uint32_t flush_store(const struct event *flush) { return (uint32_t)flush->value2; }

static inline bool event_reads(const struct event *e) { return e->op == EVENT_READ || e->op == EVENT_RMW; }
static inline bool event_writes(const struct event *e) { return e->op == EVENT_WRITE || e->op == EVENT_RMW; }
/* No access that findings are made of: it only says where values come from, and what is decided by them. */
static inline bool event_is_outside(uint8_t op, uint8_t flags) {
  return (op == EVENT_READ || op == EVENT_WRITE || op == EVENT_RMW) && (flags & EVENT_OUTSIDE);
}
static inline bool event_outside(const struct event *e) { return event_is_outside(e->op, e->flags); }
static inline bool event_overlaps(const struct event *a, const struct event *b) {
  return a->object < b->object + b->size && b->object < a->object + a->size;
}
static inline bool event_unused(const struct event *e) { return e->op == EVENT_READ && (e->flags & EVENT_UNUSED); }
/* Accesses of the same memory, `b` another thread's between two of one: no serial order explains them (AVIO, ASPLOS 2006). */
static inline bool event_unserialisable(const struct event *a, const struct event *b, const struct event *c) {
  return (event_writes(b) && (event_reads(c) || (event_reads(a) && event_writes(c)))) ||
         (event_reads(b) && event_writes(a) && event_writes(c));
}

/* Under TSO and PSO: does the step wait until its thread's store buffer is empty? Pending steps as well as executed ones. */
bool event_drains(const struct event *e);
/* Does its thread fail with this step? */
static inline bool event_fails(const struct event *e) { return e->op == EVENT_YIELD && (e->flags & EVENT_FAILS); }
/* Is `flush` a flush of the store buffer of the thread of `e`? */
static inline bool event_flushes_for(const struct event *flush, const struct event *e) {
  return flush->op == EVENT_FLUSH && flush_thread(flush) == e->thread;
}

/* May two steps by different threads not be swapped? Overlapping accesses, one of them a write; operations on one lock,
 * condition variable, semaphore or barrier; fork/begin, end/join. A buffered store is local but for frees of its memory, its flush is the
 * write: it depends on the store, on what waits for it, and on flushes of the same thread's stores that it may not overtake. Used on
 * pending steps as well as on executed ones. */
bool event_dependent(const struct event *a, const struct event *b);
/* Says of two invocations on one object (EVENT_METHOD), by their numbers, whether they commute; for event_dependent(). Belongs to the
 * process, as these numbers do. NULL: none do. */
void event_set_commuting(bool (*commute)(void *data, uint64_t a, uint64_t b), void *data);
/* An OUTPUT that is an invocation. */
static inline bool event_is_invocation(const struct event *e) { return e->op == EVENT_OUTPUT && (e->flags & EVENT_METHOD); }
