/* finds: potential deadlock A B; fixed: nothing. A wait for a condition takes its mutex again: while another lock is held. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, waits;
static atomic_int done;

static void *one(void *argument) {
  pthread_mutex_lock(&m);
#ifndef FIXED
  pthread_mutex_lock(&other);
#endif
  waits = 1;
  while (!ready) pthread_cond_wait(&cond, &m); /* @A */
#ifndef FIXED
  pthread_mutex_unlock(&other);
#endif
  pthread_mutex_unlock(&m);
  atomic_store(&done, 1);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, one, NULL);
  for (int seen = 0; !seen;) {
    pthread_mutex_lock(&m);
    seen = waits;
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&m);
  while (!atomic_load(&done)) usleep(1000); /* orders no locks */
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&other); /* @B */
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&m);
  return pthread_join(t, NULL);
}
