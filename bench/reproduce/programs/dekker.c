/* Dekker's mutual exclusion of two threads, with flags that are volatile and nothing more.
 *
 * The bug: correct under SC only. A wish that is still in the store buffer when the other thread's one is read lets both threads in, and an
 * increment is lost (TSO).
 *
 * Natively: dekker [ROUNDS] lets its threads begin at once, each enters ROUNDS times. It fails now and then on a processor with store
 * buffers and two free cores: with 10 rounds once in a few hundred runs. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 2 };

static int rounds = 2;
static atomic_int arrived;
static volatile int sum;
static struct { _Alignas(64) volatile int is; /* in a line of its own, so that the store takes its time */ } wants[2], turn;

static void enter(int me) {
  wants[me].is = 1;
  while (wants[1 - me].is) {
    if (turn.is == me) continue;
    wants[me].is = 0;
    while (turn.is != me) sched_yield();
    wants[me].is = 1;
  }
}

static void leave(int me) {
  turn.is = 1 - me;
  wants[me].is = 0;
}

static void *work(void *argument) {
  int me = (int)(long)argument;
  atomic_fetch_add(&arrived, 1);
  while (atomic_load(&arrived) < THREADS) sched_yield();
  for (int i = 0; i < rounds; i++) {
    enter(me);
    sum = sum + 1;
    leave(me);
  }
  return 0;
}

int main(int argc, char **argv) {
  pthread_t thread[THREADS];
  if (argc > 1) rounds = atoi(argv[1]);
  for (long i = 0; i < THREADS; i++) pthread_create(&thread[i], 0, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], 0);
  assert(sum == THREADS * rounds);
  return 0;
}
