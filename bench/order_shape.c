#include "order_shape.h"

#include "base/mem.h"
#include "base/vec.h"

enum kind { READ, WRITE, ACQUIRE, RELEASE };

struct item {
  uint32_t chain, object, value, id; /* id: its event */
  enum kind kind;
};

struct section {
  uint32_t acquire, release, lock;
};

struct shape_problem {
  struct shape shape;
  uint64_t rng;
  VEC(struct item) items; /* as they ran */
  VEC(struct section) sections;
  VEC(uint32_t) reads, *writes; /* writes: of each variable */
  VEC(struct order_lit) some;
  struct order_lit *keep; /* of each item that is a read: it keeps its value */
  uint32_t *order;        /* the items as they are added */
};

static uint32_t below(struct shape_problem *p, uint32_t n) {
  p->rng ^= p->rng << 13, p->rng ^= p->rng >> 7, p->rng ^= p->rng << 17;
  return (uint32_t)((p->rng * 0x9e3779b97f4a7c15u) >> 33) % n;
}

/* What the threads hold while the trace is made. */
struct state {
  uint32_t *held, *left, *holder, *memory; /* by thread: lock + 1, accesses left in it, where it began; by lock: thread + 1 */
  uint32_t *begun;
};

static void run_step(struct shape_problem *p, struct state *s, uint32_t thread) {
  const struct shape *h = &p->shape;
  uint32_t at = (uint32_t)p->items.count;
  struct item item = {.chain = thread};
  if (s->held[thread] && s->left[thread]-- == 0) {
    item.kind = RELEASE, item.object = s->held[thread] - 1;
    *vec_push(&p->sections) = (struct section){s->begun[thread], at, item.object};
    s->holder[item.object] = s->held[thread] = 0;
  } else if (!s->held[thread] && below(p, 4) == 0) {
    uint32_t lock = below(p, h->locks);
    if (s->holder[lock]) return;
    item.kind = ACQUIRE, item.object = lock;
    s->holder[lock] = thread + 1, s->held[thread] = lock + 1, s->left[thread] = 1 + below(p, 4), s->begun[thread] = at;
  } else {
    item.kind = below(p, 5) < 2 ? WRITE : READ;
    item.object = below(p, h->variables);
    if (item.kind == WRITE) s->memory[item.object] = below(p, h->values);
    item.value = s->memory[item.object];
    if (item.kind == WRITE)
      *vec_push(&p->writes[item.object]) = at;
    else
      *vec_push(&p->reads) = at;
  }
  *vec_push(&p->items) = item;
}

static void run(struct shape_problem *p) {
  const struct shape *h = &p->shape;
  struct state s;
  uint32_t *block = mem_alloc((3 * h->chains + h->locks + h->variables) * sizeof *block);
  s.held = block, s.left = s.held + h->chains, s.begun = s.left + h->chains, s.holder = s.begun + h->chains, s.memory = s.holder + h->locks;
  /* Each variable is written first, so that each read has a write. */
  for (uint32_t v = 0; v < h->variables; v++) {
    *vec_push(&p->writes[v]) = (uint32_t)p->items.count;
    *vec_push(&p->items) = (struct item){.chain = 0, .object = v, .kind = WRITE};
  }
  while (p->items.count < h->events) run_step(p, &s, below(p, h->chains));
  for (uint32_t t = 0; t < h->chains; t++) {
    if (s.held[t]) s.left[t] = 0, run_step(p, &s, t);
  }
  mem_free(block, (3 * h->chains + h->locks + h->variables) * sizeof *block);
}

/* Another interleaving of the chains, with no regard to what the events are. */
static void shuffle(struct shape_problem *p) {
  uint32_t n = (uint32_t)p->items.count, chains = p->shape.chains, *next = mem_alloc(chains * sizeof *next);
  for (uint32_t done = 0; done < n;) {
    uint32_t c = below(p, chains);
    while (next[c] < n && p->items.data[next[c]].chain != c) next[c]++;
    if (next[c] < n) p->order[done++] = next[c]++;
  }
  mem_free(next, chains * sizeof *next);
}

struct shape_problem *shape_new(struct shape shape, uint64_t seed) {
  struct shape_problem *p = mem_alloc(sizeof *p);
  p->shape = shape;
  p->rng = seed * 0x9e3779b97f4a7c15u + 1;
  p->writes = mem_alloc(shape.variables * sizeof *p->writes);
  run(p);
  uint32_t n = (uint32_t)p->items.count;
  p->keep = mem_alloc(n * sizeof *p->keep);
  p->order = mem_alloc(n * sizeof *p->order);
  for (uint32_t i = 0; i < n; i++) p->order[i] = i;
  if (!shape.observed) shuffle(p);
  return p;
}

void shape_free(struct shape_problem *p) {
  size_t n = p->items.count;
  for (uint32_t v = 0; v < p->shape.variables; v++) vec_release(&p->writes[v]);
  mem_free(p->writes, p->shape.variables * sizeof *p->writes);
  mem_free(p->keep, n * sizeof *p->keep);
  mem_free(p->order, n * sizeof *p->order);
  vec_release(&p->items);
  vec_release(&p->sections);
  vec_release(&p->reads);
  vec_release(&p->some);
  mem_free(p, sizeof *p);
}

