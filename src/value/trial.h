/* All values, one by one: for floating point of few inputs, as of a single byte, whose circuits are large. Only for src/value. */
#pragma once
#include "value/conjuncts.h"
#include "value/eval.h"
#include "value/solver.h"
#include "value/walk.h"

struct trial {
  struct walk walk;
  struct evaluator evaluator;
  VEC(struct symbol) symbols;
  VEC(bool) refutes; /* by condition: it is the first that is false under some values */
};

/* As an engine's solve(). VALUE_UNKNOWN: there are many values, an array, or no floating point. */
enum value_answer trial_solve(struct trial *f, const struct value_pool *p, const uint32_t *ids, size_t count, struct value_model *model,
                              struct conjuncts *core);
void trial_release(struct trial *f);
