/* Deciding event orders: is there a total order of these events, given what must come before what, and clauses over literals `a < b`?
 *
 * Events lie on chains (threads, store buffers); a chain's events are in the order in which they were added. What else must hold is added
 * as hard edges and as clauses over literals: `a < b` for two events, or a free Boolean. An answer is a total order of all events and a
 * value of each Boolean under which every edge and every clause at the current level holds.
 *
 *     order_clear(o, 2);
 *     uint32_t w = order_event(o, 0), r = order_event(o, 1), w2 = order_event(o, 0);
 *     order_push(o);
 *     order_clause(o, (struct order_lit[]){order_less(o, r, w), order_less(o, w2, r)}, 2);
 *     if (order_solve(o, NULL, 0, ORDER_UNBOUNDED) == ORDER_YES) order_linear(o, out);
 *     order_pop(o);
 *
 * 1. Events are numbered 0, 1, 2, ... in the order in which they were added. This should be the observed order: it is what the search tries
 *    first, and a problem that it satisfies costs next to nothing.
 * 2. Orders are total: `b < a` is the negation of `a < b`, and the same code. Literals are valid until their level is popped.
 * 3. order_pop() forgets the events, edges, clauses, literals and Booleans since the matching order_push(). What was learnt from older ones
 *    alone is kept.
 * 4. An answer (values, order, core) can be asked for until the next call that changes the problem or solves again.
 * 5. The object is made to be reused: order_clear() keeps its memory, and after the first traces nothing is allocated any more.
 * 6. One thread at a time for each object. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct order;
struct order_record;

/* A literal: `a < b`, or a Boolean, or the negation of one. */
struct order_lit {
  uint32_t code;
};

#define ORDER_TRUE  ((struct order_lit){0})
#define ORDER_FALSE ((struct order_lit){1})

static inline struct order_lit order_not(struct order_lit l) { return (struct order_lit){l.code ^ 1}; }

enum order_kind {
  ORDER_ENGINE,    /* our own */
  ORDER_Z3,        /* difference logic in Z3, loaded at run time: the oracle and the yardstick */
  ORDER_Z3_SPARSE, /* the same with the setting that is better for hundreds of events */
};

enum order_answer { ORDER_NO, ORDER_YES, ORDER_UNKNOWN };

/* A budget without bound. */
#define ORDER_UNBOUNDED UINT64_MAX
/* Most events that one chain can hold; with more, the answer is ORDER_UNKNOWN. */
#define ORDER_CHAIN_MOST 32000u

/* A new, empty object: order_clear() comes first. NULL, with a diagnostic, if libz3 was asked for and cannot be loaded. */
[[nodiscard]] struct order *order_new(enum order_kind kind, struct diag *d);
void order_free(struct order *o);
/* Forgets everything, levels too; keeps the memory. Chains are 0 .. chains-1; `chains` may be 0. */
void order_clear(struct order *o, uint32_t chains);

/* The next event on `chain`, after those that the chain has. Returns its number. */
uint32_t order_event(struct order *o, uint32_t chain);
/* `a` comes before `b`, at this level. `a == b` is a contradiction like every other cycle: the level's answer is then no. */
void order_edge(struct order *o, uint32_t a, uint32_t b);
/* True if `a < b`, or `a == b`, follows from chains and hard edges (and may be true if it follows from clauses). One comparison. */
bool order_before(struct order *o, uint32_t a, uint32_t b);

/* The literal `a < b` (a != b): the same each time, ORDER_TRUE or ORDER_FALSE if it is decided at this level already. Only for this level
 * and those above. */
struct order_lit order_less(struct order *o, uint32_t a, uint32_t b);
/* A fresh Boolean, as a positive literal. */
struct order_lit order_var(struct order *o);
/* Tries `l` before its negation. Only of use for Booleans (at first false): event orders are tried as observed. Best said before the
 * Boolean is used: clauses rest on it. */
void order_phase(struct order *o, struct order_lit l);
/* One of the `n` literals must hold, at this level. No literals: a contradiction. */
void order_clause(struct order *o, const struct order_lit *lits, size_t n);
/* If `l` holds then `a < b`. */
void order_implies(struct order *o, struct order_lit l, uint32_t a, uint32_t b);

void order_push(struct order *o);
void order_pop(struct order *o);

/* Is there an answer in which all `n` assumptions hold? ORDER_UNKNOWN if more than `budget` effort was needed to know: conflicts, and what
 * they cost. Where each conflict is quick, it is their number; of a problem of a million clauses one may count as ten. */
enum order_answer order_solve(struct order *o, const struct order_lit *assumptions, size_t n, uint64_t budget);
/* After ORDER_NO: those of the assumptions that were used (none: the problem itself has no answer). Returns how many. */
size_t order_core(const struct order *o, const struct order_lit **core);
/* After ORDER_YES: does the literal hold in the answer? For literals made before the answer. */
bool order_value(struct order *o, struct order_lit l);
/* After ORDER_YES: writes the answer's events in order into `out`, one for each event, with few switches between chains. */
void order_linear(struct order *o, uint32_t *out);
/* Events added and not popped. */
uint32_t order_count(const struct order *o);

/* What the answers cost, since order_new(). `work`: clauses looked at, and what else takes as long. `effort`: conflicts, and one for each
 * ORDER_WORK of work: how much time something took, roughly, but the same in every run. */
#define ORDER_WORK 10000u
struct order_stats {
  uint64_t solves, conflicts, decisions, propagations, restarts, learnt, candidates, row_changes, work, effort;
  uint64_t nanoseconds; /* in order_solve(), by the clock */
};
struct order_stats order_stats(const struct order *o);

/* From the next order_clear() on, writes down in `r` all that is added and asked (record.h); NULL ends it. `r` belongs to the caller. */
void order_record_to(struct order *o, struct order_record *r);
/* The same for all objects without a record of their own, as it is wanted where objects are made and cleared out of sight: at each
 * order_clear() says where that problem is written down, if at all (NULL). `record` NULL ends it. */
void order_record_each(struct order_record *(*record)(void *data), void *data);
