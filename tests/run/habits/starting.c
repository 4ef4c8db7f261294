/* finds: data race A A; fixed: nothing. analysis: ovp. quickly. Threads that start programs: by vfork(), clone() with and without the parent's memory, posix_spawn(), popen() and system(). */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixed.h"

enum { THREADS = 2, TIMES = 3, STACK = 1 << 16 };
extern char **environ;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done, unguarded;

static int status_of(pid_t child) {
  int status;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
static int three(void *argument) { return *(int *)argument = 3; }

static void start(void) {
  char *const words[] = {(char[]){"true"}, NULL};
  char line[10];
  int result = 0;
  pid_t child = vfork();
  if (child == 0) {
    execl("/bin/true", "true", (char *)NULL);
    _exit(1);
  }
  if (status_of(child) != 0 || posix_spawnp(&child, "true", NULL, NULL, words, environ) != 0 || status_of(child) != 0) abort();
  FILE *f = popen("echo text", "r");
  if (!f || !fgets(line, sizeof line, f) || pclose(f) != 0 || system("true") != 0) abort();
  char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (status_of(clone(three, stack + STACK, SIGCHLD, &result)) != 3 || result != 0) abort();
  if (status_of(clone(three, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, &result)) != 3 || result != 3) abort();
  munmap(stack, STACK);
}

static void *work(void *argument) {
  for (int i = 0; i < TIMES; i++) {
    start();
    lock();
    unguarded++; /* @A */
    unlock();
    pthread_mutex_lock(&mutex);
    done++;
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  return done != THREADS * TIMES;
}
