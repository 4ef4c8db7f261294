/* Threads, steps and their places; must-happen-before: program order as far as the memory model keeps it, forks and joins. */
#include "causal/internal.h"

static struct thread *thread_of(struct causal *c, uint32_t tid, uint32_t event) {
  if (c->slot_of[tid]) return &c->threads.data[c->slot_of[tid] - 1];
  uint32_t fork = c->fork_of[tid]; /* may be left from an earlier trace */
  if (fork >= event || c->trace[fork].op != EVENT_FORK || c->trace[fork].object != tid) fork = NONE;
  struct thread *t = vec_push(&c->threads);
  *t = (struct thread){.tid = tid, .first = event, .last = NONE, .fork = fork, .end = NONE, .place = c->start, .stores = NONE};
  c->slot_of[tid] = (uint16_t)c->threads.count;
  return t;
}

/* Where threads may be interrupted each step ends with a look at whether this one could be (machine/interrupt.c). Behind a store that goes
 * into the buffer the look is an event of its own: the store takes effect when it is flushed, and the look has been by then. */
static bool looks_behind_store(const struct causal *c, const struct event *e) {
  const uint8_t look = EVENT_INTERNAL | EVENT_WAITS;
  if (e == c->trace || e->op != EVENT_READ || (e->flags & look) != look) return false;
  return e[-1].thread == e->thread && e[-1].op == EVENT_WRITE && (e[-1].flags & EVENT_BUFFERED);
}

/* Does the event go on with the step of the thread's event before it? */
static bool continues(const struct causal *c, uint32_t event, uint32_t previous) {
  const struct event *e = &c->trace[event];
  return (e->flags & EVENT_INTERNAL) && previous != NONE && previous + 1 == event && !looks_behind_store(c, e);
}

static void number(struct causal *c) {
  c->locks = false;
  (void)vec_push_n(&c->info, c->all);
  for (uint32_t i = 0; i < c->all; i++) {
    struct thread *t = thread_of(c, c->trace[i].thread, i);
    struct info *x = &c->info.data[i];
    *x = (struct info){.place = NONE, .before = NONE, .previous = t->last, .next = NONE, .head = i, .location = NONE};
    x->slot = (uint16_t)(t - c->threads.data);
    x->buffered = c->options.memory != CAUSAL_SC;
    if (t->last != NONE) c->info.data[t->last].next = i;
    if (i < c->n && continues(c, i, t->last)) x->head = c->info.data[t->last].head;
    t->last = i;
    const struct event *e = &c->trace[i];
    c->locks |= e->op == EVENT_ACQUIRE;
    if (e->op == EVENT_FORK && e->object < THREADS_MAX) c->fork_of[e->object] = i;
  }
}

bool place_drains(const struct causal *c, const struct event *e) {
  if (c->options.memory == CAUSAL_SC) return false;
  if (e->flags & EVENT_INTERNAL) return !looks_behind_store(c, e);
  bool pso = c->options.memory == CAUSAL_PSO;
  switch (e->op) {
    case EVENT_READ: /* a compare-exchange that failed */
      return e->flags & EVENT_DRAINS;
    case EVENT_RMW:
      return !(e->flags & EVENT_CLOCK);
    case EVENT_FREE:
      return !(e->flags & EVENT_LOCAL);
    case EVENT_YIELD:
      return e->flags & EVENT_EXIT;
    case EVENT_AWAIT:
    case EVENT_CHOICE:
    case EVENT_OUTPUT:
      return false;
    case EVENT_WRITE:
      return e->order == ORDER_SEQ_CST || (pso && e->order == ORDER_RELEASE);
    case EVENT_FENCE:
      return e->order == ORDER_SEQ_CST || (pso && e->order != ORDER_ACQUIRE);
    default:
      return true;
  }
}

