/* finds: potential deadlock A B; fixed: nothing. Two orders under one lock that keeps the threads apart; a shared holder of it does not. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;

static atomic_int done;

static void *one(void *argument) {
  pthread_rwlock_rdlock(&gate);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b); /* @A */
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_rwlock_unlock(&gate);
  atomic_store(&done, 1);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, one, NULL);
  while (!atomic_load(&done)) usleep(1000); /* orders no locks */
#ifdef FIXED
  pthread_rwlock_wrlock(&gate);
#else
  pthread_rwlock_rdlock(&gate);
#endif
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a); /* @B */
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  pthread_rwlock_unlock(&gate);
  return pthread_join(t, NULL);
}
