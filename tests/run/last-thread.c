/* finds: data race A B; fixed: nothing; exits: 7. The last thread of a process runs what is to be done at its end, after all that the others did; signals come to it still. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "moment.h"

static int by_main, by_first, by_handler;
static pthread_t threads[2];

static void on_signal(int number) { by_handler = number; }
static void *racing(void *argument) {
#ifdef BROKEN
  by_first++; /* @A */
  moment_reach(0);
#endif
  return argument;
}
static void at_end(void) {
  signal(SIGUSR1, on_signal);
  kill(getpid(), SIGUSR1);
  if (by_handler != SIGUSR1) _exit(1);
#ifdef BROKEN
  pthread_t t;
  pthread_create(&t, NULL, racing, NULL);
  moment_await(0);
  by_first++; /* @B */
#endif
  _exit(by_main + by_first >= 5 ? 7 : 1);
}

static void *first(void *argument) {
  by_first = 2;
  return argument;
}
static void *second(void *argument) {
  usleep(20000);
  return argument;
}

/* In a child, the thread that forked is the only one. */
static void *forks(void *argument) {
  pid_t child = fork();
  if (child == 0) {
    by_main = 3, by_first = 2;
    atexit(at_end);
    pthread_exit(NULL);
  }
  int status;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 7) exit(1);
  return argument;
}

int main(void) {
  pthread_create(&threads[0], NULL, forks, NULL);
  pthread_join(threads[0], NULL);
  atexit(at_end);
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  by_main = 3;
  pthread_exit(NULL);
}
