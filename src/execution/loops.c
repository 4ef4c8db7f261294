#include "execution/loops.h"

#include "machine/machine.h"

/* In place of an instruction: the step is not in a loop. */
#define NO_VISIT UINT32_MAX

void loops_release(struct loops *l) {
  hashmap_release(&l->counts);
  vec_release(&l->visits);
}

/* Which count the pending step of the thread would be part of. A step in the middle of an atomic section is none: all others wait for
 * the end of it. */
static uint64_t next_visit(const struct machine *m, uint32_t thread) {
  uint32_t code = NO_VISIT;
  if ((machine_pending(m, thread)->flags & EVENT_INTERNAL) || !machine_in_loop(m, thread, &code)) code = NO_VISIT;
  return (uint64_t)thread << 32 | code;
}

static uint32_t thread_of(uint64_t visit) { return (uint32_t)(visit >> 32); }
static bool counts(uint64_t visit) { return (uint32_t)visit != NO_VISIT; }

static uint64_t term(uint64_t visit, uint64_t count) { return count ? hash_pair(visit, count) : 0; }

static void count(struct loops *l, uint64_t visit, uint64_t change) {
  uint64_t *n = hashmap_at(&l->counts, visit, 0, NULL);
  l->sums[thread_of(visit)] += term(visit, *n + change) - term(visit, *n);
  *n += change;
}

/* The execution goes on from a new state. */
static void view_machine(struct loops *l, const struct machine *m) {
  l->enabled = *machine_enabled(m), l->alive = *machine_alive(m);
  l->cut |= !tset_empty(&l->stopped);
  tset_minus(&l->enabled, &l->stopped);
  tset_minus(&l->alive, &l->stopped);
  l->hash = 0;
  for (uint32_t t = tset_next(&l->alive, 0); t < THREADS_MAX; t = tset_next(&l->alive, t + 1))
    l->hash += hash_pair(hash_pair(t, l->sums[t]), machine_turns(m, t));
}

void loops_begin(struct loops *l, const struct machine *m) {
  hashmap_clear(&l->counts);
  vec_clear(&l->visits);
  for (uint32_t t = 0; t < THREADS_MAX; t++) l->sums[t] = 0;
  l->stopped = (struct tset){0};
  l->cut = false;
  view_machine(l, m);
}

void loops_enter(struct loops *l, const struct machine *m, uint32_t thread) {
  uint64_t visit = next_visit(m, thread);
  *vec_push(&l->visits) = visit;
  if (counts(visit)) count(l, visit, 1);
}

void loops_leave(struct loops *l, const struct machine *m, uint32_t thread) {
  if (machine_status(m) == MACHINE_RUNNING && tset_has(machine_alive(m), thread)) {
    uint64_t visit = next_visit(m, thread);
    uint64_t *n = counts(visit) ? hashmap_find(&l->counts, visit) : NULL;
    tset_put(&l->stopped, thread, n && *n >= l->bound);
  }
  view_machine(l, m);
}

void loops_return(struct loops *l, const struct machine *m, uint32_t depth, bool cut) {
  while (l->visits.count > depth) {
    uint64_t visit = vec_pop(&l->visits);
    if (counts(visit)) count(l, visit, UINT64_MAX);
    tset_remove(&l->stopped, thread_of(visit)); /* it did go on */
  }
  l->cut = cut;
  view_machine(l, m);
}
