// A synchronisation object that one thread uses and another destroys: a relaxed counter between them orders nothing, a mutex's hand-over does.
// verdict: BUG
// finding: data-race A
// case: dpor
// verdict: BUG
// options: --strategy=dpor
// finding: data-race A
// case: naive
// verdict: BUG
// options: --strategy=naive
// finding: data-race A
// case: fixed -DORDER=1
// verdict: SAFE
// case: fixed-dpor -DORDER=1
// verdict: SAFE
// options: --strategy=dpor
// case: hand-over -DHAND_OVER
// verdict: SAFE
// case: hand-over-dpor -DHAND_OVER
// verdict: SAFE
// options: --strategy=dpor
// case: hand-over-freed -DHAND_OVER -DFREED
// verdict: SAFE
// case: freed -DFREED
// verdict: BUG
// finding: data-race A
// case: freed-fixed -DFREED -DORDER=1
// verdict: SAFE
// case: joined -DJOINED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef ORDER
enum { WRITER = memory_order_release, READER = memory_order_acquire };
#else
enum { WRITER = memory_order_relaxed, READER = memory_order_relaxed };
#endif

static pthread_mutex_t *object;
static int left;
static atomic_int done;

static void *worker(void *argument) {
  pthread_mutex_lock(object);
  left = 1;
  pthread_mutex_unlock(object);  // @A
  atomic_store_explicit(&done, 1, WRITER);
  return argument;
}

static int is_over(pthread_t t) {
#if defined HAND_OVER
  pthread_mutex_lock(object);
  int over = left;
  pthread_mutex_unlock(object);
  (void)t;
  return over;
#elif defined JOINED
  return pthread_join(t, NULL) == 0;
#else
  (void)t;
  return atomic_load_explicit(&done, READER);
#endif
}

int main(void) {
  pthread_t t;
  object = malloc(sizeof *object);
  pthread_mutex_init(object, NULL);
  pthread_create(&t, NULL, worker, NULL);
  if (!is_over(t)) exit(0);
#ifndef FREED
  pthread_mutex_destroy(object);
#endif
  free(object);
#ifndef JOINED
  pthread_join(t, NULL);
#endif
  return 0;
}
