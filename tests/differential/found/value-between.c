/* Between the step that leads to a local and the use of it as an atomic object, that is initialised or ends. */
#include <pthread.h>
#include <stdatomic.h>
static int *_Atomic at; static pthread_barrier_t z;
static void *first(void *x) {
  int *u = atomic_load(&at); if (u) atomic_fetch_add((atomic_int *)u, 1);
  return x; }
static __attribute__((noinline)) int shows(int r) {
  int l[(unsigned)r % 2 + 1]; l[0] = 1;
  atomic_store_explicit(&at, l, memory_order_relaxed); atomic_store_explicit(&at, 0, memory_order_relaxed);
  return r; }
static __attribute__((noinline)) int waits(int r) {
  int l[(unsigned)r % 2 + 2]; l[0] = 1;
  atomic_store_explicit(&at, l, memory_order_relaxed); pthread_barrier_wait(&z);
  return r; }
int main(void) {
  pthread_t t; int r = 0;
  pthread_barrier_init(&z, 0, 2);
  pthread_create(&t, 0, first, 0);
  r = shows(r);
  r = waits(r);
  return 0; }
