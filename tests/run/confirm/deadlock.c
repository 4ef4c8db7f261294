/* confirms: potential deadlock A A A; fixed: nothing. Three threads, three locks, at one place of the program. */
#include <pthread.h>
#include <unistd.h>

static pthread_rwlock_t forks[3] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};

static void *eats(void *argument) {
  int me = (int)(long)argument, left = me, right = (me + 1) % 3;
#ifdef FIXED
  if (me == 2) left = 0, right = 2;
#endif
  usleep(30000u * (unsigned)me);
  for (int i = 0; i < 5; i++) {
    pthread_rwlock_wrlock(&forks[left]);
    pthread_rwlock_rdlock(&forks[right]); /* @A */
    pthread_rwlock_unlock(&forks[right]);
    pthread_rwlock_unlock(&forks[left]);
  }
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], NULL, eats, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
