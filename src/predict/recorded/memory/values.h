/* Values of a window's accesses, as the causal model takes them: of pointers the names of what they point to (pointers.h), told by what the
 * window's events and those before it have left in memory. */
#pragma once
#include <stdint.h>

struct event;
struct recorded_model;

/* Nothing of the window has been done yet. */
void recorded_values_begin(struct recorded_model *m);
/* The next access of the model, which is the run's event `position`: names what it reads and writes. */
void recorded_values_name(struct recorded_model *m, struct event *e, uint64_t position);
