/* The barrier of gcc's tests: one that the sanitizer does not see, so that threads meet without being ordered by it. Relaxed operations
 * order nothing either. */
#pragma once
#include <pthread.h>
#include <sched.h>

static unsigned suite_arrived, suite_wanted;
static inline void barrier_init(pthread_barrier_t *b, unsigned n) { (void)b, suite_wanted = n; }
static inline void barrier_wait(pthread_barrier_t *b) {
  (void)b;
  unsigned mine = __atomic_fetch_add(&suite_arrived, 1, __ATOMIC_RELAXED), round = mine / suite_wanted + 1;
  while (__atomic_load_n(&suite_arrived, __ATOMIC_RELAXED) < round * suite_wanted) sched_yield();
}
