/* The thread library (docs/architecture.md): what its files share.
 *
 * An object's state lives in the object's own bytes, in the layouts below, which take glibc's static initialisers (x86-64, glibc 2.36)
 * for what they are; so rolling back and fingerprints need nothing special. Queues of waiters are not stored: a waiter is a thread whose
 * wait_object is the condition variable. Who acquired a lock where is found in the trace; only what happened while one thread existed,
 * of which there is no trace, is noted in the object ("early").
 *
 * An operation is a builtin in this order: look at what is the thread's own; name the step (sync_visible); check the object; act.
 * The object is checked after the step is granted because another thread may destroy it before.
 *
 * A seal tells an object that was initialised by a call from a static one (0), a destroyed one, a copy at another address, and noise. The
 * bytes of an object that was used are marked as such (SHADOW_OBJECT), until the program stores there: a lock whose bytes say that it is
 * held, and that has lost its mark, was overwritten, and nobody holds it. To overwrite what another thread holds or waits at is a finding,
 * so the thread that holds a lock may look at it without a step. A thread that ends with a lock holds it until it is joined: nothing else
 * tells others that it has ended. */
#pragma once
#include <errno.h>
#include <string.h>
#include <time.h>

#include "machine/internal.h"

/* What a pending step needs; where it is not there, the thread is not enabled. With EVENT_TRY or EVENT_TIMED it always is. */
enum need {
  NEED_NOTHING,
  NEED_MUTEX,
  NEED_READ_LOCK,
  NEED_WRITE_LOCK,
  NEED_SPIN,
  NEED_SIGNAL,    /* a wake-up, and the mutex of value2 */
  NEED_ROUND,     /* the barrier's round wait_ticket to be over, or the barrier destroyed (wait_object is 0) */
  NEED_COUNT,     /* a semaphore above 0 */
  NEED_END,       /* thread `object` to have ended */
  NEED_VALUE,     /* the 32-bit word to be wait_ticket in the bits wait_object2 */
  NEED_NEVER_MET, /* nothing helps: the thread has failed (machine_park) */
  NEED_THREAD,    /* the thread that is named `object`, or has the word `object` of the machine's own, to have been created */
  NEED_BITS,      /* one of the bits wait_ticket in the 64-bit words wait_object and wait_object2 */
  NEED_HANDLER    /* a signal handler to run: nothing else ends the wait */
};

/* In the bytes of a pthread_mutex_t. */
struct [[gnu::packed]] mutex {
  uint32_t owner; /* tid + 1; 0: free */
  uint32_t depth; /* recursive locks beyond the first */
  uint32_t early; /* 1 + site where it was locked while there was one thread */
  uint32_t seal;
  uint32_t kind;    /* glibc's: enum mutex_kind, and flags */
  uint32_t fault;   /* enum mutex_fault, of robust ones */
  uint32_t ceiling; /* of the priorities of those that lock it, if it has one */
  uint32_t unused[3];
};
enum mutex_kind {
  MUTEX_NORMAL,
  MUTEX_RECURSIVE,
  MUTEX_ERRORCHECK,
  MUTEX_ADAPTIVE,
  MUTEX_KIND_MASK = 3,
  MUTEX_ROBUST = 16,
  MUTEX_CEILING = 64
};
enum mutex_fault { FAULT_NONE, FAULT_INCONSISTENT, FAULT_UNRECOVERABLE };

struct [[gnu::packed]] cond {
  uint32_t waiters; /* not woken yet */
  uint32_t unused;
  uint64_t mutex; /* that they wait with */
  uint32_t seal;
  uint32_t early; /* 1 + site of a signal to nobody while there was one thread */
  uint64_t unused2[3];
};

struct [[gnu::packed]] rwlock {
  uint32_t writer;  /* tid + 1 */
  uint32_t readers; /* read locks held, again ones included */
  uint32_t seal;
  uint32_t early;
  struct tset holders; /* threads that hold it for reading */
  uint16_t kind;       /* glibc's: RWLOCK_WRITERS_FIRST lets no reader pass a waiting writer */
  uint16_t waiting;    /* writers, of such a lock */
  uint32_t unused;
};
enum { RWLOCK_WRITERS_FIRST = 2 };

struct [[gnu::packed]] barrier {
  uint32_t count;   /* threads that make a round */
  uint32_t arrived; /* in this round */
  uint32_t round;
  uint32_t seal;
  uint32_t unused[4];
};

