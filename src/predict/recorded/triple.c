#include "predict/recorded/triple.h"

#include <string.h>

#define NONE RECORDED_NONE
/* Accesses of one granule. */
#define LIST_MOST 64u

static bool reads(const struct event *e) { return e->op == EVENT_READ || e->op == EVENT_RMW; }
static bool writes(const struct event *e) { return e->op == EVENT_WRITE || e->op == EVENT_RMW; }

/* --- locks --- */

static uint64_t lock_bit(struct triples *t, uint64_t lock) {
  uint64_t at = *hashmap_at(&t->locks, lock, t->locks.count, NULL);
  return at < 64 ? 1ull << at : 0;
}

static void take(struct triples *t, const struct event *e, uint32_t place, uint64_t lock, bool shared) {
  uint64_t bit = lock_bit(t, lock);
  struct triple_thread *x = &t->threads[e->thread];
  x->any |= bit;
  if (!shared) x->exclusive |= bit;
  if (bit) x->since[__builtin_ctzll(bit)] = place;
}

static void give(struct triples *t, const struct event *e, uint64_t lock) {
  uint64_t bit = lock_bit(t, lock);
  t->threads[e->thread].any &= ~bit, t->threads[e->thread].exclusive &= ~bit;
}

static void operate(struct triples *t, const struct event *e, uint32_t place) {
  if (e->op == EVENT_ACQUIRE) take(t, e, place, e->object, e->flags & EVENT_SHARED_LOCK);
  if (e->op == EVENT_RELEASE) give(t, e, e->object);
  if (e->op == EVENT_WAIT_ENTER) give(t, e, e->value2);
  if (e->op == EVENT_WAIT_LEAVE && !(e->flags & EVENT_TIMED_OUT)) take(t, e, place, e->value2, false);
}

/* --- triples --- */

static bool overlap(const struct event *a, const struct event *b) {
  return a->object < b->object + b->size && b->object < a->object + a->size;
}

static bool unserialisable(const struct event *a, const struct event *b, const struct event *c) {
  return (writes(b) && (reads(c) || (reads(a) && writes(c)))) || (reads(b) && writes(a) && writes(c));
}

static uint32_t head_of(const struct triples *t, uint64_t granule) { return (uint32_t)*hashmap_find(&t->granules, granule); }

/* The first eight bytes that all three touch (ranges of which each two overlap have some in common). */
static uint64_t common_granule(const struct event *a, const struct event *b, const struct event *c) {
  uint64_t low = a->object > b->object ? a->object : b->object;
  return (low > c->object ? low : c->object) / 8;
}

/* All triples with `a` and the last access `c`, which its thread made while it held what `x` says, that begin to overlap in the granule. */
static void add_between(struct triples *t, const struct recorded_model *m, uint64_t granule, const struct triple_access *a,
                        const struct triple_access *c) {
  const struct event *events = m->events.data, *first = &events[a->place], *last = &events[c->place];
  const struct triple_thread *x = &t->threads[last->thread];
  uint64_t exclusive = 0, any = 0; /* held all the time from `a` to `c` */
  for (uint64_t rest = x->any & a->any; rest; rest &= rest - 1) {
    uint32_t bit = (uint32_t)__builtin_ctzll(rest);
    if (x->since[bit] > a->place) continue;
    any |= 1ull << bit;
    exclusive |= x->exclusive & (1ull << bit);
  }
  for (uint32_t i = head_of(t, granule); i != NONE; i = t->accesses.data[i].next) {
    const struct triple_access *b = &t->accesses.data[i];
    const struct event *between = &events[b->place];
    if (between->thread == first->thread || !overlap(first, between) || !overlap(between, last)) continue;
    if (common_granule(first, between, last) != granule) continue;
    if ((exclusive & b->any) | (any & b->exclusive) || !unserialisable(first, between, last)) continue;
    *vec_push(&t->found) = (struct triple){a->place, b->place, c->place};
  }
}

/* The accesses of the thread's open regions before `c`. */
static void add_first(struct triples *t, const struct recorded_model *m, uint64_t granule, const struct triple_access *c) {
  const struct event *last = &m->events.data[c->place];
  uint32_t begin = m->regions.data[c->place];
  for (uint32_t i = begin == NONE ? NONE : head_of(t, granule); i != NONE; i = t->accesses.data[i].next) {
    const struct triple_access *a = &t->accesses.data[i];
    const struct event *first = &m->events.data[a->place];
    if (a->place >= c->place || first->thread != last->thread || m->origins.data[a->place] < begin || !overlap(first, last)) continue;
    add_between(t, m, granule, a, c);
  }
}

static void add_access(struct triples *t, const struct event *e, uint32_t place, uint64_t granule) {
  bool is_new = false;
  uint64_t *head = hashmap_at(&t->granules, granule, NONE, &is_new);
  uint32_t length = 0;
  for (uint32_t i = (uint32_t)*head; i != NONE; i = t->accesses.data[i].next) length++;
  if (length >= LIST_MOST) {
    t->left_out++;
    return;
  }
  const struct triple_thread *x = &t->threads[e->thread];
  *vec_push(&t->accesses) = (struct triple_access){.place = place, .next = (uint32_t)*head, .exclusive = x->exclusive, .any = x->any};
  *head = t->accesses.count - 1;
}

static bool is_access(const struct event *e) { return (reads(e) || writes(e)) && e->size > 0 && e->size <= 8; }

void triples_find(struct triples *t, const struct recorded_model *m) {
  uint32_t n = (uint32_t)m->events.count;
  vec_clear(&t->found);
  vec_clear(&t->accesses);
  hashmap_clear(&t->granules);
  hashmap_clear(&t->locks);
  memset(t->threads, 0, sizeof t->threads);
  t->left_out = 0;
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &m->events.data[i];
    for (uint64_t g = e->object / 8; is_access(e) && i >= m->prefix && g <= (e->object + e->size - 1) / 8; g++) add_access(t, e, i, g);
    operate(t, e, i);
  }
  memset(t->threads, 0, sizeof t->threads);
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &m->events.data[i];
    operate(t, e, i);
    if (!is_access(e) || i < m->prefix) continue;
    const struct triple_thread *x = &t->threads[e->thread];
    struct triple_access c = {.place = i, .exclusive = x->exclusive, .any = x->any};
    for (uint64_t g = e->object / 8; g <= (e->object + e->size - 1) / 8; g++) add_first(t, m, g, &c);
  }
}

void triples_release(struct triples *t) {
  vec_release(&t->found);
  vec_release(&t->accesses);
  hashmap_release(&t->granules);
  hashmap_release(&t->locks);
}
