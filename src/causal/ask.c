/* Questions. Each puts threads before the events that it is about, at the end, and says what must hold there. */
#include "causal/internal.h"

/* What a question turned out to be before the engine was asked. */
enum ready { READY, IMPOSSIBLE, NOT_MODELLED };

bool causal_is_read(const struct event *r, uint64_t *result) {
  *result = r->value;
  switch (r->op) {
    case EVENT_READ:
    case EVENT_RMW:
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
    case EVENT_CHOICE:
      return true;
    case EVENT_TRYFAIL:
      *result = 0;
      return true;
    case EVENT_ACQUIRE:
    case EVENT_SEM_WAIT:
      *result = 1;
      return r->flags & (EVENT_TRY | EVENT_TIMED);
    case EVENT_JOIN:
      *result = !(r->flags & EVENT_TIMED_OUT);
      return r->flags & (EVENT_TRY | EVENT_TIMED);
    case EVENT_WAIT_LEAVE:
      *result = !(r->flags & EVENT_TIMED_OUT);
      return true;
    case EVENT_BARRIER_ENTER:
      *result = r->value2;
      return r->flags & EVENT_RESULT;
    default:
      return false;
  }
}

/* The event's stores have been flushed at the end. */
static void drain(struct causal *c, uint32_t event) {
  for (uint32_t i = c->info.data[event].previous; i != NONE; i = c->info.data[i].previous) {
    const struct info *x = &c->info.data[i];
    if (x->buffered) order_edge(c->order, x->place, c->here);
    if (place_drains(c, &c->trace[i]) && !x->buffered) return;
  }
}

/* The thread stands before the step of `event` at the end. `executes`: it will take it there. */
static void stand_before(struct causal *c, uint32_t event, bool executes) {
  const struct info *x = &c->info.data[c->info.data[event].head];
  if (x->before != NONE) order_edge(c->order, x->before, c->here);
  if (executes && !x->buffered && place_drains(c, &c->trace[event])) drain(c, c->info.data[event].head);
  order_edge(c->order, c->end, x->place);
  for (uint32_t i = x->buffered ? x->next : NONE; i != NONE; i = c->info.data[i].next) {
    order_edge(c->order, c->end, c->info.data[i].place);
    if (!c->info.data[i].buffered) return;
  }
}

static struct reading at_end(const struct causal *c, const struct cell *x, uint32_t event) {
  return (struct reading){
      .cell = x, .place = c->here, .position = cell_position(c, x, place_of(c, event)), .slot = c->info.data[event].slot};
}

/* At the end, the access reads `value`. */
static enum ready read_memory(struct causal *c, uint32_t event, uint64_t value) {
  const struct event *e = &c->trace[event];
  const struct location *at = &c->locations.data[c->info.data[event].location];
  if (c->components.data[at->component].frozen || e->size > 8) return NOT_MODELLED;
  if (e->size < 8 && value >> (8 * e->size)) return IMPOSSIBLE;
  for (uint32_t i = 0; i < at->cells; i++) {
    const struct cell *x = &c->cells.data[at->cell + i];
    struct reading r = at_end(c, x, event);
    uint64_t there, wanted = cell_value(x, e, value);
    if (step_leaves(c, x, event, &there)) {
      if (there != wanted) return IMPOSSIBLE;
      continue;
    }
    if (reading_returns(c, &r, ORDER_FALSE, wanted)) continue;
    return !c->options.recorded && !x->known && reading_may_be_initial(c, &r) ? NOT_MODELLED : IMPOSSIBLE;
  }
  return READY;
}

/* What the thread last read there; false: nothing. */
static bool seen(const struct causal *c, uint32_t event, uint64_t *value) {
  for (uint32_t i = c->info.data[event].previous; i != NONE; i = c->info.data[i].previous) {
    const struct event *e = &c->trace[i];
    if ((e->op != EVENT_READ && e->op != EVENT_RMW) || c->info.data[i].location != c->info.data[event].location) continue;
    *value = e->value;
    return true;
  }
  return false;
}

static enum ready ready_if(bool possible) { return possible ? READY : IMPOSSIBLE; }

static enum ready read_access(struct causal *c, uint32_t r, uint64_t value) {
  uint64_t last;
  if (c->trace[r].flags & EVENT_WAITS) {
    if (!seen(c, r, &last)) return value == c->trace[r].value ? read_memory(c, r, value) : NOT_MODELLED;
    if (last == value) return IMPOSSIBLE;
  }
  return read_memory(c, r, value);
}

