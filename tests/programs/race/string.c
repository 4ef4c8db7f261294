// strlen() of a name that another thread replaces in place.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <string.h>

static char name[8] = "warp";
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *rename_it(void *unused) {
  (void)unused;
  pthread_rwlock_wrlock(&lock);
  strcpy(name, "weft");  // @A
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, rename_it, 0);
#ifdef FIXED
  pthread_rwlock_rdlock(&lock);
#endif
  size_t length = strlen(name);  // @B
#ifdef FIXED
  pthread_rwlock_unlock(&lock);
#endif
  pthread_join(t, 0);
  return length != 4;
}
