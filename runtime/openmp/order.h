/* What one part of a program hands on to another, as the OpenMP library sees to it: nobody has to hold a lock, and no schedule changes it.
 */
#pragma once
#include "record/told.h"
#include "thread.h"

struct order {
  struct rt_lock lock;
  struct vclock *clock;
  struct hard hard; /* hard.h */
  uint64_t number;  /* in a trace; 0: it has none yet */
  struct told told;
};

/* The present thread's doings so far are handed on, besides what was handed on already. Nothing if the thread does not count. */
void order_release(struct order *o);
/* They are known to it from now on. */
void order_acquire(struct order *o);
/* What was handed on to `from` is handed on to `to`, which is new. */
void order_copy(struct order *to, struct order *from);
void order_drop(struct order *o);
