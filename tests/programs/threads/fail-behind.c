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
// case: twice -DTWICE
// verdict: BUG
// finding: null-dereference
// finding: assertion B
// case: join -DJOIN
// verdict: BUG
// finding: thread-misuse A
// finding: assertion B
// case: cleanup -DCLEANUP
// verdict: BUG
// finding: uninitialised A
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
#include <string.h>

#ifdef NULL_POINTER
#define FAIL *(volatile int *)argument = 1
#elif defined NO_OBJECT
#define FAIL *(volatile int *)((uintptr_t)argument + 0x7700000000) = 1
#elif defined DIVISION
#define FAIL zero = 1 / zero
#elif defined LOCK
#define FAIL pthread_mutex_lock(&m)
#elif defined TWICE // by the instruction that did what others see
#define FAIL put(argument)
#elif defined JOIN
#define FAIL pthread_join((pthread_t)0, NULL)
#elif defined CLEANUP // one that setjmp never filled
#define FAIL pthread_exit(argument)
#else
#define FAIL assert(argument)
#endif

static atomic_int told;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void put(atomic_int *where) { atomic_store(where, 1); }

static void do_nothing(void *unused) { (void)unused; }

static void *fail(void *argument) {
  volatile int zero = argument != NULL;
  pthread_cleanup_push(do_nothing, NULL);
#ifdef CLEANUP
  memset(&__cancel_buf, 0, 8);
#endif
#ifdef LOCK
  if (pthread_mutex_trylock(&m)) return argument;
#elif !defined BEGIN
  put(&told);
#endif
  FAIL; // @A
  pthread_cleanup_pop(0);
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
