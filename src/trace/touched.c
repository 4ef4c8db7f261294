#include "trace/touched.h"

#include <string.h>

#include "base/mem.h"

/* 16 GB of memory, of which 1 GB is touched in parts of pages. */
enum { PAGES_MOST = 1 << 22, TABLES_MOST = 1 << 18, TABLE = TOUCHED_GRANULES * sizeof(uint16_t) };

static struct touched_page *page_at(struct touched *t, uint64_t page) {
  uint32_t slot = (uint32_t)(page % TOUCHED_RECENT);
  if (t->recent[slot].page != page + 1) {
    bool is_new = false;
    uint64_t number = *hashmap_at(&t->numbers, page, t->pages.count, &is_new);
    if (is_new) *vec_push(&t->pages) = (struct touched_page){0};
    t->recent[slot].page = page + 1, t->recent[slot].number = (uint32_t)number;
  }
  return &t->pages.data[t->recent[slot].number];
}

static uint16_t *granules_of(struct touched *t, struct touched_page *p) {
  if (!p->granules) {
    p->granules = mem_alloc(TABLE);
    for (uint32_t i = 0; i < TOUCHED_GRANULES; i++) p->granules[i] = p->all;
    t->tables++;
  }
  return p->granules;
}

/* --- sets --- */

enum { NOBODY, ANYBODY, ANYBODY_WRITES, SETS_MOST = UINT16_MAX };

static uint16_t number_of(struct touched *t, const struct touched_set *set) {
  if (set->anybody) return set->written ? ANYBODY_WRITES : ANYBODY;
  bool is_new = false;
  uint64_t hash = hash_bytes(set, sizeof *set, 0), number;
  for (;; hash++) {
    number = *hashmap_at(&t->set_numbers, hash, t->sets.count, &is_new);
    if (is_new || number >= SETS_MOST || memcmp(&t->sets.data[number], set, sizeof *set) == 0) break;
  }
  if (is_new && t->sets.count < SETS_MOST) *vec_push(&t->sets) = *set;
  return number < SETS_MOST ? (uint16_t)number : set->written ? ANYBODY_WRITES : ANYBODY;
}

static void first_sets(struct touched *t) {
  *vec_push(&t->sets) = (struct touched_set){0};
  *vec_push(&t->sets) = (struct touched_set){.anybody = true};
  *vec_push(&t->sets) = (struct touched_set){.anybody = true, .written = true};
}

/* If there is no room, a thread's part becomes longer; if it has none, this is anybody's. */
static void add_to(struct touched_set *set, uint32_t thread, uint32_t stretch, unsigned how) {
  struct touched_part *same = NULL;
  for (uint32_t i = 0; i < set->n; i++) {
    struct touched_part *p = &set->parts[i];
    if (p->thread != thread) continue;
    if (stretch >= p->first && stretch <= p->last) {
      p->how |= how;
      return;
    }
    if (!same || p->last > same->last) same = p;
  }
  if (set->n < TOUCHED_PARTS) {
    set->parts[set->n++] = (struct touched_part){thread, stretch, stretch, how};
  } else if (same) {
    if (stretch < same->first) same->first = stretch;
    if (stretch > same->last) same->last = stretch;
    same->how |= how;
  } else {
    *set = (struct touched_set){.anybody = true, .written = set->written};
  }
}

static uint16_t change(struct touched *t, uint16_t before, uint32_t thread, uint32_t stretch, unsigned how) {
  struct touched_set set = t->sets.data[before];
  if (thread == TOUCHED_ANYBODY) set = (struct touched_set){.anybody = true, .written = set.written};
  set.written |= (how & ~(unsigned)TOUCHED_READ) != 0;
  if (!set.anybody) add_to(&set, thread, stretch, how);
  return number_of(t, &set);
}

