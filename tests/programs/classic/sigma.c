// sigma: each thread adds its slot to a sum. Locked, the sums add up; the twin adds without the lock being held for the read.
// verdict: SAFE
// options: --strategy=dpor
// executions: 6
// case: torn -DTORN
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
#include <heddle.h>
#include <pthread.h>

#define N 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int slots[N], sum;
static int names[N];

static void *add(void *argument) {
  int me = *(int *)argument;
  slots[me] = me + 1;
#ifdef TORN
  pthread_mutex_lock(&lock);
  int seen = sum;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  sum = seen + slots[me];
  pthread_mutex_unlock(&lock);
#else
  pthread_mutex_lock(&lock);
  sum += slots[me];
  pthread_mutex_unlock(&lock);
#endif
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    names[i] = i;
    pthread_create(&t[i], 0, add, &names[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  hd_assert(sum == 6);  // @A
  return 0;
}
