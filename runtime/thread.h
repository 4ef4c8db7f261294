/* A thread of the program: its clock, its calls, what it holds. Each is used by its own thread alone, except for what says otherwise. */
#pragma once
#include "analysis/hard.h"
#include "clock.h"
#include "context.h"

/* A call that has not returned. */
struct frame {
  uintptr_t pc;     /* where it will return to */
  uint32_t context; /* its number (context.h), or CONTEXT_UNKNOWN as long as nobody asked */
};

/* What is kept of a thread for ever: reports are about threads that have ended, too. */
struct thread_info {
  struct thread_info *before; /* the slot's last thread */
  uint32_t number;            /* 0 is the main thread, others count from 1 */
  uint32_t actor;             /* the same; but another one for each seat (openmp/actor.h). 24 bits */
  uint32_t creator;           /* its number */
  uint32_t site;              /* of its creation */
  uint32_t start;             /* its first clock */
  epoch born;                 /* its creator's then; 0: not known */
  int id;                     /* the system's */
  bool over;
  bool pooled;    /* it is a library's, which has tasks for it: it may wait for them for ever (understood.h) */
  bool waits;     /* for a lock: under deadlock.c's */
  bool cancelled; /* somebody has asked for that. Atomic: others set it */
  struct {
    uintptr_t from, to, self; /* its stack, thread-local variables at the upper end included, but for the main thread; pthread_self() */
  } memory;
  struct frames *frames; /* of its stack, that are gone (openmp/frames.c); NULL: nobody asked */
  char name[16];
};

/* A lock that a thread holds. */
struct held {
  uint64_t lock; /* sync.h: its id */
  uint32_t index, site;
  uint32_t section; /* of the lock: the how manieth (section.h) */
  epoch first;      /* of what the thread did in it */
  uint32_t from;    /* since that clock, */
  uint8_t nth;      /* and as that one of its epoch: from 1 on */
  bool shared;
  bool torn; /* others may know a part of the section already */
};

/* An action that is not over (action.h). */
struct spec_action;
struct doing {
  const struct spec_action *action;
  uintptr_t object;
  const void *mark; /* in its frame */
  uint64_t arguments[6];
};

/* An object that may be gone: its id and where it was. */
struct lock_name {
  uint64_t lock;
  uint32_t index;
};

enum {
  TAKEN_MAX = 15,
  KNOWN_ENDS_BITS = 6,
  KNOWN_ENDS = 1 << KNOWN_ENDS_BITS,
  KNOWN_OLD = 16,
  LOCKSETS_KNOWN = 32,
  LOCKSET_RELATIONS = 64,
  HELD = 64,
  FRAMES = 1 << 16,
  SCRATCH = 8 << 10,
  TAKINGS_KNOWN = 64,
  DOING = 16,
  SEATS = 8
};
enum { SEEN_MAX = 8, SEEN_SETTLED = 8, SEEN_SUPPOSED = 4 };
/* What a thread's racing accesses and those of others mean to it (analysis/seen.h). */
struct seen {
  cell at[SEEN_MAX]; /* that its present access races with: of them the writes are */
  bool wrote[SEEN_MAX];
  unsigned count;
  cell settled[SEEN_SETTLED]; /* accesses that it has settled in that epoch of its own: of which no more is to be known */
  epoch settled_in;
  struct {
    uint32_t slot, from, to; /* clocks */
  } supposed[SEEN_SUPPOSED]; /* ends of sections whose beginnings alone must come before what it does, the newest ones */
  uint32_t nsupposed;        /* how many there ever were */
  bool asked;                /* others know of its present epoch: they set it */
  bool learning;             /* it learns in the weak order just now, or ends a section */
  uint32_t begun;            /* how many sections of a lock had begun when it tried to take that (seen_tries()) */
  bool any_told;             /* there is something in */
  struct vclock *told;       /* what it may have read of others; under the registry's lock */
};

/* The lock that a thread waits for (deadlock.c). */
struct waits {
  uint64_t lock; /* sync.h: its id; 0: it waits for none */
  uint32_t index, site;
  bool shared, reported;
  uint32_t tried;              /* by that search */
  const int *holder;           /* where the C library keeps the exclusive holder, as the system numbers threads; NULL if it does not */
  struct thread *next, **link; /* all that wait while they hold others */
};

