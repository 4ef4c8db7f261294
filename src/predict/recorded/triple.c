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

/* All triples with `a` and the last access `c`, which its thread made while it held what `x` says. */
static void add_between(struct triples *t, const struct recorded_model *m, uint32_t head, const struct triple_access *a,
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
  for (uint32_t i = head; i != NONE; i = t->accesses.data[i].next) {
    const struct triple_access *b = &t->accesses.data[i];
    const struct event *between = &events[b->place];
    if (between->thread == first->thread || !overlap(first, between) || !overlap(between, last)) continue;
    if ((exclusive & b->any) | (any & b->exclusive) || !unserialisable(first, between, last)) continue;
    *vec_push(&t->found) = (struct triple){a->place, b->place, c->place};
  }
}

/* The accesses of the thread's open regions before `c`. */
static void add_first(struct triples *t, const struct recorded_model *m, uint32_t head, const struct triple_access *c) {
  const struct event *last = &m->events.data[c->place];
  uint32_t begin = m->regions.data[c->place];
  for (uint32_t i = begin == NONE ? NONE : head; i != NONE; i = t->accesses.data[i].next) {
    const struct triple_access *a = &t->accesses.data[i];
    const struct event *first = &m->events.data[a->place];
    if (a->place >= c->place || first->thread != last->thread || m->origins.data[a->place] < begin || !overlap(first, last)) continue;
    add_between(t, m, head, a, c);
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

/* Each access is known by its first granule: accesses that overlap but begin in different ones are left to the race analysis. */
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
    if (is_access(e) && i >= m->prefix) add_access(t, e, i, e->object / 8);
    operate(t, e, i);
  }
  memset(t->threads, 0, sizeof t->threads);
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &m->events.data[i];
    operate(t, e, i);
    if (!is_access(e) || i < m->prefix) continue;
    const struct triple_thread *x = &t->threads[e->thread];
    struct triple_access c = {.place = i, .exclusive = x->exclusive, .any = x->any};
    add_first(t, m, (uint32_t)*hashmap_find(&t->granules, e->object / 8), &c);
  }
}

void triples_release(struct triples *t) {
  vec_release(&t->found);
  vec_release(&t->accesses);
  hashmap_release(&t->granules);
  hashmap_release(&t->locks);
}