static enum ready take_lock(struct causal *c, const struct object *x, uint32_t r, uint64_t value) {
  bool shared = c->trace[r].flags & EVENT_SHARED_LOCK;
  if (!value) return ready_if(lock_held_at_end(c, x, c->info.data[r].slot, shared));
  lock_free_at_end(c, x, c->info.data[r].slot, shared);
  return READY;
}

static enum ready leave_wait(struct causal *c, const struct object *x, uint32_t r, uint64_t value) {
  const struct event *e = &c->trace[r];
  if (!condition_woken_at_end(c, x, r, value)) return IMPOSSIBLE;
  if (!value) return ready_if((e->flags & (EVENT_TIMED | EVENT_TIMED_OUT)) || c->options.spurious_wakeups);
  uint32_t enter = c->info.data[r].previous;
  while (c->trace[enter].op != EVENT_WAIT_ENTER) enter = c->info.data[enter].previous;
  const struct object *mutex = object_at(c, c->trace[enter].value2);
  if (!mutex || mutex->frozen) return NOT_MODELLED;
  lock_free_at_end(c, mutex, c->info.data[r].slot, false);
  return READY;
}

static enum ready join(struct causal *c, uint32_t r, uint64_t value) {
  const struct event *e = &c->trace[r];
  if (value > 1) return IMPOSSIBLE;
  if (!value) return READY;
  const struct thread *t = e->object < THREADS_MAX && c->slot_of[e->object] ? &c->threads.data[c->slot_of[e->object] - 1] : NULL;
  if (!t || t->end == NONE) return IMPOSSIBLE;
  order_edge(c->order, place_of(c, t->end), c->here);
  return READY;
}

/* What the event's object must be like at the end, so that it returns `value`. */
static enum ready operate(struct causal *c, uint32_t r, uint64_t value) {
  const struct event *e = &c->trace[r];
  const struct object *x = object_at(c, e->object);
  if (!x || x->frozen) return NOT_MODELLED;
  switch ((enum object_kind)x->kind) {
    case OBJECT_UNKNOWN: /* nobody ever acquires it */
      return ready_if(value == 0);
    case OBJECT_LOCK:
      return value > 1 ? IMPOSSIBLE : take_lock(c, x, r, value);
    case OBJECT_CONDITION:
      if (e->op == EVENT_WAIT_LEAVE) return value > 1 ? IMPOSSIBLE : leave_wait(c, x, r, value);
      return ready_if(condition_wakes_at_end(c, x, r, value));
    case OBJECT_SEMAPHORE:
      return value > 1 ? IMPOSSIBLE : ready_if(semaphore_at_end(c, x, value));
    case OBJECT_BARRIER:
      return value > 1 ? IMPOSSIBLE : ready_if(barrier_at_end(c, x, r, value));
  }
  return NOT_MODELLED;
}

static enum ready returns(struct causal *c, uint32_t r, uint64_t value) {
  const struct event *e = &c->trace[r];
  uint64_t was;
  if (!causal_is_read(e, &was)) return NOT_MODELLED;
  if (e->op == EVENT_READ || e->op == EVENT_RMW) return read_access(c, r, value);
  if (e->op == EVENT_CHOICE) return ready_if(value < e->size);
  if (e->op == EVENT_JOIN) return join(c, r, value);
  return operate(c, r, value);
}

/* An access at the end, whatever it reads, does not go to memory that was freed. */
static enum ready access_memory(struct causal *c, uint32_t event) {
  const struct location *at = &c->locations.data[c->info.data[event].location];
  if (c->components.data[at->component].frozen) return NOT_MODELLED;
  for (uint32_t i = 0; i < at->cells; i++) {
    const struct cell *x = &c->cells.data[at->cell + i];
    if (x->freed) return IMPOSSIBLE;
    for (uint32_t k = 0; k < x->count; k++) {
      const struct entry *e = &c->entries.data[x->first + k];
      struct order_lit later = outside(c, e->place);
      if (e->writes && c->trace[e->event].op == EVENT_FREE) order_clause(c->order, &later, 1);
    }
  }
  return READY;
}

