/* The same problems as difference logic in Z3: an integer for each event. Oracle in tests, yardstick in benchmarks.
 *
 * libz3 is opened at run time: it is 25 MB with a long list of relocations, so only those who use it pay for loading it. Both polarities of
 * a literal are strict (`a < b`, `b < a`): events that the integers leave equal are then in no literal that was used, and any order of them
 * will do. */
#pragma once
#include "order/order.h"

struct order_z3;
struct search;
struct diag;

/* NULL: libz3 could not be opened, or lacks a function; `d` says which. */
[[nodiscard]] struct order_z3 *order_z3_new(bool sparse, struct diag *d);
void order_z3_free(struct order_z3 *z);
/* The functions below do what order.h says of their namesakes. Z3 has no variables or levels of its own here: `s` is the table of variables
 * and its levels, and where answer and core go. */
void order_z3_clear(struct order_z3 *z);
/* The next event; `before`: the event of its chain before it, or PORDER_NONE. */
void order_z3_event(struct order_z3 *z, uint32_t before);
void order_z3_edge(struct order_z3 *z, uint32_t a, uint32_t b);
void order_z3_clause(struct order_z3 *z, const struct search *s, const struct order_lit *lits, size_t n);
void order_z3_push(struct order_z3 *z);
void order_z3_pop(struct order_z3 *z, const struct search *s);
enum order_answer order_z3_solve(struct order_z3 *z, struct search *s, const struct order_lit *assumptions, size_t n, uint64_t budget);
bool order_z3_value(struct order_z3 *z, const struct search *s, struct order_lit l);
void order_z3_linear(struct order_z3 *z, const struct search *s, uint32_t *out);