/* A call that no handler of a signal may come within that makes such a call, too (intercept/handler.h). */
struct unsafe_call {
  const char *name;
  uint32_t site;
  epoch epoch; /* 0: none */
};

/* Of a lock while others were held, which lockorder.c knows of: it is told again after so many times, and then after twice as many. */
struct known_taking {
  uint64_t key;
  uint32_t left, every;
};

/* All sections of the lock before that one, whose end a thread knows (locked.c). */
struct known_old {
  uint64_t lock;
  uint32_t below;
};

/* Sets of locks (lockset.h): of one and a lock; and how one is related to the locks that a thread holds. */
struct lockset_with {
  uint32_t set, lock, both;
};
struct lockset_relation {
  uint32_t set, now;    /* 0: none; now: the one that is held */
  uint64_t common;      /* of held[]: those that are in the set, too, and not shared in both */
  bool covered;         /* all of its locks are held, and those that it has exclusively, are exclusively */
  bool excluded;        /* all of its locks are held exclusively, not within an action */
  bool inside, unknown; /* of the set: it was within an action; nobody knows which locks it has */
};

/* A place, and what it was asked for by, and in which context. */
struct known_site {
  uint64_t what;
  uint32_t context, site;
};
enum { SITES_BITS = 9 };

/* Of setjmp(). */
enum { JUMPS = 64 };
struct jump {
  const void *buffer;
  struct frame *top;
  uint32_t inside; /* actions under way */
};

struct thread {
  uint32_t slot, n;                   /* clock[n] and later are 0 */
  _Alignas(16) uint32_t clock[SLOTS]; /* others read it (thread.c) when they look for a slot to use again */
  uint32_t *weak;                     /* [SLOTS] what it knows in the weak order (section.h); NULL if that is not asked for */
  uint32_t *order;                    /* weak, or else clock */
  struct thread_info *info;
  uint32_t actor;                               /* who of the thread it is: its slot's (struct thread_info) */
  uint32_t home, seats[SEATS], nseats;          /* its slots: the one it began with, and others for tasks (openmp/actor.h) */
  struct thread *next, **link;                  /* all that live; under the registry's lock */
  struct frame *frames;                         /* [FRAMES]; 0 stands for the thread itself */
  uint32_t deeper;                              /* calls beyond FRAMES, which are not kept */
  struct frame *top;                            /* of a fiber that does not run (annotate.c) */
  int busy;                                     /* in the runtime, or in a library's code that it vouches for: accesses do not count */
  bool allocates;                               /* in the C library's allocator (intercept/alloc.c), and busy with nothing else */
  uint64_t deferred;                            /* signals that came meanwhile, by their numbers less 1: they are blocked */
  uint64_t astray;                              /* of those, the ones that came within the runtime's code, until their handlers run */
  int raising;                                  /* the signal that it is sending to itself; 0: none */
  struct frame *handling;                       /* the call of the first of the handlers that are under way; NULL: none is */
  bool within;                                  /* their signals might have come within `unsafe` */
  struct unsafe_call unsafe;                    /* its last one outside of handlers, since it changed its mask */
  int ignore_reads, ignore_writes, ignore_sync; /* annotations */
  struct held held[HELD];                       /* the locks that it holds, in the order of taking */
  uint32_t nheld, held_more;                    /* held_more: there are others, which are not kept */
  struct hard hard;                             /* where it stands in the order that no schedule changes */
  struct known_taking takings[TAKINGS_KNOWN];
  struct waits waits;              /* under the watch's lock */
  uint32_t held_version;           /* odd while they change, so that others can look (held.c) */
  uint8_t taken;                   /* locks in the present epoch */
  epoch equal;                     /* so many of its last epochs nobody else can tell apart (section.c), times EPOCH_STEP */
  uint64_t equal_lock;             /* the lock's id by which it may be one more, or 0 */
  uint32_t attached;               /* `threads_attached` then */
  uint64_t known_ends[KNOWN_ENDS]; /* sections whose end it knows, some of them (section.c) */
  struct known_old known_old[KNOWN_OLD];
  uint64_t known_until[KNOWN_ENDS]; /* the same by locks and slots: lock:31, slot, clock */
  uint32_t lockset, lockset_since;  /* what it holds (lockset.h), 0 if nobody asked; the last clock at which it took one of these */
  bool lockset_inside;              /* `inside` then */
  struct lockset_with locksets[LOCKSETS_KNOWN];
  struct lockset_relation relations[LOCKSET_RELATIONS];
  struct candidate *candidates; /* violation.h */
  uint32_t ncandidates;
  uint32_t inside; /* actions under way: the first ones of doing[]; 0 if there is no weak order */
  struct doing doing[DOING];
  struct jump jumps[JUMPS]; /* buffers that it may jump to (intercept/process.c); the loader has little room for thread-local variables */
  unsigned next_jump;
  struct {
    const void *at;
    epoch epoch;
    uint32_t closed;       /* how many streams were, by then */
    uint32_t channel;      /* intercept/channel.h */
  } stream;                /* that it used last (intercept/stream.c) */
  bool in_wait;            /* for a condition */
  bool withholds;          /* it may be alone with atomics (sync_alone()) */
  struct lock_name waited; /* the condition that it waited for last, if it still holds the mutex of that wait; or 0 */
  uint64_t waited_with;    /* the mutex's id */
  uint32_t slept;          /* where it slept last, or SITE_UNKNOWN */
  uint32_t *awake;         /* [SLOTS] what others had done by the end of that sleep: clocks; NULL if it did not sleep */
  uint32_t stack_node;     /* the last context that confirm.c asked for, */
  uint64_t stack;          /* and its calls */
  struct seen seen;
  void *scratch; /* of SCRATCH bytes, for record.h: stacks may be small */
  struct {
    struct rt_blocks near, far;                 /* records (record.c) to use again: `near` first, `far` when those run out */
  } spare[RECORD_SIZES];                        /* of each size */
  uint32_t setless;                             /* reads of several threads, for which there was no set (record.c) */
  struct vclock *fence_release, *fence_acquire; /* what relaxed atomics hand on, and what they took, but for a fence */
  struct known_site *sites;                     /* [1 << SITES_BITS] places asked for lately, behind its frames */
};

