/* finds: potential deadlock A B C; fixed: nothing. Three locks in a ring: no two threads take the same two in two orders. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;

static atomic_int done;

static void *one(void *argument) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b); /* @A */
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  atomic_fetch_add(&done, 1);
  return argument;
}
static void *two(void *argument) {
  while (atomic_load(&done) < 1) usleep(1000); /* orders no locks */
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&c); /* @B */
  pthread_mutex_unlock(&c);
  pthread_mutex_unlock(&b);
  atomic_fetch_add(&done, 1);
  return argument;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&u, NULL, two, NULL);
  while (atomic_load(&done) < 2) usleep(1000);
#ifdef FIXED
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&c);
#else
  pthread_mutex_lock(&c);
  pthread_mutex_lock(&a); /* @C */
#endif
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&c);
  pthread_join(t, NULL);
  return pthread_join(u, NULL);
}
