#include "streaming/memory.h"

#include <string.h>

enum { SLOTS_MIN = 1024 };

static uint32_t place_of(const struct memory *m, uint64_t key) { return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & (m->cap - 1); }

static void grow(struct memory *m) {
  struct memory more = {.cap = m->cap ? m->cap * 2 : SLOTS_MIN};
  more.slots = mem_alloc(more.cap * sizeof *more.slots);
  for (uint32_t i = 0; i < m->cap; i++) {
    if (!m->slots[i].key) continue;
    uint32_t j = place_of(&more, m->slots[i].key);
    while (more.slots[j].key) j = (j + 1) & (more.cap - 1);
    more.slots[j] = m->slots[i];
  }
  mem_free(m->slots, m->cap * sizeof *m->slots);
  m->slots = more.slots, m->cap = more.cap;
}

static struct granule *find(const struct memory *m, uint64_t key) {
  if (!m->cap) return NULL;
  uint32_t i = place_of(m, key);
  while (m->slots[i].key && m->slots[i].key != key) i = (i + 1) & (m->cap - 1);
  return m->slots[i].key ? &m->slots[i] : NULL;
}

struct granule *memory_at(struct memory *m, uint64_t address) {
  uint64_t key = address / 8 + 1;
  if ((m->used + 1) * 2 > m->cap) grow(m);
  uint32_t i = place_of(m, key);
  while (m->slots[i].key && m->slots[i].key != key) i = (i + 1) & (m->cap - 1);
  if (!m->slots[i].key) m->slots[i] = (struct granule){.key = key}, m->used++;
  return &m->slots[i];
}

void memory_fetch(const struct memory *m, uint64_t address) {
  if (m->cap) __builtin_prefetch(&m->slots[place_of(m, address / 8 + 1)]);
}

void memory_fetch_lists(const struct memory *m, uint64_t address) {
  const struct granule *g = find(m, address / 8 + 1);
  if (!g) return;
  if (g->notes) __builtin_prefetch(pool_at(&m->notes, g->notes));
  if (g->cells) __builtin_prefetch(pool_at(&m->cells, g->cells));
  if (g->writers) __builtin_prefetch(pool_at(&m->writers, g->writers));
}

static void give_writers(struct memory *m, struct clocks *clocks, uint32_t *list) {
  while (*list) {
    uint32_t place = *list;
    struct writer *w = pool_at(&m->writers, place);
    *list = w->next;
    clock_drop(clocks, w->clock);
    pool_give(&m->writers, place);
  }
}

static void empty(struct memory *m, struct clocks *clocks, struct granule *g) {
  while (g->cells) {
    uint32_t place = g->cells;
    g->cells = pool_at(&m->cells, place)->next;
    pool_give(&m->cells, place);
  }
  while (g->records) {
    uint32_t place = g->records;
    g->records = pool_at(&m->records, place)->next;
    pool_give(&m->records, place);
  }
  while (g->notes) {
    uint32_t place = g->notes;
    struct notes *x = pool_at(&m->notes, place);
    g->notes = x->next;
    for (uint32_t i = 0; i < x->n; i++) clock_drop(clocks, x->at[i].clock);
    pool_give(&m->notes, place);
  }
  give_writers(m, clocks, &g->writers), give_writers(m, clocks, &g->readers), give_writers(m, clocks, &g->others);
}

/* Moves back what the slot was in the way of. */
static void delete (struct memory *m, uint32_t i) {
  uint32_t hole = i;
  for (uint32_t j = (i + 1) & (m->cap - 1); m->slots[j].key; j = (j + 1) & (m->cap - 1)) {
    uint32_t wanted = place_of(m, m->slots[j].key);
    if (((j - wanted) & (m->cap - 1)) < ((j - hole) & (m->cap - 1))) continue;
    m->slots[hole] = m->slots[j];
    hole = j;
  }
  m->slots[hole] = (struct granule){0};
  m->used--;
}

/* A part of the granule goes on. */
static void forget_bytes(struct memory *m, struct granule *g, uint8_t mask) {
  for (uint32_t i = g->cells; i; i = pool_at(&m->cells, i)->next) pool_at(&m->cells, i)->mask &= (uint8_t)~mask;
  for (uint32_t i = g->writers; i; i = pool_at(&m->writers, i)->next) pool_at(&m->writers, i)->mask &= (uint8_t)~mask;
  for (uint32_t i = g->readers; i; i = pool_at(&m->writers, i)->next) pool_at(&m->writers, i)->mask &= (uint8_t)~mask;
  for (uint32_t i = g->others; i; i = pool_at(&m->writers, i)->next) pool_at(&m->writers, i)->mask &= (uint8_t)~mask;
  for (uint32_t i = g->notes; i; i = pool_at(&m->notes, i)->next)
    for (uint32_t k = 0; k < pool_at(&m->notes, i)->n; k++) pool_at(&m->notes, i)->at[k].mask &= (uint8_t)~mask;
  for (uint32_t i = g->records; i; i = pool_at(&m->records, i)->next) {
    pool_at(&m->records, i)->reads &= (uint8_t)~mask;
    pool_at(&m->records, i)->writes &= (uint8_t)~mask;
  }
}

