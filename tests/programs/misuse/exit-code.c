// A test that says by its exit code that it has failed: one of two additions is lost. That is a finding if it is asked for. The twin
// adds under a lock.
// options: --only=exit-code
// verdict: BUG
// finding: exit-code E
// case: option
// options: --exit-codes --only=exit-code --strategy=dpor
// verdict: BUG
// finding: exit-code E
// case: unasked
// options: --ignore=data-race
// verdict: SAFE
// case: fixed -DFIXED
// options: --exit-codes
// verdict: SAFE
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *add(void *unused) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  sum++;
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (sum != 2) exit(3);  // @E
  return 0;
}
