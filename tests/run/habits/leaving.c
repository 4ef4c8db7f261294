/* finds: data race A A; fixed: nothing. analysis: ovp. quickly. Processes that end otherwise than by main()'s return: quick_exit(), _exit(), and exit() by a thread, by several at a time, while others work; and the last thread's end. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixed.h"

static int unguarded;

static void *works(void *argument) {
  for (;;) {
    lock();
    unguarded++; /* @A */
    unlock();
    free(malloc(10));
    usleep(100);
  }
  return argument;
}
static void *quick(void *argument) { return usleep(30000), quick_exit(0), argument; }
static void *at_once(void *argument) { return usleep(30000), _exit(0), argument; }
static void *usual(void *argument) { return usleep(30000), exit(0), argument; }
static void *ends(void *argument) { return usleep(30000), argument; }

static void leave(int how) {
  static void *(*const ways[][3])(void *) = {{works, works, quick}, {works, works, at_once}, {works, usual, usual}, {ends, ends, ends}};
  pthread_t t;
  for (int i = 0; i < 3; i++) pthread_create(&t, NULL, ways[how][i], NULL);
  pthread_exit(NULL);
}

int main(void) {
  int wrong = 0, status;
  at_quick_exit(lock);
  for (int how = 0; how < 4; how++) {
    pid_t child = fork();
    if (child == 0) leave(how);
    wrong += waitpid(child, &status, 0) != child || status != 0;
  }
  return wrong;
}
