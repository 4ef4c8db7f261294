/* Sets of threads (tids below THREADS_MAX). */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "trace/event.h"

#define TSET_WORDS (THREADS_MAX / 64)

struct tset {
  uint64_t words[TSET_WORDS];
};

/* The place of the i-th set bit, of more than i. The first few without branches: which one is wanted may be random. */
static inline uint32_t bits_select(uint64_t word, uint32_t i) {
  for (; i > 2; i--) word &= word - 1;
  uint64_t second = word & (word - 1), third = second & (second - 1);
  uint64_t one = 0 - (uint64_t)(i & 1), two = 0 - (uint64_t)(i >> 1); /* masks: compilers make branches of conditions */
  return (uint32_t)__builtin_ctzll((word & ~one & ~two) | (second & one) | (third & two));
}

static inline bool tset_has(const struct tset *s, uint32_t t) { return s->words[t >> 6] >> (t & 63) & 1; }
static inline void tset_add(struct tset *s, uint32_t t) { s->words[t >> 6] |= 1ull << (t & 63); }
static inline void tset_remove(struct tset *s, uint32_t t) { s->words[t >> 6] &= ~(1ull << (t & 63)); }
static inline void tset_put(struct tset *s, uint32_t t, bool member) {
  uint64_t *word = &s->words[t >> 6];
  *word = (*word & ~(1ull << (t & 63))) | (uint64_t)member << (t & 63);
}
static inline bool tset_empty(const struct tset *s) {
  uint64_t any = 0;
  for (unsigned i = 0; i < TSET_WORDS; i++) any |= s->words[i];
  return any == 0;
}
static inline unsigned tset_count(const struct tset *s) {
  unsigned n = 0;
  for (unsigned i = 0; i < TSET_WORDS; i++) n += (unsigned)__builtin_popcountll(s->words[i]);
  return n;
}
static inline void tset_minus(struct tset *a, const struct tset *b) {
  for (unsigned i = 0; i < TSET_WORDS; i++) a->words[i] &= ~b->words[i];
}
static inline void tset_union(struct tset *a, const struct tset *b) {
  for (unsigned i = 0; i < TSET_WORDS; i++) a->words[i] |= b->words[i];
}
static inline void tset_intersect(struct tset *a, const struct tset *b) {
  for (unsigned i = 0; i < TSET_WORDS; i++) a->words[i] &= b->words[i];
}
static inline bool tset_intersects(const struct tset *a, const struct tset *b) {
  uint64_t any = 0;
  for (unsigned i = 0; i < TSET_WORDS; i++) any |= a->words[i] & b->words[i];
  return any != 0;
}
/* Smallest member that is >= from, or THREADS_MAX. `for (t = tset_next(s, 0); t < THREADS_MAX; t = tset_next(s, t + 1))` */
static inline uint32_t tset_next(const struct tset *s, uint32_t from) {
  for (uint32_t w = from >> 6; w < TSET_WORDS; w++) {
    uint64_t word = s->words[w];
    if (w == from >> 6) word &= ~0ull << (from & 63);
    if (word) return w * 64 + (uint32_t)__builtin_ctzll(word);
  }
  return THREADS_MAX;
}
