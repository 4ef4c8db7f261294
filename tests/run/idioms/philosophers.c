/* Philosophers: the last one takes the forks the other way round. */
#include <pthread.h>
enum { N = 4, MEALS = 30 };
static pthread_mutex_t forks[N];
static int uses[N];
static void *eat(void *number) {
  int n = *(int *)number, left = n, right = (n + 1) % N;
#ifndef RACY
  if (n == N - 1) left = 0, right = n;
#endif
  for (int i = 0; i < MEALS; i++) {
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    uses[left]++, uses[right]++;
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
  }
  return NULL;
}
int main(void) {
  pthread_t t[N];
  int numbers[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&forks[i], NULL);
  for (int i = 0; i < N; i++) numbers[i] = i, pthread_create(&t[i], NULL, eat, &numbers[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < N; i++)
    if (pthread_mutex_destroy(&forks[i]) || uses[i] != 2 * MEALS) return 1;
  return 0;
}
