// A recursive mutex, taken three deep by two threads; trylock succeeds for the owner only.
// verdict: SAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int total;

static void add(int depth) {
  pthread_mutex_lock(&lock);
  if (depth) add(depth - 1);
  total++;
  pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
  (void)unused;
  add(2);
  int r = pthread_mutex_trylock(&lock);
  assert(r == 0 || r == EBUSY);
  if (r == 0) {
    assert(pthread_mutex_trylock(&lock) == 0);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_mutexattr_t a;
  int type = -1;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  assert(pthread_mutexattr_gettype(&a, &type) == 0 && type == PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &a);
  pthread_mutexattr_destroy(&a);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(total == 6);
  pthread_mutex_destroy(&lock);
  return 0;
}
