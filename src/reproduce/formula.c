#include "reproduce/formula.h"

#include <string.h>

#include "base/deadline.h"
#include "machine/apart.h"
#include "machine/memory/buffer.h"
#include "reproduce/internal.h"

enum err formula_cannot(struct formula *f, const struct apart_event *e, const char *why) {
  return apart_refuse(f->a->machine, e->thread, e->site, why, f->d);
}

/* --- events and their order --- */

static uint32_t add_node(struct formula *f, uint32_t chain, uint32_t event) {
  *vec_push(&f->node_event) = event;
  f->nodes++;
  return order_event(f->o, chain);
}

bool formula_buffers(enum machine_memory memory, const struct apart_event *e) {
  return memory != MEMORY_SC && e->op == EVENT_WRITE && e->order != ORDER_SEQ_CST;
}

/* causal/place.c has the same rules. */
bool formula_drains(enum machine_memory memory, const struct apart_event *e) {
  bool pso = memory == MEMORY_PSO;
  if (memory == MEMORY_SC || e->op == EVENT_BEGIN) return false;
  if (e->op == EVENT_READ) return e->flags & EVENT_DRAINS;
  if (e->op == EVENT_WRITE) return e->order == ORDER_SEQ_CST || (pso && e->order == ORDER_RELEASE);
  if (e->op == EVENT_FENCE) return e->order == ORDER_SEQ_CST || (pso && e->order != ORDER_ACQUIRE);
  return true;
}

/* Chains: the failure's, one for each thread, and one for each thread's flushes, under PSO to each location. */
static uint64_t chain_key(const struct formula *f, const struct apart_event *e, bool flush) {
  return hash_pair(2 * e->thread + flush, flush && f->memory == MEMORY_PSO ? e->object : 0);
}
static uint32_t chain_of(const struct formula *f, const struct apart_event *e, bool flush) {
  return (uint32_t)*hashmap_find(&f->chain_at, chain_key(f, e, flush));
}

static enum err count_chains(struct formula *f) {
  uint32_t steps[THREADS_MAX] = {0};
  f->nchains = 1;
  for (uint32_t i = 0; i < f->a->events.count; i++) {
    const struct apart_event *e = event_at(f, i);
    for (unsigned flush = 0; flush <= formula_buffers(f->memory, e); flush++) {
      bool fresh;
      hashmap_at(&f->chain_at, chain_key(f, e, flush), f->nchains, &fresh);
      f->nchains += fresh;
    }
    if (++steps[e->thread] == ORDER_CHAIN_MOST)
      return formula_cannot(f, e, "the thread has too many steps that others see for the formula");
  }
  return ERR_NONE;
}

static void note_flush(struct formula *f, const struct apart_event *e, uint32_t flush, uint32_t before) {
  for (size_t i = 0; i < f->last_flush[e->thread].of.count; i++) {
    if (f->last_flush[e->thread].of.data[i] != before) continue;
    f->last_flush[e->thread].of.data[i] = flush;
    return;
  }
  *vec_push(&f->last_flush[e->thread].of) = flush;
}

/* The machine has room for so many stores in each thread's buffer. Which of them leave it first is free under PSO; but that the oldest
 * does is only asked for in the smaller problem. */
static void keep_room(struct formula *f, const struct apart_event *e, uint32_t step, uint32_t flush) {
  struct event_list *all = &f->flushes[e->thread];
  bool by_age = f->memory == MEMORY_TSO || f->way.fewer;
  if (by_age && all->of.count >= STORES_MAX) order_edge(f->o, all->of.data[all->of.count - STORES_MAX], step);
  *vec_push(&all->of) = flush;
}

static void place_event(struct formula *f, uint32_t i, struct hashmap *last_of_chain) {
  const struct apart_event *e = event_at(f, i);
  struct place *p = &f->places.data[i];
  p->step = p->visible = add_node(f, chain_of(f, e, false), 2 * i);
  if (formula_drains(f->memory, e)) {
    for (size_t k = 0; k < f->last_flush[e->thread].of.count; k++) order_edge(f->o, f->last_flush[e->thread].of.data[k], p->step);
    vec_clear(&f->last_flush[e->thread].of);
    vec_clear(&f->flushes[e->thread].of);
  }
  if (formula_buffers(f->memory, e)) {
    uint32_t chain = chain_of(f, e, true);
    p->visible = add_node(f, chain, 2 * i + 1);
    order_edge(f->o, p->step, p->visible);
    keep_room(f, e, p->step, p->visible);
    uint64_t *last = hashmap_at(last_of_chain, chain, NOBODY, NULL);
    note_flush(f, e, p->visible, (uint32_t)*last);
    *last = p->visible;
  }
  if (e->needed) order_edge(f->o, p->step, f->failure);
}

