#include "context.h"

#include "thread.h"

#define NODES    SITE_DID
#define CONTEXTS NODES /* each has a node */
#define LINES    (1u << 20)
#define BUCKETS  (1u << 17)

static struct site *nodes;          /* [NODES], touched as far as used */
static uint32_t used = 1;           /* node 0 is SITE_UNKNOWN */
struct context *contexts;           /* [CONTEXTS] */
struct context_line *context_lines; /* [LINES] */
static struct {
  struct rt_lock lock;
  uint32_t contexts, lines;             /* so many have been used */
  uint32_t free[1u << LINES_SIZE_BITS]; /* lines that nobody has, by how many there are in a row; 0: none */
} below = {.contexts = CONTEXT_NONE + 1, .lines = 1};
static uint32_t *buckets; /* [BUCKETS] of several places: the newest node; nodes are added at the front and never change */
static uint32_t combined; /* about how many are SITE_MERGED or SITE_AMONG */

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

void context_before_fork(void) { rt_lock(&below.lock); }
void context_after_fork(void) { rt_unlock(&below.lock); }

static uint32_t node_new(uint32_t parent, uintptr_t pc, enum site_kind kind, unsigned size) {
  if (__atomic_load_n(&used, __ATOMIC_RELAXED) >= NODES) return SITE_UNKNOWN;
  uint32_t mine = __atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
  if (mine >= NODES) return SITE_UNKNOWN;
  nodes[mine] = (struct site){.parent = parent, .pc = pc & 0xffffffffffffull, .kind = (uint8_t)kind, .size = (uint8_t)size};
  return mine;
}

/* --- what is below contexts: the lock is held --- */

static uint32_t recursion(uint32_t parent, uintptr_t pc) {
  for (uint32_t i = parent; i != SITE_UNKNOWN; i = nodes[i].parent)
    if (nodes[i].pc == pc) return nodes[i].below;
  return CONTEXT_UNKNOWN;
}

static uint32_t context_new(uint32_t parent, uintptr_t pc) {
  uint32_t context = recursion(parent, pc);
  if (context) return context;
  uint32_t site = below.contexts < CONTEXTS ? node_new(parent, pc, SITE_CALL, 0) : SITE_UNKNOWN;
  if (site == SITE_UNKNOWN) return CONTEXT_UNKNOWN;
  context = below.contexts++;
  contexts[context].site = site;
  return nodes[site].below = context;
}

/* So many in a row; 0 if there are too few. They are empty. */
static uint32_t lines_new(unsigned size) {
  uint32_t first = below.free[size], many = lines_many(size);
  if (first) {
    below.free[size] = context_lines[first].next;
    rt_zero(&context_lines[first], many * sizeof context_lines[0]);
  } else {
    if (LINES - below.lines < many) return 0;
    first = below.lines, below.lines += many;
  }
  return first << LINES_SIZE_BITS | size;
}
static void lines_free(uint32_t lines) {
  unsigned size = lines & ((1u << LINES_SIZE_BITS) - 1);
  lines_first(lines)->next = below.free[size];
  below.free[size] = lines >> LINES_SIZE_BITS;
}

/* False if there is no room. */
static bool put(uint64_t *at, uint32_t *found, unsigned n, uint64_t what, uint32_t number) {
  unsigned i = 0;
  while (i < n && at[i]) i++;
  if (i == n) return false;
  __atomic_store_n(&found[i], number, __ATOMIC_RELAXED);
  __atomic_store_n(&at[i], what, __ATOMIC_RELEASE);
  return true;
}
static bool lines_put(uint32_t lines, uint64_t what, uint32_t number) {
  struct context_line *first = lines_first(lines);
  uint32_t many = lines_many(lines), at = lines_where(many, what);
  if (put(first[at].what, first[at].found, FOUND_LINE, what, number)) return true;
  if (++at == many) at = 0;
  return put(first[at].what, first[at].found, FOUND_LINE, what, number);
}
static bool lines_copied(uint32_t from, uint32_t to) {
  const struct context_line *l = lines_first(from), *end = l + lines_many(from);
  for (; l < end; l++)
    for (unsigned i = 0; i < FOUND_LINE && l->what[i]; i++)
      if (!lines_put(to, l->what[i], l->found[i])) return false;
  return true;
}

/* More lines than those, with the same in them; 0 if there are too few. */
static uint32_t lines_more(uint32_t old) {
  for (unsigned size = old ? (old & ((1u << LINES_SIZE_BITS) - 1)) + 1 : 1; size < 1u << LINES_SIZE_BITS; size++) {
    uint32_t more = lines_new(size);
    if (!more || !old || lines_copied(old, more)) return more;
    lines_free(more);
  }
  return 0;
}

/* False if there are too few lines. */
static bool add(uint32_t context, uint64_t what, uint32_t number) {
  struct context *c = &contexts[context];
  if (put(c->what, c->found, FOUND_FEW, what, number)) return true;
  while (!c->lines || !lines_put(c->lines, what, number)) {
    uint32_t old = c->lines, more = lines_more(old);
    if (!more) return false;
    __atomic_store_n(&c->lines, more, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (old) lines_free(old);
  }
  return true;
}

static uint32_t found(uint32_t context, uint64_t what);

/* Locks that were taken, and actions that go on, are nodes between the call and the place. */
static uint32_t number_new(uint32_t context, uint64_t what) {
  uint64_t inside = what & WHAT_INSIDE, pc = (what & ~WHAT_INSIDE) >> WHAT_PC;
  enum site_kind kind = what >> WHAT_KIND & 15;
  unsigned taken = what & 15;
  uint32_t parent = contexts[context].site;
  if (kind == SITE_CALL) return context_new(parent, pc);
  if (kind == SITE_HELD && !pc) return node_new(parent, 0, SITE_INSIDE, 0);
  uint64_t above = inside | site_what(taken, SITE_HELD, 0, 0);
  if ((inside || taken) && !(parent = found(context, above))) return SITE_UNKNOWN;
  return node_new(parent, pc, kind, what >> WHAT_SIZE & 255);
}

static uint32_t found(uint32_t context, uint64_t what) {
  uint32_t number = context_known(context, what);
  if (number) return number;
  number = number_new(context, what);
  return number && add(context, what, number) ? number : 0;
}

uint32_t context_add(uint32_t context, uint64_t what) {
  struct thread *t = thread_enter_self();
  rt_lock(&below.lock);
  uint32_t number = found(context, what);
  rt_unlock(&below.lock);
  thread_leave_self(t);
  return number;
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
  struct site *s = &nodes[place];
  if (place == SITE_UNKNOWN || s->kind == SITE_NEAR) return place;
  uint32_t near = __atomic_load_n(&s->below, __ATOMIC_RELAXED);
  if (!near) __atomic_store_n(&s->below, near = several(s->parent, s->kind, SITE_NEAR), __ATOMIC_RELAXED);
  return near;
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
  uint64_t known, *asked = context_asked(older, rest, newer, mask, &known); /* first: what is true of these bytes is not of all */
  if (context_coarse || nodes[older].kind >= SITE_AMONG || nodes[newer].kind >= SITE_AMONG) {
    site = among(older, newer);
  } else {
    struct places all = {0};
    places_add(&all, newer, mask);
    places_add(&all, older, rest);
    site = made_of(&all, SITE_MERGED, before);
    if (__atomic_load_n(&combined, __ATOMIC_RELAXED) >= COMBINED_MAX) __atomic_store_n(&context_coarse, true, __ATOMIC_RELAXED);
  }
  __atomic_store_n(asked, known | site, __ATOMIC_RELEASE);
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
