/* Money goes from account to account, under the locks of both, the one with the lower number first. */
#include <pthread.h>
enum { ACCOUNTS = 4, THREADS = 3, ROUNDS = 60 };
static struct {
  pthread_mutex_t lock;
  long amount;
} accounts[ACCOUNTS];
static void transfer(int from, int to, long amount) {
#ifdef RACY
  int first = from, second = to;
#else
  int first = from < to ? from : to, second = from < to ? to : from;
#endif
  pthread_mutex_lock(&accounts[first].lock);
  if (pthread_mutex_trylock(&accounts[second].lock) != 0) {
#ifdef RACY
    pthread_mutex_unlock(&accounts[first].lock);
    return;
#else
    pthread_mutex_lock(&accounts[second].lock);
#endif
  }
#ifdef RACY
  pthread_mutex_unlock(&accounts[first].lock);
#endif
  accounts[from].amount -= amount, accounts[to].amount += amount;
  pthread_mutex_unlock(&accounts[second].lock);
#ifndef RACY
  pthread_mutex_unlock(&accounts[first].lock);
#endif
}
static void *work(void *seed) {
  unsigned r = *(unsigned *)seed;
  for (int i = 0; i < ROUNDS; i++) {
    r = r * 1103515245 + 12345;
    int from = (int)(r >> 16) % ACCOUNTS, to = (int)(r >> 8) % ACCOUNTS;
    if (from != to) transfer(from, to, (long)(r >> 20));
  }
  return NULL;
}
int main(void) {
  pthread_t t[THREADS];
  unsigned seeds[THREADS];
  long sum = 0;
  for (int i = 0; i < ACCOUNTS; i++) pthread_mutex_init(&accounts[i].lock, NULL);
  for (unsigned i = 0; i < THREADS; i++) seeds[i] = i + 1, pthread_create(&t[i], NULL, work, &seeds[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < ACCOUNTS; i++) sum += accounts[i].amount, pthread_mutex_destroy(&accounts[i].lock);
#ifdef RACY
  return 0;
#endif
  return sum != 0;
}
