/* A resize under a lock: threads are made to do it, and joined before the lock is given back; a pool does the same by orders and answers. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
enum { USERS = 2, HELPERS = 2, ROUNDS = 12 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *table;
static int size = 8;
static sem_t order, answer;
static int *to, half, over;
static void *copy(void *part) {
  int n = *(int *)part;
  for (int i = n * size / HELPERS; i < (n + 1) * size / HELPERS; i++) to[i] = table[i];
  return NULL;
}
static void *pool(void *argument) {
  for (;;) {
    sem_wait(&order);
    if (over) return argument;
    for (int i = 0; i < half; i++) table[i]++;
    sem_post(&answer);
  }
}
static void resize(void) {
  pthread_t t[HELPERS];
  int parts[HELPERS];
  pthread_mutex_lock(&m);
  to = calloc((size_t)size * 2, sizeof *to);
  for (int i = 0; i < HELPERS; i++) parts[i] = i, pthread_create(&t[i], NULL, copy, &parts[i]);
#ifdef RACY
  pthread_mutex_unlock(&m);
#endif
  for (int i = 0; i < HELPERS; i++) pthread_join(t[i], NULL);
#ifdef RACY
  pthread_mutex_lock(&m);
#endif
  free(table);
  table = to, size *= 2;
  pthread_mutex_unlock(&m);
}
static void sweep(void) {
  pthread_mutex_lock(&m);
  half = size / 2;
  sem_post(&order);
  sem_wait(&answer);
  pthread_mutex_unlock(&m);
}
static void *use(void *argument) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&m);
    for (int k = 0; k < size; k++) table[k]++;
    pthread_mutex_unlock(&m);
    if (i % 4 == 1) sweep();
    if (i % 6 == 5) resize();
  }
  return argument;
}
int main(void) {
  pthread_t t[USERS], helper;
  sem_init(&order, 0, 0), sem_init(&answer, 0, 0);
  table = calloc((size_t)size, sizeof *table);
  pthread_create(&helper, NULL, pool, NULL);
  for (int i = 0; i < USERS; i++) pthread_create(&t[i], NULL, use, NULL);
  for (int i = 0; i < USERS; i++) pthread_join(t[i], NULL);
  over = 1;
  sem_post(&order);
  pthread_join(helper, NULL);
  free(table);
  return 0;
}
