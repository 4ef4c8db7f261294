// Attributes are accepted and given back; sizes, priorities, scheduling.
// verdict: SAFE
// executions: 1
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>

static void *work(void *argument) { return argument; }

int main(void) {
  pthread_t t;
  pthread_attr_t a;
  size_t size = 0;
  int state = -1;
  void *result;
  assert(pthread_attr_init(&a) == 0);
  assert(pthread_attr_setstacksize(&a, 1 << 20) == 0 && pthread_attr_getstacksize(&a, &size) == 0 && size == 1 << 20);
  assert(pthread_attr_getdetachstate(&a, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
  assert(pthread_create(&t, &a, work, &a) == 0);
  assert(pthread_attr_destroy(&a) == 0);
  assert(pthread_equal(t, pthread_self()) == 0);
  assert(pthread_join(t, &result) == 0 && result == &a);
  pthread_mutexattr_t m;
  pthread_mutexattr_init(&m);
  pthread_mutexattr_setprotocol(&m, PTHREAD_PRIO_INHERIT);
  pthread_mutexattr_setpshared(&m, PTHREAD_PROCESS_PRIVATE);
  pthread_mutexattr_destroy(&m);
  sched_yield();
  return 0;
}
