/* finds: potential deadlock A B, potential deadlock C D; fixed: nothing. Readers wait for writers and writers for readers, but readers do
 * not wait for each other. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER, s = PTHREAD_RWLOCK_INITIALIZER, x = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static atomic_int done;

static void *one(void *argument) {
  pthread_rwlock_rdlock(&r);
  pthread_mutex_lock(&m); /* @A */
  pthread_mutex_unlock(&m);
  pthread_rwlock_rdlock(&r); /* once more: no news */
  pthread_rwlock_unlock(&r);
  pthread_rwlock_unlock(&r);
#ifdef FIXED
  pthread_rwlock_rdlock(&x);
#else
  pthread_rwlock_wrlock(&x);
#endif
  pthread_rwlock_rdlock(&s); /* @C */
  pthread_rwlock_unlock(&s);
  pthread_rwlock_unlock(&x);
  atomic_store(&done, 1);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, one, NULL);
  while (!atomic_load(&done)) usleep(1000); /* orders no locks */
  pthread_mutex_lock(&m);
#ifdef FIXED
  pthread_rwlock_rdlock(&r);
#else
  pthread_rwlock_wrlock(&r); /* @B */
#endif
  pthread_rwlock_unlock(&r);
  pthread_mutex_unlock(&m);
#ifdef FIXED
  pthread_rwlock_rdlock(&s);
#else
  pthread_rwlock_wrlock(&s);
#endif
  pthread_rwlock_rdlock(&x); /* @D */
  pthread_rwlock_unlock(&x);
  pthread_rwlock_unlock(&s);
  return pthread_join(t, NULL);
}
