/* What a verdict has to tell of what the executions did (machine_remarked()), as places in the source. */
#pragma once
#include "base/text.h"
#include "base/vec.h"
#include "machine/machine.h"

struct report;

/* "bank.c:12:3", each once, in the order of the program. Owned. */
struct remark_places {
  VEC(struct text) at;
};

void remark_places_find(const struct machine *m, enum machine_remark what, struct remark_places *to);
void remark_places_release(struct remark_places *p);
/* Appends the first few places: "bank.c:12:3, bank.c:14:3 and 2 more places". */
void remark_places_text(const struct remark_places *p, struct text *out);

/* Atomic accesses of one order that is weaker than the memory models. */
struct remark_order {
  const char *order; /* "relaxed" */
  struct remark_places places;
};

/* Fills in what the machine has to tell: r->uncovered, r->notes, r->orders. `arguments`: the program was given some. */
void remarks_report(struct report *r, bool arguments);
/* Appends the line about r->orders, without a newline; nothing if there are none. */
void remarks_orders_text(const struct report *r, struct text *out);