/* The part of the step before the event happens at the end as it did in the trace. */
static enum ready begin_step(struct causal *c, uint32_t event) {
  for (uint32_t i = c->info.data[event].head; i < event; i++) {
    const struct event *e = &c->trace[i];
    enum ready ready = READY;
    if (e->op == EVENT_READ || e->op == EVENT_RMW) ready = read_memory(c, i, e->value);
    if (e->op == EVENT_WRITE) ready = access_memory(c, i);
    if (e->op == EVENT_FREE) ready = NOT_MODELLED;
    if (e->op >= EVENT_ACQUIRE && e->op <= EVENT_SEM_WAIT) ready = NOT_MODELLED;
    if (e->op == EVENT_JOIN || e->op == EVENT_AWAIT) ready = NOT_MODELLED;
    if (ready != READY) return ready;
  }
  return READY;
}

/* The pending operation can be executed at the end. */
static enum ready goes_on(struct causal *c, uint32_t p) {
  const struct event *e = &c->trace[p];
  const struct object *x = object_at(c, e->object);
  if (e->flags & EVENT_INTERNAL) return NOT_MODELLED;
  switch (e->op) {
    case EVENT_ACQUIRE:
      if (!x) return READY;
      return x->frozen ? NOT_MODELLED : take_lock(c, x, p, 1);
    case EVENT_SEM_WAIT:
      if (!x) return IMPOSSIBLE; /* it is blocked, and nobody posts */
      if (x->frozen) return NOT_MODELLED;
      return ready_if(semaphore_at_end(c, x, true));
    case EVENT_WAIT_LEAVE:
      return !x || x->frozen ? NOT_MODELLED : leave_wait(c, x, p, 1);
    case EVENT_BARRIER_LEAVE:
      return !x || x->frozen ? NOT_MODELLED : IMPOSSIBLE;
    case EVENT_JOIN:
      return join(c, p, 1);
    case EVENT_READ:
    case EVENT_RMW:
    case EVENT_AWAIT:
      return e->flags & EVENT_WAITS ? NOT_MODELLED : access_memory(c, p);
    case EVENT_WRITE:
    case EVENT_FREE:
      return access_memory(c, p);
    default:
      return READY;
  }
}

/* All reads of its thread before the event's step stay as they were. */
static void keep_earlier(struct causal *c, uint32_t event) {
  for (uint32_t i = c->info.data[c->info.data[event].head].previous; i != NONE; i = c->info.data[i].previous)
    order_clause(c->order, &c->info.data[i].keep, 1);
}

/* With needs: the event happens at the end, with the part of its step before it, which is no part of the witness's order. So what they
 * depend on is kept here, but for reads of that part itself (begin_step()). What is pending may depend on all there is. */
static void keep_needs(struct causal *c, uint32_t event) {
  uint32_t head = c->info.data[event].head;
  if (!c->needs) return;
  if (event >= c->n) {
    keep_earlier(c, event);
    return;
  }
  for (uint32_t k = c->needs->starts[head]; k < c->needs->starts[event + 1]; k++)
    if (c->needs->reads[k] < head) order_clause(c->order, &c->info.data[c->needs->reads[k]].keep, 1);
}

/* The read that changes keeps all earlier reads of its thread (MCR-S+: thesis, section 4.3.1), or those that it depends on. */
static void keep_for(struct causal *c, uint32_t r) {
  if (!c->needs) return;
  if (c->needs->loose)
    keep_needs(c, r);
  else
    keep_earlier(c, r);
}

bool question_is_exact(const struct causal *c) {
  const struct order_lit *core;
  return !c->approximate && (!c->guarded || order_core(c->order, &core) == 0);
}

enum order_answer question_solve(struct causal *c) {
  enum order_answer answer = order_solve(c->order, &c->exact, c->guarded, c->options.budget);
  c->gave_up = answer == ORDER_UNKNOWN;
  return answer;
}

/* Asks the engine, and looks whether a no depends on what is not modelled. */
static enum causal_answer solve(struct causal *c, enum goal goal, const uint32_t *last, uint32_t n, uint64_t result) {
  enum order_answer answer = question_solve(c);
  if (answer == ORDER_YES) witness_write(c, goal, last, n, result);
  if (answer == ORDER_YES) return CAUSAL_YES;
  return answer == ORDER_NO && question_is_exact(c) ? CAUSAL_NO : CAUSAL_UNKNOWN;
}

static enum causal_answer finish(struct causal *c, enum ready ready, enum goal goal, const uint32_t *last, uint32_t n, uint64_t result) {
  c->gave_up = false;
  enum causal_answer answer = ready == NOT_MODELLED || (ready == IMPOSSIBLE && c->approximate) ? CAUSAL_UNKNOWN : CAUSAL_NO;
  if (ready == READY) answer = solve(c, goal, last, n, result);
  order_pop(c->order);
  c->here = c->end;
  return answer;
}