struct [[gnu::packed]] semaphore {
  uint32_t value, unused;
  uint32_t seal;
  uint32_t unused2[5];
};

/* Locks of one word: a pthread_spinlock_t, the first word of an omp_lock_t, and what a critical section of OpenMP is locked by. The word is
 * the kind's live mark + owner (tid + 1, 0: free), or the destroyed mark. A critical section is 0 before it is entered first. */
enum { SPIN_SIZE = 4, SPIN_OWNER_MASK = 0xffff };
enum spin_mark {
  SPIN_LIVE = 0x5e110000,
  SPIN_DESTROYED = 0x5edd0000,
  OMP_LOCK_LIVE = 0x5e120000,
  OMP_LOCK_DESTROYED = 0x5ede0000,
  CRITICAL_LIVE = 0x5e130000,
  CRITICAL_DESTROYED = 0x5edf0000
};

_Static_assert(sizeof(struct mutex) == EVENT_MUTEX_SIZE && offsetof(struct mutex, kind) == 16, "as glibc's pthread_mutex_t");
_Static_assert(sizeof(struct cond) == 48, "as glibc's pthread_cond_t");
_Static_assert(sizeof(struct rwlock) == 56 && offsetof(struct rwlock, kind) == 48, "as glibc's pthread_rwlock_t");
_Static_assert(sizeof(struct barrier) == 32 && sizeof(struct semaphore) == 32, "as glibc's pthread_barrier_t and sem_t");
_Static_assert(THREADS_MAX < SPIN_OWNER_MASK, "a spin lock's owner fits");

/* The kinds of object, for checks and messages. */
struct sync_type {
  const char *name;
  uint32_t size;
  uint32_t seal;            /* offset of the seal */
  bool static_allowed;      /* all zero is a valid object */
  uint32_t used;            /* offset of the mark that such an object has been used; 0: it has none */
  uint32_t live, destroyed; /* enum spin_mark, of a lock of one word; else 0 */
  uint64_t busy;            /* bits of its first 8 bytes (or 4) that are not 0 as long as a thread holds it or waits at it */
  bool waits;               /* who makes it busy waits at it, and does not hold it */
  /* Does the thread? */
  bool (*uses)(const struct thread *t, uint64_t address);
};
extern const struct sync_type sync_mutex, sync_cond, sync_rwlock, sync_barrier, sync_semaphore, sync_spin, sync_omp_lock, sync_critical;
/* The kind of a lock of one word, as that says. */
const struct sync_type *sync_spin_type(uint64_t address);

/* --- steps (sync.c) --- */

/* machine_visible() for an operation that needs `need` of `object` and, for a condition wait, of the mutex `value2`. */
bool sync_visible(struct machine *m, struct thread *t, enum event_op op, uint64_t object, uint64_t size, uint64_t value2, enum need need,
                  uint8_t flags);
/* The short way through sync_visible(): several threads, no atomic section, no cancellation. */
static inline bool sync_step(struct machine *m, struct thread *t, enum event_op op, uint64_t object, uint64_t size, uint64_t value2,
                             enum need need, uint8_t flags) {
  if (m->single || t->atomic || m->cancels) return sync_visible(m, t, op, object, size, value2, need, flags);
  if (!t->granted) {
    t->need = (uint8_t)need, t->choice = 0;
    step_name(m, t, op, ORDER_PLAIN, flags, object, size, value2);
    return false;
  }
  if (t->noting || !event_granted(m, t, op)) return sync_visible(m, t, op, object, size, value2, need, flags);
  t->need = NEED_NOTHING;
  return true;
}
/* Is what `need` asks for there now? An object that cannot be used counts as there: taking the step will say what is wrong. */
bool sync_available(const struct machine *m, const struct thread *t, enum need need, uint64_t object, uint64_t value2);

/* What a step needs that does something to a thread. */
static inline enum need sync_need_of(const struct thread *other) { return other->state == THREAD_NONE ? NEED_THREAD : NEED_NOTHING; }

/* Does the pending step act upon a request for cancellation, if there is one? */
bool sync_at_cancellation_point(const struct thread *t);

/* What the pending step needs. A thread that spins on a try-lock stands before an AWAIT in its place, which names no object. */
static inline enum need sync_need(const struct thread *t) { return t->pending.op == EVENT_AWAIT ? NEED_NOTHING : (enum need)t->need; }

