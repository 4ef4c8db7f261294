/* finds: nothing. Many threads at a time, many one after another, and many locks: usage: stress_threads [THREADS [SHORT ONES [LOCKS]]] */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *locks;
static long *values, threads = 64, ones = 500, nlocks = 5000, total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

static void *at_once(void *argument) {
  pthread_barrier_wait(&barrier);
  for (long i = 0; i < nlocks; i++) {
    long k = (i * 7 + (long)argument * 13) % nlocks;
    if ((i + (long)argument) % threads) continue;
    pthread_mutex_lock(&locks[k]);
    values[k]++;
    pthread_mutex_unlock(&locks[k]);
  }
  pthread_mutex_lock(&mutex);
  total++;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void *in_turn(void *argument) {
  long *mine = malloc(sizeof *mine);
  *mine = (long)argument;
  pthread_mutex_lock(&mutex);
  total++;
  pthread_mutex_unlock(&mutex);
  return mine;
}

static void *on_its_own(void *argument) {
  pthread_mutex_lock(&mutex);
  total++;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(int argc, char **argv) {
  if (argc > 1) threads = atol(argv[1]);
  if (argc > 2) ones = atol(argv[2]);
  if (argc > 3) nlocks = atol(argv[3]);
  pthread_t *ids = calloc((size_t)threads, sizeof *ids);
  locks = calloc((size_t)nlocks, sizeof *locks);
  values = calloc((size_t)nlocks, sizeof *values);
  for (long i = 0; i < nlocks; i++) pthread_mutex_init(&locks[i], NULL);
  pthread_barrier_init(&barrier, NULL, (unsigned)threads);
  for (long i = 0; i < threads; i++)
    if (pthread_create(&ids[i], NULL, at_once, (void *)i) != 0) return 1;
  for (long i = 0; i < threads; i++) pthread_join(ids[i], NULL);
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  for (long i = 0; i < ones; i++) {
    pthread_t a, b;
    void *of_a;
    if (pthread_create(&a, NULL, in_turn, (void *)i) != 0) return 1;
    if (i % 8 == 0 && pthread_create(&b, &detached, on_its_own, NULL) != 0) return 1;
    pthread_join(a, &of_a);
    if (*(long *)of_a != i) return 1;
    free(of_a);
  }
  for (long i = 0; i < nlocks; i++) pthread_mutex_destroy(&locks[i]);
  for (long seen = 0; seen < threads + ones + (ones + 7) / 8;) { /* those that nobody waits for, too */
    pthread_mutex_lock(&mutex);
    seen = total;
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}
