// A two-phase computation over a reusable barrier built from a mutex and a condition variable; the twin does not count generations.
// verdict: SAFE
// options: --strategy=dpor
// case: no-generation -DNO_GENERATION
// verdict: BUG
// options: --strategy=dpor
// finding: deadlock|lost-wakeup A
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int arrived;
#ifndef NO_GENERATION
static int generation;
#endif
static int cells[2];
static int names[2] = {0, 1};

static void arrive(void) {
  pthread_mutex_lock(&lock);
#ifdef NO_GENERATION
  if (++arrived == 2) {
    arrived = 0;
    pthread_cond_signal(&turn);
  }
  while (arrived != 0) pthread_cond_wait(&turn, &lock);  // @A
#else
  int mine = generation;
  if (++arrived == 2) {
    arrived = 0;
    generation++;
    pthread_cond_broadcast(&turn);
  }
  while (mine == generation) pthread_cond_wait(&turn, &lock);
#endif
  pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
  int me = *(int *)argument;
  cells[me] = 1;
  arrive();
  int seen = cells[1 - me];
  arrive();
  cells[me] = 2;
  hd_assert(seen == 1);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &names[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