/* What the checks before the slow path need, at a fixed distance from the thread's pointer. */
enum { KNOWN = 8 };
struct fast {
  epoch epoch;       /* 0: not known to the runtime yet */
  cell known[KNOWN]; /* sets of reads that have one of this epoch of a whole word, by some bits of their cells */
  struct frame *top; /* the innermost call */
  struct thread *self;
  struct frame *first, *last; /* of the thread's frames; NULL as long as `self` is */
  bool own_memory;            /* malloc() is the report's (intercept/alloc.c) */
  bool unknown; /* the runtime has nothing to do with the thread: it has ended, but for the library, or is becoming known just now */
};
HOT cell *known_set(struct fast *f, cell set) { return &f->known[set >> MASK_BITS & (KNOWN - 1)]; }
/* Code that heddle cc has compiled knows its shape: another shape needs another name. */
extern __thread struct fast hd_fast __asm__("heddle_fast_1") __attribute__((tls_model("initial-exec"), visibility("default")));
/* The calling thread is t from now on, whose innermost call that is. In a handler of a signal that comes meanwhile it is the one before. */
HOT void fast_set(struct thread *t, struct frame *top) {
  hd_fast.first = t->frames, hd_fast.last = t->frames + FRAMES - 1, hd_fast.top = top;
  hd_fast.epoch = epoch_make(t->slot, t->clock[t->slot]);
  for (int i = 0; i < KNOWN; i++) hd_fast.known[i] = 0;
  hd_fast.own_memory = false;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  hd_fast.self = t;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  hd_fast.unknown = false;
}
/* It is nobody that the runtime knows. */
HOT void fast_clear(void) {
  hd_fast.unknown = true;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  hd_fast.self = NULL, hd_fast.first = hd_fast.last = hd_fast.top = NULL;
  hd_fast.epoch = 0;
  for (int i = 0; i < KNOWN; i++) hd_fast.known[i] = 0;
}

/* A call begins, which will return to pc; it ends. False if that takes more: call_begins_slow(), call_ends_slow(). */
HOT bool call_begins(uintptr_t pc) {
  struct frame *f = hd_fast.top;
  if (UNLIKELY(f == hd_fast.last)) return false;
  f[1] = (struct frame){.pc = pc, .context = CONTEXT_UNKNOWN};
  hd_fast.top = f + 1;
  return true;
}
HOT bool call_ends(void) {
  struct frame *f = hd_fast.top;
  if (UNLIKELY(f == hd_fast.first || f == hd_fast.last)) return false;
  hd_fast.top = f - 1;
  return true;
}
void call_begins_slow(uintptr_t pc);
void call_ends_slow(void);
/* The same for code that keeps the frame that was on top before it began its own: it is left, or goes on where an exception came to. More
 * than its own may be above: of functions that a jump or an exception has passed by. */
