/* Who uses what in a window of a recorded run: what only one thread uses no other one can change, and need not be looked at. */
#pragma once
#include "predict/recorded/state.h"

/* Who uses eight bytes, or an object, in the window. Of a barrier: the present round, and in `writes` the place of its last arrival plus 2;
 * 1: some thread has left it. */
struct recorded_owner {
  uint32_t thread; /* plus 1; RECORDED_NONE: more than one */
  uint32_t reads, writes;
  bool operated; /* an object, in the window; writes: how often it is taken */
  uint32_t vain; /* how often a semaphore is tried in vain; reads: how often it is posted */
};

/* Zeroed is ready for use. */
struct recorded_owners {
  VEC(struct recorded_owner) all;
  struct hashmap granules, objects; /* address / 8, address: indices into these */
  VEC(uint32_t) across;             /* positions of accesses over the border of two words */
};

static inline bool recorded_is_access(const struct event *e) {
  return (e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_FREE) && e->size;
}
static inline bool recorded_is_wait(const struct event *e) { return e->op == EVENT_WAIT_ENTER || e->op == EVENT_WAIT_LEAVE; }

/* Of the window's `n` events, behind what `state` says. */
void recorded_owners_find(struct recorded_owners *o, const struct recorded_state *state, const struct event *window, uint32_t n);
struct recorded_owner *recorded_owners_object(struct recorded_owners *o, uint64_t object);
/* Do several threads use the object, and one of them in the window? */
bool recorded_owners_share(const struct recorded_owners *o, uint64_t object);
/* Is some of the access touched by several threads, and written by one? */
bool recorded_owners_may_change(const struct recorded_owners *o, const struct event *access);
/* What building the causal model costs, roughly. */
uint64_t recorded_owners_measure(const struct recorded_owners *o);
void recorded_owners_release(struct recorded_owners *o);