/* Does a read with another result change nothing that others could see, with all of its step before it? Then what is kept may follow it. */
static bool leaves_no_trace(const struct causal *c, uint32_t r, uint64_t value) {
  const struct event *e = &c->trace[r];
  uint32_t next = c->info.data[r].next;
  if (next != NONE && c->info.data[next].head == c->info.data[r].head) return false;
  for (uint32_t i = c->info.data[r].head; i < r; i++)
    if (c->trace[i].op != EVENT_ATOMIC && c->trace[i].op != EVENT_READ) return false;
  if (e->op == EVENT_READ || e->op == EVENT_JOIN || e->op == EVENT_CHOICE) return true;
  return (e->op == EVENT_TRYFAIL || e->op == EVENT_ACQUIRE || e->op == EVENT_SEM_WAIT) && value == 0;
}

/* One of these events is not in the witness. Those of the prefix are before it, and in all. */
static void one_is_outside(struct causal *c, const uint32_t *events, uint32_t n) {
  vec_clear(&c->clause);
  for (uint32_t i = 0; i < n; i++)
    if (events[i] >= c->prefix) clause_or(c, outside(c, c->info.data[events[i]].place));
  clause_end(c);
}

/* `later`: NULL, or at least one of these is outside of the witness. */
static enum causal_answer ask_read(struct causal *c, uint32_t r, uint64_t value, const uint32_t *later, uint32_t n) {
  prepare(c);
  order_push(c->order);
  if (c->kept && leaves_no_trace(c, r, value)) {
    c->here = order_event(c->order, c->chains);
    order_edge(c->order, c->here, c->end);
  }
  stand_before(c, r, true);
  keep_for(c, r);
  if (later) one_is_outside(c, later, n);
  enum ready ready = begin_step(c, r);
  if (ready == READY) ready = returns(c, r, value);
  return finish(c, ready, GOAL_READ, &r, 1, value);
}

enum causal_answer causal_read(struct causal *c, uint32_t r, uint64_t value) {
  vec_clear(&c->steps);
  return quick_read(c, r, value) ? CAUSAL_YES : ask_read(c, r, value, NULL, 0);
}

enum causal_answer causal_read_before(struct causal *c, uint32_t r, uint64_t value, const uint32_t *later, uint32_t n) {
  vec_clear(&c->steps);
  return ask_read(c, r, value, later, n);
}

enum causal_answer causal_reach(struct causal *c, uint32_t p) {
  vec_clear(&c->steps);
  prepare(c);
  order_push(c->order);
  stand_before(c, p, true);
  keep_for(c, p);
  return finish(c, goes_on(c, p), GOAL_READ, &p, 1, 1);
}

/* In a recorded run: a read-modify-write that need not have written conflicts with what only reads if it writes, so it reads what it read.
 */
static enum ready writes_beside(struct causal *c, uint32_t event, uint32_t other) {
  const struct event *e = &c->trace[event], *o = &c->trace[other];
  bool decides = c->options.recorded && e->op == EVENT_RMW && !(e->flags & EVENT_RESULT);
  return decides && o->op == EVENT_READ ? read_memory(c, event, e->value) : READY;
}

enum causal_answer causal_race(struct causal *c, uint32_t a, uint32_t b) {
  vec_clear(&c->steps);
  prepare(c);
  order_push(c->order);
  stand_before(c, a, false);
  stand_before(c, b, false);
  keep_needs(c, a);
  keep_needs(c, b);
  enum ready ready = READY;
  /* Sections are steps, and do not overlap: the end is before one of them. */
  if (c->info.data[a].head != a && c->info.data[b].head != b) ready = IMPOSSIBLE;
  if (ready == READY) ready = begin_step(c, a);
  if (ready == READY) ready = begin_step(c, b);
  if (ready == READY) ready = writes_beside(c, a, b);
  if (ready == READY) ready = writes_beside(c, b, a);
  uint32_t last[] = {a, b};
  return finish(c, ready, GOAL_RACE, last, 2, 0);
}

