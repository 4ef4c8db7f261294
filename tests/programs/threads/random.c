// Threads draw from one sequence, each number once, in any order; drand48() has no lock, so that drawing from it is a race.
// verdict: SAFE
// case: order -DORDER
// verdict: BUG
// finding: assertion A
// case: seeded -DSEEDED -DORDER
// verdict: BUG
// finding: assertion A
// case: naive -DORDER
// verdict: BUG
// options: --strategy=naive
// finding: assertion A
// case: entropy -DENTROPY
// verdict: BOUNDED
// case: drand -DDRAND
// verdict: BUG
// finding: data-race B
// case: own -DOWN
// verdict: SAFE
// executions: 1
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>

static long drawn[2];
static unsigned short own[2][3];

static void *draw(void *place) {
  long *to = place;
#if defined ENTROPY
  if (getrandom(to, sizeof *to, 0) != sizeof *to) abort();
#elif defined DRAND
  *to = lrand48();  // @B
#elif defined OWN
  *to = nrand48(own[to - drawn]) + rand_r(&(unsigned){7}); /* nothing is shared */
#else
  *to = rand();
#endif
  return 0;
}

int main(void) {
  pthread_t t[2];
  long first = 0;
#ifdef SEEDED
  srand(42);
  first = rand();
  srand(42);
#endif
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, draw, &drawn[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
#ifdef ORDER
  hd_assert(drawn[0] == (first ? first : 1804289383));  // @A
#endif
#if !defined DRAND && !defined OWN
  hd_assert(drawn[0] != drawn[1]);
#endif
  return 0;
}
