#include "happens/lockset.h"

#include <string.h>

#include "base/mem.h"
#include "happens/sync_edge.h"

enum lockset_seen { SEEN_WRITE = 1, SEEN_PLAIN = 2, SEEN_MANY = 4, SEEN_ALL = 7 };

/* More than that makes no sense to look at granule by granule. */
#define GRANULES_MOST 64u

/* After so many traces in vain only one in so many is looked at. */
#define IN_VAIN_MOST 16u
#define LOOK_EVERY   64u

static inline uint32_t place_of(const struct locksets *l, uint64_t key) {
  return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & (l->cap - 1);
}

static void grow(struct locksets *l) {
  struct lockset_slot *old = l->slots;
  uint32_t n = l->cap;
  l->cap = n ? n * 2 : 128;
  l->slots = mem_alloc(l->cap * sizeof *l->slots);
  for (uint32_t i = 0; i < n; i++) {
    if (old[i].stamp != l->stamp) continue;
    uint32_t j = place_of(l, old[i].key);
    while (l->slots[j].stamp == l->stamp) j = (j + 1) & (l->cap - 1);
    l->slots[j] = old[i];
  }
  mem_free(old, n * sizeof *old);
}

[[gnu::noinline]] static struct lockset_slot *slot_search(struct locksets *l, uint64_t key, bool *is_new) {
  *is_new = false;
  if ((l->used + 1) * 2 > l->cap) grow(l);
  uint32_t j = place_of(l, key);
  for (; l->slots[j].stamp == l->stamp; j = (j + 1) & (l->cap - 1)) {
    if (l->slots[j].key == key) return &l->slots[j];
  }
  *is_new = true;
  l->slots[j] = (struct lockset_slot){.key = key, .stamp = l->stamp};
  l->used++;
  return &l->slots[j];
}

static inline struct lockset_slot *slot_at(struct locksets *l, uint64_t key, bool *is_new) {
  struct lockset_slot *slot = &l->slots[place_of(l, key)];
  *is_new = false;
  return slot->key == key && slot->stamp == l->stamp ? slot : slot_search(l, key, is_new);
}

/* Granules are multiples of 8; locks are told from them by a bit below. */
static inline uint64_t lock_bit(struct locksets *l, uint64_t lock) {
  bool is_new;
  struct lockset_slot *slot = slot_at(l, lock * 8 | 1, &is_new);
  if (is_new && l->nlocks < 64) slot->locks = 1ull << l->nlocks++;
  return slot->locks;
}

/* True if this granule may race. */
static inline bool access_granule(struct locksets *l, uint64_t granule, uint32_t thread, uint8_t seen) {
  bool is_new;
  struct lockset_slot *slot = slot_at(l, granule * 8, &is_new);
  if (is_new) slot->thread = (uint16_t)thread, slot->locks = UINT64_MAX;
  slot->locks &= l->held[thread];
  slot->seen |= (uint8_t)(seen | (slot->thread != thread ? SEEN_MANY : 0));
  return slot->seen == SEEN_ALL && slot->locks == 0;
}

static inline bool access_may_race(struct locksets *l, const struct event *e) {
  bool plain = e->order == ORDER_PLAIN || e->op == EVENT_FREE;
  uint8_t seen = (uint8_t)((e->op != EVENT_READ ? SEEN_WRITE : 0) | (plain ? SEEN_PLAIN : 0));
  uint64_t first = e->object / 8;
  if ((e->object & 7) + e->size <= 8) return e->size && access_granule(l, first, e->thread, seen);
  uint64_t last = (e->object + e->size - 1) / 8;
  if (last - first >= GRANULES_MOST) return true;
  for (; first <= last; first++) {
    if (access_granule(l, first, e->thread, seen)) return true;
  }
  return false;
}

