// Two readers want to become the writer without letting go of what they read.
// verdict: BUG
// finding: deadlock|thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;
static int version;

static void *update(void *unused) {
  (void)unused;
  pthread_rwlock_rdlock(&gate);
  int seen = version;
#ifdef FIXED
  pthread_rwlock_unlock(&gate);
#endif
  pthread_rwlock_wrlock(&gate);  // @A
  if (seen == version) version++;
  pthread_rwlock_unlock(&gate);
#ifndef FIXED
  pthread_rwlock_unlock(&gate);
#endif
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, update, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return version > 2;
}
