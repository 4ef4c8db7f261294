// Behind a circle of states there is more: who gets out of it counts without a lock, and may be the first. All of it is found.
// verdict: BUG
// finding: data-race B
// finding: assertion C
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: data-race B
// finding: assertion C
// case: naive
// options: --strategy=naive
// verdict: BUG
// finding: data-race B
// finding: assertion C
// case: workers
// options: -j2
// verdict: BUG
// finding: data-race B
// finding: assertion C
// case: dpor-workers
// options: -j2 --strategy=dpor
// verdict: BUG
// finding: data-race B
// finding: assertion C
// case: tso
// memory: tso
// verdict: BUG
// finding: data-race B
// finding: assertion C
// case: pso
// memory: pso
// verdict: BUG
// finding: data-race B
// finding: assertion C
// case: fixed -DFIXED
// verdict: SAFE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int tries;

static void both(pthread_mutex_t *mine, pthread_mutex_t *other) {
  for (;;) {
    pthread_mutex_lock(mine);
#ifdef FIXED
    pthread_mutex_lock(other);
    break;
#else
    if (pthread_mutex_trylock(other) == 0) break;
#endif
    pthread_mutex_unlock(mine);
  }
#ifdef FIXED
  tries++;
#endif
  pthread_mutex_unlock(other);
  pthread_mutex_unlock(mine);
#ifndef FIXED
  tries++;  // @B
#endif
}

static void *left(void *unused) {
  both(&a, &b);
  return unused;
}

static void *right(void *unused) {
#ifdef FIXED
  both(&a, &b);
#else
  both(&b, &a);
  assert(tries == 2);  // @C
#endif
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, left, 0);
  pthread_create(&t[1], 0, right, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
