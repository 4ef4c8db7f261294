// A semaphore that nobody can use up: its initial count was looked at one by one, for minutes.
// verdict: BOUNDED
// options: --strategy=mcr
// case: short -DCOUNT=1
// verdict: BUG
// options: --strategy=mcr
// finding: assertion empty
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef COUNT
#define COUNT 2000000000u
#endif

static sem_t tokens;

static void *taker(void *unused) {
  sem_trywait(&tokens);
  return unused;
}

int main(void) {
  pthread_t t;
  sem_init(&tokens, 0, COUNT);
  pthread_create(&t, NULL, taker, NULL);
  assert(sem_trywait(&tokens) == 0); /* @empty */
  pthread_join(t, NULL);
}