static bool is_buffered(const struct causal *c, uint32_t event) {
  const struct event *e = &c->trace[event];
  if (c->options.memory == CAUSAL_SC || e->op != EVENT_WRITE || e->order == ORDER_SEQ_CST || (e->flags & EVENT_INTERNAL)) return false;
  uint32_t next = c->info.data[event].next;
  return next == NONE || c->info.data[next].head != event;
}

/* Chains: the end's, one for each thread, then those of flushes: one a thread under TSO, one a thread and location under PSO. */
static void link_chains(struct causal *c) {
  uint32_t threads = (uint32_t)c->threads.count;
  c->chains = 1 + threads;
  if (c->options.memory == CAUSAL_TSO) c->chains += threads;
  if (c->options.memory == CAUSAL_PSO) hashmap_clear(&c->index);
  for (uint32_t i = 0; c->options.memory != CAUSAL_SC && i < c->all; i++) {
    struct info *x = &c->info.data[i];
    x->buffered = x->buffered && i < c->n && is_buffered(c, i);
    x->chain = 1 + threads + x->slot;
    if (!x->buffered || c->options.memory == CAUSAL_TSO) continue;
    bool is_new = false;
    uint64_t *chain = hashmap_at(&c->index, (uint64_t)x->slot << 32 | x->location, c->chains, &is_new);
    c->chains += is_new;
    x->chain = (uint32_t)*chain;
  }
}

static bool may_block(const struct event *e) {
  if (e->flags & (EVENT_TIMED_OUT | EVENT_TRY | EVENT_TIMED)) return false;
  return e->op == EVENT_ACQUIRE || e->op == EVENT_WAIT_LEAVE || e->op == EVENT_SEM_WAIT || e->op == EVENT_BARRIER_LEAVE ||
         e->op == EVENT_JOIN || (e->flags & EVENT_WAITS);
}

static void place_store(struct causal *c, uint32_t event) {
  struct info *x = &c->info.data[event];
  struct thread *t = &c->threads.data[x->slot];
  x->before = t->place;
  x->place = order_event(c->order, x->chain);
  order_edge(c->order, t->place, x->place);
  if (place_drains(c, &c->trace[event]))
    for (uint32_t i = t->stores; i != NONE; i = c->pending.data[i].next) order_edge(c->order, c->pending.data[i].place, x->place);
  *vec_push(&c->pending) = (struct pending){x->place, t->stores};
  t->stores = (uint32_t)c->pending.count - 1;
}

static void place_step(struct causal *c, uint32_t event) {
  struct info *x = &c->info.data[event];
  struct thread *t = &c->threads.data[x->slot];
  uint32_t next = x->next;
  bool section = next != NONE && c->info.data[next].head == event;
  x->before = t->place;
  x->place = order_event(c->order, 1 + x->slot);
  if (!t->placed) order_edge(c->order, t->place, x->place);
  t->placed = true;
  if (place_drains(c, &c->trace[event]) || (section && c->options.memory != CAUSAL_SC)) {
    for (uint32_t i = t->stores; i != NONE; i = c->pending.data[i].next) order_edge(c->order, c->pending.data[i].place, x->place);
    t->stores = NONE;
  }
  t->place = x->place;
}

static void place_event(struct causal *c, uint32_t event) {
  struct info *x = &c->info.data[event];
  if (event < c->prefix && !x->buffered) {
    x->place = x->before = c->start;
    return;
  }
  if (x->head != event) {
    x->place = c->info.data[x->head].place, x->before = c->info.data[x->head].before;
    if (may_block(&c->trace[event])) {
      c->approximate = true;
      limited(c, "an operation that may block inside an atomic section");
    }
    return;
  }
  if (x->buffered)
    place_store(c, event);
  else
    place_step(c, event);
}

static void place_fork(struct causal *c, uint32_t event) {
  uint32_t child = (uint32_t)c->trace[event].object;
  if (child >= THREADS_MAX || !c->slot_of[child]) return;
  struct thread *t = &c->threads.data[c->slot_of[child] - 1];
  if (t->first < event || event < c->prefix) {
    t->fork = event;
    return;
  }
  t->fork = event;
  t->place = place_of(c, event);
}

