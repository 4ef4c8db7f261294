#include "trace/touched.h"

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

static uint16_t after(uint16_t before, uint16_t owner, bool writes) {
  unsigned now = before ? before : owner;
  if ((now & TOUCHED_THREAD) != owner || owner == TOUCHED_THREAD) now |= TOUCHED_SHARED;
  return (uint16_t)(writes ? now | TOUCHED_WRITTEN : now);
}

/* Granules [from, to) of a page. */
static void add_part(struct touched *t, uint64_t page, uint32_t from, uint32_t to, uint16_t owner, bool writes) {
  struct touched_page *p = page_at(t, page);
  if (from == 0 && to == TOUCHED_GRANULES && !p->granules) {
    p->all = after(p->all, owner, writes);
    return;
  }
  uint16_t *granules = granules_of(t, p);
  for (uint32_t i = from; i < to; i++) granules[i] = after(granules[i], owner, writes);
}

bool touched_add(struct touched *t, uint64_t address, uint64_t size, uint32_t thread, bool writes) {
  uint16_t owner = (uint16_t)(thread + 1 < TOUCHED_THREAD ? thread + 1 : TOUCHED_THREAD);
  uint64_t end = (address + size + 7) / 8; /* granules */
  if (size / TOUCHED_PAGE > PAGES_MOST) return false;
  for (uint64_t at = address / 8, next; at < end; at = next) {
    uint64_t page = at / TOUCHED_GRANULES;
    next = (page + 1) * TOUCHED_GRANULES < end ? (page + 1) * TOUCHED_GRANULES : end;
    add_part(t, page, (uint32_t)(at % TOUCHED_GRANULES), (uint32_t)(next - 1) % TOUCHED_GRANULES + 1, owner, writes);
  }
  return t->pages.count <= PAGES_MOST && t->tables <= TABLES_MOST;
}

static bool matters(uint16_t granule) { return (granule & TOUCHED_SHARED) && (granule & TOUCHED_WRITTEN); }

bool touched_matters(struct touched *t, uint64_t address, uint64_t size) {
  for (uint64_t at = address / 8, end = (address + size + 7) / 8; at < end;) {
    const struct touched_page *p = page_at(t, at / TOUCHED_GRANULES);
    if (matters(p->granules ? p->granules[at % TOUCHED_GRANULES] : p->all)) return true;
    at = p->granules ? at + 1 : (at / TOUCHED_GRANULES + 1) * TOUCHED_GRANULES;
  }
  return false;
}

void touched_release(struct touched *t) {
  for (size_t i = 0; i < t->pages.count; i++)
    if (t->pages.data[i].granules) mem_free(t->pages.data[i].granules, TABLE);
  vec_release(&t->pages);
  hashmap_release(&t->numbers);
}
