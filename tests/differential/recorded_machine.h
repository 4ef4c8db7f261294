/* A machine that runs recorded traces by the definition of each operation and the axioms of docs/model.md, section 2, taken literally:
 *
 *   - a thread's events come in their order, none is left out in between;
 *   - a read may return another value than it did; then its thread is *changed*;
 *   - a changed thread executes no branch, and what it writes is a value that is like no other;
 *   - a read-modify-write without RECORDED_ALWAYS_WRITES decides itself whether it writes: it is a branch, and reads what it read;
 *   - in a run that trusts functions which are not recorded (run_trust()), a thread is not changed by their reads, and is *misled* by their
 *     read-modify-writes: only then it executes none of their branches;
 *   - a thread that has pointers to two blocks at one address is changed, too, from its next event on, if the later one has not begun
 *     behind the free of the earlier one, as it did in the run: it could compare them (RECORDED_LIVES, run_find_pointers());
 *   - anything else happens as its object allows: locks, waits and whom a notification wakes, semaphores, barriers, forks, joins, frees.
 *
 * It shares nothing with src/causal or src/predict but the events. */
#pragma once
#include "trace/recorded.h"

#define RUN_THREADS 4u
#define RUN_WORDS   3u              /* of memory, 8 bytes each */
#define RUN_UNITS   (4 * RUN_WORDS) /* of memory, 2 bytes each: what accesses are made of */
#define RUN_LOCKS   3u
#define RUN_COUNTS  2u  /* semaphores */
#define RUN_LENGTH  24u /* most events of a thread */
#define RUN_EVENTS  48u /* of a trace */

#define RUN_MEMORY  0x1000u
#define RUN_LOCK    0x2000u /* lock i: + 64 i, size 40 */
#define RUN_COND    0x3000u
#define RUN_COUNT   0x4000u /* semaphore i: + 64 i */
#define RUN_BARRIER 0x5000u
#define RUN_VALUE   0x10000u /* 1 in the second unit of a value; from here on it may be an address */
#define RUN_POINTER 0x0003000300030003u /* to the last word but one; RUN_LATER: to the last word (RECORDED_LIVES) */
#define RUN_LATER   0x0004000400040004u
#define RUN_NEVER   255u
#define RUN_OTHER   255u     /* units are 0, 1, 2; or this, which is like no other, */
#define RUN_FIRST   254u     /* what was there at first, and nobody knows, */
#define RUN_WIDE    8u       /* or RUN_WIDE and the number of the access of more than 8 bytes that wrote it; units of such an access, at most */

/* Compared and hashed as bytes: no padding. */
struct run_state {
  uint8_t position[RUN_THREADS]; /* events of the thread that were executed */
  uint8_t memory[RUN_UNITS];
  uint8_t writer[RUN_LOCKS];  /* thread + 1 */
  uint8_t readers[RUN_LOCKS]; /* bit sets of threads from here on */
  uint8_t forked, changed, misled, waiting, woken;
  uint8_t freed;             /* words */
  uint8_t count[RUN_COUNTS]; /* of semaphores */
  uint8_t arrived, passed;   /* at the barrier: in the present round, and those that may leave an earlier one */
  uint8_t reused;            /* the last word has begun behind the free of the one before */
  uint16_t nulls[RUN_THREADS]; /* reads since the thread's last branch: bit i for the i-th, it returned 0 */
  uint8_t reads[RUN_THREADS];  /* how many */
};

/* A trace, and its events by thread. */
struct run {
  uint32_t n, threads;
  uint32_t round; /* threads that a round of the barrier takes */
  struct event trace[RUN_EVENTS];
  uint8_t length[RUN_THREADS], by_thread[RUN_THREADS][RUN_LENGTH];
  uint8_t forks; /* threads that an event forks */
  bool lives;    /* RECORDED_LIVES */
  bool trusts;   /* run_trust() */
  bool reuses;   /* the last word begins behind a free of the one before, by another thread */
  uint8_t units[RUN_EVENTS][RUN_WIDE]; /* what accesses of more than 8 bytes read or write (run_hide_units()) */
  uint8_t pointers[RUN_THREADS][2]; /* how many events a thread has executed when it has a pointer to the last word but one, and to the last */
};

