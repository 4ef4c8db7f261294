/* What decides sets of conditions, behind one set of functions. Only for src/value.
 *
 * An engine keeps what it made of a pool's expressions from one question to the next, and begins anew when that has become too much.
 * Its answers are those of the conditions alone: what was asked before changes the time and the model, and where the limit is hit. */
#pragma once
#include "value/conjuncts.h"
#include "value/eval.h"
#include "value/solver.h"

struct engine {
  /* Can all `count` conditions, ids of the pool, hold at once? VALUE_YES: `model`, empty before, has values of their symbols. VALUE_NO:
   * `core`, empty before, has the ids of some of them that cannot hold together. VALUE_UNKNOWN: `reason` says why. */
  enum value_answer (*solve)(struct engine *e, const uint32_t *ids, size_t count, uint64_t work, struct value_model *model,
                             struct conjuncts *core);
  void (*free)(struct engine *e);
  enum value_reason reason;
};

[[nodiscard]] struct engine *engine_bits_new(struct value_pool *p);
/* NULL: libz3 could not be opened, or lacks a function; `d` says which. */
[[nodiscard]] struct engine *engine_z3_new(struct value_pool *p, struct diag *d);
