/* finds: data race A A; fixed: nothing. analysis: ovp. quickly. Threads, locks, conditions, thread-specific storage and call_once() of C11. */
#include <stdlib.h>
#include <threads.h>

#include "fixed.h"

enum { THREADS = 4 };
static mtx_t mutex;
static cnd_t changed;
static tss_t key;
static once_flag flag = ONCE_FLAG_INIT;
static int arrived, made, freed, unguarded;
static thread_local int mine;

static void make(void) { made = 42; }
static void drop(void *block) {
  mtx_lock(&mutex);
  freed++;
  mtx_unlock(&mutex);
  free(block);
}

static int work(void *argument) {
  int *block = malloc(sizeof *block);
  call_once(&flag, make);
  *block = made;
  tss_set(key, block);
  lock();
  unguarded++; /* @A */
  unlock();
  mine++;
  mtx_lock(&mutex);
  arrived += mine;
  cnd_signal(&changed);
  mtx_unlock(&mutex);
  if (argument) thrd_exit(5);
  return 1;
}

int main(void) {
  thrd_t t[THREADS];
  int sum = 0;
  mtx_init(&mutex, mtx_timed | mtx_recursive);
  cnd_init(&changed);
  tss_create(&key, drop);
  for (int i = 0; i < THREADS; i++) thrd_create(&t[i], work, i == 0 ? &key : NULL);
  mtx_lock(&mutex);
  while (arrived < THREADS) cnd_wait(&changed, &mutex);
  mtx_unlock(&mutex);
  for (int i = 0; i < THREADS; i++) {
    int result;
    thrd_join(t[i], &result);
    sum += result;
  }
  tss_delete(key);
  cnd_destroy(&changed);
  mtx_destroy(&mutex);
  return sum != THREADS + 4 || freed != THREADS;
}