void memory_forget(struct memory *m, struct clocks *clocks, uint64_t address, uint64_t size) {
  uint64_t first = address / 8 + 1, last = (address + size - 1) / 8 + 1;
  if (size == 0) return;
  if (last - first < m->cap) {
    for (uint64_t key = first; key <= last; key++) {
      struct granule *g = find(m, key);
      uint8_t mask = memory_mask(address, size, (key - 1) * 8);
      if (g && mask != 0xff) forget_bytes(m, g, mask);
      if (g && mask == 0xff) empty(m, clocks, g), delete (m, (uint32_t)(g - m->slots));
    }
    return;
  }
  for (uint32_t i = 0; i < m->cap;) {
    struct granule *g = &m->slots[i];
    bool inside = g->key && g->key >= first && g->key <= last;
    uint8_t mask = inside ? memory_mask(address, size, (g->key - 1) * 8) : 0;
    if (mask == 0xff) {
      empty(m, clocks, g), delete (m, i);
      continue; /* another one may have come here */
    }
    if (mask) forget_bytes(m, g, mask);
    i++;
  }
}

void memory_drop(struct memory *m, struct clocks *clocks) {
  for (uint32_t i = 0; i < m->cap; i++) empty(m, clocks, &m->slots[i]);
  mem_free(m->slots, m->cap * sizeof *m->slots);
  vec_release(&m->notes.all);
  vec_release(&m->cells.all);
  vec_release(&m->writers.all);
  vec_release(&m->records.all);
}

void memory_each(struct memory *m, uint64_t address, uint64_t size, bool known, memory_each_function *what, void *data) {
  uint64_t first = address / 8 + 1, last = (address + size - 1) / 8 + 1;
  if (size == 0) return;
  if (known && last - first >= m->cap) {
    for (uint32_t i = 0; i < m->cap; i++) {
      struct granule *g = &m->slots[i];
      if (g->key && g->key >= first && g->key <= last) what(data, g, memory_mask(address, size, (g->key - 1) * 8));
    }
    return;
  }
  for (uint64_t key = first; key <= last; key++) {
    struct granule *g = known ? find(m, key) : memory_at(m, (key - 1) * 8);
    if (g) what(data, g, memory_mask(address, size, (key - 1) * 8));
  }
}

/* Takes the bytes from those in the list (of: that thread alone, or UINT32_MAX), and drops who has none left. */
static void cut(struct memory *m, struct clocks *clocks, uint32_t *list, uint8_t mask, uint32_t of) {
  for (uint32_t *link = list; *link;) {
    uint32_t place = *link;
    struct writer *w = pool_at(&m->writers, place);
    if (of == UINT32_MAX || w->thread == of) w->mask &= (uint8_t)~mask;
    if (w->mask) {
      link = &w->next;
      continue;
    }
    *link = w->next;
    clock_drop(clocks, w->clock);
    pool_give(&m->writers, place);
  }
}

static void put(struct memory *m, uint32_t *list, uint8_t mask, const struct known *by) {
  uint32_t place = pool_take(&m->writers);
  *pool_at(&m->writers, place) =
      (struct writer){.clock = clock_share(by->clock), .next = *list, .thread = by->thread, .time = by->time, .mask = mask};
  *list = place;
}

void memory_wrote(struct memory *m, struct clocks *clocks, uint32_t *list, uint8_t mask, const struct known *by) {
  struct writer *w = *list ? pool_at(&m->writers, *list) : NULL;
  if (w && w->next == NO_CELL && !(w->mask & ~mask)) { /* as most often: it takes the place of the one before */
    clock_assign(clocks, &w->clock, by->clock);
    w->thread = by->thread, w->time = by->time, w->mask = mask;
    return;
  }
  cut(m, clocks, list, mask, UINT32_MAX);
  put(m, list, mask, by);
}

void memory_noted(struct memory *m, struct clocks *clocks, uint32_t *list, uint8_t mask, const struct known *by) {
  cut(m, clocks, list, mask, by->thread);
  put(m, list, mask, by);
}
