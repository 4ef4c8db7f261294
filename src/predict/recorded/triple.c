#include "predict/recorded/triple.h"

#include <string.h>

#define NONE RECORDED_NONE
/* Accesses of one granule: in a thread's region before one of it; of those that are alike, that may come between. */
#define REGION_MOST  64u
#define BETWEEN_MOST 4u /* to either side of the last one */
/* Sets of accesses of one granule that are alike. */
#define SETS_MOST 1024u

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

/* Atomics are shared on purpose, counters for one. Where all three are atomic, what counts is a value that is written back while another
 * one has come meanwhile: a load, and then a store. */
static bool is_meant(const struct event *a, const struct event *b, const struct event *c) {
  bool atomic = a->order != ORDER_PLAIN && b->order != ORDER_PLAIN && c->order != ORDER_PLAIN;
  return atomic && !(a->op == EVENT_READ && c->op == EVENT_WRITE);
}

/* The first eight bytes that all three touch (ranges of which each two overlap have some in common). */
static uint64_t common_granule(const struct event *a, const struct event *b, const struct event *c) {
  uint64_t low = a->object > b->object ? a->object : b->object;
  return (low > c->object ? low : c->object) / 8;
}

/* Those of the set that are near the last access: the last ones before it, and the first ones behind it. */
static void add_members(struct triples *t, const struct triple_set *set, uint32_t a, uint32_t c) {
  uint32_t before = 0, skipped, behind = 0;
  for (uint32_t i = set->first; i != NONE && t->members.data[i].place < c; i = t->members.data[i].next) before++;
  skipped = before > BETWEEN_MOST ? before - BETWEEN_MOST : 0;
  t->left_out += skipped > 0;
  for (uint32_t i = set->first, k = 0; i != NONE; i = t->members.data[i].next, k++) {
    if (k < skipped) continue;
    if (k >= before && behind++ >= BETWEEN_MOST) {
      t->left_out++;
      return;
    }
    *vec_push(&t->found) = (struct triple){a, t->members.data[i].place, c};
  }
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
  for (uint32_t i = (uint32_t)*hashmap_find(&t->granules, granule); i != NONE; i = t->sets.data[i].next) {
    const struct triple_access *b = &t->sets.data[i].like;
    const struct event *between = &events[b->place];
    if (between->thread == first->thread || !event_overlaps(first, between) || !event_overlaps(between, last)) continue;
    if (common_granule(first, between, last) != granule) continue;
    if ((exclusive & b->any) | (any & b->exclusive) || !event_unserialisable(first, between, last) || is_meant(first, between, last))
      continue;
    add_members(t, &t->sets.data[i], a->place, c->place);
  }
}

/* With the accesses of the thread's open regions before `c`, the last ones first. */
static void add_first(struct triples *t, const struct recorded_model *m, uint64_t granule, const struct triple_access *c) {
  const struct event *last = &m->events.data[c->place];
  uint32_t begin = m->regions.data[c->place], seen = 0;
  uint64_t *own = hashmap_at(&t->own, hash_pair(granule, last->thread), NONE, NULL);
  size_t found = t->found.count;
  for (uint32_t i = begin == NONE ? NONE : (uint32_t)*own; i != NONE; i = t->accesses.data[i].next) {
    struct triple_access a = t->accesses.data[i];
    if (m->origins.data[a.place] < begin) break;
    if (seen++ >= REGION_MOST) {
      t->left_out += t->found.count > found;
      break;
    }
    if (event_overlaps(&m->events.data[a.place], last)) add_between(t, m, granule, &a, c);
  }
  *vec_push(&t->accesses) = *c;
  vec_last(&t->accesses).next = (uint32_t)*own;
  *own = t->accesses.count - 1;
}

static bool alike(const struct recorded_model *m, const struct triple_access *a, const struct triple_access *b) {
  const struct event *e = &m->events.data[a->place], *f = &m->events.data[b->place];
  return e->thread == f->thread && e->site == f->site && e->op == f->op && e->object == f->object && e->size == f->size &&
         a->exclusive == b->exclusive && a->any == b->any;
}

static void add_access(struct triples *t, const struct recorded_model *m, uint32_t place, uint64_t granule) {
  const struct triple_thread *x = &t->threads[m->events.data[place].thread];
  struct triple_access access = {.place = place, .next = NONE, .exclusive = x->exclusive, .any = x->any};
  uint64_t *head = hashmap_at(&t->granules, granule, NONE, NULL);
  uint32_t set = (uint32_t)*head, length = 0;
  for (; set != NONE && !alike(m, &t->sets.data[set].like, &access); length++) set = t->sets.data[set].next;
  if (set == NONE && length >= SETS_MOST) {
    t->left_out++;
    return;
  }
  uint32_t member = (uint32_t)t->members.count;
  *vec_push(&t->members) = (struct triple_member){place, NONE};
  if (set != NONE) {
    t->members.data[t->sets.data[set].last].next = member, t->sets.data[set].last = member;
    return;
  }
  *vec_push(&t->sets) = (struct triple_set){member, member, (uint32_t)*head, access};
  *head = t->sets.count - 1;
}

static bool is_access(const struct event *e) {
  return (event_reads(e) || event_writes(e)) && e->size > 0 && e->size <= TRIPLE_SIZE && !event_outside(e);
}

void triples_find(struct triples *t, const struct recorded_model *m) {
  uint32_t n = (uint32_t)m->events.count;
  vec_clear(&t->found);
  vec_clear(&t->accesses);
  vec_clear(&t->sets);
  vec_clear(&t->members);
  hashmap_clear(&t->granules);
  hashmap_clear(&t->own);
  hashmap_clear(&t->locks);
  memset(t->threads, 0, sizeof t->threads);
  t->left_out = 0;
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &m->events.data[i];
    for (uint64_t g = e->object / 8; is_access(e) && i >= m->prefix && g <= (e->object + e->size - 1) / 8; g++) add_access(t, m, i, g);
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
  vec_release(&t->sets);
  vec_release(&t->members);
  hashmap_release(&t->granules);
  hashmap_release(&t->own);
  hashmap_release(&t->locks);
}
