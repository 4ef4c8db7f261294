#include "explore/visited.h"

#include <string.h>

#include "base/mem.h"

static inline bool is_free(struct fingerprint f) { return (f.lo | f.hi) == 0; }

/* Where the key is, or would go. */
static inline size_t place_of(const struct visited *v, struct fingerprint key) {
  size_t i = (size_t)(key.lo * 0x9e3779b97f4a7c15u >> 20) & (v->cap - 1);
  while (!is_free(v->keys[i]) && !fingerprint_equal(v->keys[i], key)) i = (i + 1) & (v->cap - 1);
  return i;
}

uint32_t visited_find(const struct visited *v, struct fingerprint key) {
  if (v->count == 0 || is_free(key)) return NOT_VISITED;
  size_t i = place_of(v, key);
  return is_free(v->keys[i]) ? NOT_VISITED : v->summaries[i];
}

static void grow(struct visited *v) {
  struct visited old = *v;
  v->cap = old.cap ? old.cap * 2 : 1024;
  v->keys = mem_alloc(v->cap * sizeof *v->keys);
  v->summaries = mem_alloc(v->cap * sizeof *v->summaries);
  for (size_t i = 0; i < old.cap; i++) {
    if (is_free(old.keys[i])) continue;
    size_t to = place_of(v, old.keys[i]);
    v->keys[to] = old.keys[i], v->summaries[to] = old.summaries[i];
  }
  visited_release(&old);
}

void visited_add(struct visited *v, struct fingerprint key, uint32_t summary) {
  if (is_free(key)) return;
  if ((v->count + 1) * 4 > v->cap * 3) grow(v);
  size_t i = place_of(v, key);
  if (is_free(v->keys[i])) v->keys[i] = key, v->count++;
  v->summaries[i] = summary;
}

void visited_clear(struct visited *v) {
  if (v->cap) memset(v->keys, 0, v->cap * sizeof *v->keys);
  v->count = 0;
}

void visited_release(struct visited *v) {
  mem_free(v->keys, v->cap * sizeof *v->keys);
  mem_free(v->summaries, v->cap * sizeof *v->summaries);
  *v = (struct visited){0};
}
