/* Nothing is wrong here: locks in one order, a condition in a loop, memory that is freed when all have ended. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int *table, full;

static void *one(void *unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  table[0]++;
  full = 1;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}
static void *two(void *unused) {
  pthread_mutex_lock(&b);
  while (!full) pthread_cond_wait(&filled, &b);
  table[0]++;
  pthread_mutex_unlock(&b);
  return unused;
}

int main(void) {
  pthread_t x, y;
  table = calloc(1, sizeof *table);
  pthread_create(&x, NULL, two, NULL);
  usleep(20000);
  pthread_create(&y, NULL, one, NULL);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  free(table);
  return 0;
}