/* Threads begin behind their creation, and are joined behind their end. */
static void order_threads(struct formula *f) {
  uint32_t fork_of[THREADS_MAX], end_of[THREADS_MAX];
  bool begun[THREADS_MAX] = {0};
  memset(fork_of, 255, sizeof fork_of);
  memset(end_of, 255, sizeof end_of);
  for (uint32_t i = 0; i < f->a->events.count; i++) {
    const struct apart_event *e = event_at(f, i);
    uint32_t step = f->places.data[i].step;
    if (!begun[e->thread] && fork_of[e->thread] != NOBODY) order_edge(f->o, fork_of[e->thread], step);
    begun[e->thread] = true;
    if (e->op == EVENT_FORK) fork_of[e->object] = step;
    if (e->op == EVENT_END) end_of[e->thread] = step;
    if (e->op == EVENT_JOIN && end_of[e->object] != NOBODY) order_edge(f->o, end_of[e->object], step);
  }
}

static void place_events(struct formula *f) {
  struct hashmap last_of_chain = {0};
  order_clear(f->o, f->nchains);
  f->failure = add_node(f, 0, NOBODY);
  for (uint32_t i = 0; i < f->a->events.count; i++) *vec_push(&f->places) = (struct place){.own = NOBODY, .next = NOBODY};
  for (uint32_t i = 0; i < f->a->events.count; i++) place_event(f, i, &last_of_chain);
  hashmap_release(&last_of_chain);
  order_threads(f);
}

/* --- the solver that circuits go to --- */

static uint32_t circuit_variable(void *data) {
  struct formula *f = data;
  return add_boolean(f).code;
}
static void circuit_clause(void *data, const uint32_t *literals, size_t count) {
  struct formula *f = data;
  for (size_t i = 0; i < count; i++) clause_add(f, (struct order_lit){literals[i]});
  clause_end(f);
}

/* --- asking --- */

static enum err ask(struct formula *f) {
  f->counts->questions++;
  switch (order_solve(f->o, NULL, 0, ORDER_UNBOUNDED)) {
    case ORDER_YES:
      return ERR_NONE;
    case ORDER_NO:
      return diag_set(f->d, ERR_UNSUPPORTED,
                      "no order of the threads' steps was found that fits the log under this memory model, with what was assumed of "
                      "addresses and calls");
    case ORDER_UNKNOWN:
      return diag_set(f->d, ERR_UNSUPPORTED, "the solver could not tell, in the time that there was, whether an order fits the log");
  }
  return ERR_NONE;
}

static enum err search(struct formula *f) {
  bool hold = false;
  enum err e = ERR_NONE;
  while (!e && !hold) {
    e = ask(f);
    if (!e) e = values_check(f, &hold);
  }
  return e;
}

/* --- the plan --- */

void plan_add(struct plan *plan, const struct apart_event *e, bool flush) {
  uint8_t op = flush ? EVENT_FLUSH : apart_accesses(e) ? EVENT_READ : e->op;
  if (op == EVENT_BEGIN || (e->flags & EVENT_INTERNAL)) return;
  *vec_push(&plan->steps) = (struct plan_step){e->thread, op, e->object, e->size};
}

static void write_plan(const struct formula *f, struct plan *plan) {
  plan->failing = f->a->failing;
  for (size_t i = 0; i < f->sequence.count; i++) {
    uint32_t node = f->sequence.data[i], event = f->node_event.data[node];
    if (node == f->failure) break;
    if (event != NOBODY) plan_add(plan, event_at(f, event / 2), event & 1);
  }
}

static void release(struct formula *f) {
  for (size_t i = 0; i < f->locations.count; i++) {
    vec_release(&f->locations.data[i].writes);
    vec_release(&f->locations.data[i].reads);
  }
  for (unsigned t = 0; t < THREADS_MAX; t++) {
    vec_release(&f->last_flush[t].of);
    vec_release(&f->flushes[t].of);
  }
  vec_release(&f->places);
  vec_release(&f->locations);
  hashmap_release(&f->location_of);
  vec_release(&f->sources);
  vec_release(&f->sections);
  hashmap_release(&f->chain_at);
  hashmap_release(&f->reader);
  hashmap_release(&f->alone);
  vec_release(&f->next_alone);
  vec_release(&f->conditions);
  vec_release(&f->read);
  vec_release(&f->written);
  vec_release(&f->unfit);
  vec_release(&f->becomes);
  vec_release(&f->leader);
  vec_release(&f->substitutions);
  hashmap_release(&f->in_writes);
  hashmap_release(&f->conditions_known);
  vec_release(&f->first_due);
  vec_release(&f->next_due);
  vec_release(&f->said);
  vec_release(&f->clause);
  vec_release(&f->sequence);
  vec_release(&f->node_event);
  value_model_release(&f->values);
  evaluator_release(&f->evaluator);
  hashmap_release(&f->needed);
  vec_release(&f->waiting);
  circuit_free(f->circuit);
  if (f->o) order_free(f->o);
}

