/* What the thread library has beyond the machine's primitives: once, and settings that are accepted. */
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "internal.h"

enum { ONCE_NEW = 0, ONCE_RUNNING = 1, ONCE_DONE = 2 };

/* As if it had never been called: whoever waits has to run it. */
static void once_cancelled(void *word) { __atomic_store_n((int *)word, ONCE_NEW, __ATOMIC_RELEASE); }

/* Who finds the word new runs; who finds it running waits; done is an acquire of what ran. */
static void run_once(int *word, void (*run)(void)) {
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != ONCE_DONE) {
    int expected = ONCE_NEW;
    if (__atomic_compare_exchange_n(word, &expected, ONCE_RUNNING, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
      pthread_cleanup_push(once_cancelled, word);
      run();
      pthread_cleanup_pop(0);
      __atomic_store_n(word, ONCE_DONE, __ATOMIC_RELEASE);
      return;
    }
    if (expected == ONCE_RUNNING) __hd_await_masked(word, ONCE_RUNNING, 0);
  }
}

/* std::call_once comes here with __once_proxy, which may throw: models/libcxx/thread.cc. */
extern void __once_proxy(void) __attribute__((weak));
extern void __hd_call_once(int *word) __attribute__((weak));

int pthread_once(pthread_once_t *once, void (*run)(void)) {
  if (run == __once_proxy) {
    if (__atomic_load_n(once, __ATOMIC_ACQUIRE) != ONCE_DONE) __hd_call_once(once);
    return 0;
  }
  return run_once(once, run), 0;
}
int __pthread_once(pthread_once_t *once, void (*run)(void));
int __pthread_once(pthread_once_t *once, void (*run)(void)) { return run_once(once, run), 0; }
void call_once(once_flag *once, void (*run)(void)) { run_once((int *)once, run); }

/* pthread_cleanup_pop() of C with exceptions, where it is not inlined. */
void __pthread_cleanup_routine(struct __pthread_cleanup_frame *frame) {
  if (frame->__do_it) frame->__cancel_routine(frame->__cancel_arg);
}

/* --- accepted --- */

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) { return (void)prepare, (void)parent, (void)child, 0; }
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *library);
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *library) {
  return (void)library, pthread_atfork(prepare, parent, child);
}

static __thread int concurrency;
int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : (concurrency = level, 0); }
int pthread_getconcurrency(void) { return concurrency; }
int pthread_getcpuclockid(pthread_t thread, clockid_t *clock) { return (void)thread, *clock = CLOCK_THREAD_CPUTIME_ID, 0; }
