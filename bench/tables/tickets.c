/* N sellers: each takes the next ticket, and adds its price, which depends on the ticket, to what was earned; two atomic operations, and
 * N!^2 orders of them. Correct. */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int sold, earned;

static void *seller(void *unused) {
  (void)unused;
  int ticket = atomic_fetch_add(&sold, 1);
  atomic_fetch_add(&earned, 1 << ticket);
  return 0;
}

int main(void) {
  pthread_t thread[N];
  for (int i = 0; i < N; i++) pthread_create(&thread[i], 0, seller, 0);
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
  hd_assert(atomic_load(&sold) == N && atomic_load(&earned) == (1 << N) - 1);
  return 0;
}
