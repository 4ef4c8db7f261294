// What others do between a store and the failure behind it is not lost: main has seen the store, and fails, too.
// verdict: BUG
// finding: assertion A
// finding: assertion B
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: assertion A
// finding: assertion B
// case: naive
// options: --strategy=naive
// verdict: BUG
// finding: assertion A
// finding: assertion B
// case: null -DNULL_POINTER
// verdict: BUG
// finding: null-dereference A
// finding: assertion B
// case: nothing -DNO_OBJECT
// verdict: BUG
// finding: out-of-bounds A
// finding: assertion B
// case: division -DDIVISION
// verdict: BUG
// finding: division-by-zero A
// finding: assertion B
// case: lock -DLOCK
// verdict: BUG
// finding: deadlock A
// finding: assertion B
// case: stores
// memory: tso
// verdict: BUG
// finding: assertion A
// finding: assertion B
// case: begin -DBEGIN
// verdict: BUG
// finding: assertion A
// finding: assertion B
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifdef NULL_POINTER
#define FAIL *(volatile int *)argument = 1
#elif defined NO_OBJECT
#define FAIL *(volatile int *)((uintptr_t)argument + 0x7700000000) = 1
#elif defined DIVISION
#define FAIL zero = 1 / zero
#elif defined LOCK
#define FAIL pthread_mutex_lock(&m)
#else
#define FAIL assert(argument)
#endif

static atomic_int told;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *fail(void *argument) {
  volatile int zero = argument != NULL;
#ifdef LOCK
  if (pthread_mutex_trylock(&m)) return argument;
#elif !defined BEGIN
  atomic_store(&told, 1);
#endif
  FAIL; // @A
  return (void *)(uintptr_t)zero;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, fail, NULL);
#ifdef BEGIN
  atomic_store(&told, 1);
#elif defined LOCK
  if (pthread_mutex_trylock(&m)) atomic_store(&told, 1);
#endif
  assert(atomic_load(&told) == 0); // @B
  pthread_join(t, NULL);
  return 0;
}
