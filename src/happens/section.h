/* What atomic sections may touch: the union of what they were seen to touch.
 *
 * A section is one step with several events, and which ones may depend on the state: `if (x == 0) y = 1`. Partial-order reduction needs a
 * dependence that does not: if this step reads x alone where x is 1, swapping a write of x with it makes it dependent on readers of y. So
 * a section of a thread depends on whatever depends on anything that a section of that thread at that site ever touched. That is learnt as
 * the exploration goes on; when a section touches something new, what was explored before may lack orders, and the exploration starts
 * again.
 *
 * A section with a choice in it, or with an operation that may wait, is several steps. While one is open nobody else runs unless it waits,
 * so other threads' steps cannot come before its later steps, but before its first one: that one depends on whatever any of them may touch,
 * and races with the later ones are reversed there, too. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "trace/event.h"

struct section {
  uint32_t thread, site;
  VEC(struct event) touched; /* as accesses */
};

struct sections {
  VEC(struct section) known;
  VEC(struct event) buffer;
  bool grown; /* a section touched more than it had before; set here, cleared by the owner */
  bool news;  /* the same, or it was not known */
};

/* The `*n` events of a step, trace[from] on, with those that its section did not make in it but might have, in this step or a later one.
 * `*n` is their number, before and after. The result may lie in `s` and holds until the next call. */
const struct event *sections_complete(struct sections *s, const struct event *trace, uint32_t from, uint32_t *n);
void sections_release(struct sections *s);
