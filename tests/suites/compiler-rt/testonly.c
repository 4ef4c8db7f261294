/* What compiler-rt's tests want of the library that they test: a barrier that orders nothing for it. This file is compiled as it is, so that
 * nobody watches it; it calls no function of a library, either. */
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>

void __tsan_testonly_barrier_init(unsigned *barrier, unsigned count);
void __tsan_testonly_barrier_wait(unsigned *barrier);

static void futex(unsigned *word, long what, unsigned value) {
  long result = SYS_futex;
  register long no_limit __asm__("r10") = 0;
  __asm__ volatile("syscall" : "+a"(result) : "D"(word), "S"(what), "d"((long)value), "r"(no_limit) : "rcx", "r11", "memory");
}

/* As the tests' header has it: a number. How many threads meet is in its lower bits, how many have come in the others. */
enum { BITS = 10, ONE = 1 << BITS, COUNT = ONE - 1 };

void __tsan_testonly_barrier_init(unsigned *barrier, unsigned count) { *barrier = count; }

void __tsan_testonly_barrier_wait(unsigned *barrier) {
  unsigned was = __atomic_fetch_add(barrier, ONE, __ATOMIC_RELAXED), count = was & COUNT, round = (was >> BITS) / count;
  if (((was >> BITS) + 1) / count != round) futex(barrier, FUTEX_WAKE, INT_MAX);
  for (unsigned now; ((now = __atomic_load_n(barrier, __ATOMIC_RELAXED)) >> BITS) / count == round;) futex(barrier, FUTEX_WAIT, now);
}
