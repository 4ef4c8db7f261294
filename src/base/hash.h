/* Hashing: 64-bit mixing, 128-bit fingerprints, and an open-addressing map from 64-bit keys to 64-bit values. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A bijective mix with good avalanche; hash_mix(0) != 0. */
static inline uint64_t hash_mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

static inline uint64_t hash_pair(uint64_t a, uint64_t b) { return hash_mix(hash_mix(a) + b * 0xff51afd7ed558ccdu); }

/* FNV-like hash of bytes, for strings and content keys (not cryptographic). */
uint64_t hash_bytes(const void *bytes, size_t n, uint64_t seed);

/* A 128-bit fingerprint; combined by XOR, so order does not matter and removal is adding again. */
struct fingerprint {
  uint64_t lo, hi;
};

static inline struct fingerprint fingerprint_of(uint64_t key, uint64_t value) {
  uint64_t m = hash_pair(key, value);
  return (struct fingerprint){m, hash_mix(m ^ 0xa0761d6478bd642fu) + value * 0xe7037ed1a0b428dbu};
}
static inline void fingerprint_xor(struct fingerprint *a, struct fingerprint b) { a->lo ^= b.lo, a->hi ^= b.hi; }
static inline bool fingerprint_equal(struct fingerprint a, struct fingerprint b) { return a.lo == b.lo && a.hi == b.hi; }

/* Map uint64 -> uint64. Zeroed is empty. No deletion of single keys. */
struct hashmap {
  uint64_t *keys, *values; /* capacity is a power of two; a used slot has used[i] */
  unsigned char *used;
  size_t count, cap;
};

/* The value of `key`, or NULL. The pointer holds until the next insertion. */
uint64_t *hashmap_find(const struct hashmap *m, uint64_t key);
/* The value of `key`, inserted as `initial` if new; `*is_new` (may be NULL) tells. */
uint64_t *hashmap_at(struct hashmap *m, uint64_t key, uint64_t initial, bool *is_new);
void hashmap_clear(struct hashmap *m);
void hashmap_release(struct hashmap *m);
