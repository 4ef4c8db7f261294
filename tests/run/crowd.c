/* finds: potential deadlock A B; fixed: nothing. once. 100,000 locks, taken hand over hand and below one that stands for all, and one pair the
 * wrong way round; some threads come and go, and so do many locks. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { LOCKS = 100000, THREADS = 40 };
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER, locks[LOCKS];

static atomic_int done;

static void *hand_over_hand(void *argument) {
  pthread_mutex_lock(&locks[0]);
  for (int i = 1; i < LOCKS; i++) {
    pthread_mutex_lock(&locks[i]); /* @A */
    pthread_mutex_unlock(&locks[i - 1]);
  }
  pthread_mutex_unlock(&locks[LOCKS - 1]);
  atomic_fetch_add(&done, 1);
  return argument;
}

static void *from_above(void *argument) {
  for (int i = 0; i < LOCKS; i++) {
    pthread_mutex_lock(&all);
    pthread_mutex_lock(&locks[i]);
    pthread_mutex_unlock(&locks[i]);
    pthread_mutex_unlock(&all);
  }
  return argument;
}

static void *comes_and_goes(void *argument) {
  for (int i = 0; i < 1000; i++) {
    pthread_mutex_t *m = malloc(2 * sizeof *m);
    pthread_mutex_init(&m[0], NULL), pthread_mutex_init(&m[1], NULL);
    pthread_mutex_lock(&m[i % 2]);
    pthread_mutex_lock(&m[1 - i % 2]);
    pthread_mutex_unlock(&m[0]), pthread_mutex_unlock(&m[1]);
    free(m);
  }
  return argument;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < LOCKS; i++) pthread_mutex_init(&locks[i], NULL);
  pthread_create(&t[0], NULL, hand_over_hand, NULL);
  pthread_create(&t[1], NULL, hand_over_hand, NULL);
  pthread_create(&t[2], NULL, from_above, NULL);
  for (int i = 0; i < THREADS; i++) {
    pthread_t u;
    pthread_create(&u, NULL, comes_and_goes, NULL);
    pthread_join(u, NULL);
  }
#ifndef FIXED
  while (atomic_load(&done) < 2) usleep(1000); /* orders no locks */
  pthread_mutex_lock(&locks[LOCKS / 2]);
  pthread_mutex_lock(&locks[LOCKS / 2 - 1]); /* @B */
  pthread_mutex_unlock(&locks[LOCKS / 2 - 1]);
  pthread_mutex_unlock(&locks[LOCKS / 2]);
#endif
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
