#include "context.h"

#define NODES   SITE_DID
#define BUCKETS (1u << 20)

static struct site *nodes; /* [NODES], touched as far as used */
static uint32_t *buckets;  /* [BUCKETS]: the newest node; nodes are added at the front and never change */
static uint32_t used = 1;  /* node 0 is SITE_UNKNOWN */
static uint32_t combined;  /* about how many are SITE_MERGED or SITE_AMONG */

#ifndef COMBINED_MAX /* up to how many there are new combinations; a test asks for more */
#define COMBINED_MAX (1 << 14)
#endif
enum { SET_MAX = 4 };

void context_start(void) {
  nodes = rt_pages(NODES * sizeof nodes[0]);
  buckets = rt_pages(BUCKETS * sizeof buckets[0]);
  if (!nodes || !buckets) rt_die("heddle: no memory for the places of the program: is there a limit on address space (ulimit -v)?\n");
}

/* A function asks for its places one after the other each time that it is called in a context. So those of one parent that are near each
 * other in the code share a line of the cache: 16 buckets. */
static uint32_t bucket_of(uint32_t parent, uintptr_t pc, unsigned kind) {
  enum { NEAR_BITS = 7, LINE_BITS = 4 };
  uint64_t line = (pc >> NEAR_BITS ^ (uint64_t)parent << 40) * 0x9e3779b97f4a7c15ull;
  line ^= line >> 29;
  line = (line ^ parent) * 0xbf58476d1ce4e5b9ull;
  uint32_t within = ((uint32_t)pc & ((1u << NEAR_BITS) - 1)) | kind << NEAR_BITS;
  return ((uint32_t)(line >> 44) & (BUCKETS - (1u << LINE_BITS))) | within * 0x9e3779b1u >> (32 - LINE_BITS);
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

uint32_t context_of_byte(uint32_t site, unsigned byte) {
  while (nodes[site].kind == SITE_MERGED)
    site = (nodes[site].pc >> byte & 1) ? (uint32_t)(nodes[site].pc >> MASK_BITS) : nodes[site].parent;
  return site;
}

/* The places of a cell, each once, from the lowest number on, with its bytes. */
struct places {
  unsigned count;
  struct {
    uint32_t site;
    unsigned mask;
  } at[2 * MASK_BITS];
};

static void place_add(struct places *all, uint32_t site, unsigned mask) {
  unsigned i = 0;
  while (i < all->count && all->at[i].site < site) i++;
  if (i == all->count || all->at[i].site != site) {
    for (unsigned k = all->count++; k > i; k--) all->at[k] = all->at[k - 1];
    all->at[i].site = site, all->at[i].mask = 0;
  }
  all->at[i].mask |= mask;
}

static void places_add(struct places *all, uint32_t site, unsigned mask) {
  for (unsigned byte = 0; byte < MASK_BITS; byte++)
    if (mask >> byte & 1) place_add(all, context_of_byte(site, byte), 1u << byte);
}

/* The number of nodes below each other, each with one place more than the one above; `before`: how many nodes there were. */
static uint32_t made_of(const struct places *all, enum site_kind kind, uint32_t before) {
  uint32_t site = all->at[0].site;
  for (unsigned i = 1; i < all->count; i++) {
    uintptr_t place = all->at[i].site;
    site = context_site(site, kind == SITE_MERGED ? place << MASK_BITS | all->at[i].mask : place, kind, 0);
  }
  if (site >= before) __atomic_fetch_add(&combined, 1, __ATOMIC_RELAXED);
  return site;
}

bool context_coarse;

/* That a place was in the function it was in, by the same calls, and of the same kind. */
static uint32_t near_of(uint32_t place) {
  struct site s = nodes[place];
  return place == SITE_UNKNOWN || s.kind == SITE_NEAR ? place : context_site(s.parent, s.kind, SITE_NEAR, 0);
}

/* The one above the others of a node that has several, and the others; false if it has one. */
static bool first_of(uint32_t site, uint32_t *place, uint32_t *others) {
  const struct site *s = &nodes[site];
  if (s->kind != SITE_MERGED && s->kind != SITE_AMONG) return false;
  uintptr_t pc = s->pc;
  *place = (uint32_t)(s->kind == SITE_MERGED ? pc >> MASK_BITS : pc), *others = s->parent;
  return true;
}

static void members_add(struct places *all, uint32_t site) {
  for (uint32_t place; first_of(site, &place, &site);) place_add(all, near_of(place), 0);
  place_add(all, near_of(site), 0);
}

static uint32_t among(uint32_t older, uint32_t newer) {
  uint32_t before = __atomic_load_n(&used, __ATOMIC_RELAXED);
  struct places all = {0};
  members_add(&all, newer);
  members_add(&all, older);
  if (all.count > SET_MAX) {
    all.count = 0;
    place_add(&all, SITE_UNKNOWN, 0);
    place_add(&all, near_of(context_one(newer)), 0);
  }
  return made_of(&all, SITE_AMONG, before);
}

uint32_t context_merged(uint32_t older, unsigned rest, uint32_t newer, unsigned mask) {
  if (older >= SITE_DID) return SITE_UNKNOWN; /* cells that did not fit each other */
  uint32_t site, before = __atomic_load_n(&used, __ATOMIC_RELAXED);
  uint64_t below, *asked = context_asked(older, rest, newer, mask, &below); /* first: what is true of these bytes is not of all */
  if (context_coarse || nodes[older].kind >= SITE_AMONG || nodes[newer].kind >= SITE_AMONG) {
    site = among(older, newer);
  } else {
    struct places all = {0};
    places_add(&all, newer, mask);
    places_add(&all, older, rest);
    site = made_of(&all, SITE_MERGED, before);
    if (__atomic_load_n(&combined, __ATOMIC_RELAXED) >= COMBINED_MAX) __atomic_store_n(&context_coarse, true, __ATOMIC_RELAXED);
  }
  __atomic_store_n(asked, below | site, __ATOMIC_RELEASE);
  return site;
}

uint32_t context_one(uint32_t site) {
  uint32_t place = site;
  while (first_of(site, &place, &site)) continue;
  return site == SITE_UNKNOWN ? place : site;
}

uint32_t context_of_kind(uint32_t site, bool writes) {
  uint32_t place, others = site, found = SITE_UNKNOWN, count = 0;
  while (first_of(others, &place, &others))
    if (kind_writes(context_kind(place)) == writes) found = place, count++;
  if (others == site || others == SITE_UNKNOWN) return others;
  if (kind_writes(context_kind(others)) == writes) found = others, count++;
  return count == 1 ? found : site;
}

enum site_kind context_kind(uint32_t site) { return (enum site_kind)(nodes[site].kind == SITE_NEAR ? nodes[site].pc : nodes[site].kind); }

uintptr_t context_pc(uint32_t site) {
  struct site s = nodes[site];
  uint32_t n = context_count();
  if (s.kind != SITE_NEAR) return s.pc;
  for (uint32_t i = 1; i <= n; i++)
    if (nodes[i].parent == s.parent && nodes[i].kind == s.pc) return nodes[i].pc;
  return 0;
}

bool actions_seen;

/* The places in a cell are of one epoch, so all of them are inside or none is. */
bool context_inside(uint32_t site) {
  if (!__atomic_load_n(&actions_seen, __ATOMIC_RELAXED)) return false;
  site = context_one(site);
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
