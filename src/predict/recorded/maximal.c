#include "predict/recorded/maximal.h"

#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "base/wire.h"
#include "order/order.h"
#include "predict/candidate.h"
#include "predict/recorded/allowance.h"
#include "predict/recorded/model.h"
#include "predict/recorded/parts.h"
#include "predict/recorded/question.h"
#include "predict/recorded/reading.h"
#include "predict/recorded/rivals.h"
#include "predict/recorded/triple.h"

#define NONE RECORDED_NONE
/* Questions about one combination of sites in one window; fewer if they take more than one question may. */
#define ALIKE_MOST 64u
/* What is known of a combination of sites in one window: was it found, how many questions, how much effort they took. */
enum asked { ASKED_FOUND = 1, ASKED_ONE = 2, ASKED_MOST = 128, ASKED_EFFORT = ASKED_ONE * ASKED_MOST };
/* So many pairs at the same sites are asked about one by one. */
#define SINGLY_MOST 2u
/* Cycles of locks of one window. */
#define CYCLES_MOST 64u

/* Most windows of a round. The first ones are shorter: most is found early, and need not be looked for again. */
#define ROUND_MOST 64u

enum known { KNOWN_UNDECIDED = 1, KNOWN_FOUND, KNOWN_CLAIMED }; /* what is known of a combination of sites; the finding's number above */

/* A finding of this round. */
struct note {
  uint64_t key, order; /* its combination of sites; among those of its window */
  struct maximal_finding finding;
};
/* What other processes are told: a key, and what is known of it. */
struct known_key {
  uint64_t key, known;
};

struct maximal {
  struct maximal_options options;
  struct recorded_state state; /* before the window */
  struct recorded_model model;
  struct causal *causal;
  struct cautious cautious;
  struct candidates candidates;
  struct rivals rivals;
  struct triples triples;
  struct recorded_reading reading;
  struct allowance allowance;
  struct hashmap known; /* by signature: before this round */
  struct hashmap now;   /* by signature: what was asked in this window, see enum asked */
  struct parts parts;
  VEC(struct note) notes; /* of this round; their events are `told` */
  VEC(struct recorded_step) told;
  VEC(struct known_key) learnt; /* in this round */
  struct text message;
  uint64_t settled; /* of counts.effort: up to the last round */
  uint64_t budget;  /* of the present question */
  uint64_t begun;   /* effort of the order engine before the present question */
  bool is_modelled; /* the causal model of the window is built */
  bool stops, over; /* the time is over; all processes know */
  VEC(struct maximal_finding) findings;
  VEC(struct recorded_step) events;
  struct maximal_counts counts;
};

struct maximal *maximal_new(const struct maximal_options *options) {
  struct maximal *m = mem_alloc(sizeof *m);
  m->options = *options;
  if (m->options.window == 0) m->options.window = MAXIMAL_WINDOW;
  if (m->options.budget == 0) m->options.budget = MAXIMAL_BUDGET;
  if (m->options.jobs == 0) m->options.jobs = 1;
  struct causal_options causal = {
      .memory = CAUSAL_SC, .recorded = true, .budget = m->options.budget, .initial = recorded_model_initial, .data = &m->model};
  m->causal = causal_new(&causal);
  allowance_begin(&m->allowance, m->options.budget);
  m->candidates.all = true;
  m->model.trusting = true;
  return m;
}

void maximal_free(struct maximal *m) {
  if (!m) return;
  recorded_state_release(&m->state);
  recorded_model_release(&m->model);
  causal_free(m->causal);
  cautious_release(&m->cautious);
  candidates_release(&m->candidates);
  rivals_release(&m->rivals);
  triples_release(&m->triples);
  vec_release(&m->reading.buffer);
  hashmap_release(&m->known);
  hashmap_release(&m->now);
  vec_release(&m->notes);
  vec_release(&m->told);
  vec_release(&m->learnt);
  text_release(&m->message);
  vec_release(&m->findings);
  vec_release(&m->events);
  mem_free(m, sizeof *m);
}

