/* finds: nothing; fixed: nothing. Threads begin with the signals blocked that their attributes say. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <threads.h>

static void expect(int only) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  for (int i = 1; i < SIGRTMIN; i++)
    if (sigismember(&mask, i) != (i == only)) abort();
}
static void *thread(void *only) {
  expect((int)(long)only);
  return NULL;
}
static int thread_of_c11(void *only) {
  expect((int)(long)only);
  return 0;
}

static void check(pthread_attr_t *attributes, int only) {
  pthread_t id;
  pthread_create(&id, attributes, thread, (void *)(long)only);
  pthread_join(id, NULL);
}
static void check_c11(int only) {
  thrd_t id;
  thrd_create(&id, thread_of_c11, (void *)(long)only);
  thrd_join(id, NULL);
}
static void block(sigset_t *set, int only) {
  sigemptyset(set);
  sigaddset(set, only);
}

int main(void) {
  pthread_attr_t attributes;
  sigset_t set;
  block(&set, SIGUSR1);
  pthread_sigmask(SIG_SETMASK, &set, NULL);
  pthread_attr_init(&attributes);
  check(NULL, SIGUSR1);
  check(&attributes, SIGUSR1);
  block(&set, SIGUSR2);
  pthread_attr_setsigmask_np(&attributes, &set);
  check(&attributes, SIGUSR2);
  expect(SIGUSR1);
  pthread_setattr_default_np(&attributes);
  check(NULL, SIGUSR2);
  check_c11(SIGUSR2);
  pthread_attr_setsigmask_np(&attributes, NULL);
  check(&attributes, SIGUSR1);
  pthread_attr_destroy(&attributes);
  return 0;
}
