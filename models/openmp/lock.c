/* Locks. The header's omp_lock_t is a pointer: the machine has its lock in the first word, and a nest lock counts in the second. */
#include <omp.h>

#include "internal.h"

struct nest {
  uint32_t lock, depth;
};

void omp_init_lock(omp_lock_t *lock) { __hd_omp_lock_init(lock); }
void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint) { __hd_omp_lock_init(lock); }
void omp_destroy_lock(omp_lock_t *lock) { __hd_omp_lock_destroy(lock); }
void omp_set_lock(omp_lock_t *lock) { __hd_omp_lock_set(lock); }
void omp_unset_lock(omp_lock_t *lock) { __hd_omp_lock_unset(lock); }
int omp_test_lock(omp_lock_t *lock) { return !__hd_omp_lock_test(lock); }

void omp_init_nest_lock(omp_nest_lock_t *lock) {
  __hd_omp_lock_init(lock);
  ((struct nest *)lock)->depth = 0;
}
void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint) { omp_init_nest_lock(lock); }
void omp_destroy_nest_lock(omp_nest_lock_t *lock) { __hd_omp_lock_destroy(lock); }

/* The depth is its owner's. */
void omp_set_nest_lock(omp_nest_lock_t *lock) {
  struct nest *nest = (struct nest *)lock;
  if (!__hd_omp_lock_is_own(lock)) __hd_omp_lock_set(lock);
  nest->depth++;
}

int omp_test_nest_lock(omp_nest_lock_t *lock) {
  struct nest *nest = (struct nest *)lock;
  if (!__hd_omp_lock_is_own(lock) && __hd_omp_lock_test(lock)) return 0;
  return (int)++nest->depth;
}

void omp_unset_nest_lock(omp_nest_lock_t *lock) {
  struct nest *nest = (struct nest *)lock;
  if (!__hd_omp_lock_is_own(lock) || --nest->depth == 0) __hd_omp_lock_unset(lock);
}
