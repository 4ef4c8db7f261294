/* Explorations of programs with symbolic data: one after the other, each with an input that does something else
 * (machine/symbolic/symbolic.h). */
#include "base/deadline.h"
#include "explore/session.h"

static void keep(struct session *s) {
  struct session_bank *b = &s->bank;
  const struct explore_result *r = s->result;
  b->counts = r->counts, b->reasons = r->reasons;
  vec_clear(&b->outcomes);
  for (size_t i = 0; i < r->outcomes.count; i++) *vec_push(&b->outcomes) = r->outcomes.data[i].count;
}

void session_forget(struct session *s) {
  const struct session_bank *b = &s->bank;
  struct explore_result *r = s->result;
  uint32_t restarts = r->counts.restarts;
  for (size_t i = b->outcomes.count; i < r->outcomes.count; i++) text_release(&r->outcomes.data[i].text);
  r->outcomes.count = b->outcomes.count;
  hashmap_clear(&s->outcomes);
  for (size_t i = 0; i < b->outcomes.count; i++) {
    r->outcomes.data[i].count = b->outcomes.data[i];
    hashmap_at(&s->outcomes, r->outcomes.data[i].hash, i, NULL);
  }
  r->counts = b->counts;
  r->counts.restarts = restarts;
  r->reasons = (r->reasons & (1u << EXPLORE_REASON_TIME | 1u << EXPLORE_REASON_INTERRUPTED)) | b->reasons;
}

static bool begin_again(struct session *s) {
  s->options->strategy->restart(s->strategy);
  if (s->predictor) predictor_restart(s->predictor, 0);
  hashmap_clear(&s->circles);
  return !session_over(s);
}

/* A program that asks for values for ever has so many inputs, in executions that are cut, before they are sampled instead. */
#define INPUTS_CUT 64u

static bool has(const struct session *s, enum explore_reason reason) { return s->result->reasons >> reason & 1; }

/* Not all inputs can be explored, or not in the time that there is. From here on __VERIFIER_nondet_*() give few values: states are known
 * again then, so that also what asks for ever comes to an end. False: the program has none. */
static bool sample(struct session *s) {
  if (!machine_gives_nondet(s->machine) || deadline_passed == DEADLINE_INTERRUPTED) return false;
  machine_sample_nondet(s->machine);
  if (has(s, EXPLORE_REASON_TIME)) {
    s->result->reasons &= ~(1u << EXPLORE_REASON_TIME);
    session_because(s, EXPLORE_REASON_INPUTS_TIME);
  }
  keep(s);
  s->over = false;
  session_set_deadline(s);
  return begin_again(s);
}

static bool has_enough_inputs(struct session *s) {
  const struct explore_options *o = s->options;
  if (o->inputs && s->inputs >= o->inputs) session_because(s, EXPLORE_REASON_MANY_INPUTS);
  bool cut = has(s, EXPLORE_REASON_DECISIONS) || (has(s, EXPLORE_REASON_CALLS) && s->inputs >= INPUTS_CUT);
  return has(s, EXPLORE_REASON_MANY_INPUTS) || (cut && machine_gives_nondet(s->machine));
}

bool session_next_input(struct session *s) {
  const uint32_t ended = 1u << EXPLORE_REASON_INTERRUPTED | 1u << EXPLORE_REASON_EXECUTIONS | 1u << EXPLORE_REASON_FINDINGS |
                         1u << EXPLORE_REASON_LIVELOCK;
  if (!machine_options(s->machine)->all_inputs || !machine_has_inputs(s->machine)) return false;
  if (s->result->reasons & ended) return false;
  if (session_asked(s)) { /* they are shown with the machine's input */
    session_because(s, EXPLORE_REASON_INPUTS);
    return false;
  }
  session_leave_out(s);
  if (has(s, EXPLORE_REASON_TIME)) return sample(s);
  s->inputs++;
  if (has_enough_inputs(s)) return sample(s);
  enum machine_more more = machine_next_input(s->machine);
  if (more == MORE_UNKNOWN) session_because(s, EXPLORE_REASON_UNSOLVED);
  if (more == MORE_UNKNOWN) return sample(s);
  if (more == MORE_NONE) return false;
  keep(s);
  return begin_again(s);
}
