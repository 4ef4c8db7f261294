// A bounded buffer with semaphores, one producer and one consumer; the twin posts before it stores.
// verdict: SAFE
// options: --strategy=dpor
// executions: 9
// case: early -DEARLY
// verdict: BUG
// options: --strategy=dpor
// finding: data-race A B
// finding?: assertion
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>

#define SIZE  2
#define ITEMS 3

static int slots[SIZE];
static sem_t filled, empty;

static void *producer(void *unused) {
  (void)unused;
  for (int i = 0; i < ITEMS; i++) {
    sem_wait(&empty);
#ifdef EARLY
    sem_post(&filled);
#endif
    slots[i % SIZE] = i + 1;  // @A
#ifndef EARLY
    sem_post(&filled);
#endif
  }
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&filled, 0, 0);
  sem_init(&empty, 0, SIZE);
  pthread_create(&t, 0, producer, 0);
  int sum = 0;
  for (int i = 0; i < ITEMS; i++) {
    sem_wait(&filled);
    sum += slots[i % SIZE];  // @B
    sem_post(&empty);
  }
  pthread_join(t, 0);
  hd_assert(sum == 6);
  return 0;
}
