/* N sellers: each takes the next ticket, and adds its price, which depends on the ticket, to what was earned; two atomic operations, and
 * N!^2 orders of them. Correct; WRONG: the first seller does not expect to get the last ticket but one. */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int sold, earned;

static void *seller(void *argument) {
  int ticket = atomic_fetch_add(&sold, 1);
#ifdef WRONG
  hd_assert(argument || ticket != N - 2);
#else
  (void)argument;
#endif
  atomic_fetch_add(&earned, 1 << ticket);
  return 0;
}

int main(void) {
  pthread_t thread[N];
  for (long i = 0; i < N; i++) pthread_create(&thread[i], 0, seller, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
  hd_assert(atomic_load(&sold) == N && atomic_load(&earned) == (1 << N) - 1);
  return 0;
}
