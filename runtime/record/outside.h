/* What functions do that are not recorded: memory that they are given pointers to is read before the call, and what has changed behind it
 * was written (EVENT_OUTSIDE of src/trace/event.h; who reads the trace finds out which of that others have written). */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* As woven code has it (src/weave/outside.h). size 0: it is not known; with OUTSIDE_VARIABLE: the memory stays. */
#define OUTSIDE_VARIABLE (1ull << 63) /* WEAVE_VARIABLE */
struct outside_memory {
  uintptr_t address;
  uint64_t size;
};
enum outside_known { OUTSIDE_UNKNOWN, OUTSIDE_WOVEN, OUTSIDE_OTHER };

void outside_calls(uintptr_t function, uint32_t *known, const struct outside_memory *list, uint64_t n);
/* The same through a pointer. `*known`: the last function that was called so, and what it is. */
#define OUTSIDE_THROUGH(function, known) ((uint64_t)(function) << 2 | (known))
void outside_through(uintptr_t function, uint64_t *known, const struct outside_memory *list, uint64_t n);
void outside_returns(const struct outside_memory *list);
