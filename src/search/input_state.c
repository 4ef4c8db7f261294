/* What workers say of the inputs that they explore, and how the master takes it. */
#include "search/input_team.h"

/* --- parts --- */

void input_put_part(const struct input_part *part, struct text *out) {
  WIRE_PUT(out, part->count);
  WIRE_PUT(out, part->patient);
  answer_put_text(out, &part->bytes);
}

void input_get_part(struct input_part *part, struct wire *w) {
  uint8_t patient;
  *part = (struct input_part){0};
  WIRE_GET(w, part->count);
  WIRE_GET(w, patient);
  part->patient = patient;
  answer_get_text(w, &part->bytes);
}

void input_part_release(struct input_part *part) {
  text_release(&part->bytes);
  *part = (struct input_part){0};
}

void input_parts_add(struct input_parts *to, struct input_part *part) {
  if (part->count)
    *vec_push(&to->list) = *part;
  else
    text_release(&part->bytes);
  *part = (struct input_part){0};
}

/* --- ignored findings --- */

void input_put_ignored(const struct session *s, struct text *out) {
  const struct hashmap *lines = &s->ignored;
  uint64_t count = lines->count;
  WIRE_PUT(out, count);
  for (size_t i = 0; i < lines->cap; i++) {
    if (!lines->used[i]) continue;
    WIRE_PUT(out, lines->keys[i]);
    WIRE_PUT(out, lines->values[i]);
  }
}

void input_get_ignored(struct session *s, struct wire *w) {
  uint64_t count, lines, kind;
  WIRE_GET(w, count);
  for (uint64_t i = 0; i < count && !w->bad; i++) {
    WIRE_GET(w, lines);
    WIRE_GET(w, kind);
    w->bad |= kind >= FINDING_COUNT;
    if (!w->bad) session_ignore(s, lines, (enum finding_kind)kind);
  }
}

/* --- inputs that are tests --- */

static void put_string(struct text *out, const char *s) {
  uint64_t n = strlen(s);
  WIRE_PUT(out, n);
  text_append(out, s, n);
}

void input_note_tested(const struct machine_input *inputs, size_t n, void *data) {
  struct input_said *said = data;
  uint64_t count = n;
  WIRE_PUT(&said->tested, count);
  for (size_t i = 0; i < n; i++) {
    uint64_t size = inputs[i].size;
    put_string(&said->tested, inputs[i].thread);
    put_string(&said->tested, inputs[i].name);
    WIRE_PUT(&said->tested, inputs[i].number);
    WIRE_PUT(&said->tested, size);
    text_append(&said->tested, (const char *)inputs[i].bytes, size);
  }
  said->tests++;
}

struct tested {
  struct text thread, name, bytes;
  uint32_t number;
};

static void get_tested(struct session *s, struct wire *w) {
  VEC(struct tested) all = {0};
  VEC(struct machine_input) inputs = {0};
  uint64_t count;
  WIRE_GET(w, count);
  for (uint64_t i = 0; i < count && !w->bad; i++) {
    struct tested *one = vec_push(&all);
    *one = (struct tested){0};
    answer_get_text(w, &one->thread);
    answer_get_text(w, &one->name);
    WIRE_GET(w, one->number);
    answer_get_text(w, &one->bytes);
  }
  for (size_t i = 0; i < all.count; i++) {
    const struct tested *one = &all.data[i];
    *vec_push(&inputs) = (struct machine_input){.thread = text_str(&one->thread),
                                                .number = one->number,
                                                .name = text_str(&one->name),
                                                .bytes = (const uint8_t *)text_str(&one->bytes),
                                                .size = one->bytes.count};
  }
  if (!w->bad && s->options->tested) s->options->tested(inputs.data, inputs.count, s->options->progress_data);
  for (size_t i = 0; i < all.count; i++) {
    text_release(&all.data[i].thread);
    text_release(&all.data[i].name);
    text_release(&all.data[i].bytes);
  }
  vec_release(&all);
  vec_release(&inputs);
}

/* --- the state --- */

/* What the solver was asked, since. An input that is pending again is to be found again. */
static struct machine_search search_since(const struct session *s, struct input_said *said, bool present) {
  struct machine_search now = {0}, since;
  (void)machine_search(s->machine, &now);
  now.inputs -= present;
  since = now;
  since.inputs -= said->search.inputs, since.questions -= said->search.questions, since.engine -= said->search.engine;
  since.undecided -= said->search.undecided, since.nanoseconds -= said->search.nanoseconds;
  said->search = now;
  return since;
}

static void put_left(struct session *s, bool present, bool whole, struct text *out) {
  struct machine_search search = {0};
  (void)machine_search(s->machine, &search);
  struct input_part left = {.count = search.pending + present};
  if (whole) machine_inputs_put(s->machine, present, &left.bytes);
  input_put_part(&left, out);
  input_part_release(&left);
}

void input_put_state(struct session *s, struct input_said *said, bool present, bool whole, const struct input_part *given,
                     struct text *out) {
  struct explore_result *r = s->result;
  session_ask_strategy(s);
  uint64_t limits = r->limits.count;
  struct machine_search search = search_since(s, said, present);
  WIRE_PUT(out, r->counts);
  WIRE_PUT(out, r->reasons);
  WIRE_PUT(out, limits);
  for (size_t i = 0; i < limits; i++) { /* the text is at the same place in all processes that were forked from one */
    uintptr_t at = (uintptr_t)r->limits.data[i];
    WIRE_PUT(out, at);
  }
  WIRE_PUT(out, search);
  WIRE_PUT(out, said->explored);
  input_put_ignored(s, out);
  answer_put_outcomes(r, out);
  WIRE_PUT(out, said->tests);
  text_append(out, text_str(&said->tested), said->tested.count);
  put_left(s, present, whole, out);
  input_put_part(given ? given : &(struct input_part){0}, out);
  said->explored = said->tests = 0;
  text_clear(&said->tested);
  r->counts = (struct explore_counts){0};
  session_clear_outcomes(s);
  session_keep(s);
}

static void add_search(struct inputs *x, const struct machine_search *n) {
  struct session_search *to = &x->s->others;
  to->inputs += n->inputs, to->questions += n->questions, to->engine += n->engine;
  to->undecided += n->undecided, to->nanoseconds += n->nanoseconds;
  x->unknown |= n->unknown;
}

void input_get_state(struct inputs *x, struct input_member *m, struct wire *w) {
  struct session *s = x->s;
  struct explore_counts counts;
  struct machine_search search;
  uint64_t limits, explored, tests;
  uintptr_t at;
  uint32_t reasons;
  bool patient = m->has.patient;
  WIRE_GET(w, counts);
  WIRE_GET(w, reasons);
  WIRE_GET(w, limits);
  for (uint64_t i = 0; i < limits && !w->bad; i++) {
    WIRE_GET(w, at);
    session_note_limit(s, (const char *)at);
  }
  WIRE_GET(w, search);
  WIRE_GET(w, explored);
  explore_counts_add(&s->result->counts, &counts);
  s->result->counts.restarts += counts.restarts;
  s->result->reasons |= reasons;
  s->inputs += explored;
  add_search(x, &search);
  input_get_ignored(s, w);
  answer_get_outcomes(s, w);
  WIRE_GET(w, tests);
  for (uint64_t i = 0; i < tests && !w->bad; i++) get_tested(s, w);
  input_part_release(&m->has);
  input_get_part(&m->has, w);
  m->has.patient = patient, m->has.unsolved = search.unsolved;
  struct input_part given;
  input_get_part(&given, w);
  given.patient = patient;
  input_parts_add(&x->parts, &given);
}
