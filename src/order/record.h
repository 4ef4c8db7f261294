/* A problem as it was put: all that was added to an order object and asked of it, level by level. For recording queries to files and
 * replaying them (bench/order), and for checking answers by definition, with nothing of the engine.
 *
 * The text has one step a line; literals are `3<5`, `x0` (Booleans are numbered as they are made, by a count that order_pop() takes back),
 * `!x0`, `true`, `false`:
 *
 *     order 1
 *     chains 2
 *     event 0
 *     edge 0 1
 *     var
 *     phase x0
 *     clause 3<5 !x0
 *     known 0<1          order_less() answered that this is decided
 *     push
 *     solve yes 0<4      the answer, then the assumptions
 *     pop */
#pragma once
#include "base/err.h"
#include "base/vec.h"
#include "order/order.h"

#define RECORD_LIST(X) \
  X(CHAINS, "chains")  \
  X(EVENT, "event")    \
  X(EDGE, "edge")      \
  X(VAR, "var")        \
  X(PHASE, "phase")    \
  X(CLAUSE, "clause")  \
  X(KNOWN, "known")    \
  X(PUSH, "push")      \
  X(POP, "pop")        \
  X(SOLVE, "solve")

enum record_op {
#define X(name, text) RECORD_##name,
  RECORD_LIST(X)
#undef X
};

/* a < b; or a Boolean: `a` is RECORD_IS or RECORD_IS_NOT, `b` its number, RECORD_TRUE for the constant. */
struct record_lit {
  uint32_t a, b;
};

#define RECORD_IS     UINT32_MAX
#define RECORD_IS_NOT (UINT32_MAX - 1)
#define RECORD_TRUE   UINT32_MAX

struct record_step {
  enum record_op op;
  uint32_t a, b;        /* chains, chain, edge; solve: a is the answer */
  uint32_t lits, count; /* phase, clause, known, solve: which of the record's literals */
};

struct order_record {
  VEC(struct record_step) steps;
  VEC(struct record_lit) lits;
};

void order_record_clear(struct order_record *r);
void order_record_release(struct order_record *r);

/* Appends the text. */
void order_dump(const struct order_record *r, struct text *out);
/* Reads text; appends to `r`, which starts with `chains`. The text is checked: numbers in range, levels that match. */
[[nodiscard]] enum err order_load(struct order_record *r, const char *text, struct diag *d);

/* Puts the recorded problem to `o`, from order_clear() on. For each solve calls `asked(to, step, answer)`, with `o` as it
 * answered. */
void order_replay(const struct order_record *r, struct order *o, uint64_t budget,
                  void (*asked)(void *to, const struct record_step *step, enum order_answer answer), void *to);

/* The steps (events, edges, variables, clauses, known) that hold after the first `count` steps: their numbers, into the empty `out`. */
typedef VEC(uint32_t) record_active;
void order_record_active(const struct order_record *r, size_t count, record_active *out);

/* Is this an answer, after the first `count` steps? `linear`: all events in order; `booleans`: a value for each Boolean; then the
 * assumptions of the last step hold too, if it is a solve. By definition: nothing of the engine is used. False: `why` (may be NULL) says
 * what fails. */
bool order_check(const struct order_record *r, size_t count, const uint32_t *linear, const bool *booleans, struct text *why);
