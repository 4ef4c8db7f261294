#include "predict/recorded/memory.h"

#include <string.h>

/* Zeros of so many granules are kept one by one. */
enum { FEW = 512 };

void recorded_memory_clear(struct recorded_memory *m) {
  hashmap_clear(&m->granules);
  vec_clear(&m->values);
  vec_clear(&m->zeros);
}

void recorded_memory_release(struct recorded_memory *m) {
  hashmap_release(&m->granules);
  vec_release(&m->values);
  vec_release(&m->zeros);
}

/* --- zeros --- */

/* The first part that ends behind the granule. */
static size_t zeros_at(const struct recorded_memory *m, uint64_t granule) {
  size_t low = 0, high = m->zeros.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (m->zeros.data[middle].to <= granule)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool is_zero(const struct recorded_memory *m, uint64_t granule) {
  size_t i = zeros_at(m, granule);
  return i < m->zeros.count && m->zeros.data[i].from <= granule;
}

static void insert(struct recorded_memory *m, size_t i, uint64_t from, uint64_t to) {
  (void)vec_push(&m->zeros);
  memmove(&m->zeros.data[i + 1], &m->zeros.data[i], (m->zeros.count - 1 - i) * sizeof m->zeros.data[0]);
  m->zeros.data[i] = (struct recorded_zeros){from, to};
}

/* Takes granules [from, to) out of the zeros. */
static void carve(struct recorded_memory *m, uint64_t from, uint64_t to) {
  size_t i = zeros_at(m, from), end = i;
  while (end < m->zeros.count && m->zeros.data[end].from < to) end++;
  if (end == i) return;
  uint64_t left = m->zeros.data[i].from, right = m->zeros.data[end - 1].to;
  memmove(&m->zeros.data[i], &m->zeros.data[end], (m->zeros.count - end) * sizeof m->zeros.data[0]);
  m->zeros.count -= end - i;
  if (right > to) insert(m, i, to, right);
  if (left < from) insert(m, i, left, from);
}

/* --- granules --- */

static struct recorded_granule *granule_at(struct recorded_memory *m, uint64_t granule) {
  bool is_new = false;
  uint64_t *at = hashmap_at(&m->granules, granule, m->values.count, &is_new);
  if (is_new) *vec_push(&m->values) = (struct recorded_granule){.known = is_zero(m, granule) ? 0xff : 0};
  return &m->values.data[*at];
}

static void set_byte(struct recorded_granule *g, uint32_t byte, uint64_t value) {
  g->value = (g->value & ~(0xffull << 8 * byte)) | (value & 0xff) << 8 * byte;
  g->known |= (uint8_t)(1u << byte);
}

void recorded_memory_store(struct recorded_memory *m, uint64_t address, uint64_t size, uint64_t value) {
  struct recorded_granule *g = granule_at(m, address / 8);
  if (size == 8 && address % 8 == 0) {
    *g = (struct recorded_granule){value, 0xff};
    return;
  }
  for (uint64_t i = 0; i < size; i++) {
    if ((address + i) % 8 == 0) g = granule_at(m, (address + i) / 8);
    set_byte(g, (uint32_t)((address + i) % 8), value >> 8 * i);
  }
}

/* Sets all granules of [first, last] that there are. If they are many, not those are looked at, but what there is. */
static void set_all(struct recorded_memory *m, uint64_t first, uint64_t last, struct recorded_granule to) {
  if (last - first < m->values.count) {
    for (uint64_t granule = first; granule <= last; granule++) {
      uint64_t *at = hashmap_find(&m->granules, granule);
      if (at) m->values.data[*at] = to;
    }
    return;
  }
  for (size_t i = 0; i < m->granules.cap; i++)
    if (m->granules.used[i] && m->granules.keys[i] >= first && m->granules.keys[i] <= last) m->values.data[m->granules.values[i]] = to;
}

void recorded_memory_forget(struct recorded_memory *m, uint64_t address, uint64_t size) {
  if (size == 0) return;
  uint64_t first = address / 8, last = (address + size - 1) / 8;
  carve(m, first, last + 1);
  set_all(m, first, last, (struct recorded_granule){0});
}

void recorded_memory_zero(struct recorded_memory *m, uint64_t address, uint64_t size) {
  uint64_t first = (address + 7) / 8, to = (address + size) / 8;
  for (; size && address % 8; address++, size--) recorded_memory_store(m, address, 1, 0);
  for (; size % 8; size--) recorded_memory_store(m, address + size - 1, 1, 0);
  if (to <= first || size == 0) return;
  for (uint64_t granule = first; granule < to && to - first <= FEW; granule++) *granule_at(m, granule) = (struct recorded_granule){0, 0xff};
  if (to - first <= FEW) return;
  carve(m, first, to);
  insert(m, zeros_at(m, first), first, to);
  set_all(m, first, to - 1, (struct recorded_granule){0, 0xff});
}

void recorded_memory_initial(struct recorded_memory *m, const struct event *e) {
  if (e->value)
    recorded_memory_store(m, e->object, e->size, e->value);
  else
    recorded_memory_zero(m, e->object, e->size);
}

bool recorded_memory_read(const struct recorded_memory *m, uint64_t address, uint32_t size, uint64_t *value) {
  *value = 0;
  for (uint32_t i = 0; i < size; i++) {
    const uint64_t *at = hashmap_find(&m->granules, (address + i) / 8);
    uint32_t byte = (uint32_t)((address + i) % 8);
    if (!at && is_zero(m, (address + i) / 8)) continue;
    if (!at || !(m->values.data[*at].known >> byte & 1)) return false;
    *value |= (m->values.data[*at].value >> 8 * byte & 0xff) << 8 * i;
  }
  return true;
}
