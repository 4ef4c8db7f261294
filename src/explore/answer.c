#include "explore/answer.h"

void answer_put_text(struct text *out, const struct text *t) {
  uint64_t n = t->count;
  WIRE_PUT(out, n);
  text_append(out, text_str(t), n);
}

void answer_put_outcomes(const struct explore_result *r, struct text *out) {
  uint64_t n = r->outcomes.count;
  WIRE_PUT(out, n);
  for (size_t i = 0; i < r->outcomes.count; i++) {
    WIRE_PUT(out, r->outcomes.data[i].hash);
    WIRE_PUT(out, r->outcomes.data[i].count);
    answer_put_text(out, &r->outcomes.data[i].text);
  }
}

void answer_put_findings(const struct explore_result *r, size_t from, struct text *out) {
  uint64_t n = r->findings.count - from;
  WIRE_PUT(out, n);
  for (size_t i = from; i < r->findings.count; i++) WIRE_PUT_VEC(out, &r->findings.data[i].schedule.steps);
}

void session_clear_outcomes(struct session *s) {
  for (size_t i = 0; i < s->result->outcomes.count; i++) text_release(&s->result->outcomes.data[i].text);
  vec_clear(&s->result->outcomes);
  hashmap_clear(&s->outcomes);
}

/* Makes an execution, or the beginning of one, that somebody else made. */
bool session_repeat(struct session *s, const struct schedule *schedule) {
  run_begin(&s->run);
  if (!run_follow(&s->run, schedule->steps.data, schedule->steps.count)) return false;
  run_finish(&s->run);
  return true;
}

void answer_get_text(struct wire *w, struct text *t) {
  uint64_t n;
  WIRE_GET(w, n);
  if (!wire_has(w, n, 1)) return;
  text_append(t, w->at, n);
  w->at += n;
}

void answer_get_outcomes(struct session *s, struct wire *w) {
  uint64_t n;
  WIRE_GET(w, n);
  for (uint64_t i = 0; i < n && !w->bad; i++) {
    struct explore_outcome o = {0};
    WIRE_GET(w, o.hash);
    WIRE_GET(w, o.count);
    answer_get_text(w, &o.text);
    uint64_t *index = hashmap_at(&s->outcomes, o.hash, s->result->outcomes.count, NULL);
    if (*index == s->result->outcomes.count) {
      *vec_push(&s->result->outcomes) = o;
    } else {
      s->result->outcomes.data[*index].count += o.count;
      text_release(&o.text);
    }
  }
}
