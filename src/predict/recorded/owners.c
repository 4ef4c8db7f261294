#include "predict/recorded/owners.h"

/* Bytes of an access whose granules are looked at one by one. */
#define ACCESS_MOST (1u << 16)

static bool is_barrier(const struct event *e) { return e->op == EVENT_BARRIER_ENTER || e->op == EVENT_BARRIER_LEAVE; }

static struct recorded_owner *owner_of(struct recorded_owners *o, struct hashmap *map, uint64_t key) {
  bool is_new = false;
  uint64_t *at = hashmap_at(map, key, o->all.count, &is_new);
  if (is_new) *vec_push(&o->all) = (struct recorded_owner){0};
  return &o->all.data[*at];
}

static struct recorded_owner *use(struct recorded_owners *o, struct hashmap *map, uint64_t key, uint32_t thread) {
  struct recorded_owner *x = owner_of(o, map, key);
  if (x->thread == 0) x->thread = thread + 1;
  if (x->thread != thread + 1) x->thread = RECORDED_NONE;
  return x;
}

static void use_granules(struct recorded_owners *o, const struct event *e) {
  uint64_t size = e->size < ACCESS_MOST ? e->size : ACCESS_MOST;
  for (uint64_t granule = e->object / 8; granule <= (e->object + size - 1) / 8; granule++) {
    struct recorded_owner *x = use(o, &o->granules, granule, e->thread);
    x->reads += e->op == EVENT_READ || e->op == EVENT_RMW;
    x->writes += e->op != EVENT_READ;
  }
}

bool recorded_owners_share(const struct recorded_owners *o, uint64_t object) {
  const uint64_t *at = hashmap_find(&o->objects, object);
  return at && o->all.data[*at].thread == RECORDED_NONE && o->all.data[*at].operated;
}

/* A wait is about two objects: they are taken both, or none. */
static void use_wait(struct recorded_owners *o, uint64_t condition, uint64_t mutex) {
  owner_of(o, &o->objects, condition)->thread = RECORDED_NONE;
  if (mutex) owner_of(o, &o->objects, mutex)->thread = RECORDED_NONE;
}

/* `reads`: the barrier's present round; `writes`: place of its last arrival, plus 2; 1: some thread has left it. */
static void begin_barrier(struct recorded_owners *o, const struct recorded_state *state, uint64_t barrier) {
  struct recorded_owner *x = owner_of(o, &o->objects, barrier);
  bool left;
  x->reads = (uint32_t)recorded_state_round(state, barrier, &left);
  x->writes = left;
}

/* An access over the border of two words makes them one: it is in the model if either is shared, and what is written to the other one must
 * then be there, too. */
static void join_granules(struct recorded_owners *o, const struct event *window) {
  for (bool more = o->across.count > 0; more;) {
    more = false;
    for (size_t i = 0; i < o->across.count; i++) {
      const struct event *e = &window[o->across.data[i]];
      struct recorded_owner *x = owner_of(o, &o->granules, e->object / 8), *y = owner_of(o, &o->granules, e->object / 8 + 1);
      if ((x->thread == RECORDED_NONE) == (y->thread == RECORDED_NONE)) continue;
      x->thread = y->thread = RECORDED_NONE;
      more = true;
    }
  }
}

void recorded_owners_find(struct recorded_owners *o, const struct recorded_state *state, const struct event *window, uint32_t n) {
  vec_clear(&o->all);
  vec_clear(&o->across);
  hashmap_clear(&o->granules);
  hashmap_clear(&o->objects);
  for (size_t i = 0; i < state->threads.count; i++) {
    const struct recorded_thread *t = &state->threads.data[i];
    for (size_t k = 0; k < t->held.count; k++) (void)use(o, &o->objects, t->held.data[k].lock, (uint32_t)i);
    if (t->waits_at) use_wait(o, t->waits_at, t->mutex);
    if (t->barrier) (void)use(o, &o->objects, t->barrier, (uint32_t)i), begin_barrier(o, state, t->barrier);
  }
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &window[i];
    if (recorded_is_access(e)) use_granules(o, e);
    if (recorded_is_access(e) && e->size <= 8 && e->object % 8 + e->size > 8) *vec_push(&o->across) = i;
    if (e->op < EVENT_ACQUIRE || e->op > EVENT_SEM_WAIT) continue;
    struct recorded_owner *x = use(o, &o->objects, e->object, e->thread);
    x->operated = true;
    x->writes += e->op == EVENT_ACQUIRE || e->op == EVENT_WAIT_LEAVE || e->op == EVENT_SEM_WAIT;
    x->reads += e->op == EVENT_SEM_POST;
    x->vain += e->op == EVENT_TRYFAIL && (e->flags & RECORDED_COUNT);
    if (recorded_is_wait(e)) use_wait(o, e->object, e->value2);
    if (recorded_is_wait(e) && e->value2) owner_of(o, &o->objects, e->value2)->operated = true;
    if (is_barrier(e)) begin_barrier(o, state, e->object);
  }
  join_granules(o, window);
}

bool recorded_owners_may_change(const struct recorded_owners *o, const struct event *e) {
  uint64_t size = e->size < ACCESS_MOST ? e->size : ACCESS_MOST;
  for (uint64_t granule = e->object / 8; granule <= (e->object + size - 1) / 8; granule++) {
    const struct recorded_owner *x = &o->all.data[*hashmap_find(&o->granules, granule)];
    if (x->thread == RECORDED_NONE && x->writes > 0) return true;
  }
  return false;
}

/* Each two sections of a lock are compared, or ways to pair a semaphore's waits with its posts; each read with each write, for each write
 * that it may return. */
static uint64_t measure_object(const struct recorded_owner *x) {
  uint64_t pairs = (uint64_t)x->reads * x->writes;
  return pairs ? pairs * pairs / 2 + x->vain * pairs : (uint64_t)x->writes * x->writes;
}

uint64_t recorded_owners_measure(const struct recorded_owners *o) {
  uint64_t shape = 0;
  for (size_t i = 0; i < o->all.count; i++) {
    const struct recorded_owner *x = &o->all.data[i];
    if (x->thread != RECORDED_NONE) continue;
    shape += x->operated ? measure_object(x) : (uint64_t)x->reads * x->writes * (x->reads + x->writes) + x->writes;
  }
  return shape;
}

struct recorded_owner *recorded_owners_object(struct recorded_owners *o, uint64_t object) {
  return owner_of(o, &o->objects, object);
}

void recorded_owners_release(struct recorded_owners *o) {
  vec_release(&o->all);
  vec_release(&o->across);
  hashmap_release(&o->granules);
  hashmap_release(&o->objects);
}
