#include "clock.h"

bool order_lost;

static size_t bytes_of(uint32_t cap, bool twofold) { return vclock_bytes(cap) * (twofold ? 2 : 1); }

static void copy(struct vclock *to, const struct vclock *from) {
  to->n = from->n, to->from = from->from;
  clocks_copy(to->at, from->at, from->n);
}

static COLD bool reserve_slow(struct vclock **c, uint32_t n, bool twofold) {
  struct vclock *old = *c;
  uint32_t cap = CLOCKS_STEP; /* 32 bytes with the header */
  while (cap < n || (old && cap < old->cap)) cap = cap * 2 + CLOCKS_STEP;
  twofold |= old && old->twofold;
  struct vclock *bigger = rt_alloc(bytes_of(cap, twofold));
  if (!bigger) return order_lose(), false;
  rt_zero(bigger, bytes_of(cap, twofold));
  bigger->cap = (uint16_t)cap, bigger->twofold = twofold;
  if (twofold) vclock_weak(bigger)->cap = (uint16_t)cap;
  if (old) copy(bigger, old);
  if (vclock_weak(old)) copy(vclock_weak(bigger), vclock_weak(old));
  *c = bigger; /* first: a child that is forked here by another thread may not find one that is free */
  vclock_free(old);
  return true;
}
HOT bool reserve(struct vclock **c, uint32_t n, bool twofold) {
  const struct vclock *old = *c;
  return LIKELY(old && old->cap >= n && old->twofold >= twofold) || reserve_slow(c, n, twofold);
}

HOT void set(struct vclock *v, const uint32_t *at, uint32_t n, epoch from) {
  for (uint32_t i = n; i < v->n; i++) v->at[i] = 0;
  clocks_copy(v->at, at, n);
  v->n = (uint16_t)n, v->from = from;
}
HOT void join(struct vclock *v, const uint32_t *at, uint32_t n) {
  clocks_join(v->at, at, n);
  if (n > v->n) v->n = (uint16_t)n;
  v->from = 0;
}

bool vclock_set(struct vclock **c, const uint32_t *at, uint32_t n, epoch from) {
  return reserve(c, n, false) && (set(*c, at, n, from), true);
}
bool vclock_join(struct vclock **c, const uint32_t *at, uint32_t n) { return reserve(c, n, false) && (join(*c, at, n), true); }
bool vclock_join_other(struct vclock **c, const uint32_t *at, uint32_t n) {
  if (!reserve(c, n, false)) return false;
  struct vclock *v = *c;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t clock = __atomic_load_n(&at[i], __ATOMIC_RELAXED);
    if (clock > v->at[i]) v->at[i] = clock;
  }
  if (n > v->n) v->n = (uint16_t)n;
  v->from = 0;
  return true;
}
bool vclock_set_weak(struct vclock **c, const uint32_t *at, uint32_t n, epoch from) {
  return reserve(c, n, true) && (set(vclock_weak(*c), at, n, from), true);
}
bool vclock_join_weak(struct vclock **c, const uint32_t *at, uint32_t n) {
  return reserve(c, n, true) && (join(vclock_weak(*c), at, n), true);
}

void vclock_clear(struct vclock *c) {
  for (uint32_t i = 0; i < c->n; i++) c->at[i] = 0;
  c->n = 0, c->from = 0;
}

void vclock_free(struct vclock *c) {
  if (c) rt_free(c, bytes_of(c->cap, c->twofold));
}
