/* BubbleSort: THREADS threads make a pass each over N integers. Two neighbours are compared without a lock and exchanged under it, so
 * that a pair that another thread has put in order meanwhile is put out of order again. The comparisons race. */
#include <heddle.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif
#ifndef THREADS
#define THREADS (N - 1)
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int numbers[N];

static void exchange(int at) {
  pthread_mutex_lock(&lock);
  int first = numbers[at];
  numbers[at] = numbers[at + 1];
  numbers[at + 1] = first;
  pthread_mutex_unlock(&lock);
}

static void *pass(void *unused) {
  (void)unused;
  for (int i = 0; i + 1 < N; i++)
    if (numbers[i] > numbers[i + 1]) exchange(i);
  return 0;
}

int main(void) {
  pthread_t thread[THREADS];
  for (int i = 0; i < N; i++) numbers[i] = N - i;
  for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], 0, pass, 0);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], 0);
  for (int i = 0; i + 1 < N; i++) hd_assert(numbers[i] <= numbers[i + 1]);
  return 0;
}
