/* finds: data race A B; fixed: nothing. A program has all keys of a process; what their destructors do in the last round is watched. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

#include "moment.h"

static pthread_key_t keys[PTHREAD_KEYS_MAX];
static int calls[PTHREAD_KEYS_MAX];
static int last_words;

static void check(int truth) {
  if (!truth) abort();
}

static unsigned number_of(pthread_key_t key) {
  unsigned i = 0;
  while (keys[i] != key) i++;
  return i;
}

/* Sets its value again as long as it is asked: four times for each key. Values are keys, plus 1. */
static void destructor(void *value) {
  pthread_key_t key = (pthread_key_t)(size_t)value - 1;
  check(pthread_getspecific(key) == NULL);
  if (++calls[number_of(key)] < PTHREAD_DESTRUCTOR_ITERATIONS)
    pthread_setspecific(key, value);
  else if (number_of(key) == 7)
    last_words = 1, moment_reach(0); /* @A */
}

static void *thread(void *unused) {
  for (unsigned i = 0; i < PTHREAD_KEYS_MAX; i++) {
    check(pthread_getspecific(keys[i]) == NULL);
    check(pthread_setspecific(keys[i], (void *)((size_t)keys[i] + 1)) == 0);
  }
  return unused;
}

static void *looks(void *unused) {
  check(tss_get(keys[PTHREAD_KEYS_MAX - 1]) == NULL);
  return unused;
}

int main(void) {
  pthread_key_t more;
  pthread_t t;
  for (unsigned i = 0; i < PTHREAD_KEYS_MAX; i++) check(pthread_key_create(&keys[i], destructor) == 0);
  check(pthread_key_create(&more, NULL) == EAGAIN);
  for (unsigned i = 0; i < PTHREAD_KEYS_MAX; i++) check(pthread_setspecific(keys[i], &keys[i]) == 0);
  for (unsigned i = 0; i < PTHREAD_KEYS_MAX; i++) check(pthread_getspecific(keys[i]) == &keys[i]);
  pthread_create(&t, NULL, thread, NULL);
#ifdef FIXED
  pthread_join(t, NULL);
#else
  moment_await(0);
#endif
  last_words = 2; /* @B */
#ifndef FIXED
  pthread_join(t, NULL);
#endif
  for (unsigned i = 0; i < PTHREAD_KEYS_MAX; i++) check(calls[i] == PTHREAD_DESTRUCTOR_ITERATIONS);
  for (unsigned i = PTHREAD_KEYS_MAX; i-- > 0;) { /* a key that is made anew has no values, in any thread */
    check(pthread_key_delete(keys[i]) == 0);
    check(pthread_key_delete(keys[i]) == EINVAL && pthread_setspecific(keys[i], &t) == EINVAL);
    check(tss_create(&keys[i], NULL) == thrd_success && tss_get(keys[i]) == NULL);
    check(tss_set(keys[i], &t) == thrd_success && tss_get(keys[i]) == &t);
  }
  pthread_create(&t, NULL, looks, NULL);
  pthread_join(t, NULL);
  for (unsigned i = 0; i < PTHREAD_KEYS_MAX; i++) tss_delete(keys[i]);
  return last_words - 2;
}
