// More threads over its life than there can be at a time: numbers of those that were joined are given again, and nothing of one is seen by
// the next but what it left in memory.
// cflags: -DCASE=1
// verdict: SAFE
// case: race -DCASE=2
// verdict: BUG
// finding: data-race A B
// case: at-a-time -DCASE=3
// verdict: SAFE
// case: nested -DCASE=4
// verdict: SAFE
// case: joined-by-another -DCASE=5
// exit: 2
// verdict: BOUNDED
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, unguarded;
static _Thread_local int own;

static void *add(void *argument) {
  if (own) abort();
  own = 1;
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return argument;
}

static void one_by_one(int n) {
  for (int i = 0; i < n; i++) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, add, &total);
    pthread_join(t, &result);
    if (result != &total) abort();
  }
}

static void *race(void *unused) {
  unguarded++; /* @A */
  return unused;
}

static void *beside(void *unused) {
  unguarded++; /* @B */
  return unused;
}

static void *maker(void *unused) {
  one_by_one(100);
  return unused;
}

static void *nothing(void *argument) { return argument; }

static void *joiner(void *thread) {
  pthread_join(*(pthread_t *)thread, 0);
  return 0;
}

int main(void) {
#if CASE == 1
  one_by_one(3000);
  if (total != 3000) abort();
#elif CASE == 2
  pthread_t t, u;
  for (int i = 0; i < 256; i++) {
    pthread_create(&t, 0, nothing, 0);
    pthread_join(t, 0);
  }
  pthread_create(&t, 0, race, 0);
  pthread_create(&u, 0, beside, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
#elif CASE == 3
  pthread_t all[200];
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 200; i++) pthread_create(&all[i], 0, nothing, &all[i]);
    for (int i = 0; i < 200; i++) pthread_join(all[i], 0);
  }
#elif CASE == 4
  pthread_t t;
  for (int i = 0; i < 5; i++) {
    pthread_create(&t, 0, maker, 0);
    pthread_join(t, 0);
  }
  if (total != 500) abort();
#else /* nothing orders the end of one before the beginning of the next for its maker */
  for (int i = 0; i < 300; i++) {
    pthread_t t, u;
    pthread_create(&t, 0, add, 0);
    pthread_create(&u, 0, joiner, &t);
    pthread_join(u, 0);
  }
#endif
  return 0;
}
