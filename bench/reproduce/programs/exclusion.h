/* What bakery.c, dekker.c and peterson.c share: threads that enter a critical section several times, which is enter() and leave() of the
 * file, and add one to a sum there. If two were in it at a time, an increment may be lost. */
#pragma once
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A flag in a line of its own, so that a store to it takes its time. */
struct flag {
  _Alignas(64) volatile int is;
};

/* The file's: how a thread comes into the section, and out of it. */
static void enter(int me);
static void leave(int me);

static int exclusion_rounds;
static atomic_int exclusion_arrived;
static volatile int exclusion_sum;

static void *exclusion_work(void *argument) {
  int me = (int)(long)argument;
  atomic_fetch_add(&exclusion_arrived, 1);
  while (atomic_load(&exclusion_arrived) < THREADS) sched_yield();
  for (int i = 0; i < exclusion_rounds; i++) {
    enter(me);
    exclusion_sum = exclusion_sum + 1;
    leave(me);
  }
  return 0;
}

/* main(): the argument says how often each thread enters. */
static inline int exclusion_main(int argc, char **argv, int rounds) {
  pthread_t thread[THREADS];
  exclusion_rounds = argc > 1 ? atoi(argv[1]) : rounds;
  for (long i = 0; i < THREADS; i++) pthread_create(&thread[i], 0, exclusion_work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], 0);
  assert(exclusion_sum == THREADS * exclusion_rounds);
  return 0;
}
