// Thread-specific data with a destructor that sets it again: it runs once more.
// verdict: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key, plain;
static atomic_int destroyed;

static void destroy(void *value) {
  assert(pthread_getspecific(key) == 0);
  int n = *(int *)value;
  free(value);
  atomic_fetch_add(&destroyed, 1);
  if (n == 0) return;
  int *next = malloc(sizeof *next);
  if (!next) abort();
  *next = n - 1;
  pthread_setspecific(key, next);
}

static void *work(void *argument) {
  assert(pthread_getspecific(key) == 0);
  int *value = malloc(sizeof *value);
  if (!value) abort();
  *value = *(int *)argument;
  pthread_setspecific(key, value);
  pthread_setspecific(plain, argument);
  assert(pthread_getspecific(key) == value && pthread_getspecific(plain) == argument);
  return 0;
}

int main(void) {
  pthread_t t[2];
  static int counts[2] = {0, 1};
  assert(pthread_key_create(&key, destroy) == 0 && pthread_key_create(&plain, 0) == 0);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &counts[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(atomic_load(&destroyed) == 3);
  pthread_key_delete(key);
  pthread_key_delete(plain);
  return 0;
}
