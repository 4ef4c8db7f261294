/* What compiler-rt's tests want of the library that they test: a barrier that orders nothing for it. This file is compiled as it is, so that
 * nobody watches it. */
#include <sched.h>

/* As in the tests' header: how many threads meet in the lower byte, how many have come in the rest. */
void __tsan_testonly_barrier_init(unsigned *barrier, unsigned count);
void __tsan_testonly_barrier_wait(unsigned *barrier);

void __tsan_testonly_barrier_init(unsigned *barrier, unsigned count) { *barrier = count; }

void __tsan_testonly_barrier_wait(unsigned *barrier) {
  unsigned count = *barrier & 255, mine = (__atomic_fetch_add(barrier, 256, __ATOMIC_RELAXED) >> 8) / count;
  while ((__atomic_load_n(barrier, __ATOMIC_RELAXED) >> 8) / count == mine) sched_yield();
}
