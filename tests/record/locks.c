/* same-each-run
 * Mutexes, recursive ones, spin locks, and locks that are tried: each thread has its own turn. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_spinlock_t spin;
static int counter, list[8];
static void *work(void *argument) {
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock(&m);
    list[counter & 7] = i;
    counter++;
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&again);
  pthread_mutex_lock(&again);
  counter += 2;
  pthread_mutex_unlock(&again);
  pthread_mutex_unlock(&again);
  pthread_spin_lock(&spin);
  counter *= 2;
  pthread_spin_unlock(&spin);
  return argument;
}
static void *tries(void *argument) {
  int e = pthread_mutex_trylock(&m);
  if (e == 0) pthread_mutex_unlock(&m);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_spin_init(&spin, 0);
  for (int i = 0; i < 3; i++) {
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
  }
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, tries, 0);
  pthread_join(t, 0);
  pthread_mutex_unlock(&m);
  assert(counter == 98);
  return 0;
}
