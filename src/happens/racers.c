#include "happens/racers.h"

static inline uint64_t pair_of(const struct known_access *x, const struct known_access *y) {
  uint64_t a = x->site < y->site ? x->site : y->site, b = x->site ^ y->site ^ a;
  return a << 32 | b;
}

static struct racer *find(struct racers *r, const struct known_access *x) {
  uint64_t what = x->mask | (uint64_t)x->write << 8 | (uint64_t)x->atomic << 9 | (uint64_t)x->site << 32;
  bool is_new;
  uint64_t *id = hashmap_at(&r->ids, hash_pair(x->granule, what), r->seen.count, &is_new);
  if (!is_new) return &r->seen.data[*id];
  uint64_t *head = hashmap_at(&r->heads, x->granule, 0, NULL);
  *vec_push(&r->seen) = (struct racer){.access = *x, .next = (uint32_t)*head};
  *head = r->seen.count;
  return &vec_last(&r->seen);
}

void racers_see(struct racers *r, const struct known_access *x) {
  struct racer *at = find(r, x);
  if (tset_has(&at->threads, x->thread)) return;
  tset_add(&at->threads, x->thread);
  *vec_push(&r->fresh) = *x;
  r->version++;
}

bool racers_meet(struct racers *r, const struct known_access *x, const struct known_access *y, bool certain) {
  bool is_new = !hashmap_find(&r->pairs, pair_of(x, y));
  if (is_new && certain) {
    hashmap_at(&r->pairs, pair_of(x, y), 1, NULL);
    r->version++;
  }
  return is_new;
}

struct tset racers_against(const struct racers *r, const struct known_access *x) {
  struct tset against = {0};
  const uint64_t *head = hashmap_find(&r->heads, x->granule);
  for (uint32_t i = head ? (uint32_t)*head : 0; i; i = r->seen.data[i - 1].next) {
    const struct racer *y = &r->seen.data[i - 1];
    if (accesses_conflict(x, &y->access) && !hashmap_find(&r->pairs, pair_of(x, &y->access))) tset_union(&against, &y->threads);
  }
  tset_remove(&against, x->thread);
  return against;
}

void racers_forget_pairs(struct racers *r) {
  hashmap_clear(&r->pairs);
  r->version++;
}

void racers_release(struct racers *r) {
  vec_release(&r->seen);
  vec_release(&r->fresh);
  hashmap_release(&r->ids);
  hashmap_release(&r->heads);
  hashmap_release(&r->pairs);
}