static inline bool use_may_race(struct locksets *l, const struct event *e) {
  struct sync_use use = sync_use(e);
  for (unsigned i = 0; i < use.count; i++) {
    if (access_granule(l, use.objects[i] / 8, e->thread, 0)) return true;
  }
  return false;
}

static bool any_access_may_race(struct locksets *l, const struct event *trace, uint32_t n) {
  for (const struct event *e = trace; e < trace + n; e++) {
    uint64_t op = 1ull << e->op;
    if (use_may_race(l, e)) return true;
    if (op & (OP(READ) | OP(WRITE) | OP(RMW) | OP(FREE))) {
      if (access_may_race(l, e)) return true;
    } else if (op & (OP(ACQUIRE) | OP(RELEASE))) {
      if (e->flags & EVENT_SHARED_LOCK) continue; /* readers do not exclude each other */
      uint64_t bit = lock_bit(l, e->object), *held = &l->held[e->thread];
      *held = e->op == EVENT_ACQUIRE ? *held | bit : *held & ~bit;
      if (e->thread > l->top) l->top = e->thread;
    } else if (op & (OP(WAIT_ENTER) | OP(WAIT_LEAVE))) {
      if (e->flags & EVENT_TIMED_OUT) continue;
      uint64_t bit = lock_bit(l, e->value2), *held = &l->held[e->thread];
      *held = e->op == EVENT_WAIT_LEAVE ? *held | bit : *held & ~bit;
      if (e->thread > l->top) l->top = e->thread;
    } else if (op & OP(ATOMIC)) {
      return true; /* sections exclude each other, too: race.c knows */
    }
  }
  return false;
}

/* What locksets say of a trace depends on what each thread did, not on how the threads took turns. So traces have the same answer if they
 * have the same events, as far as any_access_may_race() reads them; the sum of their hashes does not depend on the order either. */
static inline struct fingerprint digest(const struct event *trace, uint32_t n) {
  struct fingerprint sum = {0};
  for (const struct event *e = trace; e < trace + n; e++) {
    uint64_t head;
    memcpy(&head, e, sizeof head); /* op, order, flags, choice, thread: the choice does not matter */
    uint64_t what = (head & 0xffffffff00ffffffu) ^ (uint64_t)e->index << 40;
    uint64_t mutex = e->value2 & (0 - ((OP(WAIT_ENTER) | OP(WAIT_LEAVE)) >> e->op & 1));
    uint64_t where = (e->object ^ (e->size << 48 | e->size >> 16)) + mutex;
    unsigned __int128 mixed = (unsigned __int128)(what ^ 0xa0761d6478bd642fu) * (where ^ 0xe7037ed1a0b428dbu);
    sum.lo += (uint64_t)mixed ^ (uint64_t)(mixed >> 64), sum.hi += (uint64_t)(mixed >> 64) * 0x9e3779b97f4a7c15u + what;
  }
  return sum;
}

bool locksets_may_race(struct locksets *l, const struct event *trace, uint32_t n) {
  struct fingerprint print = digest(trace, n), *known = &l->free_of_races[print.lo % LOCKSETS_KNOWN];
  if (fingerprint_equal(print, *known)) return false;
  if (l->in_vain >= IN_VAIN_MOST && ++l->left_out < LOOK_EVERY) return true;
  l->left_out = 0;
  if (l->cap == 0) grow(l);
  if (++l->stamp == 0) { /* wrapped: old stamps would look new */
    memset(l->slots, 0, l->cap * sizeof *l->slots);
    l->stamp = 1;
  }
  l->used = l->nlocks = 0;
  memset(l->held, 0, (l->top + 1) * sizeof *l->held);
  l->top = 0;
  bool may = any_access_may_race(l, trace, n);
  l->in_vain = may ? l->in_vain + 1 : 0;
  if (!may) *known = print;
  return may;
}

void locksets_release(struct locksets *l) {
  mem_free(l->slots, l->cap * sizeof *l->slots);
  *l = (struct locksets){0};
}
