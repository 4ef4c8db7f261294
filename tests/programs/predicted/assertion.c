// A withdrawal that checks and pays in two sections. The only execution that is made lets one finish before the other begins.
// verdict: BUG
// options: --predict --executions=2
// executions: 1
// finding: assertion A
// case: not-predicted
// verdict: BOUNDED
// options: --executions=2
// executions: 1
// case: fixed -DFIXED
// verdict: SAFE
// options: --predict
// case: fixed-first-execution -DFIXED
// verdict: BOUNDED
// options: --predict --executions=2
// case: tso
// verdict: BUG
// memory: tso
// options: --predict --executions=2
// finding: assertion A
// case: pso
// verdict: BUG
// memory: pso
// options: --predict --executions=2
// finding: assertion A
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int enough(void) {
  pthread_mutex_lock(&lock);
  int yes = balance >= 80;
#ifdef FIXED
  if (yes) balance -= 80;
#endif
  pthread_mutex_unlock(&lock);
  return yes;
}

static void *withdraw(void *unused) {
  if (!enough()) return NULL;
#ifndef FIXED
  pthread_mutex_lock(&lock);
  balance -= 80;
  assert(balance >= 0);  // @A
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, withdraw, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