enum causal_answer causal_use_after_free(struct causal *c, uint32_t free, uint32_t use) {
  vec_clear(&c->steps);
  prepare(c);
  order_push(c->order);
  order_edge(c->order, place_of(c, free), c->end);
  stand_before(c, use, false);
  keep_needs(c, use);
  uint32_t last[] = {use, free};
  return finish(c, begin_step(c, use), GOAL_FREED, last, 2, 0);
}

/* The event has the result and the arguments that it had. */
static void keep_exact(struct causal *c, uint32_t event) {
  const struct causal_needs *needs = c->needs;
  uint64_t result;
  if (!needs) return;
  if (c->options.recorded) { /* on whatever the thread read before */
    for (uint32_t i = event; i != NONE && i >= c->prefix; i = c->info.data[i].previous)
      if (causal_is_read(&c->trace[i], &result)) order_clause(c->order, &c->info.data[i].keep, 1);
    return;
  }
  const uint32_t *starts = needs->values ? needs->value_starts : needs->starts, *reads = needs->values ? needs->values : needs->reads;
  for (uint32_t k = starts[event]; k < starts[event + 1]; k++) order_clause(c->order, &c->info.data[reads[k]].keep, 1);
  if (causal_is_read(&c->trace[event], &result)) order_clause(c->order, &c->info.data[event].keep, 1);
}

enum causal_answer causal_arrange(struct causal *c, const struct causal_arrangement *a) {
  vec_clear(&c->steps);
  prepare(c);
  order_push(c->order);
  for (uint32_t i = 0; i < a->n; i++) {
    order_edge(c->order, place_of(c, a->events[i]), c->end);
    if (a->exact && a->exact[i]) keep_exact(c, a->events[i]);
  }
  for (uint32_t k = 0; k < a->clauses; k++) {
    bool holds = false; /* by two events of one step */
    clause_begin(c);
    for (uint32_t i = a->starts[k]; i < a->starts[k + 1]; i++) {
      uint32_t first = a->pairs[i].first, second = a->pairs[i].second;
      if (place_of(c, first) != place_of(c, second))
        clause_or(c, less(c, place_of(c, first), place_of(c, second)));
      else
        holds |= first < second;
    }
    if (!holds) clause_end(c);
  }
  return finish(c, READY, GOAL_ARRANGED, a->events, a->n, 0);
}

enum causal_answer causal_between(struct causal *c, uint32_t a, uint32_t b, uint32_t last) {
  vec_clear(&c->steps);
  prepare(c);
  order_push(c->order);
  order_edge(c->order, place_of(c, a), place_of(c, b));
  order_edge(c->order, place_of(c, b), c->end);
  stand_before(c, last, false);
  keep_needs(c, last);
  enum ready ready = begin_step(c, last);
  if (ready == READY) ready = writes_beside(c, last, b);
  uint32_t ends[] = {last, b};
  return finish(c, ready, GOAL_FREED, ends, 2, 0);
}

/* The read returns `value` where it stands in the order. */
static enum ready reads_there(struct causal *c, uint32_t r, uint64_t value) {
  const struct event *e = &c->trace[r];
  const struct location *at = &c->locations.data[c->info.data[r].location];
  if (c->components.data[at->component].frozen || e->size > 8) return NOT_MODELLED;
  for (uint32_t i = 0; i < at->cells; i++) {
    const struct cell *x = &c->cells.data[at->cell + i];
    struct reading reading = {.cell = x, .place = place_of(c, r), .slot = c->info.data[r].slot};
    reading.position = cell_position(c, x, reading.place);
    if (!reading_returns(c, &reading, ORDER_FALSE, cell_value(x, e, value))) return IMPOSSIBLE;
  }
  return READY;
}

enum causal_answer causal_goes_on(struct causal *c, uint32_t r, uint64_t value, uint32_t to) {
  vec_clear(&c->steps);
  prepare(c);
  order_push(c->order);
  order_edge(c->order, place_of(c, to), c->end);
  uint32_t last[] = {to, r};
  return finish(c, reads_there(c, r, value), GOAL_VALUE, last, 2, value);
}

enum causal_answer causal_lost(struct causal *c, uint32_t enter) {
  vec_clear(&c->steps);
  prepare(c);
  const struct object *x = object_at(c, c->trace[enter].object);
  order_push(c->order);
  stand_before(c, enter, false);
  keep_needs(c, enter);
  /* From the last one back: a thread's earlier ones are then before the end already, and cost nothing. */
  vec_clear(&c->work);
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) *vec_push(&c->work) = c->operations.data[i].event;
  for (size_t i = c->work.count; i-- > 0;) {
    uint32_t event = c->work.data[i];
    if (event >= c->prefix && is_notification(&c->trace[event])) order_edge(c->order, place_of(c, event), c->end);
  }
  return finish(c, x->frozen ? NOT_MODELLED : READY, GOAL_DEADLOCK, &enter, 1, 0);
}