void call_left(struct frame *f);
void call_again(struct frame *f);

void threads_start(void); /* the calling thread becomes thread 0 */
/* The thread that `creator` is about to create at that place. NULL if there is no slot or no memory left: it runs unwatched. */
struct thread *thread_new(struct thread *creator, uint32_t site);
/* The calling thread is that one from now on. */
void thread_begin(struct thread *t);
/* The calling thread ends. Its clock goes to *last, for who joins it. */
void thread_end(struct thread *t, struct vclock **last);
/* One that could not be started after all. */
void thread_drop(struct thread *t);
/* The calling thread, which becomes known if it was not; NULL if that is impossible. */
struct thread *thread_self_slow(void);
/* What threads, and handlers of signals, begin with as their ignore_reads and ignore_writes: not 0 if no access is analysed. */
extern int ignored_accesses;
/* Called for a thread that became known so. */
extern void (*thread_attached)(struct thread *t);
HOT struct thread *thread_self(void) { return LIKELY(hd_fast.self != NULL) ? hd_fast.self : thread_self_slow(); }
/* Around the runtime's own doings: handlers of signals that come meanwhile wait for the end (intercept/signal.c). */
HOT void thread_enter(struct thread *t) {
  t->busy++;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
void thread_undefer(struct thread *t);
HOT void thread_leave(struct thread *t) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  t->busy--;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (UNLIKELY(t->deferred) && t->busy == 0) thread_undefer(t);
}
/* The same of the calling thread, watched or not, around what takes a lock that such a handler may want, too. */
HOT struct thread *thread_enter_self(void) {
  struct thread *t = hd_fast.self;
  if (t) thread_enter(t);
  return t;
}
HOT void thread_leave_self(struct thread *t) {
  if (t) thread_leave(t);
}
HOT struct thread *thread_lock_self(struct rt_lock *l) {
  struct thread *t = thread_enter_self();
  rt_lock(l);
  return t;
}
HOT void thread_unlock_self(struct thread *t, struct rt_lock *l) {
  rt_unlock(l);
  thread_leave_self(t);
}
/* t is about to end. True if it is the last one, which ends the process: it goes on then, with what all that have ended knew. */
bool thread_ends_last(struct thread *t);
/* True if there are others that run, or are about to. */
bool threads_run(void);
void threads_before_fork(void);
void threads_after_fork(bool child); /* in the child only the calling thread is left */

/* Who did what was done in that epoch. */
const struct thread_info *thread_of_epoch(epoch e);
const struct thread_info *thread_by_number(uint32_t number);
/* Reports call that one so from now on: up to 15 bytes of the name. */
void thread_name(uint32_t number, const char *name);
/* The one whose stack, or whose own memory around pthread_self(), the address is in: one that runs if there is any, else the last that
 * had it. NULL if there is none. `below`: how many bytes below pthread_self() are its own. */
const struct thread_info *thread_with_memory(uintptr_t address, size_t below);
/* The last one that was created in that epoch of its creator; NULL if none was. */
const struct thread_info *thread_born_in(epoch e);
/* Calls f with the thread that lives in that slot, or with NULL. It does not end meanwhile. */
void thread_in_slot(uint32_t slot, void (*f)(const struct thread *, void *), void *data);
/* The same with the thread of that number, and with what all that have ended knew. */
void thread_meet(uint32_t number, void (*f)(struct thread *, const struct vclock *ended, void *), void *data);
void threads_meet(void (*f)(struct thread *, const struct vclock *ended, void *), void *data); /* with each that lives */

/* How many threads became known though nobody saw who began them: they know all clocks as these were then. */
extern uint32_t threads_attached;
/* It is one of t's last epochs that nobody else can tell apart: whoever knows of one of them, or will, knows of all. */
HOT bool thread_equal(const struct thread *t, epoch e) { return hd_fast.epoch - e - 1 < t->equal; }

