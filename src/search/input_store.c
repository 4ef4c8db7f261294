/* A campaign of inputs: what was counted and seen with those that were explored to the end, and what is pending. */
#include "search/input_team.h"

/* Of what was kept last (session_keep()): what came since is made again. */
static void put_outcomes(const struct session *s, struct text *out) {
  struct explore_result kept = {.refused = s->result->refused};
  for (size_t i = 0; i < s->bank.outcomes.count; i++) {
    struct explore_outcome *o = vec_push(&kept.outcomes);
    *o = s->result->outcomes.data[i];
    o->count = s->bank.outcomes.data[i];
  }
  answer_put_outcomes(&kept, out);
  vec_release(&kept.outcomes);
}

static uint64_t count_parts(const struct inputs *x) {
  uint64_t parts = x->parts.list.count + x->hard.list.count;
  for (uint32_t i = 0; i < x->jobs; i++) parts += x->members[i].has.count != 0;
  return parts;
}

static void put_parts(const struct inputs *x, struct text *out) {
  uint64_t parts = count_parts(x);
  WIRE_PUT(out, parts);
  for (size_t i = 0; i < x->parts.list.count; i++) input_put_part(&x->parts.list.data[i], out);
  for (size_t i = 0; i < x->hard.list.count; i++) input_put_part(&x->hard.list.data[i], out);
  for (uint32_t i = 0; i < x->jobs; i++)
    if (x->members[i].has.count) input_put_part(&x->members[i].has, out);
}

enum err input_store(struct inputs *x) {
  const uint32_t passing = 1u << EXPLORE_REASON_TIME | 1u << EXPLORE_REASON_EXECUTIONS | 1u << EXPLORE_REASON_INTERRUPTED |
                           1u << EXPLORE_REASON_FINDINGS | 1u << EXPLORE_REASON_LIVELOCK | 1u << EXPLORE_REASON_INPUTS |
                           1u << EXPLORE_REASON_MANY_INPUTS | 1u << EXPLORE_REASON_UNSOLVED;
  const struct session *s = x->s;
  const struct session_search search = session_searched(s);
  struct text out = {0};
  uint32_t reasons = s->bank.reasons & ~passing;
  WIRE_PUT(&out, s->bank.counts);
  WIRE_PUT(&out, reasons);
  WIRE_PUT(&out, s->bank.inputs);
  WIRE_PUT(&out, search);
  WIRE_PUT(&out, x->unknown);
  answer_put_remarks(s->machine, &out);
  input_put_ignored(s, &out);
  put_outcomes(s, &out);
  answer_put_text(&out, &x->shown);
  put_parts(x, &out);
  enum err e = campaign_save(x->campaign, &out, x->diag);
  text_release(&out);
  return e;
}

static void get_parts(struct inputs *x, struct wire *w) {
  uint64_t parts;
  WIRE_GET(w, parts);
  for (uint64_t i = 0; i < parts && !w->bad; i++) {
    struct input_part part;
    input_get_part(&part, w);
    w->bad |= part.count && !part.bytes.count;
    input_parts_add(part.patient ? &x->hard : &x->parts, &part);
  }
}

bool input_resume(struct inputs *x) {
  struct session *s = x->s;
  struct explore_result *r = s->result;
  struct wire w = campaign_state(x->campaign);
  struct explore_counts *n = &r->counts;
  uint8_t unknown;
  WIRE_GET(&w, *n);
  WIRE_GET(&w, r->reasons);
  WIRE_GET(&w, s->inputs);
  WIRE_GET(&w, s->others);
  WIRE_GET(&w, unknown);
  answer_get_remarks(s->machine, &w);
  input_get_ignored(s, &w);
  answer_get_outcomes(s, &w);
  answer_get_text(&w, &x->shown);
  get_parts(x, &w);
  x->unknown = unknown;
  s->made = n->executions + n->blocked + n->assumed + n->limited;
  session_keep(s);
  if (!w.bad) return true;
  x->error = campaign_corrupt(x->campaign, x->diag);
  return false;
}