const struct maximal_finding *maximal_findings(const struct maximal *m, uint32_t *n) {
  *n = (uint32_t)m->findings.count;
  return m->findings.data;
}
const struct recorded_step *maximal_events(const struct maximal *m) { return m->events.data; }
struct maximal_counts maximal_counts(const struct maximal *m) {
  return m->counts;
}

/* --- what was asked, and found --- */

static const struct event *event_at(const struct maximal *m, uint32_t place) {
  return &m->reading.buffer.data[m->model.origins.data[place]];
}

/* Where the event comes from: its site; or, if that is not known, what it does and to what. */
static uint64_t place_key(const struct event *e) {
  return e->site ? e->site : hash_pair(e->object, (uint64_t)e->thread << 8 | e->op) | 1ull << 63;
}

static uint64_t signature(enum finding_kind kind, const struct event *const *events, uint32_t n) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += hash_mix(place_key(events[i])) * (kind == FINDING_ATOMICITY_VIOLATION ? i + 1 : 1);
  return hash_pair((uint64_t)kind + 1, sum);
}

static void leave_out(struct maximal *m, enum maximal_left what, uint64_t n) { m->counts.left_out += n, m->counts.left[what] += n; }

static bool out_of_time(struct maximal *m) {
  if (deadline_passed) m->stops = true;
  return m->stops;
}

/* Nothing need be asked. A lost notification may be dropped yet (drop_waits()): it is looked for in each window. */
static bool is_settled(const struct maximal *m, enum finding_kind kind, uint64_t key) {
  const uint64_t *known = hashmap_find(&m->known, key);
  return (known && (*known & 3) == KNOWN_FOUND && kind != FINDING_LOST_WAKEUP) || (m->options.without >> kind & 1);
}

static uint64_t effort(const struct maximal *m) { return order_stats(causal_order(m->causal)).effort + cautious_effort(&m->cautious); }

/* A question about the combination of sites is put. */
static void begin_question(struct maximal *m, uint64_t key) {
  const uint64_t *known = hashmap_find(&m->known, key);
  m->budget = allowance_question(&m->allowance, known && (*known & 3) != KNOWN_FOUND);
  causal_set_budget(m->causal, m->budget);
  m->begun = effort(m);
}

/* Returns what it has cost. */
static uint64_t end_question(struct maximal *m) {
  uint64_t spent = effort(m) - m->begun;
  allowance_spend(&m->allowance, spent);
  m->counts.effort += spent;
  m->counts.questions++;
  return spent;
}

static bool may_ask(struct maximal *m, enum finding_kind kind, uint64_t key) {
  if (out_of_time(m) || is_settled(m, kind, key)) return false;
  uint64_t *now = hashmap_at(&m->now, key, 0, NULL);
  if (*now & ASKED_FOUND) return false;
  if (*now / ASKED_ONE % ASKED_MOST >= ALIKE_MOST || *now / ASKED_EFFORT >= m->options.budget) {
    leave_out(m, LEFT_QUESTIONS, 1);
    return false;
  }
  *now += ASKED_ONE;
  begin_question(m, key);
  return true;
}

static void add_event(struct maximal *m, const struct event *e) {
  *vec_push(&m->told) = recorded_step_of(e, m->state.events + (uint64_t)(e - m->reading.buffer.data));
}

static void add_step(void *data, uint32_t position) {
  struct maximal *m = data;
  add_event(m, &m->reading.buffer.data[position]);
}

