// Deposit, withdrawal and a check of one account; the twin checks the balance before it locks.
// verdict: SAFE
// options: --strategy=dpor
// executions: 6
// case: stale -DSTALE
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;

static int read_balance(void) {
  pthread_mutex_lock(&lock);
  int seen = balance;
  pthread_mutex_unlock(&lock);
  return seen;
}

static void *withdraw(void *unused) {
  (void)unused;
#ifdef STALE
  int seen = read_balance();
  pthread_mutex_lock(&lock);
#else
  pthread_mutex_lock(&lock);
  int seen = balance;
#endif
  if (seen >= 8) balance -= 8;
  hd_assert(balance >= 0);  // @A
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, withdraw, 0);
  (void)read_balance();
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