/* Is the lock held, at the end, by a section of the thread that stands before `holder`, in a way that keeps `waiter` out? */
static bool held_by(struct causal *c, uint32_t waiter, uint32_t holder) {
  const struct object *x = object_at(c, c->trace[waiter].object);
  for (uint32_t i = 0; i < x->parts; i++) {
    const struct section *s = &c->sections.data[x->part + i];
    bool open = s->acquire < holder && (s->release == NONE || s->release >= holder) && s->slot == c->info.data[holder].slot;
    if (open && section_blocks(s, c->info.data[waiter].slot, c->trace[waiter].flags & EVENT_SHARED_LOCK)) return true;
  }
  return false;
}

enum causal_answer causal_deadlock(struct causal *c, const struct causal_cycle *cycle) {
  vec_clear(&c->steps);
  prepare(c);
  order_push(c->order);
  enum ready ready = READY;
  for (uint32_t i = 0; i < cycle->n; i++) {
    uint32_t waiter = cycle->acquires[i], holder = cycle->acquires[(i + 1) % cycle->n];
    const struct object *x = object_at(c, c->trace[waiter].object);
    if (!x || x->frozen)
      ready = NOT_MODELLED;
    else if (!held_by(c, waiter, holder))
      ready = IMPOSSIBLE;
    if (ready != READY) continue;
    stand_before(c, waiter, false);
    keep_needs(c, waiter);
  }
  return finish(c, ready, GOAL_DEADLOCK, cycle->acquires, cycle->n, 0);
}

/* --- cycles --- */

/* Sections that a search for cycles looks at. */
#define SEARCH_MOST 1000000u

struct search {
  struct causal *c;
  struct causal_cycle *out;
  uint32_t most, found, looked;
  struct causal_cycle path;
};

static bool waits_for_ever(const struct event *e) {
  return e->op == EVENT_ACQUIRE && !(e->flags & (EVENT_TRY | EVENT_TIMED | EVENT_INTERNAL));
}

/* Goes on from the last acquire of the path to those before which its lock's holders may stand. */
static void search(struct search *s) {
  struct causal *c = s->c;
  uint32_t first = s->path.acquires[0], last = s->path.acquires[s->path.n - 1];
  if (s->path.n > 1 && held_by(c, last, first)) {
    if (s->found < s->most) s->out[s->found] = s->path;
    s->found++;
  }
  const struct object *x = object_at(c, c->trace[last].object);
  s->looked += x->parts;
  if (s->path.n == CAUSAL_CYCLE || s->looked > SEARCH_MOST) return;
  for (uint32_t i = 0; i < x->parts; i++) {
    const struct section *section = &c->sections.data[x->part + i];
    const struct thread *t = &c->threads.data[section->slot];
    bool again = t->tid <= c->trace[first].thread;
    for (uint32_t k = 0; k < s->path.n; k++) again |= c->trace[s->path.acquires[k]].thread == t->tid;
    if (again || !section_blocks(section, c->info.data[last].slot, c->trace[last].flags & EVENT_SHARED_LOCK)) continue;
    for (uint32_t e = c->info.data[section->acquire].next; e != NONE && e < section->release; e = c->info.data[e].next) {
      const struct object *wanted = e >= c->prefix && waits_for_ever(&c->trace[e]) ? object_at(c, c->trace[e].object) : NULL;
      if (!wanted || wanted->frozen) continue;
      s->path.acquires[s->path.n++] = e;
      search(s);
      s->path.n--;
    }
  }
}

uint32_t causal_cycles(struct causal *c, struct causal_cycle *out, uint32_t most, bool *all) {
  prepare(c);
  struct search s = {.c = c, .out = out, .most = most};
  for (uint32_t e = c->prefix; e < c->all; e++) {
    const struct object *x = waits_for_ever(&c->trace[e]) ? object_at(c, c->trace[e].object) : NULL;
    if (!x || x->frozen) continue;
    s.path.n = 1, s.path.acquires[0] = e;
    search(&s);
  }
  if (all) *all = s.looked <= SEARCH_MOST;
  return s.found;
}
