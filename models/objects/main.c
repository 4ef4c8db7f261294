/* main() of a program that is an object's operations (heddle check --linearizable): makes the object, and has the threads of the scenario do
 * their operations; or, where it is asked what they return alone, has one thread do them all, in every order. Which scenario it is, only the
 * machine knows. */
#include <pthread.h>

#include "../hd_model.h"

extern void hd_begin(void);
extern void hd_end(void) __attribute__((weak));
extern unsigned long hd_state(void) __attribute__((weak));

typedef long operation(long, long, long, long, long, long);
/* The loader makes it: behind main(), the operations. */
extern operation *const __hd_operations[];

enum { THREADS = 8 };

static void call(unsigned thread, unsigned i) {
  operation *f = __hd_operations[1 + __hd_scenario_operation(thread, i)];
  long a = __hd_scenario_argument(thread, i, 0), b = __hd_scenario_argument(thread, i, 1), c = __hd_scenario_argument(thread, i, 2);
  long d = __hd_scenario_argument(thread, i, 3), e = __hd_scenario_argument(thread, i, 4), g = __hd_scenario_argument(thread, i, 5);
  __hd_operation_begin(thread);
  __hd_operation_end(thread, f(a, b, c, d, e, g));
}

static void tell_state(void) {
  if (!hd_state) return;
  __hd_state_begin();
  __hd_state_end(hd_state());
}

static void *run(void *argument) {
  unsigned thread = (unsigned)(uintptr_t)argument, n = __hd_scenario_length(thread);
  do {
    for (unsigned i = 0; i < n; i++) call(thread, i);
  } while (__hd_scenario_repeats());
  return NULL;
}

static void together(unsigned threads) {
  pthread_t ids[THREADS];
  for (unsigned t = 0; t < threads; t++) pthread_create(&ids[t], NULL, run, (void *)(uintptr_t)t);
  for (unsigned t = 0; t < threads; t++) pthread_join(ids[t], NULL);
  tell_state();
  if (hd_end) hd_end();
}

/* The machine chooses the thread whose next operation is done, and ends it when there is none left. */
static void alone(void) {
  unsigned done[THREADS] = {0};
  for (;;) {
    tell_state();
    unsigned thread = __hd_choose(THREADS);
    call(thread, done[thread]++);
  }
}

int main(void) {
  unsigned threads = __hd_scenario_threads();
  hd_begin();
  if (threads)
    together(threads);
  else
    alone();
  return 0;
}