static void begin_values(struct formula *f) {
  for (uint32_t i = 0; i < f->a->events.count; i++) {
    const struct apart_event *e = event_at(f, i);
    *vec_push(&f->read) = e->read;
    *vec_push(&f->written) = e->written;
    *vec_push(&f->becomes) = NO_EXPR;
    *vec_push(&f->leader) = NOBODY;
    f->places.data[i].until = f->places.data[i].step;
    if (apart_reads(e)) fewer_note_symbol(f, i);
  }
  for (size_t i = 0; i < f->a->conditions.count; i++)
    if (!f->way.any_address || !f->a->fixes.data[i]) *vec_push(&f->conditions) = f->a->conditions.data[i];
  for (size_t i = 0; i < f->conditions.count; i++) *vec_push(&f->said) = false;
}

static enum err make(struct formula *f) {
  place_events(f);
  begin_values(f);
  f->counts->events = f->nodes;
  enum err e = reads_locate(f);
  if (!e) e = locks_add(f);
  if (!e && f->way.fewer) fewer_bits(f);
  if (!e && !f->way.as_is) e = fewer_settle(f);
  if (!e && f->way.fewer) fewer_reads(f);
  if (!e && (f->way.fewer || f->way.as_is)) e = reads_find_sources(f);
  return e ? e : reads_add(f);
}

/* What the reads of the original symbols find. */
static void write_values(struct formula *f, struct solution *solution) {
  for (uint32_t i = 0; i < f->a->events.count; i++) {
    const struct apart_event *e = event_at(f, i);
    if (!apart_reads(e)) continue;
    uint32_t from = has_leader(f, i) ? f->leader.data[i] : i;
    struct symbol s = expr_the_symbol(f->pool, f->read.data[from]);
    value_model_set(&solution->values, expr_the_symbol(f->pool, e->read), value_model_get(&f->values, s));
  }
  solution->fits = true;
  for (size_t i = 0; i < f->a->conditions.count && solution->fits; i++)
    solution->fits = expr_eval(f->pool, f->a->conditions.data[i], &solution->values);
}

static enum err make_and_use(const struct apart *a, enum machine_memory memory, enum order_kind solver, struct formula_way way,
                             struct order_record *record, formula_use *use, void *data, struct formula_counts *counts, struct diag *d) {
  struct formula *f = mem_alloc(sizeof *f);
  *f = (struct formula){.a = a, .memory = memory, .way = way, .pool = apart_pool(a->machine), .counts = counts, .d = d};
  const struct circuit_solver circuits = {circuit_variable, circuit_clause, f};
  f->o = order_new(solver, d);
  f->circuit = circuit_new(f->pool, &circuits);
  if (f->o && record) order_record_to(f->o, record);
  enum err e = f->o ? count_chains(f) : ERR_TOOL;
  if (!e) e = make(f);
  if (!e) e = use(f, data);
  release(f);
  mem_free(f, sizeof *f);
  return e;
}

enum err formula_make(const struct apart *a, enum machine_memory memory, enum order_kind solver, struct formula_way way,
                      struct order_record *record, formula_use *use, void *data, struct formula_counts *counts, struct diag *d) {
  struct apart assumed;
  apart_assumed(a, &assumed);
  enum err e = make_and_use(&assumed, memory, solver, way, record, use, data, counts, d);
  apart_release(&assumed);
  return e;
}

static enum err solve(struct formula *f, void *data) {
  struct solution *solution = data;
  enum err e = search(f);
  if (!e) write_plan(f, &solution->plan), write_values(f, solution);
  return e;
}

/* From the smallest problem to what is asked, and then to one that may lead to what is asked. */
enum err formula_solve(const struct apart *a, enum machine_memory memory, enum order_kind solver, struct solution *solution,
                       struct formula_counts *counts, struct diag *d) {
  static const struct formula_way ways[] = {{.fewer = true}, {.fewer = true, .any_address = true}, {0}, {.any_address = true}};
  enum err e = ERR_UNSUPPORTED;
  *counts = (struct formula_counts){0};
  for (size_t i = 0; i < sizeof ways / sizeof *ways && e == ERR_UNSUPPORTED && !deadline_passed; i++) {
    solution_release(solution);
    e = formula_make(a, memory, solver, ways[i], NULL, solve, solution, counts, d);
  }
  return e;
}

void solution_release(struct solution *s) {
  vec_release(&s->plan.steps);
  value_model_release(&s->values);
  *s = (struct solution){0};
}
