/* Signals and interruptions, for those who send signals and wait for them (signal.c). What the rest of the machine asks is in internal.h.
 */
#pragma once
#include "machine/internal.h"

/* What is to be done when a signal comes, as the models keep it: the first of them is at process_signals + SIGNAL_ACTIONS. */
struct signal_action {
  uint64_t handler, mask, flags;
};
enum { SIGNAL_ACTIONS = 16 };

/* The mask of a live thread. */
uint64_t signals_blocked(const struct machine *m, const struct thread *t);
/* The thread takes a signal that is there for it, or for the process: its mask becomes that of the handler, on top of `mask`. No events. */
void signal_take(struct machine *m, struct thread *t, unsigned number, bool process, uint64_t mask);
/* The present step of `t` changes what may happen to thread `of`; NULL: to any. */
void interrupt_changed(struct machine *m, struct thread *t, const struct thread *of);
