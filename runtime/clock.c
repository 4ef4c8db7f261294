#include "clock.h"

bool order_lost;

static size_t bytes_of(uint32_t cap) { return sizeof(struct vclock) + cap * sizeof(uint32_t); }

static bool reserve(struct vclock **c, uint32_t n) {
  struct vclock *old = *c;
  if (old && old->cap >= n) return true;
  uint32_t cap = 2; /* 32 bytes with the header */
  while (cap < n) cap = cap * 2 + 4;
  struct vclock *bigger = rt_alloc(bytes_of(cap));
  if (!bigger) return order_lose(), false;
  bigger->cap = cap, bigger->n = 0, bigger->from = 0, bigger->weak = NULL;
  if (old) {
    bigger->n = old->n, bigger->from = old->from;
    bigger->weak = old->weak, old->weak = NULL;
    rt_copy(bigger->at, old->at, old->n * sizeof old->at[0]);
  }
  *c = bigger; /* first: a child that is forked here by another thread may not find one that is free */
  vclock_free(old);
  return true;
}

bool vclock_set(struct vclock **c, const uint32_t *at, uint32_t n, epoch from) {
  if (!reserve(c, n)) return false;
  struct vclock *v = *c;
  for (uint32_t i = 0; i < n; i++) v->at[i] = at[i];
  v->n = n, v->from = from;
  return true;
}

bool vclock_join(struct vclock **c, const uint32_t *at, uint32_t n) {
  if (!reserve(c, n)) return false;
  struct vclock *v = *c;
  uint32_t both = v->n < n ? v->n : n;
  for (uint32_t i = 0; i < both; i++)
    if (at[i] > v->at[i]) v->at[i] = at[i];
  for (uint32_t i = both; i < n; i++) v->at[i] = at[i];
  if (n > v->n) v->n = n;
  v->from = 0;
  return true;
}

void vclock_free(struct vclock *c) {
  if (!c) return;
  vclock_free(c->weak);
  rt_free(c, bytes_of(c->cap));
}