/* The locks that the thread of the finding's `which`-th event holds there. Returns how many. */
static uint32_t add_locks(struct maximal *m, const struct event *e, uint8_t which) {
  struct recorded_thread t = {0};
  const struct recorded_thread *before = recorded_state_thread(&m->state, e->thread);
  for (size_t i = 0; i < before->held.count; i++) *vec_push(&t.held) = before->held.data[i];
  for (const struct event *x = m->reading.buffer.data; x < e; x++)
    if (x->thread == e->thread) recorded_thread_locks(&t, x);
  uint32_t n = (uint32_t)t.held.count;
  for (uint32_t i = 0; i < n; i++)
    *vec_push(&m->told) = (struct recorded_step){
        .thread = e->thread, .site = t.held.data[i].site, .op = EVENT_ACQUIRE, .what = which, .object = t.held.data[i].lock};
  vec_release(&t.held);
  return n;
}

static struct causal *model(struct maximal *m) {
  if (!m->is_modelled) {
    struct causal_trace trace = recorded_model_trace(&m->model);
    causal_build(m->causal, &trace);
    m->is_modelled = true;
    m->counts.modelled++;
  }
  return m->causal;
}

/* Why the last question was not decided. */
static const char *why_unknown(struct maximal *m) {
  if (deadline_passed) return "the time was over";
  const char *limit = causal_gave_up(m->causal) ? NULL : causal_limit(m->causal);
  return limit ? limit : "the budget of one question was not enough (--budget)";
}

/* Notes the answer to a question about `events`. True: it is found. */
static bool note(struct maximal *m, const struct question *q, uint64_t key, enum causal_answer answer, const struct event *const *events,
                 uint32_t n) {
  bool yes = answer == CAUSAL_YES;
  const char *doubt = !yes ? NULL : cautious_doubts(&m->cautious, &m->model, m->causal, m->reading.buffer.data, m->budget, q);
  bool proven = yes && !doubt;
  *hashmap_at(&m->now, key, 0, NULL) += end_question(m) * ASKED_EFFORT;
  m->counts.yes += yes, m->counts.no += answer == CAUSAL_NO, m->counts.undecided += answer == CAUSAL_UNKNOWN;
  if (answer == CAUSAL_NO) return false;
  if (proven) *hashmap_at(&m->now, key, 0, NULL) |= ASKED_FOUND;
  struct note *x = vec_push(&m->notes);
  *x = (struct note){.key = key, .order = m->notes.count};
  x->finding = (struct maximal_finding){.kind = q->kind,
                                        .undecided = !yes,
                                        .claimed = doubt,
                                        .why = yes ? NULL : why_unknown(m),
                                        .window = m->counts.windows,
                                        .from = m->state.events,
                                        .end = m->state.events + m->model.n,
                                        .events = n,
                                        .event = (uint32_t)m->told.count,
                                        .condition = q->kind == FINDING_LOST_WAKEUP ? events[0]->object : 0};
  for (uint32_t i = 0; i < n; i++) add_event(m, events[i]);
  x->finding.step = (uint32_t)m->told.count;
  if (yes) cautious_steps(&m->cautious, &m->model, m->causal, add_step, m);
  x->finding.steps = (uint32_t)m->told.count - x->finding.step;
  for (uint32_t i = 0; i < n; i++) x->finding.locks += add_locks(m, events[i], (uint8_t)i);
  return proven;
}

/* The answer of the window's own model, noted. */
static bool put(struct maximal *m, const struct question *q, uint64_t key, const struct event *const *events, uint32_t n) {
  struct causal *causal = model(m);
  return note(m, q, key, question_put(q, &m->model, causal), events, n);
}

/* --- questions --- */

static enum finding_kind kind_of(const struct rivals_group *g) { return g->frees ? FINDING_USE_AFTER_FREE : FINDING_DATA_RACE; }

/* One pair: two accesses, or a use and a free. True: no other one of the group need be asked about, or may be. */
static bool ask_pair(struct maximal *m, const struct rivals_group *g, uint32_t a, uint32_t b) {
  bool swap = !g->frees && a > b;
  const struct event *events[] = {event_at(m, swap ? b : a), event_at(m, swap ? a : b)};
  if (!may_ask(m, kind_of(g), g->key)) return true;
  struct question q = {kind_of(g), 2, {m->model.origins.data[g->frees ? b : a], m->model.origins.data[g->frees ? a : b]}};
  return put(m, &q, g->key, events, 2);
}

