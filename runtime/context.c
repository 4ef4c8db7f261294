#include "context.h"

#define NODES   SITE_DID
#define CONTEXTS   NODES /* each has a node */
#define LINES   (1u << 20)
#define BUCKETS (1u << 15)

static struct site *nodes; /* [NODES], touched as far as used */
static uint32_t used = 1;  /* node 0 is SITE_UNKNOWN */
struct context *contexts; /* [CONTEXTS] */
static uint32_t used_contexts = CONTEXT_NONE + 1;
struct context_line *context_lines; /* [LINES] */
static uint32_t used_lines = 1;
static uint32_t *buckets;  /* [BUCKETS] of several places: the newest node; nodes are added at the front and never change */
static uint32_t combined;  /* about how many are SITE_MERGED or SITE_AMONG */

#ifndef COMBINED_MAX /* up to how many there are new combinations; a test asks for more */
#define COMBINED_MAX (1 << 14)
#endif
enum { SET_MAX = 4 };

void context_start(void) {
  nodes = rt_pages(NODES * sizeof nodes[0]);
  contexts = rt_pages(CONTEXTS * sizeof contexts[0]);
  context_lines = rt_pages(LINES * sizeof context_lines[0]);
  buckets = rt_pages(BUCKETS * sizeof buckets[0]);
  if (!nodes || !contexts || !context_lines || !buckets)
    rt_die("heddle: no memory for the places of the program: is there a limit on address space (ulimit -v)?\n");
}

/* So many of what there are `max` of; 0 if there are too few. */
static uint32_t take(uint32_t *count, uint32_t many, uint32_t max) {
  if (__atomic_load_n(count, __ATOMIC_RELAXED) >= max) return 0;
  uint32_t first = __atomic_fetch_add(count, many, __ATOMIC_RELAXED);
  return first < max && max - first >= many ? first : 0;
}

static uint32_t node_new(uint32_t parent, uintptr_t pc, enum site_kind kind, unsigned size) {
  uint32_t mine = take(&used, 1, NODES);
  if (mine) nodes[mine] = (struct site){.parent = parent, .pc = pc & 0xffffffffffffull, .kind = (uint8_t)kind, .size = (uint8_t)size};
  return mine;
}

/* --- below calls --- */

/* In the place of nothing: what would be there is in newer lines. */
#define WHAT_MOVED UINT64_MAX

