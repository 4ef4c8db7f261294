#include "report/told.h"

/* Open addressing. Entries never change but for their flags, and a full table is followed by a larger one and stays where it is: who looks
 * into it just now finds what it looks for, or will when it looks again under the lock of reports. */
enum { FIRST_BITS = 12 };
struct keys {
  unsigned bits, count;
  uint64_t at[];
};
static struct {
  unsigned bits, count;
  uint64_t at[1 << FIRST_BITS];
} first = {.bits = FIRST_BITS};
static struct keys *told = (struct keys *)&first;

/* Where that key is or, if it is not there, would be: an entry is always free. */
static uint64_t *find(struct keys *keys, uint64_t key) {
  uint64_t last = (1ull << keys->bits) - 1;
  for (uint64_t i = key >> 20 & last;; i = (i + 1) & last) {
    uint64_t there = __atomic_load_n(&keys->at[i], __ATOMIC_RELAXED);
    if (there == 0 || ((there ^ key) & ~(uint64_t)TOLD_FLAGS) == 0) return &keys->at[i];
  }
}

uint64_t told_find(uint64_t key) { return __atomic_load_n(find(__atomic_load_n(&told, __ATOMIC_ACQUIRE), key), __ATOMIC_RELAXED); }

bool told_room(void) {
  struct keys *old = told;
  if (old->count < (1u << old->bits) / 2) return true;
  struct keys *keys = rt_pages(sizeof *keys + (sizeof keys->at[0] << (old->bits + 1)));
  if (!keys) return old->count + 2 < 1u << old->bits;
  keys->bits = old->bits + 1, keys->count = old->count;
  for (uint64_t i = 0; i < 1ull << old->bits; i++)
    if (old->at[i]) *find(keys, old->at[i]) = old->at[i];
  __atomic_store_n(&told, keys, __ATOMIC_RELEASE);
  return true;
}

void told_add(uint64_t key, uint64_t flags) {
  uint64_t *at = find(told, key);
  told->count += !*at;
  __atomic_store_n(at, key | TOLD | flags, __ATOMIC_RELAXED);
}
