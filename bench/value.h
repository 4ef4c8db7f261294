/* Programs over symbolic data, as a machine would run them: for bench/value.c.
 *
 * A program is a function that asks branch() which way to go. It runs once for each path, from its beginning; where it has been before,
 * branch() knows the way, and beyond that it asks the solver whether both ways are possible. */
#pragma once
#include "value/solver.h"

struct run {
  struct value_pool *pool;
  struct explorer *explorer;
};

struct program {
  const char *name, *what;
  void (*run)(struct run *r);
};
extern const struct program programs[];
extern const unsigned program_count;

/* Which way this run goes. */
bool branch(struct run *r, struct expr condition);
