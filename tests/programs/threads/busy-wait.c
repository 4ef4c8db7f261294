// The textbook busy-wait: the loop's only shared word is not known to be shared before the other thread, which comes later, has touched it.
// verdict: BUG
// finding: data-race A B
// finding: assertion C
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: data-race A B
// finding: assertion C
// case: naive
// options: --strategy=naive
// verdict: BUG
// finding: data-race A B
// finding: assertion C
// case: workers
// options: -j2
// verdict: BUG
// finding: data-race A B
// finding: assertion C
// case: pso
// memory: pso
// verdict: BUG
// finding: data-race A B
// finding: assertion C
// case: plain -DWORD=int -O0
// options: --strategy=dpor
// verdict: BUG
// finding: data-race A B
// finding: assertion C
// case: yields -DPAUSE=sched_yield
// verdict: BUG
// finding: data-race A B
// finding: assertion C
// case: heap -DHEAP
// verdict: BUG
// finding: data-race A B
// finding: assertion C
// case: pointer -DPOINTER
// verdict: BUG
// finding: data-race A B
// finding: assertion C
// case: fixed -DFIXED
// verdict: SAFE
// case: fixed-dpor -DFIXED
// options: --strategy=dpor
// verdict: SAFE
// case: fixed-heap -DFIXED -DHEAP -DPOINTER
// verdict: SAFE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef FIXED
#define WORD atomic_int
#endif
#ifndef WORD
#define WORD volatile int
#endif
#ifndef PAUSE
#define PAUSE()
#endif

struct request {
  int number;
  WORD done;
};
static struct request global;

static void *serve(void *argument) {
  struct request *r = argument;
  r->done = 1;  // @B
#ifndef FIXED
  assert(r->number == 0);  // @C
#endif
  return 0;
}

static void await(struct request *r) {
  while (!r->done) {  // @A
    PAUSE();
  }
}

#ifdef POINTER
static void (*volatile wait_for)(struct request *) = await;
#else
#define wait_for await
#endif

int main(void) {
  pthread_t t;
#ifdef HEAP
  struct request *r = calloc(1, sizeof *r);
#else
  struct request *r = &global;
#endif
  r->number = 1;
  pthread_create(&t, 0, serve, r);
  wait_for(r);
  pthread_join(t, 0);
#ifdef HEAP
  free(r);
#endif
  return 0;
}
