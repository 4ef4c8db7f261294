/* finds: use after free A B; fixed: nothing. analysis: ovp. specification: set.spec. The lock lets the free come before the use: what the
 * two sections do to the set commutes (thesis, Figure 3.1). */
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>

#include "moment.h"

struct set {
  int count, numbers[100];
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
static struct set s;
#else
static struct set s = {1, {42}};
#endif
static int *x;

static int set_contains(struct set *set, int number) {
  HD_ACTION(set_contains, set, number);
  for (int i = 0; i < set->count; i++)
    if (set->numbers[i] == number) return 1;
  return 0;
}

static void set_add(struct set *set, int number) {
  HD_ACTION(set_add, set, number);
  for (int i = 0; i < set->count; i++)
    if (set->numbers[i] == number) return;
  set->numbers[set->count++] = number;
}

static void *uses(void *argument) {
  *x = 1; /* @A */
  pthread_mutex_lock(&m);
#ifdef FIXED
  set_add(&s, 42);
#else
  set_add(&s, 1);
#endif
  pthread_mutex_unlock(&m);
  moment_reach(1);
  return argument;
}

static void *ends(void *argument) {
  moment_await(1);
  pthread_mutex_lock(&m);
  if (set_contains(&s, 42)) free(x); /* @B */
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t t, u;
  x = malloc(sizeof *x);
  pthread_create(&t, NULL, uses, NULL);
  pthread_create(&u, NULL, ends, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
