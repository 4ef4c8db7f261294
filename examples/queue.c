/* A queue with room for one job, two workers and one condition variable for everything that changes. pthread_cond_signal() wakes one
 * waiter, and it may be the wrong one: a worker wakes another worker although it is the producer that could go on.
 *
 *     heddle check queue.c
 *     heddle check -DFIXED queue.c        (pthread_cond_broadcast() instead) */
#include <pthread.h>
#include <stdbool.h>

#ifdef FIXED
#define wake pthread_cond_broadcast
#else
#define wake pthread_cond_signal
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool full;
static int slot;

static void put(int job) {
  pthread_mutex_lock(&lock);
  while (full) pthread_cond_wait(&changed, &lock);
  slot = job;
  full = true;
  wake(&changed);
  pthread_mutex_unlock(&lock);
}

static int get(void) {
  pthread_mutex_lock(&lock);
  while (!full) pthread_cond_wait(&changed, &lock);
  int job = slot;
  full = false;
  wake(&changed);
  pthread_mutex_unlock(&lock);
  return job;
}

static void *worker(void *result) {
  *(int *)result = get();
  return NULL;
}

int main(void) {
  pthread_t workers[2];
  int results[2];
  for (int i = 0; i < 2; i++) pthread_create(&workers[i], NULL, worker, &results[i]);
  for (int job = 1; job <= 2; job++) put(job);
  for (int i = 0; i < 2; i++) pthread_join(workers[i], NULL);
  return results[0] + results[1] - 3;
}
