/* tries: use after free A B; fixed: nothing. That the lock was not to be had says that the use is over: it cannot happen. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t over = PTHREAD_RWLOCK_INITIALIZER; /* of readers it is not known that they were in the way */
static int *x, used;

static void *uses(void *argument) {
  pthread_mutex_lock(&m);
  *x = 1; /* @A */
#ifdef FIXED
  used = 1;
#endif
  pthread_mutex_unlock(&m);
  pthread_rwlock_rdlock(&over);
  usleep(100000);
  pthread_rwlock_unlock(&over);
  return argument;
}

static void *ends(void *argument) {
  usleep(50000);
  if (pthread_rwlock_trywrlock(&over) == 0) {
    pthread_rwlock_unlock(&over);
    return argument;
  }
  pthread_mutex_lock(&m);
#ifdef FIXED
  if (used)
#endif
    free(x); /* @B */
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t t, u;
  x = malloc(sizeof *x);
  pthread_create(&t, NULL, uses, NULL);
  pthread_create(&u, NULL, ends, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return used - used;
}