/* Could the thread lock the mutex now? One that cannot be used counts as free. */
bool mutex_is_free(const struct machine *m, const struct thread *t, uint64_t address);
/* The same as sync_enabled(), quick for what threads need mostly: a mutex, the end of a thread. */
static inline bool sync_step_enabled(const struct machine *m, const struct thread *t) {
  const struct event *e = &t->pending;
  if (e->op == EVENT_ACQUIRE && t->need == NEED_MUTEX)
    return ((const struct mutex *)host_at(e->object))->owner == 0 || (e->flags & (EVENT_TRY | EVENT_TIMED)) ||
           mutex_is_free(m, t, e->object);
  if (e->op == EVENT_JOIN && t->need == NEED_END && !m->cancels) {
    const struct thread *child = m->threads[e->object];
    if (child->state == THREAD_LIVE && !child->detached) return e->flags & (EVENT_TRY | EVENT_TIMED);
  }
  return sync_enabled(m, t);
}

/* The step does not get what it asked `object` for, a lock or a count: its event, which becomes a TRYFAIL. */
static inline struct event *sync_fails(struct machine *m, struct thread *t, uint64_t object) {
  struct event *e = machine_last_event(m);
  e->op = EVENT_TRYFAIL;
  spin_failed(t, object);
  return e;
}

/* The last part of an operation that tells its caller `n` bytes at `to` (0: nowhere): a plain write, so a step where others may look. The
 * builtin is then called again, with sync_tells(), and calls it once more with t->wait_ticket for a value. */
enum { PHASE_TELL = 16 };
static inline bool sync_tells(const struct thread *t) { return t->phase == PHASE_TELL; }
enum run sync_tell(struct machine *m, struct thread *t, uint64_t to, uint32_t n, uint64_t value);

/* The first part of an operation that its caller tells `n` bytes at `from` (0: nothing, which is 0): a plain read, so a step where others
 * may write. *value is what was read, also when the builtin is called again, until sync_told_end(). */
enum { PHASE_TOLD = 17, PHASE_TOLD_MORE };
/* pthread_create() has told the new thread's name, and stands before the step that makes it. */
enum { PHASE_NAMED = 1 };
enum run sync_told(struct machine *m, struct thread *t, uint64_t from, uint32_t n, uint64_t *value);
static inline void sync_told_end(struct thread *t) { t->phase = 0, t->wait_ticket = 0; }

/* A handler waits, and has interrupted a wait: refuses it. */
enum run sync_waits_within(struct machine *m, struct thread *t);

/* Does the program look at the result of the running call? */
bool sync_result_used(const struct machine *m, const struct thread *t);

/* --- cancellation (cancel.c) --- */

enum { CANCEL_SIZE = 8 }; /* bytes of a request, which is at its thread's handle */

/* May the thread be cancelled at a cancellation point, now or later, if it is asked to? */
bool cancel_possible(const struct machine *m, const struct thread *t);
/* The same, and it was asked to. */
bool cancel_due(const struct machine *m, const struct thread *t);
/* A cancellation point that does not block, and the entry of one that does: a step that reads the request. RUN_GO: none was there. */
enum run cancel_test(struct machine *m, struct thread *t);
/* The thread ends, as pthread_exit(PTHREAD_CANCELED) does; returns what the builtin returns. */
enum run cancel_act(struct machine *m, struct thread *t);
/* Adds to the present step that it has read the request of thread `of`. */
void cancel_note(struct machine *m, struct thread *t, const struct thread *of);
/* The present step turns out to have read the request, and nothing else. */
void cancel_rename(struct machine *m, const struct thread *t);
/* As cancel_test(), for the first phase of a builtin that is a cancellation point and blocks after that; RUN_GO: it may block now. The
 * builtin clears t->phase when it is done. */
static inline enum run cancel_enter(struct machine *m, struct thread *t) {
  if (!m->cancels || t->phase) return RUN_GO;
  enum run run = cancel_test(m, t);
  if (run == RUN_GO) t->phase = 1;
  return run;
}

/* --- objects (object.c) --- */

bool sync_possible_slow(struct machine *m, struct thread *t, uint64_t address, uint64_t size);
/* May there be an object of this size at all? Makes the finding if not. */
static inline bool sync_fits(struct machine *m, struct thread *t, uint64_t address, uint64_t size) {
  /* It was asked when the thread came to stand before the step; but where it stands before its failure, or waits, the step is still to
   * come. */
  if (t->granted && t->pending.op != EVENT_YIELD && t->pending.op != EVENT_AWAIT) return true;
  return memory_use_known(&m->memory, address, size) || sync_possible_slow(m, t, address, size);
}
void sync_fix_slow(struct machine *m, uint64_t address, uint64_t size);
/* Before the step on an object: the same; and symbolic data there is fixed, as the object's bytes are looked at, and changed, as they are.
 */
