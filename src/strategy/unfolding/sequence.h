/* Alternatives: steps that lead an exploration to a configuration that it has not been in.
 *
 * A sequence keeps the events that its steps made, or would have made, where it was found, so it can be judged when that execution is over.
 * Of its last step these may be different when it is taken: a compare-exchange that failed may succeed. */
#pragma once
#include "base/vec.h"
#include "trace/event.h"
#include "trace/tset.h"

/* Any alternative of the thread's step that was not explored yet. */
#define ANY_CHOICE UINT32_MAX

struct sequence_step {
  uint32_t thread, choice;
  uint32_t first, events; /* in the sequence's events; none: they are not known */
};

/* Zeroed is empty. */
struct sequence {
  VEC(struct sequence_step) steps;
  VEC(struct event) events;
  bool whole; /* it goes on to where its execution ended */
};

void sequence_add(struct sequence *q, uint32_t thread, uint32_t choice, const struct event *events, uint32_t n);
void sequence_release(struct sequence *q);
/* The first step of the thread, or steps.count. */
uint32_t sequence_find(const struct sequence *q, uint32_t thread);
/* Could these events, which another thread makes, come before the first `n` steps as well as behind them? */
bool sequence_commutes(const struct sequence *q, uint32_t n, const struct event *events, uint32_t count);
/* Removes a step. */
void sequence_remove(struct sequence *q, uint32_t step);
/* Is there an execution that begins with `of`'s steps and is equivalent to one that begins with those of `q`? */
bool sequence_begins(const struct sequence *of, const struct sequence *q);
/* Removes the steps of `thread`, and those that depend on these events or on a step that is removed. */
void sequence_leave_out(struct sequence *q, uint32_t thread, const struct event *events, uint32_t count);
