/* Explorations of programs with symbolic data: one after the other, each with an input that does something else
 * (machine/symbolic/symbolic.h). */
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

bool session_next_input(struct session *s) {
  const uint32_t ended = 1u << EXPLORE_REASON_TIME | 1u << EXPLORE_REASON_INTERRUPTED | 1u << EXPLORE_REASON_EXECUTIONS |
                         1u << EXPLORE_REASON_FINDINGS | 1u << EXPLORE_REASON_LIVELOCK;
  if (!machine_options(s->machine)->all_inputs || !image_asks_inputs(machine_image(s->machine))) return false;
  if (s->result->reasons & ended) return false;
  if (s->result->findings.count) { /* they are shown with the machine's input */
    session_because(s, EXPLORE_REASON_INPUTS);
    return false;
  }
  enum machine_more more = machine_next_input(s->machine);
  if (more == MORE_UNKNOWN) session_because(s, EXPLORE_REASON_UNSOLVED);
  if (more != MORE_INPUT) return false;
  keep(s);
  s->options->strategy->restart(s->strategy);
  if (s->predictor) predictor_restart(s->predictor, 0);
  hashmap_clear(&s->circles);
  return !session_over(s);
}
