/* N writers, then one reader: main reads after all writers have ended, so that N values can be read and N! orders lead to them. With
 * EQUAL all writers store the same value, and there is one outcome. WRONG: main does not expect the first writer to come last. */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 8
#endif

static atomic_int x;

static void *writer(void *argument) {
#ifdef EQUAL
  (void)argument;
  atomic_store(&x, 1);
#else
  atomic_store(&x, (int)(long)argument);
#endif
  return 0;
}

int main(void) {
  pthread_t thread[N];
  for (long i = 0; i < N; i++) pthread_create(&thread[i], 0, writer, (void *)(i + 1));
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
  int last = atomic_load(&x);
#ifdef WRONG
  hd_assert(last != 1);
#else
  hd_assert(1 <= last && last <= N);
#endif
  return 0;
}
