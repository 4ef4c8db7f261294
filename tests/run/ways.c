/* finds: data race A B, data race C D, data race E F; fixed: nothing; analysis: hb. An access says nothing new only if the same was accessed on all ways
 * to it, with no synchronisation on any of them. */
#include <pthread.h>
#include <stdatomic.h>

#include "moment.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int first, second, list[4];
static volatile int yes = 1, sum;
static atomic_int ready;

static void other_lock(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

/* The second write comes behind a call on one of the ways. */
__attribute__((noinline)) static void behind_call(int *p) {
  *p = 1;
  if (yes) {
    other_lock();
    moment_reach(1);
#ifdef FIXED
    while (!atomic_load(&ready)) continue;
#else
    moment_await(2);
#endif
  }
  *p = 2; /* @A */
}
/* One of the ways has no access before. */
__attribute__((noinline)) static int on_one_way(int *p, int c) {
  if (c) *p = 1;
  return *p; /* @C */
}
/* An address that is another one each time around. */
__attribute__((noinline)) static void around(int *p, int *end) {
  for (; p < end; p += yes) *p = 1; /* @E */
}

static void *work(void *argument) {
  behind_call(&first);
#ifdef FIXED
  pthread_mutex_lock(&mutex);
#endif
  sum += on_one_way(&second, !yes);
  around(list, list + 4);
#ifdef FIXED
  pthread_mutex_unlock(&mutex);
#endif
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  moment_await(1);
  other_lock();
#ifdef FIXED
  pthread_mutex_lock(&mutex);
#endif
  first = 3; /* @B */
  second = 3;  /* @D */
  list[2] = 3; /* @F */
#ifdef FIXED
  pthread_mutex_unlock(&mutex);
  atomic_store(&ready, 1);
#else
  moment_reach(2);
#endif
  pthread_join(t, NULL);
  return 0;
}
