#include "analysis/lockset.h"

/* A set of several is another one and a lock, taken last. */
struct node {
  uint32_t set, lock; /* lock: its index and whether it is shared, or INSIDE */
  uint32_t next;      /* of the same hash */
};
enum { INSIDE = 0x7fffffff, HASH_BITS = 14, SHARED = 1, INDEX_SHIFT = 1 };

static struct {
  struct rt_lock lock; /* for all of it, but that nodes never change */
  uint32_t count;
  struct node *nodes; /* [LOCKSETS_MAX]; 0 is none */
  uint32_t by_hash[1 << HASH_BITS];
} sets;

void locksets_start(void) { sets.nodes = rt_pages(LOCKSETS_MAX * sizeof sets.nodes[0]); }

static uint32_t node_of(uint32_t set, uint32_t lock) {
  uint32_t *first = &sets.by_hash[((uint64_t)lock << 32 | set) * 0x9e3779b97f4a7c15ull >> (64 - HASH_BITS)];
  for (uint32_t i = *first; i; i = sets.nodes[i].next)
    if (sets.nodes[i].set == set && sets.nodes[i].lock == lock) return LOCKSET_MANY | i;
  if (!sets.nodes || sets.count + 1 == LOCKSETS_MAX) return LOCKSET_UNKNOWN;
  sets.nodes[++sets.count] = (struct node){.set = set, .lock = lock, .next = *first};
  *first = sets.count;
  return LOCKSET_MANY | sets.count;
}

/* That set and that lock. */
static uint32_t with(struct thread *t, uint32_t set, uint32_t lock) {
  if (set == LOCKSET_UNKNOWN) return set;
  if (set == 0 && lock < LOCKSET_MANY) return lock;
  struct lockset_with *known = &t->locksets[(set * 7 ^ lock) % LOCKSETS_KNOWN];
  if (LIKELY(known->set == set && known->lock == lock && known->both)) return known->both;
  rt_lock(&sets.lock);
  uint32_t both = node_of(set, lock);
  rt_unlock(&sets.lock);
  *known = (struct lockset_with){.set = set, .lock = lock, .both = both};
  return both;
}

static uint32_t lock_of(const struct held *h) { return h->index << INDEX_SHIFT | (h->shared ? SHARED : 0); }

uint32_t lockset_slow(struct thread *t) {
  uint32_t set = 0, since = 0;
  if (t->inside) set = with(t, set, INSIDE);
  for (uint32_t i = 0; i < t->nheld; i++) {
    epoch first = t->held[i].first;
    set = with(t, set, lock_of(&t->held[i]));
    if (epoch_slot(first) != t->slot) since = UINT32_MAX;
    if (epoch_clock(first) > since) since = epoch_clock(first);
  }
  t->lockset = set, t->lockset_inside = t->inside > 0, t->lockset_since = since;
  return set;
}

/* A set's last lock, or INSIDE; the others remain. */
static uint32_t next(uint32_t *set) {
  uint32_t lock = *set;
  if (!(lock & LOCKSET_MANY)) return *set = 0, lock;
  const struct node *n = &sets.nodes[lock & (LOCKSET_MANY - 1)];
  return *set = n->set, n->lock;
}

unsigned lockset_split(uint32_t set, uint32_t at[HELD + 1]) {
  unsigned n = 0;
  for (uint32_t rest = set; rest && set != LOCKSET_UNKNOWN;) {
    at[n++] = next(&rest);
    if (at[n - 1] >= LOCKSET_MANY) break;
  }
  if (n && at[n - 1] < LOCKSET_MANY) return n;
  at[0] = set;
  return 1;
}

static void relate(const struct thread *t, uint32_t set, struct lockset_relation *r) {
  r->covered = r->excluded = true;
  while (set) {
    uint32_t lock = next(&set);
    bool covered = lock == INSIDE, excluded = covered;
    r->inside |= lock == INSIDE;
    for (uint32_t i = 0; i < t->nheld && lock != INSIDE; i++) {
      const struct held *h = &t->held[i];
      if (h->index != lock >> INDEX_SHIFT) continue;
      covered |= !h->shared || (lock & SHARED);
      excluded |= !h->shared;
      if (!(h->shared && (lock & SHARED))) r->common |= 1ull << i;
    }
    r->covered &= covered, r->excluded &= excluded;
  }
  if (t->inside) r->covered &= r->inside, r->excluded = false;
}

const struct lockset_relation *lockset_relation_slow(struct thread *t, uint32_t set, uint32_t now) {
  struct lockset_relation *r = &t->relations[(set ^ now * 5) % LOCKSET_RELATIONS];
  *r = (struct lockset_relation){.set = set, .now = now == LOCKSET_UNKNOWN ? 0 : now};
  if (set != LOCKSET_UNKNOWN)
    relate(t, set, r);
  else
    r->common = ~0ull >> (64 - t->nheld), r->covered = now == set, r->unknown = true;
  return r;
}

void locksets_before_fork(void) { rt_lock(&sets.lock); }
void locksets_after_fork(void) { rt_unlock(&sets.lock); }
