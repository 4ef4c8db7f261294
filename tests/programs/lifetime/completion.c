// A completion on the stack of the thread that waits for it: the one who signals still touches it when the waiter has returned.
// verdict: BUG
// options: --strategy=maximal
// finding: use-after-free A
// finding?: data-race
// case: maximal-tso
// verdict: BUG
// options: --strategy=maximal
// memory: tso
// finding: use-after-free A
// finding?: data-race
// case: maximal-pso
// verdict: BUG
// options: --strategy=maximal
// memory: pso
// finding: use-after-free A
// finding?: data-race
// case: dpor-sc
// verdict: BUG
// options: --strategy=dpor
// finding: use-after-free A
// finding?: data-race
// case: dpor-tso
// verdict: BUG
// options: --strategy=dpor
// memory: tso
// finding: use-after-free A
// finding?: data-race
// case: dpor-pso
// verdict: BUG
// options: --strategy=dpor
// memory: pso
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
// case: fixed-maximal-tso -DFIXED
// verdict: SAFE
// options: --strategy=maximal
// memory: tso
// case: fixed-maximal-pso -DFIXED
// verdict: SAFE
// options: --strategy=maximal
// memory: pso
// case: fixed-dpor-sc -DFIXED
// verdict: SAFE
// options: --strategy=dpor
// case: fixed-dpor-tso -DFIXED
// verdict: SAFE
// options: --strategy=dpor
// memory: tso
// case: fixed-dpor-pso -DFIXED
// verdict: SAFE
// options: --strategy=dpor
// memory: pso
// case: fixed-naive-sc -DFIXED
// verdict: SAFE
// options: --strategy=naive
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct completion {
  atomic_int done, woken;
};
static struct completion *_Atomic request;

static void *server(void *argument) {
  (void)argument;
  struct completion *c = atomic_load(&request);
#ifdef FIXED
  atomic_store(&c->woken, 1);
  atomic_store(&c->done, 1);
#else
  atomic_store(&c->done, 1);
  atomic_store(&c->woken, 1);  // @A
#endif
  return NULL;
}

static void ask(pthread_t *t) {
  struct completion c = {0};
  atomic_store(&request, &c);
  pthread_create(t, NULL, server, NULL);
  while (!atomic_load(&c.done))
    ;
}

int main(void) {
  pthread_t t;
  ask(&t);
  atomic_load(&request);
  pthread_join(t, NULL);
  return 0;
}
