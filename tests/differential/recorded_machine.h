/* A machine that runs recorded traces by the definition of each operation and the axioms of docs/model.md, section 2, taken literally:
 *
 *   - a thread's events come in their order, none is left out in between;
 *   - a read may return another value than it did; then its thread is *changed*;
 *   - a changed thread executes no branch, and what it writes is a value that is like no other;
 *   - a read-modify-write without RECORDED_ALWAYS_WRITES decides itself whether it writes: it is a branch, and reads what it read;
 *   - anything else happens as its object allows: locks, waits and whom a notification wakes, forks, joins, frees.
 *
 * It shares nothing with src/causal or src/predict but the events. */
#pragma once
#include "trace/recorded.h"

#define RUN_THREADS 4u
#define RUN_WORDS   3u  /* of memory, 8 bytes each */
#define RUN_LOCKS   3u
#define RUN_LENGTH  24u /* most events of a thread */
#define RUN_EVENTS  48u /* of a trace */

#define RUN_MEMORY 0x1000u
#define RUN_LOCK   0x2000u /* lock i: + 64 i, size 40 */
#define RUN_COND   0x3000u
#define RUN_VALUE  0x10000u /* values are 0, RUN_VALUE, 2 RUN_VALUE; or RUN_OTHER, which is like no other */
#define RUN_OTHER  255u

/* Compared and hashed as bytes: no padding. */
struct run_state {
  uint8_t position[RUN_THREADS]; /* events of the thread that were executed */
  uint8_t memory[RUN_WORDS];     /* value / RUN_VALUE */
  uint8_t writer[RUN_LOCKS];     /* thread + 1 */
  uint8_t readers[RUN_LOCKS];    /* bit sets of threads from here on */
  uint8_t forked, changed, waiting, woken, freed;
  uint16_t nulls[RUN_THREADS]; /* reads since the thread's last branch: bit i for the i-th, it returned 0 */
  uint8_t reads[RUN_THREADS];  /* how many */
};

/* A trace, and its events by thread. */
struct run {
  uint32_t n, threads;
  struct event trace[RUN_EVENTS];
  uint8_t length[RUN_THREADS], by_thread[RUN_THREADS][RUN_LENGTH];
  uint8_t forks; /* threads that an event forks */
};

/* Adds the event behind the others; its index is set. */
void run_add(struct run *r, const struct event *e);
/* The state before all events. What memory holds where no event has written is unlike all values, or what a read says before any write. */
void run_begin(const struct run *r, struct run_state *s);
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
static inline bool run_writes(const struct event *e) { return e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_FREE; }
/* A read-modify-write that need not have written. */
static inline bool run_decides(const struct event *e) { return e->op == EVENT_RMW && !(e->flags & RECORDED_ALWAYS_WRITES); }
static inline uint32_t run_word(const struct event *e) { return (uint32_t)(e->object - RUN_MEMORY) / 8; }
static inline uint32_t run_lock(uint64_t object) { return (uint32_t)(object - RUN_LOCK) / 64; }
