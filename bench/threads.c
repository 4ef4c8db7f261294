/* Three threads of eleven visible steps each: what executions a second are measured on. With -DCONTENDED all steps depend on each
 * other, so that the traces are more than anybody can explore. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int tickets;
#ifndef CONTENDED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static atomic_int last;
#endif

static void *work(void *argument) {
#ifdef CONTENDED
  for (int i = 0; i < 11; i++) atomic_fetch_add(&tickets, 1);
#else
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
  int mine = atomic_fetch_add(&tickets, 1);
  int before = atomic_load(&last);
  pthread_mutex_lock(&lock);
  counter += mine - before;
  pthread_mutex_unlock(&lock);
  atomic_store(&last, mine);
#endif
  return argument;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
