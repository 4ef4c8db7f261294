#include "base/hash.h"

#include <string.h>

#include "base/mem.h"

uint64_t hash_bytes(const void *bytes, size_t n, uint64_t seed) {
  const unsigned char *p = bytes;
  uint64_t h = hash_mix(seed ^ n);
  for (; n >= 8; n -= 8, p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    h = hash_pair(h, word);
  }
  uint64_t tail = 0;
  if (n) memcpy(&tail, p, n); /* of nothing the address may be null */
  return hash_pair(h, tail);
}

static size_t slot_of(const struct hashmap *m, uint64_t key) {
  size_t i = hash_mix(key) & (m->cap - 1);
  while (m->used[i] && m->keys[i] != key) i = (i + 1) & (m->cap - 1);
  return i;
}

uint64_t *hashmap_find(const struct hashmap *m, uint64_t key) {
  if (m->cap == 0) return NULL;
  size_t i = slot_of(m, key);
  return m->used[i] ? &m->values[i] : NULL;
}

static void grow(struct hashmap *m) {
  struct hashmap bigger = {.cap = m->cap ? m->cap * 2 : 16, .count = m->count};
  bigger.keys = mem_alloc(bigger.cap * sizeof *bigger.keys);
  bigger.values = mem_alloc(bigger.cap * sizeof *bigger.values);
  bigger.used = mem_alloc(bigger.cap);
  for (size_t i = 0; i < m->cap; i++) {
    if (!m->used[i]) continue;
    size_t j = slot_of(&bigger, m->keys[i]);
    bigger.used[j] = 1, bigger.keys[j] = m->keys[i], bigger.values[j] = m->values[i];
  }
  hashmap_release(m);
  *m = bigger;
}

uint64_t *hashmap_at(struct hashmap *m, uint64_t key, uint64_t initial, bool *is_new) {
  if ((m->count + 1) * 4 > m->cap * 3) grow(m);
  size_t i = slot_of(m, key);
  if (is_new) *is_new = !m->used[i];
  if (!m->used[i]) m->used[i] = 1, m->keys[i] = key, m->values[i] = initial, m->count++;
  return &m->values[i];
}

void hashmap_clear(struct hashmap *m) {
  if (m->used) memset(m->used, 0, m->cap);
  m->count = 0;
}

void hashmap_release(struct hashmap *m) {
  mem_free(m->keys, m->cap * sizeof *m->keys);
  mem_free(m->values, m->cap * sizeof *m->values);
  mem_free(m->used, m->cap);
  *m = (struct hashmap){0};
}
