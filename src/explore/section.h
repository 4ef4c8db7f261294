/* What atomic sections may touch: the union of what they were seen to touch.
 *
 * A section is one step with several events, and which ones may depend on the state: `if (x == 0) y = 1`. Partial-order reduction needs a
 * dependence that does not: if this step reads x alone where x is 1, swapping a write of x with it makes it dependent on readers of y. So
 * a section of a thread depends on whatever depends on anything that a section of that thread at that site ever touched. That is learnt as
 * the exploration goes on; when a section touches something new, what was explored before may lack orders, and the exploration starts
 * again. */
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
};

/* The events of a step, with those of its section's kind that it did not make but might have. `*n` is their number, before and after. The
 * result may lie in `s` and holds until the next call. */
const struct event *sections_complete(struct sections *s, const struct event *events, uint32_t *n);
void sections_release(struct sections *s);
