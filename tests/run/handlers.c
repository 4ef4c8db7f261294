/* finds: call that a signal's handler may not make A B, call that a signal's handler may not make A C, call that a signal's handler may not make A D, handler that changes errno E; fixed: nothing. Handlers that may come within malloc(), and call it, or leave errno changed; and such that come only where the program waits for them, or that were sent later. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "moment.h"

static atomic_int handled, ready, calm;
static void *volatile block;

static void handle(int number) { /* @E */
#ifdef FIXED
  int saved = errno;
  write(-1, "", 1);
  errno = saved;
#else
  block = malloc(16); /* @B */
  free(block);        /* @C */
  printf("handled\n"); /* @D */
  write(-1, "", 1);
#endif
  handled = number;
}

static void *sends(void *main_thread) {
  moment_await(0);
  pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
  while (!handled) usleep(1000);
  return NULL;
}

/* Handlers that may call all this. */
static void handle_in_peace(int number) {
  block = malloc(16);
  free(block);
  printf("calm\n");
  if (number == SIGHUP || number == SIGUSR2) write(-1, "", 1);
  calm = calm + 1;
}

static void *sends_in_peace(void *main_thread) {
  pthread_kill(*(pthread_t *)main_thread, SIGUSR2);
  return NULL;
}
static void *sends_later(void *main_thread) {
  while (!ready) usleep(1000);
  pthread_kill(*(pthread_t *)main_thread, SIGALRM);
  return NULL;
}

__attribute__((noinline)) static void use_heap(void) {
  block = malloc(16);
  free(block); /* @A */
}

static jmp_buf before;
static void jump(int number) {
  (void)number;
  longjmp(before, 1);
}

int main(void) {
  pthread_t t, self = pthread_self();
  sigset_t peace, open;
  sigemptyset(&peace);
  sigaddset(&peace, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &peace, &open);
  signal(SIGUSR2, handle_in_peace);
  signal(SIGHUP, handle_in_peace);
  signal(SIGALRM, handle_in_peace);
  signal(SIGVTALRM, handle_in_peace);
  signal(SIGCHLD, handle_in_peace);

  use_heap(); /* the thread itself sends it, and then waits for it */
  raise(SIGHUP);
  pthread_kill(self, SIGHUP);
  pthread_create(&t, NULL, sends_in_peace, &self);
  while (calm < 3) sigsuspend(&open);
  pthread_join(t, NULL);

  pthread_create(&t, NULL, sends_later, &self); /* others, when it is told to */
  use_heap();
  ready = 1;
  while (calm < 4) continue;
  pthread_join(t, NULL);

  use_heap();
  setitimer(ITIMER_VIRTUAL, &(struct itimerval){.it_value = {0, 1000}}, NULL);
  while (calm < 5) continue;
  pid_t child = fork();
  if (child == 0) _exit(0);
  while (waitpid(child, NULL, 0) < 0) continue;
  while (calm < 6) continue;

  signal(SIGHUP, jump); /* no handler is under way after it */
  if (!setjmp(before)) {
    raise(SIGHUP);
    return 1;
  }
  use_heap();

  errno = 0;
  signal(SIGUSR1, handle);
  pthread_create(&t, NULL, sends, &self);
  use_heap();
  moment_reach(0);
  while (!handled) continue;
  return pthread_join(t, NULL);
}