static void add_locks(struct shape_problem *p, struct order *o) {
  const struct item *items = p->items.data;
  for (size_t i = 0; i < p->sections.count; i++) {
    for (size_t j = 0; j < i; j++) {
      struct section x = p->sections.data[i], y = p->sections.data[j];
      if (x.lock != y.lock || items[x.acquire].chain == items[y.acquire].chain) continue;
      struct order_lit lits[] = {order_less(o, items[y.release].id, items[x.acquire].id),
                                 order_less(o, items[x.release].id, items[y.acquire].id)};
      order_clause(o, lits, 2);
    }
  }
}

/* If `l` holds then the read returns `value`. Writes that cannot be what it reads, by what is known, are left out. */
static void add_value(struct shape_problem *p, struct order *o, struct order_lit l, uint32_t read, uint32_t value) {
  const struct item *items = p->items.data;
  uint32_t r = items[read].id, object = items[read].object;
  const struct item *writer = NULL; /* what it read as observed */
  for (size_t i = 0; i < p->writes[object].count && p->writes[object].data[i] < read; i++) writer = &items[p->writes[object].data[i]];
  vec_clear(&p->some);
  *vec_push(&p->some) = order_not(l);
  for (size_t i = 0; i < p->writes[object].count; i++) {
    const struct item *write = &items[p->writes[object].data[i]];
    if (write->value != value || order_before(o, r, write->id)) continue;
    bool hidden = false;
    for (size_t j = 0; j < p->writes[object].count && !hidden; j++) {
      const struct item *other = &items[p->writes[object].data[j]];
      hidden = other != write && order_before(o, write->id, other->id) && order_before(o, other->id, r);
    }
    if (hidden) continue;
    struct order_lit chosen = order_var(o);
    if (p->shape.observed && write == writer) order_phase(o, chosen);
    *vec_push(&p->some) = chosen;
    order_implies(o, chosen, write->id, r);
    for (size_t j = 0; j < p->writes[object].count; j++) {
      const struct item *other = &items[p->writes[object].data[j]];
      if (other->value == value || order_before(o, r, other->id) || order_before(o, other->id, write->id)) continue;
      struct order_lit lits[] = {order_not(chosen), order_less(o, other->id, write->id), order_less(o, r, other->id)};
      order_clause(o, lits, 3);
    }
  }
  order_clause(o, p->some.data, p->some.count);
}

void shape_build(struct shape_problem *p, struct order *o) {
  struct item *items = p->items.data;
  order_clear(o, p->shape.chains);
  for (size_t i = 0; i < p->items.count; i++) items[p->order[i]].id = order_event(o, items[p->order[i]].chain);
  /* The first writes come before all else. */
  for (uint32_t c = 1; c < p->shape.chains; c++) {
    uint32_t i = 0;
    while (i < p->items.count && items[i].chain != c) i++;
    if (i < p->items.count && p->shape.observed) order_edge(o, items[p->shape.variables - 1].id, items[i].id);
  }
  add_locks(p, o);
  for (size_t i = 0; i < p->reads.count; i++) {
    uint32_t read = p->reads.data[i];
    p->keep[read] = p->shape.keep ? ORDER_TRUE : order_var(o);
    add_value(p, o, p->keep[read], read, items[read].value);
  }
}

enum order_answer shape_query(struct shape_problem *p, struct order *o, uint32_t index, uint64_t budget) {
  const struct item *items = p->items.data;
  uint32_t read = p->reads.data[(uint64_t)index * 2654435761u % p->reads.count];
  uint32_t value = (items[read].value + 1 + index % (p->shape.values - 1)) % p->shape.values;
  order_push(o);
  if (p->shape.keep) {
    uint32_t object = items[read].object, write = p->writes[object].data[index % p->writes[object].count];
    if (read < write)
      order_edge(o, items[write].id, items[read].id);
    else
      order_edge(o, items[read].id, items[write].id);
  } else {
    for (size_t i = 0; i < p->reads.count && p->reads.data[i] < read; i++) {
      if (items[p->reads.data[i]].chain == items[read].chain) order_clause(o, &p->keep[p->reads.data[i]], 1);
    }
    add_value(p, o, ORDER_TRUE, read, value);
  }
  enum order_answer answer = order_solve(o, NULL, 0, budget);
  order_pop(o);
  return answer;
}

void shape_thread(struct shape_problem *p, struct order *o, uint32_t thread, uint32_t most, uint32_t *asked,
                  void (*answered)(void *to, enum order_answer answer), void *to) {
  const struct item *items = p->items.data;
  uint32_t depth = 0;
  for (size_t i = 0; i < p->reads.count && *asked < most; i++) {
    uint32_t read = p->reads.data[i];
    if (items[read].chain != thread) continue;
    for (uint32_t value = 0; value < p->shape.values && *asked < most; value++) {
      if (value == items[read].value) continue;
      order_push(o);
      add_value(p, o, ORDER_TRUE, read, value);
      answered(to, order_solve(o, NULL, 0, ORDER_UNBOUNDED));
      order_pop(o);
      ++*asked;
    }
    order_push(o), depth++;
    order_clause(o, &p->keep[read], 1);
  }
  while (depth--) order_pop(o);
}
