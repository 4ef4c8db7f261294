#include "happens/atomicity.h"

#include <string.h>

#define NONE      UINT32_MAX
#define LOOK_MOST 4096u

static bool is_access(const struct event *e) {
  return (event_reads(e) || event_writes(e)) && e->size > 0 && e->size <= 8 && !(e->flags & EVENT_CLOCK);
}

/* --- locks --- */

static void take(struct atomicity *a, uint32_t thread, uint64_t lock, uint32_t event) {
  *vec_push(&a->threads[thread].held) = (struct atomicity_lock){lock, event};
}

static void give(struct atomicity *a, uint32_t thread, uint64_t lock) {
  struct atomicity_locks *x = &a->threads[thread];
  size_t i = x->held.count;
  while (i > 0 && x->held.data[i - 1].address != lock) i--;
  if (i == 0) return;
  memmove(&x->held.data[i - 1], &x->held.data[i], (x->held.count - i) * sizeof x->held.data[0]);
  x->held.count--;
}

static void operate(struct atomicity *a, const struct event *e, uint32_t i) {
  if (e->op == EVENT_ACQUIRE) take(a, e->thread, e->object, i);
  if (e->op == EVENT_RELEASE) give(a, e->thread, e->object);
  if (e->op == EVENT_WAIT_ENTER) give(a, e->thread, e->value2);
  if (e->op == EVENT_WAIT_LEAVE && !(e->flags & EVENT_TIMED_OUT)) take(a, e->thread, e->value2, i);
}

/* --- accesses --- */

static void add(struct atomicity *a, const struct event *trace, uint32_t first, uint32_t between, uint32_t last) {
  bool is_new = false;
  uint64_t key = hash_pair(hash_pair(trace[first].site, trace[last].site), trace[between].site);
  (void)hashmap_at(&a->places, key, 0, &is_new);
  if (is_new) *vec_push(&a->found) = (struct atomicity_triple){first, between, last};
}

/* The access is the last one of a triple: of what its thread did before it under a lock that it has had since, and of others' accesses. */
static void look_back(struct atomicity *a, const struct event *trace, uint32_t last, uint32_t at) {
  const struct event *c = &trace[last];
  uint32_t begin = a->threads[c->thread].held.data[0].since; /* of the oldest one */
  vec_clear(&a->between);
  for (uint32_t n = 0; at != NONE && n < LOOK_MOST && a->accesses.data[at].event > begin; at = a->accesses.data[at].before, n++) {
    uint32_t event = a->accesses.data[at].event;
    const struct event *e = &trace[event];
    if (!event_overlaps(e, c)) continue;
    if (e->thread != c->thread) {
      *vec_push(&a->between) = event;
      continue;
    }
    for (size_t i = 0; i < a->between.count; i++) {
      const struct event *b = &trace[a->between.data[i]];
      if (event_overlaps(e, b) && event_unserialisable(e, b, c)) add(a, trace, event, a->between.data[i], last);
    }
  }
}

static void access_granule(struct atomicity *a, const struct event *trace, uint32_t i, uint64_t granule) {
  bool is_new = false;
  uint64_t *head = hashmap_at(&a->granules, granule, NONE, &is_new);
  if (a->threads[trace[i].thread].held.count) look_back(a, trace, i, (uint32_t)*head);
  *vec_push(&a->accesses) = (struct atomicity_access){i, (uint32_t)*head};
  *head = a->accesses.count - 1;
}

void atomicity_find(struct atomicity *a, const struct event *trace, uint32_t n) {
  vec_clear(&a->found);
  vec_clear(&a->accesses);
  hashmap_clear(&a->granules);
  hashmap_clear(&a->places);
  for (uint32_t i = 0; i < THREADS_MAX; i++) vec_clear(&a->threads[i].held);
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &trace[i];
    operate(a, e, i);
    for (uint64_t g = e->object / 8; is_access(e) && g <= (e->object + e->size - 1) / 8; g++) access_granule(a, trace, i, g);
  }
}

void atomicity_release(struct atomicity *a) {
  vec_release(&a->found);
  vec_release(&a->accesses);
  vec_release(&a->between);
  hashmap_release(&a->granules);
  hashmap_release(&a->places);
  for (uint32_t i = 0; i < THREADS_MAX; i++) vec_release(&a->threads[i].held);
}
