/* Remarks: what the executions of a program did that a verdict has to tell of, by the place in the program where they did it. They belong
 * to no execution: they are kept over resets, and forked workers write the same ones (two bytes of shared memory for each site, to
 * which bits are only added). enum machine_remark in machine.h says which there are. */
#pragma once
#include "machine/internal.h"

/* False: no memory for them. */
bool remarks_new(struct machine *m);
void remarks_free(struct machine *m);

/* The program does that now: at m->site, or at the program's call if `t` runs a library model or a header of the system. */
void remark(struct machine *m, const struct thread *t, enum machine_remark what);

static inline void remark_covered(struct machine *m, uint32_t site) {
  if (!(m->remarks[site] & 1u << REMARK_COVERED)) machine_remark(m, site, REMARK_COVERED);
}

void remark_order_slow(struct machine *m, const struct thread *t, enum machine_remark what);
/* An atomic access of `t` at m->site has this order. Before the first thread is created and after the last was joined there is nothing that
 * an order could let happen, so it is no matter. */
static inline void remark_order(struct machine *m, const struct thread *t, enum event_order order) {
  if (__builtin_expect(order >= ORDER_SEQ_CST || m->single, 1)) return;
  enum machine_remark what = (enum machine_remark)(REMARK_RELAXED + (order - ORDER_RELAXED));
  if (__builtin_expect(!(m->remarks[m->site] & (1u << what | 1u << REMARK_NOT_OWN)), 0)) remark_order_slow(m, t, what);
}