static uint16_t after(struct touched *t, uint16_t before, uint32_t thread, uint32_t stretch, unsigned how) {
  uint32_t slot = (uint32_t)((before * 31u + thread * 7u + stretch * 131u + how) % TOUCHED_CHANGES);
  if (t->changes[slot].how == how && t->changes[slot].before == before && t->changes[slot].thread == thread &&
      t->changes[slot].stretch == stretch)
    return t->changes[slot].after;
  uint16_t now = change(t, before, thread, stretch, how);
  t->changes[slot].thread = thread, t->changes[slot].stretch = stretch, t->changes[slot].before = before;
  t->changes[slot].after = now, t->changes[slot].how = (uint8_t)how;
  return now;
}

static bool in_order(const struct touched_part *a, const struct touched_part *b, const struct stretches *s) {
  return a->thread == b->thread || stretch_before(s, a->thread, a->last, b->thread, b->first) ||
         stretch_before(s, b->thread, b->last, a->thread, a->first);
}

/* What the one reads may be what the other one wrote. */
static bool tells(const struct touched_part *from, const struct touched_part *to, const struct stretches *s) {
  return from->thread != to->thread && (from->how & TOUCHED_WRITTEN) && (to->how & TOUCHED_READ) &&
         (from->last > 0 || !stretch_is_first(s, from->thread));
}

static bool matters(const struct touched_set *set, const struct stretches *s) {
  bool alone = !set->anybody;
  for (uint32_t i = 0; i < set->n && alone; i++)
    for (uint32_t k = 0; k < i && alone; k++) {
      const struct touched_part *a = &set->parts[i], *b = &set->parts[k];
      alone = in_order(a, b, s) && !tells(a, b, s) && !tells(b, a, s);
    }
  return set->written && !alone;
}

void touched_settle(struct touched *t, const struct stretches *s) {
  t->matters.count = 0;
  for (size_t i = 0; i < t->sets.count; i++) *vec_push(&t->matters) = matters(&t->sets.data[i], s);
}

/* --- memory --- */

struct touch {
  uint32_t thread, stretch;
  unsigned how;
};

/* Granules [from, to) of a page. */
static void add_part(struct touched *t, uint64_t page, uint32_t from, uint32_t to, const struct touch *x) {
  struct touched_page *p = page_at(t, page);
  if (from == 0 && to == TOUCHED_GRANULES && !p->granules) {
    p->all = after(t, p->all, x->thread, x->stretch, x->how);
    return;
  }
  uint16_t *granules = granules_of(t, p);
  for (uint32_t i = from; i < to; i++) granules[i] = after(t, granules[i], x->thread, x->stretch, x->how);
}

bool touched_add(struct touched *t, uint64_t address, uint64_t size, uint32_t thread, uint32_t stretch, unsigned how) {
  const struct touch x = {thread, stretch, how};
  if (t->sets.count == 0) first_sets(t);
  uint64_t end = (address + size + 7) / 8; /* granules */
  if (size / TOUCHED_PAGE > PAGES_MOST) return false;
  for (uint64_t at = address / 8, next; at < end; at = next) {
    uint64_t page = at / TOUCHED_GRANULES;
    next = (page + 1) * TOUCHED_GRANULES < end ? (page + 1) * TOUCHED_GRANULES : end;
    add_part(t, page, (uint32_t)(at % TOUCHED_GRANULES), (uint32_t)(next - 1) % TOUCHED_GRANULES + 1, &x);
  }
  return t->pages.count <= PAGES_MOST && t->tables <= TABLES_MOST;
}

bool touched_matters(struct touched *t, uint64_t address, uint64_t size) {
  for (uint64_t at = address / 8, end = (address + size + 7) / 8; at < end;) {
    const struct touched_page *p = page_at(t, at / TOUCHED_GRANULES);
    if (t->matters.data[p->granules ? p->granules[at % TOUCHED_GRANULES] : p->all]) return true;
    at = p->granules ? at + 1 : (at / TOUCHED_GRANULES + 1) * TOUCHED_GRANULES;
  }
  return false;
}

void touched_release(struct touched *t) {
  for (size_t i = 0; i < t->pages.count; i++)
    if (t->pages.data[i].granules) mem_free(t->pages.data[i].granules, TABLE);
  vec_release(&t->pages);
  vec_release(&t->sets);
  vec_release(&t->matters);
  hashmap_release(&t->numbers);
  hashmap_release(&t->set_numbers);
}