/* The question's pairs, one by one, until one is found. */
static bool ask_singly(struct maximal *m, const struct rivals_group *g) {
  for (size_t i = 0; i < m->rivals.sets.count; i++) {
    const struct causal_rivals *r = &m->rivals.sets.data[i];
    for (uint64_t k = 0; k < (uint64_t)r->n * r->m; k++)
      if (ask_pair(m, g, r->firsts[k % r->n], r->seconds[k / r->n])) return true;
  }
  return false;
}

/* Some of the group's pairs in one question. True: that is all. */
static bool ask_rivals(struct maximal *m, const struct rivals_group *g) {
  uint64_t pairs = 0;
  uint32_t a = NONE, b = NONE;
  for (size_t i = 0; i < m->rivals.sets.count; i++) pairs += (uint64_t)m->rivals.sets.data[i].n * m->rivals.sets.data[i].m;
  if (pairs <= SINGLY_MOST) return ask_singly(m, g);
  begin_question(m, g->key);
  enum causal_answer answer = causal_rival(model(m), m->rivals.sets.data, (uint32_t)m->rivals.sets.count, &a, &b);
  (void)end_question(m);
  m->counts.no += answer == CAUSAL_NO, m->counts.yes += answer == CAUSAL_YES;
  if (answer == CAUSAL_NO) return false;
  return (answer == CAUSAL_YES && ask_pair(m, g, a, b)) || ask_singly(m, g);
}

static void ask_group(struct maximal *m, const struct rivals_group *g) {
  bool done = is_settled(m, kind_of(g), g->key);
  for (uint32_t member = g->first; member != NONE && !done && !out_of_time(m);) {
    rivals_question(&m->rivals, &m->candidates, g, &member);
    done = ask_rivals(m, g);
  }
}

static uint64_t pair_key(void *data, bool frees, uint32_t a, uint32_t b) {
  const struct event *events[] = {event_at(data, a), event_at(data, b)};
  return signature(frees ? FINDING_USE_AFTER_FREE : FINDING_DATA_RACE, events, 2);
}

static void ask_pairs(struct maximal *m) {
  rivals_find(&m->rivals, &m->candidates, pair_key, m);
  for (size_t i = 0; i < m->rivals.groups.count; i++) ask_group(m, &m->rivals.groups.data[i]);
}

static void ask_deadlocks(struct maximal *m) {
  struct causal_cycle cycles[CYCLES_MOST];
  bool all = true;
  if (out_of_time(m) || !m->candidates.circle || (m->options.without >> FINDING_DEADLOCK & 1)) return;
  uint32_t n = causal_cycles(model(m), cycles, CYCLES_MOST, &all);
  if (n > CYCLES_MOST || !all) leave_out(m, LEFT_CYCLES, n > CYCLES_MOST ? n - CYCLES_MOST : 1);
  for (uint32_t i = 0; i < n && i < CYCLES_MOST; i++) {
    const struct event *events[CAUSAL_CYCLE];
    bool inside = true;
    for (uint32_t k = 0; k < cycles[i].n; k++) {
      inside &= m->model.origins.data[cycles[i].acquires[k]] != NONE;
      if (inside) events[k] = event_at(m, cycles[i].acquires[k]);
    }
    if (!inside) continue;
    uint64_t key = signature(FINDING_DEADLOCK, events, cycles[i].n);
    struct question q = {FINDING_DEADLOCK, cycles[i].n, {0}};
    for (uint32_t k = 0; k < q.n; k++) q.positions[k] = m->model.origins.data[cycles[i].acquires[k]];
    if (may_ask(m, FINDING_DEADLOCK, key)) (void)put(m, &q, key, events, q.n);
  }
}

