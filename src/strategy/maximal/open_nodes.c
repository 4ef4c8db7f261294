#include "strategy/maximal/open_nodes.h"

/* The first bit from `from` on, or UINT32_MAX. */
static uint32_t next_bit(const uint64_t *words, size_t n, uint32_t from) {
  for (size_t w = from / 64; w < n; w++) {
    uint64_t rest = w == from / 64 ? words[w] & (~0ull << from % 64) : words[w];
    if (rest) return (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(rest);
  }
  return UINT32_MAX;
}

static void clear_bit(struct open_nodes *o, uint32_t index) {
  uint64_t *word = &o->words.data[index / 64];
  *word &= ~(1ull << index % 64);
  if (*word == 0) o->any.data[index / 64 / 64] &= ~(1ull << index / 64 % 64);
}

static uint64_t below(uint32_t bit) { return ~(~0ull << bit % 64); }

void open_nodes_put(struct open_nodes *o, uint32_t index, bool open) {
  uint32_t w = index / 64, a = w / 64;
  while (__builtin_expect(o->words.count <= w, 0)) *vec_push(&o->words) = 0;
  while (__builtin_expect(o->any.count <= a, 0)) *vec_push(&o->any) = 0;
  uint64_t word = (o->words.data[w] & below(index)) | (uint64_t)open << index % 64;
  o->words.data[w] = word, o->words.count = w + 1;
  o->any.data[a] = (o->any.data[a] & below(w)) | (uint64_t)(word != 0) << w % 64, o->any.count = a + 1;
}

void open_nodes_remove(struct open_nodes *o, uint32_t index) {
  if (index / 64 < o->words.count) clear_bit(o, index);
}

uint32_t open_nodes_next(const struct open_nodes *o, uint32_t index, uint32_t count) {
  if (index / 64 >= o->words.count) return count;
  uint64_t rest = o->words.data[index / 64] & (~0ull << index % 64);
  uint32_t word = rest ? index / 64 : next_bit(o->any.data, o->any.count, index / 64 + 1), found = count;
  if (word < o->words.count) found = word * 64 + (uint32_t)__builtin_ctzll(rest ? rest : o->words.data[word]);
  return found < count ? found : count;
}

void open_nodes_release(struct open_nodes *o) {
  vec_release(&o->words);
  vec_release(&o->any);
}
