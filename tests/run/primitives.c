/* finds: nothing. Each of the thread library's ways to hand data on orders it. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, recursive;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t sem;
static mtx_t mtx;
static cnd_t cnd;
static once_flag flag = ONCE_FLAG_INIT;
static int by_cond, ready, by_sem, by_barrier[4], by_rwlock, by_spin, by_recursive, by_once, by_mtx, mtx_ready, by_call_once, by_key,
    by_timed;

static void set_once(void) { by_once = 1; }
static void call_once_function(void) { by_call_once = 1; }
static void destroy(void *value) { *(int *)value = 2; }

static void *other(void *argument) {
  pthread_mutex_lock(&mutex);
  by_cond = 1, ready = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  by_sem = 1;
  sem_post(&sem);
  by_barrier[1] = 1;
  pthread_barrier_wait(&barrier);
  by_barrier[3] = by_barrier[0];
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 100; i++) {
    pthread_rwlock_rdlock(&rwlock);
    int seen = by_rwlock;
    pthread_rwlock_unlock(&rwlock);
    pthread_rwlock_wrlock(&rwlock);
    by_rwlock = seen + 1;
    pthread_rwlock_unlock(&rwlock);
    pthread_spin_lock(&spin);
    by_spin++;
    pthread_spin_unlock(&spin);
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    by_recursive++;
    pthread_mutex_unlock(&recursive);
    by_recursive++;
    pthread_mutex_unlock(&recursive);
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    if (pthread_mutex_timedlock(&mutex, &soon) == 0) by_timed++, pthread_mutex_unlock(&mutex);
    if (pthread_mutex_trylock(&mutex) == 0) by_timed++, pthread_mutex_unlock(&mutex);
  }
  pthread_once(&once, set_once);
  call_once(&flag, call_once_function);
  if (!by_once || !by_call_once) abort();
  mtx_lock(&mtx);
  by_mtx = 1, mtx_ready = 1;
  cnd_broadcast(&cnd);
  mtx_unlock(&mtx);
  pthread_setspecific(key, &by_key);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_spin_init(&spin, 0);
  pthread_barrier_init(&barrier, NULL, 2);
  sem_init(&sem, 0, 0);
  mtx_init(&mtx, mtx_plain);
  cnd_init(&cnd);
  pthread_key_create(&key, destroy);
  pthread_create(&t, NULL, other, NULL);
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&cond, &mutex);
  pthread_mutex_unlock(&mutex);
  int sum = by_cond;
  sem_wait(&sem);
  sum += by_sem;
  by_barrier[0] = 1;
  pthread_barrier_wait(&barrier);
  sum += by_barrier[1];
  pthread_barrier_wait(&barrier);
  sum += by_barrier[3];
  for (int i = 0; i < 100; i++) {
    pthread_rwlock_rdlock(&rwlock);
    sum += by_rwlock > 1000;
    pthread_rwlock_unlock(&rwlock);
    pthread_rwlock_wrlock(&rwlock);
    by_rwlock++;
    pthread_rwlock_unlock(&rwlock);
    pthread_spin_lock(&spin);
    by_spin++;
    pthread_spin_unlock(&spin);
    pthread_mutex_lock(&recursive);
    by_recursive++;
    pthread_mutex_unlock(&recursive);
    pthread_mutex_lock(&mutex);
    by_timed++;
    pthread_mutex_unlock(&mutex);
  }
  pthread_once(&once, set_once);
  call_once(&flag, call_once_function);
  sum += by_once + by_call_once;
  mtx_lock(&mtx);
  while (!mtx_ready) cnd_wait(&cnd, &mtx);
  mtx_unlock(&mtx);
  sum += by_mtx;
  pthread_join(t, NULL);
  sum += by_key;
  return sum != 9;
}
