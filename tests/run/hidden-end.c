/* finds: use after end A B; fixed: nothing. analysis: ovp. specification: set.spec. A lock orders the use of a set before its end in this
 * run; both sections may change places, unless something says that the use was. */
#include <heddle.h>
#include <pthread.h>

#include "moment.h"

struct set {
  int count;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct set set = {1};
static int done;

static int set_contains(struct set *s, int number) {
  HD_ACTION(set_contains, s, number); /* @A */
  return s->count > number;
}
static void set_destroy(struct set *s) {
  HD_ACTION(set_destroy, s); /* @B */
  s->count = -1;
}

static void *uses(void *argument) {
  pthread_mutex_lock(&m);
  set_contains(&set, 4);
  done = 1;
  pthread_mutex_unlock(&m);
  moment_reach(1);
  return argument;
}

static void *ends(void *argument) {
  moment_await(1);
  pthread_mutex_lock(&m);
#ifdef FIXED
  if (done)
#endif
    set_destroy(&set);
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, uses, NULL);
  pthread_create(&u, NULL, ends, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return done == 1 ? 0 : 1;
}
