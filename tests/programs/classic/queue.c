// A ring of two slots under a mutex with three operations a side; the twin's "full" test is off by one.
// verdict: SAFE
// options: --strategy=dpor
// executions: 20
// case: overfull -DOVERFULL
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
#include <heddle.h>
#include <pthread.h>

#define SIZE 2
#ifdef OVERFULL
#define FULL (SIZE + 1)
#else
#define FULL SIZE
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ring[SIZE], head, count, expected;

static void *producer(void *unused) {
  (void)unused;
  int next = 0;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    if (count < FULL) {
      ring[(head + count) % SIZE] = next++;
      count++;
    }
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

static void *consumer(void *unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    if (count > 0) {
      hd_assert(ring[head] == expected);  // @A
      expected++;
      head = (head + 1) % SIZE;
      count--;
    }
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, producer, 0);
  pthread_create(&t[1], 0, consumer, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
