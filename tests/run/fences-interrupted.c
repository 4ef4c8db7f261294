/* finds: data race A B; fixed: nothing. Signals come while their thread is at fences, and handlers hand on something. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "moment.h"

enum { ROUNDS = 150, FENCES = 20000 };
static atomic_int known, over;
static sem_t handled, go, done;
static int value, seen, apart;
static pthread_t interrupted;

static void handle(int number) {
  (void)number;
  sem_post(&handled);
}

static void *interrupts(void *argument) {
  while (!atomic_load_explicit(&over, memory_order_relaxed)) {
    pthread_kill(interrupted, SIGUSR1);
    usleep(50);
  }
  return argument;
}

static void *reads(void *argument) {
#ifndef FIXED
  moment_await(1);
  seen += apart; /* @A */
#endif
  for (int i = 0; i < ROUNDS; i++) {
    sem_wait(&go);
    seen += value;
    sem_post(&done);
  }
  return argument;
}

int main(void) {
  pthread_t t[2];
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle, action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, NULL);
  sem_init(&handled, 0, 0), sem_init(&go, 0, 0), sem_init(&done, 0, 0);
  interrupted = pthread_self();
  atomic_store(&known, 1);
  pthread_create(&t[0], NULL, reads, NULL), pthread_create(&t[1], NULL, interrupts, NULL);
  apart = 1; /* @B */
  moment_reach(1);
  for (int i = 0; i < ROUNDS; i++) {
    (void)atomic_load_explicit(&known, memory_order_relaxed); /* for fences to do something with */
    for (int k = 0; k < FENCES; k++) atomic_thread_fence(memory_order_acquire);
    value++;
    sem_post(&go);
    while (sem_wait(&done) != 0) {}
  }
  over = 1;
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return seen < ROUNDS;
}
