/* finds: commutativity race A A, use after end B C; fixed: nothing. analysis: hb. specification: set.spec. A set without a lock of its own:
 * two threads add the same number, and one ends what another one uses. */
#include <heddle.h>
#include <pthread.h>

#include "fixed.h"
#include "moment.h"

struct set {
  int count;
};

static struct set shared, ended;

static void set_init(struct set *set) {
  HD_ACTION(set_init, set);
  __atomic_store_n(&set->count, 0, __ATOMIC_RELAXED);
}
static void set_add(struct set *set, int number) {
  HD_ACTION(set_add, set, number); /* @A */
  __atomic_fetch_add(&set->count, number, __ATOMIC_RELAXED);
}
static int set_contains(struct set *set, int number) {
  HD_ACTION(set_contains, set, number); /* @B */
  return __atomic_load_n(&set->count, __ATOMIC_RELAXED) > number;
}
static void set_destroy(struct set *set) {
  HD_ACTION(set_destroy, set); /* @C */
  __atomic_store_n(&set->count, -1, __ATOMIC_RELAXED);
}

static void *uses(void *argument) {
  set_add(&shared, 1); /* commutes with what the other one does */
  lock();
  set_add(&shared, 2);
  set_contains(&ended, 3);
  unlock();
  moment_reach((int)(long)argument);
  return argument;
}

static void *ends(void *argument) {
  moment_await((int)(long)argument);
  set_contains(&shared, 3);
  lock();
  set_add(&shared, 2);
  set_destroy(&ended);
  unlock();
  return argument;
}

int main(void) {
  pthread_t t, u;
  for (long i = 0; i < 3; i++) {
    set_init(&shared), set_init(&ended);
    pthread_create(&t, NULL, uses, (void *)i);
    pthread_create(&u, NULL, ends, (void *)i);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
  }
  return 0;
}
