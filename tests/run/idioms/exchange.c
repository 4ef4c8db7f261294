/* Two threads meet and exchange what they have. */
#include <pthread.h>
#include <stdlib.h>
enum { THREADS = 2, ROUNDS = 30 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t met = PTHREAD_COND_INITIALIZER, left = PTHREAD_COND_INITIALIZER;
static void *offered, *returned;
static int meetings, here;
static void *exchange(void *mine) {
  void *theirs;
  pthread_mutex_lock(&m);
  while (here == 2) pthread_cond_wait(&left, &m);
  if (here == 0) {
    int meeting = meetings;
    here = 1, offered = mine;
    while (meetings == meeting) pthread_cond_wait(&met, &m);
    theirs = returned;
    here = 0;
    pthread_cond_broadcast(&left);
  } else {
    here = 2, theirs = offered, returned = mine;
    meetings++;
    pthread_cond_signal(&met);
  }
  pthread_mutex_unlock(&m);
  return theirs;
}
static void *work(void *argument) {
  long *mine = malloc(sizeof *mine);
  *mine = 0;
  for (int i = 0; i < ROUNDS; i++) {
#ifdef RACY
    long *had = mine;
    mine = exchange(mine);
    ++*had;
#else
    ++*mine;
    mine = exchange(mine);
#endif
  }
  __atomic_fetch_add((long *)argument, *mine, __ATOMIC_RELAXED);
  free(mine);
  return NULL;
}
int main(void) {
  pthread_t t[THREADS];
  long sum = 0;
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, work, &sum);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
#ifdef RACY
  return 0;
#endif
  return sum != THREADS * ROUNDS;
}
