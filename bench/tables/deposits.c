/* N depositors and one that withdraws what it finds enough for, each on the balance and then on the number of operations, which have
 * a lock each: (N+1)!^2 orders of the sections. Every deposit is of another amount. Correct; WRONG: the withdrawal does not expect to find
 * all deposits but the first. */
#include <heddle.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif
#define WITHDRAWAL 2

static pthread_mutex_t balance_lock = PTHREAD_MUTEX_INITIALIZER, operations_lock = PTHREAD_MUTEX_INITIALIZER;
static int balance, operations;

static void count_operation(void) {
  pthread_mutex_lock(&operations_lock);
  operations++;
  pthread_mutex_unlock(&operations_lock);
}

static void *deposit(void *argument) {
  pthread_mutex_lock(&balance_lock);
  balance += (int)(long)argument;
  pthread_mutex_unlock(&balance_lock);
  count_operation();
  return 0;
}

static void *withdraw(void *unused) {
  (void)unused;
  pthread_mutex_lock(&balance_lock);
#ifdef WRONG
  hd_assert(balance != (1 << N) - 2);
#endif
  int enough = balance >= WITHDRAWAL;
  if (enough) balance -= WITHDRAWAL;
  pthread_mutex_unlock(&balance_lock);
  count_operation();
  return (void *)(long)enough;
}

int main(void) {
  pthread_t thread[N + 1];
  void *enough;
  for (long i = 0; i < N; i++) pthread_create(&thread[i], 0, deposit, (void *)(1L << i));
  pthread_create(&thread[N], 0, withdraw, 0);
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
  pthread_join(thread[N], &enough);
  hd_assert(operations == N + 1);
  hd_assert(balance == (1 << N) - 1 - (enough ? WITHDRAWAL : 0));
  return 0;
}
