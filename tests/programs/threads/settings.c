// What threads are called, how they are scheduled and where they may run is kept for each, told to all, and handed on to new threads.
// verdict: SAFE
// case: order -DORDER
// verdict: BUG
// finding: assertion
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static void *inherit(void *unused) {
  char name[16];
  int policy;
  struct sched_param p;
  cpu_set_t set;
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "maker") == 0);
  assert(pthread_getschedparam(pthread_self(), &policy, &p) == 0 && policy == SCHED_RR && p.sched_priority == 7);
  assert(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1 && CPU_ISSET(1, &set) && sched_getcpu() == 1);
  return unused;
}

static void *rename_self(void *unused) {
  pthread_setname_np(pthread_self(), "worker");
  return unused;
}

static void *own_stack(void *unused) {
  pthread_attr_t a;
  void *stack;
  size_t size;
  int state;
  char local;
  assert(pthread_getattr_np(pthread_self(), &a) == 0);
  assert(pthread_attr_getstack(&a, &stack, &size) == 0 && (char *)stack <= &local && &local < (char *)stack + size);
  assert(pthread_attr_getdetachstate(&a, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
  pthread_attr_destroy(&a);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_attr_t a;
  char name[16];
  cpu_set_t set;
  struct sched_param p = {.sched_priority = 7};
  assert(pthread_setname_np(pthread_self(), "a name of 16 ...") == ERANGE);
  assert(pthread_setname_np(pthread_self(), "maker") == 0);
  assert(pthread_getname_np(pthread_self(), name, 15) == ERANGE);
  assert(pthread_setschedparam(pthread_self(), SCHED_RR, &p) == 0);
  assert(pthread_setschedprio(pthread_self(), 100) == EINVAL);
  CPU_ZERO(&set);
  assert(sched_setaffinity(0, sizeof set, &set) == -1 && errno == EINVAL);
  CPU_SET(1, &set);
  assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0);
  pthread_create(&t, 0, inherit, 0);
  pthread_join(t, 0);
  pthread_attr_init(&a);
  CPU_ZERO(&set);
  CPU_SET(900, &set); /* there is no such processor */
  assert(pthread_attr_setaffinity_np(&a, sizeof set, &set) == 0 && pthread_create(&t, &a, inherit, 0) == EINVAL);
  pthread_attr_destroy(&a);
  pthread_create(&t, 0, own_stack, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, rename_self, 0);
#ifdef ORDER /* the other thread may have renamed itself */
  assert(pthread_getname_np(t, name, sizeof name) != 0 || strcmp(name, "maker") == 0);
#else
  assert(pthread_getname_np(t, name, sizeof name) != 0 || strcmp(name, "maker") == 0 || strcmp(name, "worker") == 0);
#endif
  pthread_join(t, 0);
  return 0;
}
