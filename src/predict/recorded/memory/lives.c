#include "predict/recorded/memory/lives.h"

#include <string.h>

enum { SMALL = 1 << 14 };

void lives_release(struct lives *l) {
  vec_release(&l->events);
  vec_release(&l->ranges);
  hashmap_release(&l->granules);
}

static void begin_life(struct lives *l, const struct event *alloc, uint64_t life) {
  uint64_t from = alloc->object / 8, to = (alloc->object + alloc->size + 7) / 8;
  if (alloc->size > SMALL) {
    *vec_push(&l->ranges) = (struct lives_range){from, to, life};
    return;
  }
  for (uint64_t granule = from; granule < to; granule++) *hashmap_at(&l->granules, granule, life, NULL) = life;
}

static uint64_t life_at(const struct lives *l, uint64_t address) {
  const uint64_t *at = hashmap_find(&l->granules, address / 8);
  uint64_t life = at ? *at : 0;
  for (size_t i = l->ranges.count; i-- > 0;) {
    const struct lives_range *r = &l->ranges.data[i];
    if (address / 8 >= r->from && address / 8 < r->to) return r->life > life ? r->life : life;
  }
  return life;
}

static bool is_access(const struct event *e) {
  return e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_FREE || e->op == RECORDED_INITIAL;
}
static bool is_operation(const struct event *e) { return e->op >= EVENT_ACQUIRE && e->op <= EVENT_SEM_WAIT; }

/* Accesses have the even numbers, and synchronisation objects the odd ones. */
static uint64_t tell_apart(const struct lives *l, uint64_t address, bool object) {
  uint64_t life = address >> LIVES_SHIFT ? 0 : life_at(l, address);
  return life ? address | (2 * life + object) << LIVES_SHIFT : address;
}

const struct event *lives_tell_apart(struct lives *l, const struct event *window, uint32_t n) {
  uint64_t lives = 0;
  bool any = false;
  for (uint32_t i = 0; i < n && !any; i++) any = window[i].op == EVENT_ALLOC;
  if (!any) return window;
  vec_clear(&l->events);
  vec_clear(&l->ranges);
  hashmap_clear(&l->granules);
  for (uint32_t i = 0; i < n; i++) {
    struct event *e = vec_push(&l->events);
    *e = window[i];
    if (is_access(e) || is_operation(e)) e->object = tell_apart(l, e->object, is_operation(e));
    if (e->op == EVENT_WAIT_ENTER || e->op == EVENT_WAIT_LEAVE) e->value2 = tell_apart(l, e->value2, true);
    if (e->op != EVENT_ALLOC || e->size == 0) continue;
    if (++lives > LIVES_MOST) return NULL;
    begin_life(l, e, lives);
  }
  return l->events.data;
}
