/* finds: data race A B; fixed: nothing. quickly. Children that come about without fork(), while another thread is busy in the runtime. */
#define _GNU_SOURCE
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int counter, over;
static int shared;

static void *counts(void *argument) {
  while (!over) counter++;
#ifdef FIXED
  shared++;
#else
  shared++; /* @A */
#endif
  return argument;
}

/* Locks, blocks and a thread: what a child of fork() may use here. */
static void *adds(void *lock) {
  pthread_mutex_lock(lock);
  counter++;
  pthread_mutex_unlock(lock);
  return NULL;
}
static int works(void *argument) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_t t;
  for (int i = 0; i < 10; i++) counter++, free(malloc(100));
  if (argument && pthread_create(&t, NULL, adds, &lock) == 0) pthread_join(t, NULL);
  _exit(7);
}

static char stack[64 << 10] __attribute__((aligned(64)));

static pid_t makes(int way) {
  switch (way) {
    case 0:
      return clone(works, stack + sizeof stack, SIGCHLD, NULL);
    case 1:
      return (pid_t)syscall(SYS_fork);
    case 2:
      return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    case 3: {
      struct clone_args about = {.exit_signal = SIGCHLD};
      return (pid_t)syscall(SYS_clone3, &about, sizeof about);
    }
    default:
      return _Fork();
  }
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, counts, NULL);
  for (int i = 0; i < 50; i++) {
    int status;
    pid_t child = makes(i % 5);
    if (child == 0) works(i % 5 == 1 ? stack : NULL);
    if (child < 0 || waitpid(child, &status, 0) != child || status != 7 << 8) return 2;
  }
  over = 1;
#ifdef FIXED
  pthread_join(t, NULL);
  shared++;
#else
  shared++; /* @B */
  pthread_join(t, NULL);
#endif
  return 0;
}
