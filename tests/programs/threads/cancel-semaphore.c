// Cancelled while it waits at a semaphore, or before, or not at all: what was taken and what the handler saw agree. A request that comes with
// the post may act or stay pending.
// verdict: SAFE
// executions: 2
// case: traces
// options: --strategy=dpor
// verdict: SAFE
// executions: 15
// case: lost -DLOST
// verdict: BUG
// finding: assertion A
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;
static int taken, cleaned;

static void give_back(void *unused) {
  (void)unused;
  cleaned = 1;
#ifndef LOST
  for (; taken; taken--) sem_post(&tokens);
#endif
}

static void *taker(void *unused) {
  (void)unused;
  pthread_cleanup_push(give_back, 0);
  sem_wait(&tokens);
  taken++;
  sem_wait(&tokens);
  taken++;
  pthread_cleanup_pop(0);
  return 0;
}

static void *poster(void *unused) {
  (void)unused;
  sem_post(&tokens);
  sem_post(&tokens);
  return 0;
}

int main(void) {
  pthread_t t, p;
  void *result;
  int left;
  sem_init(&tokens, 0, 0);
  pthread_create(&t, 0, taker, 0);
  pthread_create(&p, 0, poster, 0);
  pthread_cancel(t);
  pthread_join(t, &result);
  pthread_join(p, 0);
  sem_getvalue(&tokens, &left);
  assert(cleaned == (result == PTHREAD_CANCELED));
  assert(left == (cleaned ? 2 : 0));  // @A
  return 0;
}
