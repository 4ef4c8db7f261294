#include "strategy/strategy.h"

#include <string.h>

#include "base/deadline.h"
#include "machine/interpret/depend.h"
#include "machine/invocation.h"
#include "machine/machine.h"

const struct strategy_type *const strategies[] = {&strategy_maximal,
                                                  &strategy_dpor,
                                                  &strategy_unfolding,
                                                  &strategy_icb,
                                                  &strategy_mcr,
                                                  &strategy_mcr_s,
                                                  &strategy_mcr_s_plus,
                                                  &strategy_se_mcr,
                                                  &strategy_ncmc,
                                                  &strategy_random,
                                                  &strategy_pct,
                                                  &strategy_naive,
                                                  NULL};

const struct strategy_type *strategy_find(const char *name) {
  for (unsigned i = 0; strategies[i]; i++) {
    if (strcmp(strategies[i]->name, name) == 0) return strategies[i];
  }
  return NULL;
}

const struct event *execution_pending(const struct execution *x, uint32_t thread) { return machine_pending(x->machine, thread); }

const struct event *execution_interruptible(const struct execution *x, uint32_t thread) {
  return machine_interruptible(x->machine, thread);
}

bool execution_has_interrupts(const struct execution *x) { return machine_has_interrupts(x->machine); }

uint32_t execution_alternatives(const struct execution *x, uint32_t thread) { return machine_alternatives(x->machine, thread); }

uint32_t execution_owner(const struct execution *x, uint32_t thread) { return machine_owner(x->machine, thread); }

uint32_t execution_oldest_flush(const struct execution *x, uint32_t thread) { return machine_oldest_flush(x->machine, thread); }

bool execution_initial(const struct execution *x, uint64_t address, uint32_t size, uint64_t *value) {
  return machine_initial(x->machine, address, size, value);
}

bool execution_depend(const struct execution *x, struct depend *out) { return depend_follow(out, x->machine, x->steps, x->depth); }

const struct machine_invocation *execution_invocations(const struct execution *x, uint32_t *n) {
  return machine_invocations(x->machine, n);
}

bool execution_call(const struct execution *x, unsigned function, const int64_t *arguments, unsigned n, int64_t *result) {
  return machine_call(x->machine, function, arguments, n, result);
}

/* True: all were taken. Appends to `ends`, if wanted, where the events of each end. */
static bool take_steps(struct machine *m, const struct step *steps, uint32_t n, uint32_t *ends) {
  machine_reset(m);
  for (uint32_t i = 0; i < n; i++) {
    bool possible = machine_status(m) == MACHINE_RUNNING && tset_has(machine_enabled(m), steps[i].thread) &&
                    steps[i].choice < machine_alternatives(m, steps[i].thread);
    if (!possible) return false;
    machine_step(m, steps[i].thread, steps[i].choice);
    if (ends) machine_trace(m, &ends[i]);
  }
  return machine_status(m) == MACHINE_RUNNING && !machine_sharing_changed(m);
}

bool execution_visit(const struct execution *x, const struct step *steps, uint32_t n,
                     void (*visit)(void *data, const struct execution *there), void *data) {
  struct machine *m = x->machine;
  if (machine_sharing_changed(m)) return false;
  VEC(uint32_t) ends = {0};
  if (take_steps(m, steps, n, vec_push_n(&ends, n))) {
    struct execution there = {.machine = m, .steps = steps, .ends = ends.data, .depth = n};
    there.enabled = machine_enabled(m), there.alive = machine_alive(m), there.trace = machine_trace(m, &(uint32_t){0});
    visit(data, &there);
  }
  vec_release(&ends);
  return !machine_sharing_changed(m) && !deadline_passed && take_steps(m, x->steps, x->depth, NULL) && !deadline_passed;
}

const struct image *execution_image(const struct execution *x) { return machine_image(x->machine); }

const struct machine_options *execution_options(const struct execution *x) { return machine_options(x->machine); }

const struct tset *execution_parked(const struct execution *x) { return machine_parked(x->machine); }

bool execution_may_choose(const struct execution *x, uint32_t thread) { return machine_may_choose(x->machine, thread); }

struct fingerprint execution_fingerprint(const struct execution *x) {
  return machine_state(x->machine);
}

bool execution_is_symbolic(const struct execution *x) { return machine_is_symbolic(x->machine); }
struct fingerprint execution_live_state(const struct execution *x) {
  return machine_live_state(x->machine, true);
}
size_t execution_decisions(const struct execution *x) { return machine_decisions(x->machine); }

bool execution_leaves_pending(const struct execution *x, size_t from, uint64_t tag) {
  return machine_leaves_pending(x->machine, from, tag);
}

size_t execution_inputs(const struct execution *x) { return machine_inputs(x->machine); }

uint64_t execution_output(const struct execution *x) {
  const struct text *output = machine_output(x->machine, 1);
  return hash_bytes(output->data, output->count, 0);
}
