// pthread_exit() ends the lives of the locals of all functions that it leaves, between the clean-ups.
// verdict: BUG
// options: --strategy=maximal
// finding: use-after-free A
// finding?: data-race
// case: dpor-sc
// verdict: BUG
// options: --strategy=dpor
// finding: use-after-free A
// finding?: data-race
// case: naive-sc
// verdict: BUG
// options: --strategy=naive
// finding: use-after-free A
// finding?: data-race
// case: fixed-maximal-sc -DFIXED
// verdict: SAFE
// options: --strategy=maximal
// case: fixed-dpor-sc -DFIXED
// verdict: SAFE
// options: --strategy=dpor
// case: fixed-naive-sc -DFIXED
// verdict: SAFE
// options: --strategy=naive
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int *_Atomic box;
static atomic_int steps;

static void *worker(void *argument) {
  (void)argument;
  atomic_int *x = atomic_load(&box);
  if (x) atomic_store(x, 1);  // @A
  return NULL;
}

static void inner(void) {
#ifdef FIXED
  static
#endif
      atomic_int flag;
  atomic_init(&flag, 0);
  atomic_store(&box, &flag);
  pthread_exit(NULL);
}

static void clean_up(void *argument) {
  (void)argument;
  atomic_fetch_add(&steps, 1);
}

static void *leaver(void *argument) {
  pthread_cleanup_push(clean_up, argument);
  inner();
  pthread_cleanup_pop(1);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, worker, NULL);
  pthread_create(&u, NULL, leaver, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
