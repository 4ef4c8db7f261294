/* For the analyses themselves: their rows, and how they tell what they found. */
#pragma once
#include "streaming/memory.h"
#include "streaming/streaming.h"
#include "streaming/sync.h"
#include "trace/recorded.h"

extern const struct streaming_type streaming_hb, streaming_wcp, streaming_wdc, streaming_edc, streaming_sp;

/* A finding of an earlier event of that thread at that time (streaming.h). */
struct told {
  enum finding_kind kind;
  uint32_t thread, time, site; /* of the first event */
  uint8_t op;
  uint64_t object;
  const char *why;
  enum streaming_proof proof;
};
void streaming_tell(struct streaming *s, const struct told *first, const struct event *second);

/* A pair of accesses, of which the later one is `e`. */
void streaming_race(struct streaming *s, const struct cell *c, const struct event *e, const char *why, enum streaming_proof proof);

/* What is proven follows from the order of the run. Of a read that nothing explains it is only known that it came behind what was done by
 * then; of what is RECORDED_DOUBTFUL, only that all of it came before what is not. In `layer`: before the event, and behind it. */
static inline void streaming_settle(struct sync *s, unsigned layer, const struct event *e, bool *doubtful) {
  bool was = *doubtful;
  *doubtful = e->flags & RECORDED_DOUBTFUL;
  if (was && !*doubtful) sync_meet(s, layer);
}
static inline void streaming_read(struct sync *s, unsigned layer, const struct event *e) {
  if (e->flags & RECORDED_UNORDERED && (e->op == EVENT_READ || e->op == EVENT_RMW)) sync_learn_of_all(s, layer, e->thread);
}

/* Of larger accesses the first bytes count: a damaged trace may have any size. Of what is freed at once beyond FREED_MAX bytes, only what
 * was used before is noted. */
enum { ACCESS_SIZE_MAX = 1 << 24, FREED_MAX = 1024 };

static inline enum access_kind access_kind(const struct event *e) {
  if (e->op == EVENT_FREE) return ACCESS_END;
  if (e->op == EVENT_READ) return e->order == ORDER_PLAIN ? ACCESS_READ : ACCESS_ATOMIC_READ;
  return e->order == ORDER_PLAIN ? ACCESS_WRITE : ACCESS_ATOMIC_WRITE;
}

/* At the i-th of n events: what a later one will need. */
static inline void streaming_fetch(const struct memory *m, const struct event *events, size_t i, size_t n) {
  if (i + 8 >= n) return;
  memory_fetch(m, events[i + 8].object);
  memory_fetch_lists(m, events[i + 4].object);
}

/* Steps of an access, for each of its granules: what orders it, whether it conflicts with something that is not ordered, and what it
 * leaves. */
struct access_steps {
  memory_each_function *order, *judge, *learn, *leave;
};

static inline void access_granules(struct memory *m, const struct event *e, memory_each_function *step, void *data) {
  bool known = e->op == EVENT_FREE && e->size > FREED_MAX;
  memory_each(m, e->object, known || e->size < ACCESS_SIZE_MAX ? e->size : ACCESS_SIZE_MAX, known, step, data);
}

/* Most have one granule. Of others, the first step comes for all before the second one for any. */
[[gnu::always_inline]] static inline void access_each(struct memory *m, const struct event *e, const struct access_steps *steps,
                                                      void *data) {
  uint64_t from = e->object & 7;
  if (e->size - 1 < 8 && from + e->size <= 8) {
    struct granule *g = memory_at(m, e->object);
    uint8_t mask = (uint8_t)((0xffu >> (8 - e->size)) << from);
    steps->order(data, g, mask);
    if (!event_outside(e)) steps->judge(data, g, mask);
    steps->learn(data, g, mask);
    steps->leave(data, g, mask);
    return;
  }
  access_granules(m, e, steps->order, data);
  if (!event_outside(e)) access_granules(m, e, steps->judge, data);
  access_granules(m, e, steps->learn, data);
  access_granules(m, e, steps->leave, data);
}

/* Puts the access x in front of a granule's cells, without those that it stands for from now on. `v`: what orders; found(): a conflict that
 * nothing orders, or an access to what has ended. With `locks`, what a cell stands for depends on lock sets. */
[[gnu::always_inline]] static inline void cells_compare(struct memory *m, struct granule *g, const struct cell *x, const struct view *v,
                                                        const struct locks *locks, void (*found)(void *data, const struct cell *c),
                                                        void *data) {
  uint32_t *link = &g->cells, reuse = NO_CELL;
  unsigned conflicts = access_conflicts(x->kind);
  while (*link) {
    uint32_t place = *link;
    struct cell *c = pool_at(&m->cells, place);
    bool ordered = view_orders(v, c->thread, c->time);
    if ((!ordered || c->kind == ACCESS_END) && (c->mask & x->mask) && (conflicts >> c->kind & 1)) found(data, c);
    if (!ordered || !cell_covers(x, c) || (locks && c->lockset != x->lockset && !lockset_within(locks, x->lockset, c->lockset))) {
      link = &c->next;
      continue;
    }
    *link = c->next;
    if (reuse) pool_give(&m->cells, reuse);
    reuse = place;
  }
  uint32_t place = reuse ? reuse : pool_take(&m->cells);
  *pool_at(&m->cells, place) = *x;
  pool_at(&m->cells, place)->next = g->cells;
  g->cells = place;
}
