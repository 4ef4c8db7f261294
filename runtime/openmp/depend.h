/* The dependences of tasks: `depend(in: x) depend(out: y)`. Siblings that name the same address come one after the other, but for those
 * that only read it. */
#pragma once
#include "openmp/order.h"

enum dependence {
  DEPEND_IN,
  DEPEND_OUT,   /* inout, too */
  DEPEND_MUTEX, /* mutexinoutset: among each other in any order, but not at the same time */
  DEPEND_SET    /* inoutset: among each other at the same time */
};

/* What the children of one task named. */
struct names;
struct dependences {
  struct wish *at;
  unsigned count;
};
/* A child will wait for who named that address before, and others will wait for it. *names and *d are all 0 at first. The thread that makes
 * the child calls it. */
void depend_add(struct names **names, struct dependences *d, uintptr_t address, enum dependence how);
/* The child begins, or is over. */
void depend_acquire(const struct dependences *d);
void depend_release(const struct dependences *d);
void depend_drop(struct dependences *d);
void names_drop(struct names *names);
