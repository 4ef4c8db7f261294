/* finds: data race A A; fixed: nothing. analysis: ovp. quickly. Threads that are cancelled: in a wait for a condition, which takes the mutex again; in read(); anywhere. */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "fixed.h"

enum { TIMES = 8, WAYS = 3 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t begun;
static int cleaned, unguarded;

static void clean(void *m) {
  cleaned++;
  pthread_mutex_unlock(m);
}
static void say(void) {
  lock();
  unguarded++; /* @A */
  unlock();
  sem_post(&begun);
}
static void *waits(void *argument) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(clean, &mutex);
  say();
  for (;;) pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(0);
  return argument;
}
static void *counts(void *argument) {
  say();
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &(int){0});
  for (volatile long i = 0;; i = i + 1) continue;
  return argument;
}
static void *reads(void *argument) {
  char text[4];
  say();
  return read(*(int *)argument, text, sizeof text) < 0 ? NULL : argument;
}

int main(void) {
  static void *(*const ways[WAYS])(void *) = {waits, counts, reads};
  int ends[2], wrong = 0;
  sem_init(&begun, 0, 0);
  if (pipe(ends) != 0) return 1;
  for (int i = 0; i < TIMES; i++) {
    pthread_t t[WAYS];
    for (int k = 0; k < WAYS; k++) pthread_create(&t[k], NULL, ways[k], ends);
    for (int k = 0; k < WAYS; k++) sem_wait(&begun);
    for (int k = 0; k < WAYS; k++) pthread_cancel(t[k]);
    for (int k = 0; k < WAYS; k++) {
      void *result;
      pthread_join(t[k], &result);
      wrong += result != PTHREAD_CANCELED;
    }
  }
  return wrong + (cleaned != TIMES);
}