/* Where its number is, or is going to be; NULL if there is no room. */
static uint32_t *slot_of(uint64_t *at, uint32_t *found, unsigned n, uint64_t what) {
  for (unsigned i = 0; i < n; i++) {
    uint64_t was = __atomic_load_n(&at[i], __ATOMIC_ACQUIRE);
    if (was == what || (was == 0 && __atomic_compare_exchange_n(&at[i], &was, what, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) || was == what)
      return &found[i];
  }
  return NULL;
}

static uint32_t recursion(uint32_t parent, uintptr_t pc) {
  for (uint32_t i = parent; i != SITE_UNKNOWN; i = nodes[i].parent)
    if (nodes[i].pc == pc) return nodes[i].below;
  return CONTEXT_UNKNOWN;
}

static uint32_t context_new(uint32_t parent, uintptr_t pc) {
  uint32_t context = recursion(parent, pc);
  if (context) return context;
  uint32_t site = node_new(parent, pc, SITE_CALL, 0);
  context = site ? take(&used_contexts, 1, CONTEXTS) : CONTEXT_UNKNOWN;
  if (context) nodes[site].below = context, contexts[context].site = site;
  return context;
}

/* Locks that were taken, and actions that go on, are nodes between the call and the place: what the one above it is asked for by; 0: it is
 * the call's. */
static uint64_t what_above(uint64_t what) {
  uint64_t inside = what & WHAT_INSIDE, taken = what & 15;
  bool held = (what >> WHAT_KIND & 15) == SITE_HELD;
  if (held && what >> WHAT_PC == inside >> WHAT_PC) return 0;
  return inside || taken ? inside | site_what(held ? 0 : taken, SITE_HELD, 0, 0) : 0;
}

static uint32_t number_new(uint32_t context, uint64_t what) {
  uint64_t above = what_above(what), pc = (what & ~WHAT_INSIDE) >> WHAT_PC;
  enum site_kind kind = what >> WHAT_KIND & 15;
  uint32_t parent = above ? context_known(context, above) : contexts[context].site;
  if (kind == SITE_CALL) return context_new(parent, pc);
  if (above && !parent) return SITE_UNKNOWN;
  return node_new(parent, pc, kind == SITE_HELD && !pc ? SITE_INSIDE : kind, what >> WHAT_SIZE & 255);
}

/* Whoever comes to a slot without a number makes one: the first one counts, the others are lost. */
static uint32_t number_in(uint32_t *slot, uint32_t context, uint64_t what) {
  uint32_t found = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  if (found) return found;
  uint32_t mine = number_new(context, what);
  return __atomic_compare_exchange_n(slot, &found, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ? mine : found;
}

static struct context_line *first_line(uint32_t more) { return &context_lines[more >> FOUND_BITS]; }
static unsigned lines_bits(uint32_t more) { return more & ((1u << FOUND_BITS) - 1); }

/* False if a line is full. Nobody else sees the new ones. */
static bool lines_copied(uint32_t context, uint32_t from, uint32_t to) {
  struct context_line *l = first_line(from), *end = l + (1u << lines_bits(from));
  for (; l < end; l++)
    for (unsigned i = 0; i < FOUND_LINE; i++) {
      if (l->what[i] == WHAT_MOVED) continue;
      struct context_line *into = found_line(to, what_mixed(l->what[i]));
      uint32_t *slot = slot_of(into->what, into->found, FOUND_LINE, l->what[i]);
      if (!slot) return false;
      *slot = number_in(&l->found[i], context, l->what[i]);
    }
  return true;
}

/* Has the call have more lines than those. The old ones are left to who is looking for something there. False if there are no more. */
static bool lines_grow(uint32_t context, uint32_t old) {
  enum { MOST_BITS = 16 };
  struct context_line *end = first_line(old) + (1u << lines_bits(old));
  for (struct context_line *l = first_line(old); old && l < end; l++)
    for (unsigned i = 0; i < FOUND_LINE; i++)
      __atomic_compare_exchange_n(&l->what[i], &(uint64_t){0}, WHAT_MOVED, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  for (unsigned bits = old ? lines_bits(old) + 1 : 0; bits <= MOST_BITS; bits++) {
    uint32_t first = take(&used_lines, 1u << bits, LINES), more = first << FOUND_BITS | bits;
    if (!first) return false;
    if (old && !lines_copied(context, old, more)) continue;
    __atomic_compare_exchange_n(&contexts[context].more, &old, more, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return true;
  }
  return false;
}

uint32_t context_add(uint32_t context, uint64_t what) {
  struct context *c = &contexts[context];
  uint64_t above = what_above(what); /* first: whoever copies lines makes numbers that are missing there */
  if (above && !context_found(context, above)) return 0;
  uint32_t *slot = slot_of(c->what, c->found, FOUND_FEW, what);
  while (!slot) {
    uint32_t more = __atomic_load_n(&c->more, __ATOMIC_ACQUIRE);
    struct context_line *l = more ? found_line(more, what_mixed(what)) : NULL;
    if (l) slot = slot_of(l->what, l->found, FOUND_LINE, what);
    if (!slot && !lines_grow(context, more)) return 0;
  }
  return number_in(slot, context, what);
}

/* --- several places --- */

static uint32_t find(uint32_t from, uint32_t end, uint32_t parent, uintptr_t pc, unsigned kind) {
  for (uint32_t i = from; i != end; i = nodes[i].below) {
    const struct site *s = &nodes[i];
    if (s->parent == parent && s->pc == pc && s->kind == kind) return i;
  }
  return SITE_UNKNOWN;
}

/* The node of several places: its number, the same each time. */
static uint32_t several(uint32_t parent, uintptr_t pc, enum site_kind kind) {
  uint32_t *bucket = &buckets[((pc ^ (uint64_t)kind << 40) * 0x9e3779b97f4a7c15ull + parent * 0xbf58476d1ce4e5b9ull) >> 32 & (BUCKETS - 1)];
  uint32_t head = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
  uint32_t found = find(head, SITE_UNKNOWN, parent, pc, kind);
  if (LIKELY(found)) return found;
  uint32_t mine = node_new(parent, pc, kind, 0);
  for (uint32_t end = SITE_UNKNOWN; mine;) {
    nodes[mine].below = head;
    uint32_t seen = head;
    if (__atomic_compare_exchange_n(bucket, &seen, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) break;
    end = head, head = seen; /* others were faster: is theirs the same? If so, the node is lost. */
    found = find(head, end, parent, pc, kind);
    if (found) return found;
  }
  return mine;
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
    site = several(site, kind == SITE_MERGED ? place << MASK_BITS | all->at[i].mask : place, kind);
  }
  if (site >= before) __atomic_fetch_add(&combined, 1, __ATOMIC_RELAXED);
  return site;
}

bool context_coarse;

/* That a place was in the function it was in, by the same calls, and of the same kind. */
static uint32_t near_of(uint32_t place) {
  struct site s = nodes[place];
  return place == SITE_UNKNOWN || s.kind == SITE_NEAR ? place : several(s.parent, s.kind, SITE_NEAR);
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
