/* A stack without locks and a counter: atomics that all threads contend for. */
#include <stdatomic.h>

#include "native.h"

enum { NODES = 1024, ROUNDS = 1000000 };
static struct {
  uint32_t next;
  uint32_t value;
} nodes[NODES + 1];
static _Atomic uint64_t top; /* index, and above it a count that keeps old tops apart */
static atomic_uint counter;

static uint32_t pop(void) {
  uint64_t old = atomic_load_explicit(&top, memory_order_acquire), new;
  do {
    if (!(uint32_t)old) return 0;
    new = ((old >> 32) + 1) << 32 | __atomic_load_n(&nodes[(uint32_t)old].next, __ATOMIC_RELAXED);
  } while (!atomic_compare_exchange_weak_explicit(&top, &old, new, memory_order_acq_rel, memory_order_acquire));
  return (uint32_t)old;
}
static void push(uint32_t node) {
  uint64_t old = atomic_load_explicit(&top, memory_order_relaxed), new;
  do {
    __atomic_store_n(&nodes[node].next, (uint32_t)old, __ATOMIC_RELAXED);
    new = ((old >> 32) + 1) << 32 | node;
  } while (!atomic_compare_exchange_weak_explicit(&top, &old, new, memory_order_acq_rel, memory_order_relaxed));
}

static void work(unsigned me, unsigned threads) {
  for (unsigned i = 0; i < ROUNDS / threads; i++) {
    uint32_t node = pop();
    if (!node) continue;
    nodes[node].value += me;
    push(node);
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
  }
}

int main(int argc, char **argv) {
  for (uint32_t i = 1; i <= NODES; i++) push(i);
  native_run(work, native_threads(argc, argv));
  return 0;
}
