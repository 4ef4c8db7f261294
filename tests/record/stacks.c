/* predicts: double-free 0
 * What pthread_join() gives back of a thread's own was got while nothing was recorded: where it was, a block of the program's may have been
 * before. It is no block that is freed twice. */
#include <pthread.h>
#include <stdlib.h>

enum { ROUNDS = 5, THREADS = 12 /* more than the C library keeps the stacks of */ };
static pthread_barrier_t all;

static void *work(void *unused) {
  pthread_barrier_wait(&all);
  return unused;
}

/* In the arena of a thread: blocks come and go where those of threads are. */
static void *first(void *unused) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_t threads[THREADS];
    char *block = malloc(20000);
    block[0] = 1;
    free(block);
    for (int k = 0; k < THREADS; k++)
      if (pthread_create(&threads[k], NULL, work, NULL) != 0) abort();
    for (int k = 0; k < THREADS; k++) pthread_join(threads[k], NULL);
  }
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_barrier_init(&all, NULL, THREADS);
  pthread_create(&a, NULL, first, NULL);
  pthread_join(a, NULL);
  pthread_barrier_destroy(&all);
  return 0;
}