static void place_join(struct causal *c, uint32_t event) {
  const struct event *e = &c->trace[event];
  if ((e->flags & EVENT_TIMED_OUT) || event < c->prefix) return;
  const struct thread *t = e->object < THREADS_MAX && c->slot_of[e->object] ? &c->threads.data[c->slot_of[e->object] - 1] : NULL;
  if (t && t->end != NONE)
    order_edge(c->order, place_of(c, t->end), place_of(c, event));
  else
    c->approximate = true, limited(c, "a join of a thread whose end is not in the trace");
}

static void place_threads(struct causal *c, uint32_t event) {
  const struct event *e = &c->trace[event];
  if (e->op == EVENT_FORK) place_fork(c, event);
  if (e->op == EVENT_JOIN) place_join(c, event);
  if (e->op == EVENT_END) c->threads.data[c->info.data[event].slot].end = event;
}

/* Steps that nothing may follow, or that are not modelled. */
static void place_outside(struct causal *c, uint32_t event) {
  const struct event *e = &c->trace[event];
  if (e->op == EVENT_YIELD && (e->flags & EVENT_EXIT)) order_edge(c->order, c->end, place_of(c, event));
  if ((e->flags & EVENT_INTERNAL) && c->info.data[event].head == event && !looks_behind_store(c, e)) {
    limited(c, "an atomic section that was interrupted");
    keep_out(c, event);
  }
}

/* Nothing may follow the event, not even what its thread stood before then, if that was said. */
static void place_last(struct causal *c, uint32_t event) {
  order_edge(c->order, c->end, place_of(c, event));
  for (uint32_t i = c->n; i < c->all; i++)
    if (c->info.data[i].slot == c->info.data[event].slot) c->info.data[i].before = place_of(c, event);
}

/* Stores of the prefix that were flushed there when the trace had `events` events, from the `flush`-th on. */
static uint32_t settle_flushes(struct causal *c, uint32_t flush, uint32_t events) {
  while (flush < c->flush_count && c->flushes[flush].at <= events && c->flushes[flush].at <= c->prefix)
    memory_settle(c, c->flushes[flush++].event);
  return flush;
}

void places_number(struct causal *c) {
  c->start = 0;
  number(c);
  memory_locate(c);
  for (uint32_t i = 0; c->options.memory == CAUSAL_SC && i < c->prefix; i++) memory_settle(c, i);
}

void places_build(struct causal *c) {
  for (uint32_t i = 0; i < c->flush_count; i++)
    if (c->flushes[i].at <= c->prefix) c->info.data[c->flushes[i].event].buffered = false;
  link_chains(c);
  order_clear(c->order, c->chains + 1); /* one for the read of a question */
  c->start = order_event(c->order, 0);
  c->end = c->here = order_event(c->order, 0);
  uint32_t flush = 0;
  for (uint32_t i = 0; i < c->n; i++) {
    flush = settle_flushes(c, flush, i);
    place_event(c, i);
    place_threads(c, i);
    if (i >= c->prefix || c->info.data[i].buffered)
      memory_add(c, i);
    else if (c->options.memory != CAUSAL_SC && !is_buffered(c, i))
      memory_settle(c, i);
  }
  settle_flushes(c, flush, c->n);
  for (uint32_t i = c->n; i < c->all; i++) {
    place_step(c, i);
    order_edge(c->order, c->end, place_of(c, i));
  }
  for (uint32_t i = c->prefix; i < c->n; i++) place_outside(c, i);
  if (c->cut) place_last(c, c->n - 1);
  for (uint32_t i = c->prefix; c->kept && i < c->n; i++) {
    const struct info *x = &c->info.data[i];
    if (c->kept[i]) order_edge(c->order, x->buffered ? x->before : x->place, c->end);
  }
}