/* Adds the event behind the others; its index is set. */
void run_add(struct run *r, const struct event *e);
/* Of what accesses of more than 8 bytes write only what other reads have told is known; the rest is like no other value. What they read is what
 * was there. */
void run_hide_units(struct run *r);
/* The state before all events. What memory holds where no event has written is unlike all values, or what a read says before any write.
 * Semaphores count what the trace's waits need at least: no other start makes less possible. */
void run_begin(const struct run *r, struct run_state *s);
/* Of a run with lives: who has pointers to both words, from where on: who reads one, or allocates the word, or waits for such a thread's end. Who
 * uses it otherwise, or writes a pointer to it, has had it from its begin on if the word was there, else since it uses it. Behind a window's
 * begin, the run's first `from` events, everyone may have had pointers to what was there before. */
void run_find_pointers(struct run *r, uint32_t from);
/* Instead: who may know of both, by whatever the values that it has read can have told it. Of the last word but one everyone may. */
void run_find_knowers(struct run *r);
/* The same run, if functions that are not recorded look at nothing but what such functions change. False: it is no other one. */
bool run_trust(struct run *r);
/* Does the thread go on otherwise than it did? */
bool run_changed(const struct run *r, const struct run_state *s, uint32_t thread);
/* The thread's next event; NULL: none, or it has not been forked, or what it does next it decides by what it has read, which is changed. */
const struct event *run_next(const struct run *r, const struct run_state *s, uint32_t thread);
/* Can it be executed? */
bool run_may(const struct run *r, const struct run_state *s, const struct event *e);
/* The threads that a notification can wake, as a set; a signal wakes one of them. */
uint32_t run_waiters(const struct run_state *s, const struct event *e);
/* Executes it. `woken`: the threads that a notification wakes. */
void run_apply(const struct run *r, struct run_state *s, const struct event *e, uint32_t woken);
/* The threads that keep `e` from taking its lock. */
uint32_t run_blockers(const struct run_state *s, const struct event *e);

static inline bool run_is_access(const struct event *e) {
  return e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_FREE;
}
/* Findings are made of these. */
static inline bool run_is_judged(const struct event *e) { return run_is_access(e) && !event_outside(e); }
static inline bool run_writes(const struct event *e) { return e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_FREE; }
/* A read-modify-write that need not have written. */
static inline bool run_decides(const struct event *e) { return e->op == EVENT_RMW && !(e->flags & RECORDED_ALWAYS_WRITES); }
static inline bool run_overlap(const struct event *a, const struct event *b) {
  return a->object < b->object + b->size && b->object < a->object + a->size;
}
static inline uint32_t run_unit(const struct event *e) { return (uint32_t)(e->object - RUN_MEMORY) / 2; }
/* Units of an access. */
static inline uint32_t run_units(const struct event *e) { return (uint32_t)e->size / 2; }
/* The words that it touches, as a set. */
static inline uint32_t run_words(const struct event *e) {
  uint32_t first = run_unit(e) / 4, last = (run_unit(e) + run_units(e) - 1) / 4;
  return (2u << last) - (1u << first);
}
static inline bool run_is_wide(const struct event *e) { return run_is_access(e) && e->size > 8 && (e->flags & RECORDED_NO_VALUE); }
/* What memory holds there. */
uint64_t run_value(const struct run_state *s, const struct event *e);
static inline bool run_is_count(const struct event *e) { return e->object >= RUN_COUNT && e->object < RUN_BARRIER; }
static inline uint32_t run_count(const struct event *e) { return (uint32_t)(e->object - RUN_COUNT) / 64; }
static inline uint32_t run_lock(uint64_t object) { return (uint32_t)(object - RUN_LOCK) / 64; }
