/* Four threads and two variables, neither of them guarded: an increment that is lost, and a flag that is read between two writes. The shape
 * of CLAP's sim_race.
 *
 * The bug: `sum` is read, and written a moment later, so that what other threads added between is lost.
 *
 * Natively: sim_race [ROUNDS] gives the processor up between the two, and fails in nearly every run. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { THREADS = 4 };

static int rounds = 1;
static volatile int sum, writers;

static void *work(void *unused) {
  for (int i = 0; i < rounds; i++) {
    int before = sum;
    sched_yield();
    if (writers == 0) writers = 1;
    sum = before + 1;
    writers = 0;
  }
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread[THREADS];
  if (argc > 1) rounds = atoi(argv[1]);
  for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], 0, work, 0);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], 0);
  assert(sum == THREADS * rounds);
  return 0;
}
