// Reader-writer lock: try variants, several readers at once.
// verdict: SAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock;
static int value;
static atomic_int readers;

static void *reader(void *unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  atomic_fetch_add(&readers, 1);
  assert(value == 0 || value == 2);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  atomic_fetch_sub(&readers, 1);
  pthread_rwlock_unlock(&lock);
  return 0;
}

static void *writer(void *unused) {
  (void)unused;
  if (pthread_rwlock_trywrlock(&lock) != 0) return 0;
  assert(atomic_load(&readers) == 0);
  value++;
  value++;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t[3];
  pthread_rwlock_init(&lock, 0);
  pthread_create(&t[0], 0, reader, 0);
  pthread_create(&t[1], 0, reader, 0);
  pthread_create(&t[2], 0, writer, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_destroy(&lock) == 0);
  return 0;
}