static inline bool sync_possible(struct machine *m, struct thread *t, uint64_t address, uint64_t size) {
  if (m->symbolic) sync_fix_slow(m, address, size);
  return sync_fits(m, t, address, size);
}
/* At the step: is there a live object? Makes the finding if not (use after free, uninitialised, destroyed, copied). */
bool sync_live(struct machine *m, struct thread *t, uint64_t address, const struct sync_type *type);
/* A live object is used. One that was not initialised by a call is marked: to do that afterwards is too late. */
void sync_mark_used(struct machine *m, uint64_t address, const struct sync_type *type);
/* Marks the object's bytes: it is used here. */
void sync_mark_slow(struct machine *m, uint64_t address, const struct sync_type *type);
static inline bool sync_marked(uint64_t address) {
  uint8_t mark = *shadow_at(address) & SHADOW_OBJECT;
  return mark && mark != OBJECT_REST;
}
static inline void sync_mark(struct machine *m, uint64_t address, const struct sync_type *type) {
  if (!sync_marked(address)) sync_mark_slow(m, address, type);
}
/* The same question without consequences. */
bool sync_usable(uint64_t address, const struct sync_type *type);
/* pthread_*_init: a step; zeroes and seals the object. RUN_GO when done. `in_use`: asked of a live object that is to be initialised. */
enum run sync_init(struct machine *m, struct thread *t, uint64_t address, const struct sync_type *type);
/* pthread_*_destroy: the step and the check of liveness; RUN_GO: the caller checks that it is idle and calls sync_seal_destroyed(). */
enum run sync_destroy(struct machine *m, struct thread *t, uint64_t address, const struct sync_type *type);
void sync_seal_destroyed(struct machine *m, uint64_t address, const struct sync_type *type);
/* Writes the object's own state (which need not be aligned). */
void sync_put(struct machine *m, void *field, uint32_t value);
void sync_put64(struct machine *m, uint64_t address, uint64_t value);

/* Misuse: "MESSAGE: mutex NAME"-like sentence; `format` has one %s for the object's name. Returns RUN_STOP. */
[[gnu::format(printf, 5, 0)]] enum run sync_misuse(struct machine *m, struct thread *t, uint64_t address, const struct sync_type *type,
                                                   const char *format);
/* Adds the site where `holder` acquired the lock to the finding just made, if it is known. `early`: see above. */
void sync_add_holder(struct machine *m, uint32_t holder, uint64_t lock, uint32_t early);
/* Appends "mutex NAME". */
void sync_name(const struct machine *m, uint64_t address, const struct sync_type *type, struct text *out);
/* Times are nanoseconds of the machine's clock, as models/libc/timed.c makes them of a timespec. */
#define TIME_INVALID UINT64_MAX
/* A wait ends because that time has come. False: it is none. */
bool sync_time_comes(const struct machine *m, struct thread *t, uint64_t deadline);

/* --- what one kind needs of another --- */

bool mutex_is_owned(const struct thread *t, uint64_t address);
/* Takes a mutex that is free (or the thread's own, recursive); 0, EOWNERDEAD or ENOTRECOVERABLE. */
uint64_t mutex_take(struct machine *m, struct thread *t, uint64_t address);
/* Gives up one lock of a mutex that the thread owns. */
void mutex_give(struct machine *m, uint64_t address);
/* The first thread, from `from` on, that waits on a condition variable with this mutex (or on this one), or THREADS_MAX. */
uint32_t cond_next_waiter(const struct machine *m, uint64_t cond, uint32_t from);
uint32_t cond_waiter_with(const struct machine *m, uint64_t mutex);
/* The present step depends on whether `child` has been joined (READ), or joins it (RMW). */
void thread_note_joined(struct machine *m, struct thread *t, const struct thread *child, enum event_op op);
/* sync_type->uses */
bool mutex_used_by(const struct thread *t, uint64_t address);
bool cond_used_by(const struct thread *t, uint64_t address);
bool rwlock_used_by(const struct thread *t, uint64_t address);
bool barrier_used_by(const struct thread *t, uint64_t address);
bool spin_used_by(const struct thread *t, uint64_t address);