HOT bool thread_knows(const struct thread *t, epoch e) { return t->clock[epoch_slot(e)] >= epoch_clock(e); }
/* It is no race with what t does now: in this run, nor, if that is asked for, in others. */
HOT bool thread_orders(const struct thread *t, epoch e) {
  return t->clock[epoch_slot(e)] >= epoch_clock(e) && t->order[epoch_slot(e)] >= epoch_clock(e);
}
/* Of each slot the clock up to which all threads know what was done in it, and all that are still to come will: nothing races with that any
 * more, in any order. threads_settle() looks for it; it only grows. */
extern uint32_t settled[SLOTS];
void threads_settle(void); /* between thread_enter() and thread_leave() */
HOT bool is_settled(cell c) { return __atomic_load_n(&settled[epoch_slot(c)], __ATOMIC_RELAXED) >= epoch_clock(c); }
/* t has seen what c says. */
void thread_acquire(struct thread *t, const struct vclock *c);
/* What t did so far is handed on by *c; what it does from now on is not. */
void thread_release(struct thread *t, struct vclock **c);      /* c := t */
void thread_release_join(struct thread *t, struct vclock **c); /* c := c joined with t */
/* The same for locks, which order critical sections in this run alone: the weak order learns nothing. */
void thread_acquire_lock(struct thread *t, const struct vclock *c);
void thread_release_lock(struct thread *t, struct vclock **c, bool join);
/* What the weak order alone hands on, and takes. */
void thread_acquire_weak(struct thread *t, const struct vclock *weak);
void thread_acquire_weak_at(struct thread *t, epoch from, const uint32_t *at, uint32_t n); /* the same, of a clock's parts */
/* Around what t learns in the weak order, or sections that it ends: who asks it (analysis/seen.c) waits. May be nested. */
bool thread_learns(struct thread *t);
HOT void thread_has_learnt(struct thread *t, bool learns) { __atomic_store_n(&t->seen.learning, learns, __ATOMIC_RELEASE); }
void thread_release_weak(struct thread *t, struct vclock **weak, bool join); /* a clock of the weak order alone */
void thread_release_weakly(struct thread *t, struct vclock **c, bool join);  /* what a clock hands on in the weak order besides */
/* From now on races are judged by the weak order, too. Before there is a second thread. */
void threads_weaken(void);
/* What t does from now on has another epoch. */
void thread_tick(struct thread *t);
/* One more slot for what t does, at the end of t->seats. False if there are too few. */
bool thread_seat_new(struct thread *t);
/* From now on t does what it does in that slot of its own; t->weak says what it knows of others by then. */
void thread_sit(struct thread *t, uint32_t slot);
/* A slot that no thread will have; 0 if there are too few. */
uint32_t thread_no_slot(void);

/* t has slept there. */
void thread_slept(struct thread *t, uint32_t site);
/* Where t slept last, if what was done in that epoch was done by the end of that sleep; else SITE_UNKNOWN. */
uint32_t thread_slept_after(const struct thread *t, epoch e);

/* The innermost call (context.h), and its place. */
uint32_t thread_context_slow(struct thread *t);
HOT uint32_t thread_context(struct thread *t) {
  return LIKELY(hd_fast.top->context != CONTEXT_UNKNOWN) ? hd_fast.top->context : thread_context_slow(t);
}
HOT uint32_t thread_context_site(struct thread *t) { return contexts[thread_context(t)].site; }
/* A place in it, if it has been asked for before; else SITE_UNKNOWN. Loops ask for few places, which each thread remembers. A context's
 * number moved by 36 comes to lie above the bits in which addresses of one program differ; the product's upper bits choose. */
HOT uint32_t thread_site_known(struct thread *t, uint32_t context, uint64_t what) {
  struct known_site *k = &t->sites[(what ^ (uint64_t)context << 36) * 0x9e3779b97f4a7c15ull >> (64 - SITES_BITS)];
  if (LIKELY(k->what == what && k->context == context)) return k->site;
  uint32_t site = context_known(context, what);
  if (site) *k = (struct known_site){what, context, site};
  return site;
}
/* A place in it. */
HOT uint32_t thread_site(struct thread *t, uintptr_t pc, enum site_kind kind, unsigned size) {
  bool accesses = kind_accesses(kind);
  uint64_t what = site_what(pc, kind, size, accesses ? t->taken : 0) | (t->inside && accesses ? WHAT_INSIDE : 0);
  uint32_t context = thread_context(t), known = thread_site_known(t, context, what);
  return LIKELY(known) ? known : context_add(context, what);
}
