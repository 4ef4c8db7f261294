// Policies and priorities that do not go together are refused where they are set, and where a thread is created with them.
// verdict: SAFE
// case: accepted -DACCEPTED
// verdict: BUG
// finding: assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *work(void *unused) { return unused; }

int main(void) {
  pthread_attr_t a;
  pthread_t t;
  struct sched_param p = {.sched_priority = 1};
  pthread_attr_init(&a);
  assert(pthread_attr_setschedpolicy(&a, 77) == EINVAL);
  assert(pthread_attr_setschedparam(&a, &p) == EINVAL);
  pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&a, SCHED_FIFO);
  assert(pthread_attr_setschedparam(&a, &p) == 0);
  pthread_attr_setschedpolicy(&a, SCHED_OTHER);
#ifdef ACCEPTED
  assert(pthread_create(&t, &a, work, 0) == 0);
#else
  assert(pthread_create(&t, &a, work, 0) == EINVAL);
#endif
  pthread_attr_destroy(&a);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
