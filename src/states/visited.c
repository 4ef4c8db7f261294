#include "states/visited.h"

#include <string.h>

#include "base/mem.h"

static inline bool is_free(struct fingerprint f) { return (f.lo | f.hi) == 0; }

static inline size_t home_of(const struct visited *v, struct fingerprint key) {
  return (size_t)(key.lo * 0x9e3779b97f4a7c15u >> 20) & (v->cap - 1);
}

/* Where the key is, or would go. */
static inline size_t place_of(const struct visited *v, struct fingerprint key) {
  size_t i = home_of(v, key);
  while (!is_free(v->keys[i]) && !fingerprint_equal(v->keys[i], key)) i = (i + 1) & (v->cap - 1);
  return i;
}

uint32_t visited_find(const struct visited *v, struct fingerprint key) {
  if (v->count == 0 || is_free(key)) return NOT_VISITED;
  size_t i = place_of(v, key);
  return is_free(v->keys[i]) ? NOT_VISITED : v->summaries[i];
}

#define FIRST_CAP   64u
#define PLACE_BYTES (sizeof(struct fingerprint) + sizeof(uint32_t))

static bool may_grow(const struct visited *v) { return v->cap == 0 || !v->most || v->cap * 2 * PLACE_BYTES <= v->most; }

static void grow(struct visited *v) {
  struct visited old = *v;
  v->cap = old.cap ? old.cap * 2 : FIRST_CAP;
  while (v->most && v->cap > 4 && v->cap * PLACE_BYTES > v->most) v->cap /= 2;
  v->keys = mem_alloc(v->cap * sizeof *v->keys);
  v->summaries = mem_alloc(v->cap * sizeof *v->summaries);
  for (size_t i = 0; i < old.cap; i++) {
    if (is_free(old.keys[i])) continue;
    size_t to = place_of(v, old.keys[i]);
    v->keys[to] = old.keys[i], v->summaries[to] = old.summaries[i];
  }
  mem_free(old.keys, old.cap * sizeof *old.keys);
  mem_free(old.summaries, old.cap * sizeof *old.summaries);
}

/* The table is full. The places from where the key belongs to the next free one are all taken, and stay so: it may have any of them. */
static void replace(struct visited *v, struct fingerprint key, uint32_t summary) {
  size_t first = home_of(v, key), end = first;
  v->forgotten++;
  while (end - first < 8 && !is_free(v->keys[end & (v->cap - 1)])) end++;
  if (end == first) return;
  size_t i = (first + (size_t)(key.hi >> 32) % (end - first)) & (v->cap - 1);
  v->keys[i] = key, v->summaries[i] = summary;
}

void visited_add(struct visited *v, struct fingerprint key, uint32_t summary) {
  if (is_free(key)) return;
  bool full = (v->count + 1) * 4 > v->cap * 3;
  if (full && may_grow(v)) {
    grow(v);
    full = false;
  }
  size_t i = place_of(v, key);
  bool is_new = is_free(v->keys[i]);
  if (full && is_new) {
    replace(v, key, summary);
    return;
  }
  v->keys[i] = key, v->summaries[i] = summary;
  v->count += is_new;
}

void visited_clear(struct visited *v) {
  if (v->cap) memset(v->keys, 0, v->cap * sizeof *v->keys), memset(v->summaries, 0, v->cap * sizeof *v->summaries);
  v->forgotten += v->count;
  v->count = 0;
}

void visited_release(struct visited *v) {
  mem_free(v->keys, v->cap * sizeof *v->keys);
  mem_free(v->summaries, v->cap * sizeof *v->summaries);
  *v = (struct visited){0};
}