static void ask_triples(struct maximal *m) {
  if (m->options.without >> FINDING_ATOMICITY_VIOLATION & 1) return;
  triples_find(&m->triples, &m->model);
  leave_out(m, LEFT_TRIPLES, m->triples.left_out);
  for (size_t i = 0; i < m->triples.found.count; i++) {
    const struct triple *t = &m->triples.found.data[i];
    const struct event *events[] = {event_at(m, t->first), event_at(m, t->last), event_at(m, t->between)};
    uint64_t key = signature(FINDING_ATOMICITY_VIOLATION, events, 3);
    const uint32_t *origins = m->model.origins.data;
    struct question q = {FINDING_ATOMICITY_VIOLATION, 3, {origins[t->first], origins[t->between], origins[t->last]}};
    if (may_ask(m, FINDING_ATOMICITY_VIOLATION, key)) (void)put(m, &q, key, events, 3);
  }
}

static void ask_pointers(struct maximal *m) {
  for (size_t i = 0; i < m->model.pointers.count; i++) {
    const struct recorded_pointer *p = &m->model.pointers.data[i];
    const struct event *events[] = {&m->reading.buffer.data[p->branch], &m->reading.buffer.data[p->read]};
    uint64_t key = signature(FINDING_NULL_DEREFERENCE, events, 2);
    struct question q = {FINDING_NULL_DEREFERENCE, 2, {p->branch, p->read}};
    if (may_ask(m, FINDING_NULL_DEREFERENCE, key)) (void)put(m, &q, key, events, 2);
  }
}

/* The begin of the wait that the event ends; NONE: it is not in the window. */
static uint32_t begin_of_wait(const struct recorded_model *m, uint32_t leave) {
  for (uint32_t i = leave; i-- > m->prefix;)
    if (m->events.data[i].op == EVENT_WAIT_ENTER && m->events.data[i].thread == m->events.data[leave].thread) return i;
  return NONE;
}

static void ask_waits(struct maximal *m) {
  for (uint32_t i = m->model.prefix; i < m->model.events.count; i++) {
    const struct event *leave = &m->model.events.data[i];
    if (leave->op != EVENT_WAIT_LEAVE || (leave->flags & EVENT_TIMED_OUT)) continue;
    uint32_t enter = begin_of_wait(&m->model, i);
    if (enter == NONE) continue;
    const struct event *events[] = {event_at(m, enter)};
    uint64_t key = signature(FINDING_LOST_WAKEUP, events, 1);
    struct question q = {FINDING_LOST_WAKEUP, 1, {m->model.origins.data[enter]}};
    if (may_ask(m, FINDING_LOST_WAKEUP, key)) (void)put(m, &q, key, events, 1);
  }
}

/* --- windows --- */

static void ask_all(struct maximal *m) {
  recorded_model_make(&m->model, m->options.region, m->options.data);
  m->is_modelled = false;
  cautious_begin(&m->cautious);
  hashmap_clear(&m->now);
  allowance_window(&m->allowance);
  uint32_t n = (uint32_t)m->model.events.count;
  candidates_begin(&m->candidates, m->model.events.data, n);
  candidates_find(&m->candidates, m->model.events.data, 0, n, NULL, 0);
  leave_out(m, LEFT_ACCESSES, m->candidates.left_out);
  ask_pairs(m);
  ask_deadlocks(m);
  ask_triples(m);
  ask_pointers(m);
  ask_waits(m);
}

static void look_at(struct maximal *m) {
  if (!out_of_time(m)) ask_all(m);
  if (m->stops) leave_out(m, LEFT_TIME, 1);
}

static void pass(struct maximal *m, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) recorded_state_take(&m->state, &m->reading.buffer.data[i]);
  recorded_reading_pass(&m->reading, n);
  m->counts.events += n;
}

