/* The shared variables of the mutual exclusion programs: atomics that order nothing by themselves, so that TSO and PSO show what the
 * algorithms lack there. -DORDER=memory_order_seq_cst gives the algorithms the order that they assume. */
#pragma once

#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static inline int get(atomic_int *variable) { return atomic_load_explicit(variable, ORDER); }

static inline void set(atomic_int *variable, int value) { atomic_store_explicit(variable, value, ORDER); }

/* while (condition) : the loop spins; Heddle waits until something that the condition reads changes. */
#define spin_while(condition) \
  while (condition) {         \
  }
