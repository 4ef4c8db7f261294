/* After "bubblesort" of the IBM benchmark: a thread for each pass over the array. Two neighbours are exchanged under a lock, but compared
 * before it is taken; passes are counted under the lock, and the count is read without it. */
#include "shared.h"

#define LENGTH 6

static int array[LENGTH] = {5, 3, 4, 1, 2, 0};
static int passes, exchanges, last_exchange;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void exchange(int i) {
  pthread_mutex_lock(&lock);
  int left = array[i];
  array[i] = array[i + 1];
  array[i + 1] = left;
  exchanges++;
  pthread_mutex_unlock(&lock);
  last_exchange = i;
}

static void *pass(void *argument) {
  int end = LENGTH - 1 - number_of(argument);
  for (int i = 0; i < end; i++)
    if (array[i] > array[i + 1]) exchange(i);
  pthread_mutex_lock(&lock);
  passes++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[LENGTH - 1];
  for (int i = 0; i < LENGTH - 1; i++) start(&threads[i], pass, i);
  int early = passes;
  for (int i = 0; i < LENGTH - 1; i++) pthread_join(threads[i], NULL);
  int wrong = 0;
  for (int i = 1; i < LENGTH; i++) wrong += array[i - 1] > array[i];
  printf("%d exchanges, the last at %d; %d passes early; %d out of order\n", exchanges, last_exchange, early, wrong);
  return 0;
}