/* Waits for which a notification comes behind the window are not lost. Nobody knows, if the run was not read to its end. */
static void drop_waits(struct maximal *m) {
  size_t kept = 0;
  for (size_t i = 0; i < m->findings.count; i++) {
    const struct maximal_finding *f = &m->findings.data[i];
    const uint64_t *last = f->kind == FINDING_LOST_WAKEUP ? hashmap_find(&m->state.last_notes, f->condition) : NULL;
    if (last && *last > f->end) continue;
    struct maximal_finding *to = &m->findings.data[kept++];
    *to = *f;
    if (to->kind != FINDING_LOST_WAKEUP || to->undecided || !m->counts.stopped) continue;
    to->undecided = true, to->why = "the time was over: a notification may come later in the run";
  }
  m->findings.count = kept;
}

/* --- rounds --- */

static int by_window(const void *a, const void *b) {
  const struct note *x = a, *y = b;
  if (x->finding.window != y->finding.window) return x->finding.window < y->finding.window ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* Of each combination of sites the first finding counts, but one that is proven more than one that is claimed, and that more than one
 * that is undecided; of lost notifications the last one, behind which the fewest come. */
static void keep_note(struct maximal *m, const struct note *x) {
  uint64_t *known = hashmap_at(&m->known, x->key, 0, NULL);
  enum known now = x->finding.undecided ? KNOWN_UNDECIDED : x->finding.claimed ? KNOWN_CLAIMED : KNOWN_FOUND;
  bool later = now == KNOWN_FOUND && x->finding.kind == FINDING_LOST_WAKEUP;
  if (*known && !later && (now == KNOWN_UNDECIDED || (*known & 3) == now || (*known & 3) == KNOWN_FOUND)) return;
  uint32_t number = *known ? (uint32_t)(*known >> 2) : (uint32_t)m->findings.count;
  struct maximal_finding *f = *known ? &m->findings.data[number] : vec_push(&m->findings);
  *known = (uint64_t)number << 2 | now;
  *f = x->finding;
  f->event = (uint32_t)m->events.count, f->step = f->event + f->events;
  for (uint32_t i = 0; i < f->events; i++) *vec_push(&m->events) = m->told.data[x->finding.event + i];
  for (uint32_t i = 0; i < f->steps + f->locks; i++) *vec_push(&m->events) = m->told.data[x->finding.step + i];
  *vec_push(&m->learnt) = (struct known_key){x->key, *known};
}

static void put_together(struct maximal *m) {
  vec_clear(&m->learnt);
  if (m->notes.count) qsort(m->notes.data, m->notes.count, sizeof m->notes.data[0], by_window);
  for (size_t i = 0; i < m->notes.count; i++) keep_note(m, &m->notes.data[i]);
  vec_clear(&m->notes);
  vec_clear(&m->told);
}

/* Another process's part of the round: what it counted, and its notes, whose events come behind those that are there. */
static bool take_part(struct maximal *m, uint32_t i) {
  if (!parts_receive(&m->parts, i, &m->message)) return false;
  struct wire w = {m->message.data, m->message.data + m->message.count, false};
  struct maximal_counts n;
  size_t first = m->notes.count;
  uint32_t base = (uint32_t)m->told.count;
  WIRE_GET(&w, n);
  WIRE_GET_VEC(&w, &m->notes);
  WIRE_GET_VEC(&w, &m->told);
  m->stops |= n.stopped;
  for (size_t k = first; k < m->notes.count; k++) m->notes.data[k].finding.event += base, m->notes.data[k].finding.step += base;
  m->counts.modelled += n.modelled, m->counts.questions += n.questions, m->counts.effort += n.effort;
  for (unsigned k = 0; k < LEFT_COUNT; k++) leave_out(m, k, n.left[k]);
  m->counts.yes += n.yes, m->counts.no += n.no, m->counts.undecided += n.undecided, m->counts.unexplained += n.unexplained;
  return !w.bad;
}

static bool give_part(struct maximal *m) {
  text_clear(&m->message);
  m->counts.stopped = m->stops;
  WIRE_PUT(&m->message, m->counts);
  WIRE_PUT_VEC(&m->message, &m->notes);
  WIRE_PUT_VEC(&m->message, &m->told);
  vec_clear(&m->notes), vec_clear(&m->told), vec_clear(&m->learnt);
  m->counts.modelled = m->counts.questions = m->counts.yes = m->counts.no = m->counts.undecided = 0;
  m->counts.unexplained = m->counts.left_out = m->counts.effort = 0;
  memset(m->counts.left, 0, sizeof m->counts.left);
  if (!parts_send(&m->parts, 0, &m->message) || !parts_receive(&m->parts, 0, &m->message)) return false;
  struct wire w = {m->message.data, m->message.data + m->message.count, false};
  WIRE_GET_VEC(&w, &m->learnt);
  WIRE_GET(&w, m->over);
  WIRE_GET(&w, m->allowance);
  for (size_t i = 0; i < m->learnt.count; i++) *hashmap_at(&m->known, m->learnt.data[i].key, 0, NULL) = m->learnt.data[i].known;
  return !w.bad;
}

/* False: another process has ended early. */
static bool end_round(struct maximal *m) {
  if (m->parts.part > 0) return give_part(m);
  for (uint32_t i = 0; i + 1 < m->parts.n; i++)
    if (!take_part(m, i)) return false;
  put_together(m);
  m->over = m->stops;
  allowance_settle(&m->allowance, m->counts.effort - m->settled);
  m->settled = m->counts.effort;
  text_clear(&m->message);
  WIRE_PUT_VEC(&m->message, &m->learnt);
  WIRE_PUT(&m->message, m->over);
  WIRE_PUT(&m->message, m->allowance);
  for (uint32_t i = 0; i + 1 < m->parts.n; i++)
    if (!parts_send(&m->parts, i, &m->message)) return false;
  return true;
}

static void tell_progress(const struct maximal *m) {
  if (m->options.progress && m->parts.part == 0) m->options.progress(m->options.to, &m->counts, m->findings.count);
}

/* All windows, of which this process looks at its own. */
static bool go_through(struct maximal *m, struct recorded_stream *s) {
  uint64_t length = 1, end = 1; /* of the round */
  bool ok = true;
  while (ok && !m->over && recorded_reading_fill(&m->reading, s, m->options.window)) {
    uint32_t doubtful = recorded_reading_doubtful(&m->reading);
    if (doubtful) {
      if (m->parts.part == 0) leave_out(m, LEFT_DOUBT, doubtful);
      pass(m, doubtful);
      continue;
    }
    uint32_t n = recorded_model_measure(&m->model, &m->state, m->reading.buffer.data, (uint32_t)m->reading.buffer.count);
    if (n == 0) {
      if (m->parts.part == 0) leave_out(m, LEFT_THREADS, 1);
      pass(m, 1);
      continue;
    }
    uint32_t passes = recorded_reading_passes(&m->reading, n);
    if (m->counts.windows % m->parts.n == m->parts.part) {
      look_at(m);
      m->counts.unexplained += recorded_model_unexplained(&m->model, passes);
    }
    m->counts.windows++;
    pass(m, passes);
    tell_progress(m);
    if (m->counts.windows < end) continue;
    length = length < ROUND_MOST ? 2 * length : length, end += length;
    ok = end_round(m);
  }
  ok = ok && end_round(m);
  m->counts.stopped = m->over && recorded_reading_fill(&m->reading, s, 1);
  return ok;
}

enum err maximal_run(struct maximal *m, struct recorded_stream *s, struct diag *d) {
  enum err e = parts_start(&m->parts, m->options.jobs, d);
  bool ok = !e && go_through(m, s);
  parts_leave(&m->parts);
  drop_waits(m);
  if (e || s->e) return e ? e : s->e;
  return ok ? ERR_NONE : diag_set(d, ERR_TOOL, "a process of --jobs has ended early");
}
