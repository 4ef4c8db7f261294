/* finds: data race A A; fixed: nothing. analysis: ovp. quickly. Functions of pthread_atfork() take a lock before each fork() and give it back in both processes, while threads work; children have threads and children. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixed.h"

enum { THREADS = 2, TIMES = 500, FORKS = 5 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value, unguarded;

static void before(void) { pthread_mutex_lock(&mutex), value++; }
static void after(void) { value++, pthread_mutex_unlock(&mutex); }

static void *work(void *argument) {
  for (int i = 0; i < TIMES; i++) {
    lock();
    unguarded++; /* @A */
    unlock();
    pthread_mutex_lock(&mutex);
    char *block = malloc(100);
    memset(block, ++value, 100);
    free(block);
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

static int status_of(pid_t child) {
  int status;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
static void child(void) {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  value++;
  pthread_mutex_unlock(&mutex);
  pthread_create(&t, NULL, (void *(*)(void *))(void (*)(void))getpid, NULL);
  pthread_join(t, NULL);
  pid_t grandchild = fork();
  if (grandchild == 0) _exit(7);
  _exit(status_of(grandchild));
}

int main(void) {
  pthread_t t[THREADS];
  int wrong = 0;
  pthread_atfork(before, after, after);
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < FORKS; i++) {
    pid_t pid = fork();
    if (pid == 0) child();
    wrong += status_of(pid) != 7;
  }
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  return wrong;
}
