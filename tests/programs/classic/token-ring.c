// Three threads pass a token around a ring: each copies its left neighbour's number and adds one; main checks the order.
// The twin does not wait for the token.
// verdict: SAFE
// options: --strategy=dpor
// case: rude -DRUDE
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>

#define N 3

static sem_t turn[N];
static int token;
static int seen[N];
static int names[N];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *station(void *argument) {
  int me = *(int *)argument;
#ifndef RUDE
  sem_wait(&turn[me]);
#endif
  pthread_mutex_lock(&lock);
  seen[me] = token++;
  pthread_mutex_unlock(&lock);
  sem_post(&turn[(me + 1) % N]);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    names[i] = i;
    sem_init(&turn[i], 0, i == 0);
  }
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, station, &names[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  for (int i = 0; i < N; i++) hd_assert(seen[i] == i);  // @A
  return 0;
}
