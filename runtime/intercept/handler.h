/* What handlers of signals may not do: allocate, use streams, exit, and leave errno changed.
 *
 * A call of such a function is undefined if the signal came within another one. That happens hardly ever, so it is predicted: a thread's
 * last such call is kept, and a handler that makes one, too, is told of if its signal might have come within the kept one:
 *
 * 1. It was let in at that time: the thread has not changed its mask since then, and the signal is not in it. (A signal that comes in
 *    sigsuspend() or ppoll() alone is.)
 * 2. It might have been sent by then: what sent it, or had it sent (a timer, a child), and what set up the handler, does not come behind
 *    that call. That leaves out all that a thread sends to itself. */
#pragma once
#include <ucontext.h>

#include "intercept/intercept.h"

/* Where a thread stood when a handler began. */
struct handling {
  struct frame *since;
  bool within, anywhere;
  int number, error;
  int ignore_reads, ignore_writes, ignore_sync; /* what the thread asked not to look at: its handlers did not */
  const void *function;
};
/* t's handler of that signal is about to run, in a frame of its own; `senders`: what comes before each signal. */
struct handling handler_begins(struct thread *t, int number, const void *function, const ucontext_t *interrupted, uintptr_t senders);
/* It has returned. */
void handler_ends(struct thread *t, const struct handling *h);
/* A jump, which may have changed the mask, and led out of handlers. */
void handler_left(struct thread *t);
