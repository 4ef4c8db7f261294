/* Litmus tests: threads of relaxed accesses to x, y, z; afterwards the outcome that the test is about must not be there. */
#pragma once
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, z;
static int r0, r1, r2, r3;

#define STORE(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)
#define LOAD(variable)         atomic_load_explicit(&(variable), memory_order_relaxed)
#define FENCE()                atomic_thread_fence(memory_order_seq_cst)
#define THREAD(name, body)     \
  static void *name(void *p) { \
    body;                      \
    return p;                  \
  }

static inline void run(void *(*const threads[])(void *), int n) {
  pthread_t t[4];
  for (int i = 0; i < n; i++) pthread_create(&t[i], NULL, threads[i], NULL);
  for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
}

/* `seen`: the outcome in question. */
#define OUTCOME(seen, ...)                            \
  int main(void) {                                    \
    void *(*const threads[])(void *) = {__VA_ARGS__}; \
    run(threads, sizeof threads / sizeof *threads);   \
    assert(!(seen));                                  \
    return 0;                                         \
  }
