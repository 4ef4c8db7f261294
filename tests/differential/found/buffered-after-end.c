/* A store to a thread-local variable is in a buffer when its thread ends, or is issued behind that: though that thread has written it last. */
#include <pthread.h>
#include <stdatomic.h>
static int *_Atomic at; static __thread int own = 1;
static void *first(void *x) {
  own = 2; atomic_store(&at, &own);
  { int *u = atomic_load(&at); if (u) atomic_fetch_add((atomic_int *)u, 1); }
  return x; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  { int *u = atomic_load(&at); if (u) ++*u; }
  return 0; }
