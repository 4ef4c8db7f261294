#include "states/claims.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"

#define PLACES (1u << 16)

struct claim {
  _Atomic uint64_t check, job; /* check: the key mixed with job + 1; 0 and 0: free */
};

struct claims {
  struct claim places[PLACES];
};

struct claims *claims_new(void) {
  void *memory = mmap(NULL, sizeof(struct claims), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void claims_free(struct claims *c) {
  if (c) munmap(c, sizeof *c);
}

void claims_clear(struct claims *c) { memset(c, 0, sizeof *c); }

static inline size_t place_of(uint64_t key) { return (size_t)(hash_mix(key) & (PLACES - 1)); }

static bool read_claim(const struct claim *p, uint64_t key, uint64_t *job) {
  uint64_t check = atomic_load_explicit(&p->check, memory_order_relaxed);
  *job = atomic_load_explicit(&p->job, memory_order_relaxed);
  return check && (check ^ hash_mix(*job + 1)) == key;
}

bool claims_has(const struct claims *c, uint64_t key, uint64_t job) {
  uint64_t other;
  return read_claim(&c->places[place_of(key)], key, &other) && other < job;
}

void claims_add(struct claims *c, uint64_t key, uint64_t job) {
  struct claim *p = &c->places[place_of(key)];
  uint64_t other;
  if (read_claim(p, key, &other) && other <= job) return;
  atomic_store_explicit(&p->check, key ^ hash_mix(job + 1), memory_order_relaxed);
  atomic_store_explicit(&p->job, job, memory_order_relaxed);
}
