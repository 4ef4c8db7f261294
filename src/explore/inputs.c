/* Explorations of programs with symbolic data: one after the other, each with an input that does something else
 * (machine/symbolic/symbolic.h). */
#include <string.h>

#include "base/deadline.h"
#include "explore/session.h"

void session_keep(struct session *s) {
  struct session_bank *b = &s->bank;
  const struct explore_result *r = s->result;
  b->counts = r->counts, b->reasons = r->reasons, b->inputs = s->inputs;
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

/* --- which input it was --- */

void session_note_input(struct session *s) {
  for (size_t i = 0; i < machine_inputs(s->machine); i++) {
    struct machine_input input = machine_input(s->machine, i);
    bool is_new;
    hashmap_at(&s->given_known, hash_pair(hash_bytes(input.thread, strlen(input.thread), 0), input.number), 1, &is_new);
    if (!is_new) continue;
    struct session_input *to = vec_push(&s->given);
    *to = (struct session_input){.number = input.number};
    text_puts(&to->thread, input.thread);
    text_puts(&to->name, input.name);
    memcpy(vec_push_n(&to->bytes, input.size), input.bytes, input.size);
  }
}

void session_forget_input(struct session *s) {
  for (size_t i = 0; i < s->given.count; i++) {
    text_release(&s->given.data[i].thread);
    text_release(&s->given.data[i].name);
    vec_release(&s->given.data[i].bytes);
  }
  vec_clear(&s->given);
  hashmap_clear(&s->given_known);
}

void session_tell_input(struct session *s) {
  VEC(struct machine_input) all = {0};
  for (size_t i = 0; i < s->given.count; i++) {
    const struct session_input *from = &s->given.data[i];
    *vec_push(&all) = (struct machine_input){.thread = text_str(&from->thread),
                                             .number = from->number,
                                             .name = text_str(&from->name),
                                             .bytes = from->bytes.data,
                                             .size = from->bytes.count};
  }
  if (all.count && s->options->tested) s->options->tested(all.data, all.count, s->options->progress_data);
  vec_release(&all);
  session_forget_input(s);
}

/* --- the next one --- */

bool session_begin_again(struct session *s) {
  session_keep(s);
  s->options->strategy->restart(s->strategy);
  if (s->predictor) predictor_restart(s->predictor, 0);
  hashmap_clear(&s->circles);
  return !session_over(s);
}

/* What may be sampled instead has so many inputs, and when these have taken so many executions, no more. */
#define INPUTS_USUAL     4096u
#define INPUTS_FEW       64u
#define EXECUTIONS_USUAL 50000u

static bool has(const struct session *s, enum explore_reason reason) { return s->result->reasons >> reason & 1; }

/* In a campaign, what is left is for another day. */
bool session_may_sample(const struct session *s) { return machine_gives_nondet(s->machine) && !s->in_sittings; }

/* Not all inputs can be explored, or not in the time that there is. From here on __VERIFIER_nondet_*() give few values: states are known
 * again then, so that also what asks for ever comes to an end. False: the program has none. */
static bool sample(struct session *s) {
  if (!session_may_sample(s) || deadline_passed == DEADLINE_INTERRUPTED) return false;
  machine_sample_nondet(s->machine);
  if (has(s, EXPLORE_REASON_TIME)) {
    s->result->reasons &= ~(1u << EXPLORE_REASON_TIME);
    session_because(s, EXPLORE_REASON_INPUTS_TIME);
  }
  s->over = false;
  session_set_deadline(s);
  return session_begin_again(s);
}

/* A program that asks for values for ever, in executions that are cut, has few inputs. */
bool session_ends_inputs(struct session *s) {
  uint64_t most = s->options->inputs;
  if (most && s->inputs >= most && most != EXPLORE_INPUTS_USUAL) session_because(s, EXPLORE_REASON_MANY_INPUTS);
  if (!session_may_sample(s)) return has(s, EXPLORE_REASON_MANY_INPUTS);
  bool many = most == EXPLORE_INPUTS_USUAL && (s->inputs >= INPUTS_USUAL || (s->inputs >= INPUTS_FEW && s->made >= EXECUTIONS_USUAL));
  if (many) session_because(s, EXPLORE_REASON_MANY_INPUTS);
  bool cut = has(s, EXPLORE_REASON_CALLS) && (s->inputs >= INPUTS_FEW || s->made >= EXECUTIONS_USUAL);
  return cut || has(s, EXPLORE_REASON_MANY_INPUTS);
}

/* The sweep's states hold for all inputs (strategy/sweep.c). */
static bool go_on(struct session *s) {
  run_begin(&s->run);
  sweep_go_on(s->strategy, machine_input_tag(s->machine));
  return !session_over(s);
}

/* The time is over, perhaps with what the solver is not able to decide. */
static void note_unsolved(struct session *s) {
  struct machine_search search;
  if (machine_search(s->machine, &search) && search.unsolved) session_because(s, EXPLORE_REASON_UNSOLVED);
}

#define ENDED \
  (1u << EXPLORE_REASON_INTERRUPTED | 1u << EXPLORE_REASON_EXECUTIONS | 1u << EXPLORE_REASON_FINDINGS | 1u << EXPLORE_REASON_LIVELOCK)

bool session_stops_inputs(struct session *s, bool unknown) {
  if (unknown) session_because(s, EXPLORE_REASON_UNSOLVED);
  if (s->result->reasons & ENDED) return false;
  return (has(s, EXPLORE_REASON_TIME) || session_ends_inputs(s) || unknown) && sample(s);
}

void session_input_done(struct session *s) {
  session_tell_input(s);
  session_leave_out(s);
  s->inputs++;
}

enum session_more session_ask_input(struct session *s) {
  if (!machine_options(s->machine)->all_inputs || !machine_has_inputs(s->machine)) return SESSION_ENDS;
  bool stops = has(s, EXPLORE_REASON_TIME), ended = s->result->reasons & ENDED, asked = session_asked(s);
  if (asked && !ended) session_because(s, EXPLORE_REASON_INPUTS); /* they are shown with the machine's input */
  if (ended || asked) {
    session_tell_input(s);
    return SESSION_ENDS;
  }
  session_input_done(s);
  if (stops) note_unsolved(s);
  if (stops || session_ends_inputs(s)) return sample(s) ? SESSION_SAMPLES : SESSION_ENDS;
  enum machine_more more = machine_next_input(s->machine);
  if (more == MORE_INPUT) return SESSION_HAS_INPUT;
  if (more == MORE_NONE) return SESSION_HAS_NONE;
  bool late = deadline_passed;
  if (late) session_over(s), note_unsolved(s);
  return session_stops_inputs(s, !late) ? SESSION_SAMPLES : SESSION_ENDS;
}

bool session_next_input(struct session *s) {
  enum session_more more = session_ask_input(s);
  if (more != SESSION_HAS_INPUT) return more == SESSION_SAMPLES;
  return s->options == &s->sweep ? go_on(s) : session_begin_again(s);
}
