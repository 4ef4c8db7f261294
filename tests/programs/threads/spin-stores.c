// Loops that wait, with store buffers: for another thread's store, which is seen when it is flushed, or for a change of an own one that is
// still in the buffer. The polite ones give way to each other: in step for ever, but one that runs alone for a while gets through.
//
// cflags: -DFLAG
// memory: tso
// verdict: SAFE
// case: pso-flag -DFLAG
// memory: pso
// verdict: SAFE
// case: tso-both -DBOTH
// memory: tso
// verdict: SAFE
// case: pso-both -DBOTH
// memory: pso
// verdict: SAFE
// case: tso-never -DNEVER
// memory: tso
// verdict: BUG
// finding: deadlock never
// case: pso-never -DNEVER
// memory: pso
// verdict: BUG
// finding: deadlock never
// case: tso-overwritten -DOVERWRITTEN
// memory: tso
// verdict: BUG
// finding: deadlock loop
// case: pso-overwritten -DOVERWRITTEN
// memory: pso
// verdict: BUG
// finding: deadlock loop
// case: tso-lock -DLOCK
// memory: tso
// verdict: SAFE
// case: pso-lock -DLOCK
// memory: pso
// verdict: SAFE
// case: tso-polite -DPOLITE
// memory: tso
// verdict: SAFE
// case: pso-polite -DPOLITE
// memory: pso
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

#define STORE(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)
#define LOAD(variable)         atomic_load_explicit(&(variable), memory_order_relaxed)

static void *one(void *p) {
#if defined FLAG
  STORE(x, 1);
#elif defined BOTH
  STORE(x, 1);
  while (!LOAD(y)) continue;
#elif defined NEVER
  STORE(x, 1);
  while (!LOAD(y)) continue; /* @never */
#elif defined OVERWRITTEN
  STORE(x, 1);
  while (LOAD(x) == 1) continue; /* @loop */
#elif defined LOCK
  STORE(y, 1);
  while (atomic_exchange(&x, 1)) continue;
  STORE(y, 2);
  atomic_store_explicit(&x, 0, memory_order_release);
#elif defined POLITE
  for (;; x = 0) {
    x = 1;
    if (!y) break;
  }
  x = 0;
#endif
  return p;
}

static void *two(void *p) {
#if defined FLAG || defined NEVER
  while (!LOAD(x)) continue;
#elif defined BOTH
  while (!LOAD(x)) continue;
  STORE(y, 1);
#elif defined OVERWRITTEN
  STORE(x, 2);               /* perhaps before the other's */
#elif defined LOCK
  return one(p);
#elif defined POLITE
  for (;; y = 0) {
    y = 1;
    if (!x) break;
  }
  y = 0;
#endif
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
