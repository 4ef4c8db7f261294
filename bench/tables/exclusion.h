/* What the mutual exclusion programs have in common: two threads (or N) enter the section ROUNDS times; what they do in it is lost if
 * two are inside. The including file defines enter() and leave(), called with 0 .. N-1.
 *
 * INJECTED adds an assertion that some order of the sections violates, the correct algorithm or not: thread 1 never finds the section
 * unused. Thread 0 runs first unless something else is tried. */
#pragma once

#include <heddle.h>
#include <pthread.h>

#include "shared.h"

#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_int entered;

static void enter(int me);
static void leave(int me);

static void *work(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0; round < ROUNDS; round++) {
    enter(me);
    int before = get(&entered);
#ifdef INJECTED
    hd_assert(me != 1 || before != 0);
#endif
    set(&entered, before + 1);
    leave(me);
  }
  return 0;
}

int main(void) {
  pthread_t thread[N];
  for (long i = 0; i < N; i++) pthread_create(&thread[i], 0, work, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
  hd_assert(get(&entered) == N * ROUNDS);
  return 0;
}
