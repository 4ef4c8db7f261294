/* finds: data race A A; fixed: nothing. analysis: ovp. quickly. Processes that share a robust mutex and a condition; one of them is killed while it holds the mutex. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fixed.h"

enum { PROCESSES = 2, THREADS = 2, TIMES = 50, ALL = PROCESSES * THREADS * TIMES };
static struct shared {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int count;
} * shared;
static int own;

static void repair(int error) {
  if (error == EOWNERDEAD) pthread_mutex_consistent(&shared->mutex);
}
static void *work(void *argument) {
  for (int i = 0; i < TIMES; i++) {
    lock();
    own++; /* @A */
    unlock();
    repair(pthread_mutex_lock(&shared->mutex));
    shared->count++;
    pthread_cond_signal(&shared->changed);
    pthread_mutex_unlock(&shared->mutex);
  }
  return argument;
}
static void child(int i) {
  pthread_t t[THREADS];
  for (int k = 0; k < THREADS; k++) pthread_create(&t[k], NULL, work, NULL);
  for (int k = 0; k < THREADS; k++) pthread_join(t[k], NULL);
  if (i > 0) _exit(0);
  repair(pthread_mutex_lock(&shared->mutex));
  shared->count++;
  kill(getpid(), SIGKILL);
}
static void await(int count) {
  repair(pthread_mutex_lock(&shared->mutex));
  while (shared->count < count) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    repair(pthread_cond_timedwait(&shared->changed, &shared->mutex, &until));
  }
  pthread_mutex_unlock(&shared->mutex);
}

int main(void) {
  pthread_mutexattr_t mutex;
  pthread_condattr_t condition;
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_init(&mutex);
  pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&shared->mutex, &mutex);
  pthread_condattr_init(&condition);
  pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&shared->changed, &condition);
  for (int i = 0; i < PROCESSES; i++)
    if (fork() == 0) child(i);
  await(ALL);
  for (int i = 0; i < PROCESSES; i++) wait(NULL);
  await(ALL + 1);
  return 0;
}
