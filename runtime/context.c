#include "context.h"

#define NODES   SITE_DID
#define BUCKETS (1u << 20)

static struct site *nodes; /* [NODES], touched as far as used */
static uint32_t *buckets;  /* [BUCKETS]: the newest node; nodes are added at the front and never change */
static uint32_t used = 1;  /* node 0 is SITE_UNKNOWN */
static uint32_t combined;  /* about how many are SITE_MERGED */

enum { COMBINED = 1 << 16, COMBINED_PAIRS = 1 << 19 }; /* up to which count new combinations are told apart, and new pairs */

void context_start(void) {
  nodes = rt_pages(NODES * sizeof nodes[0]);
  buckets = rt_pages(BUCKETS * sizeof buckets[0]);
  if (!nodes || !buckets) rt_die("heddle: no memory for the places of the program: is there a limit on address space (ulimit -v)?\n");
}

static uint32_t bucket_of(uint32_t parent, uintptr_t pc, unsigned kind) {
  uint64_t h = (pc ^ (uint64_t)parent << 40 ^ (uint64_t)kind << 58) * 0x9e3779b97f4a7c15ull;
  h ^= h >> 29;
  h = (h ^ parent) * 0xbf58476d1ce4e5b9ull;
  return (uint32_t)(h >> 44) & (BUCKETS - 1);
}

static uint32_t find(uint32_t from, uint32_t end, uint32_t parent, uintptr_t pc, unsigned kind, unsigned size) {
  for (uint32_t i = from; i != end; i = nodes[i].next) {
    const struct site *s = &nodes[i];
    if (s->parent == parent && s->pc == pc && s->kind == kind && s->size == size) return s->same;
  }
  return SITE_UNKNOWN;
}

static uint32_t recursion(uint32_t parent, uintptr_t pc) {
  for (uint32_t i = parent; i != SITE_UNKNOWN; i = nodes[i].parent)
    if (nodes[i].pc == pc) return i;
  return SITE_UNKNOWN;
}

uint32_t context_site(uint32_t parent, uintptr_t pc, enum site_kind kind, unsigned size) {
  uint32_t *bucket = &buckets[bucket_of(parent, pc, kind)];
  uint32_t head = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
  uint32_t found = find(head, SITE_UNKNOWN, parent, pc, kind, size);
  if (LIKELY(found)) return found;
  if (__atomic_load_n(&used, __ATOMIC_RELAXED) >= NODES) return SITE_UNKNOWN;
  uint32_t mine = __atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
  if (mine >= NODES) return SITE_UNKNOWN;
  uint32_t same = kind == SITE_CALL ? recursion(parent, pc) : SITE_UNKNOWN;
  nodes[mine] = (struct site){
      .same = same ? same : mine, .parent = parent, .pc = pc & 0xffffffffffffull, .kind = (uint8_t)kind, .size = (uint8_t)size};
  for (uint32_t end = SITE_UNKNOWN;;) {
    nodes[mine].next = head;
    uint32_t seen = head;
    if (__atomic_compare_exchange_n(bucket, &seen, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return nodes[mine].same;
    end = head, head = seen; /* others were faster: is theirs the same? If so, the node is lost. */
    found = find(head, end, parent, pc, kind, size);
    if (found) return found;
  }
}

uint64_t context_lately[1 << LATELY_BITS];

static uint32_t merged(uint32_t older, uint32_t newer, unsigned mask) {
  uint32_t before = __atomic_load_n(&used, __ATOMIC_RELAXED), n = __atomic_load_n(&combined, __ATOMIC_RELAXED);
  if (UNLIKELY(n >= COMBINED_PAIRS))
    older = SITE_UNKNOWN;
  else if (UNLIKELY(n >= COMBINED) && nodes[older].kind == SITE_MERGED)
    older = context_site(SITE_UNKNOWN, nodes[older].pc, SITE_MERGED, 0);
  uint32_t site = context_site(older, (uintptr_t)newer << MASK_BITS | mask, SITE_MERGED, 0);
  if (site >= before) __atomic_fetch_add(&combined, 1, __ATOMIC_RELAXED);
  return site;
}

uint32_t context_merged(uint32_t older, uint32_t newer, unsigned mask) {
  if (older >= SITE_DID) return SITE_UNKNOWN; /* cells that did not fit each other */
  uint32_t site = merged(older, newer, mask);
  uint64_t rest, *asked = context_asked(older, newer, mask, &rest);
  __atomic_store_n(asked, rest | site, __ATOMIC_RELEASE);
  return site;
}

bool actions_seen;

/* The places in a cell are of one epoch, so all of them are inside or none is. */
bool context_inside(uint32_t site) {
  if (!__atomic_load_n(&actions_seen, __ATOMIC_RELAXED)) return false;
  while (nodes[site].kind == SITE_MERGED) site = (uint32_t)(nodes[site].pc >> MASK_BITS);
  if (site == SITE_UNKNOWN) return true;
  const struct site *above = &nodes[nodes[site].parent];
  if (above->kind == SITE_HELD) above = &nodes[above->parent];
  return above->kind == SITE_INSIDE;
}

const struct site *context_at(uint32_t site) { return &nodes[site]; }

uint32_t context_count(void) {
  uint32_t n = __atomic_load_n(&used, __ATOMIC_RELAXED);
  return n < NODES ? n - 1 : NODES - 1;
}
