// pthread_mutex_timedlock, sem_timedwait and timed rwlocks: success, or ETIMEDOUT and not held.
// verdict: SAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;
static sem_t units;
static int inside;

static void *holder(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  inside++;
  pthread_mutex_unlock(&lock);
  pthread_rwlock_wrlock(&gate);
  inside++;
  pthread_rwlock_unlock(&gate);
  sem_post(&units);
  return 0;
}

int main(void) {
  pthread_t t;
  struct timespec until;
  sem_init(&units, 0, 0);
  clock_gettime(CLOCK_REALTIME, &until);
  pthread_create(&t, 0, holder, 0);
  int r = pthread_mutex_timedlock(&lock, &until);
  assert(r == 0 || r == ETIMEDOUT);
  if (r == 0) pthread_mutex_unlock(&lock);
  r = pthread_rwlock_timedrdlock(&gate, &until);
  assert(r == 0 || r == ETIMEDOUT);
  if (r == 0) pthread_rwlock_unlock(&gate);
  if (sem_timedwait(&units, &until) == 0) assert(inside == 2);
  else assert(errno == ETIMEDOUT);
  pthread_join(t, 0);
  return 0;
}
