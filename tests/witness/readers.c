/* A reader of one table writes the other one, and the other way round.
 * confirms: deadlock 1 */
#include <pthread.h>
#include <unistd.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
int x, y;

static void *one(void *unused) {
  pthread_rwlock_rdlock(&a);
  int seen = x;
  pthread_rwlock_wrlock(&b);
  y = seen;
  pthread_rwlock_unlock(&b);
  pthread_rwlock_unlock(&a);
  return unused;
}
static void *two(void *unused) {
  usleep(30000);
  pthread_rwlock_rdlock(&b);
  int seen = y;
  pthread_rwlock_wrlock(&a);
  x = seen;
  pthread_rwlock_unlock(&a);
  pthread_rwlock_unlock(&b);
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&u, NULL, two, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
