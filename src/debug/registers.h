/* The registers of an x86-64 that a debugger is shown: those that say where a thread and its frame are, and those in which functions
 * give their results.
 */
#pragma once
#include "base/text.h"
#include "debug/frames.h"

/* All, as digits (the answer to "g"). */
void registers_all(const struct frame_registers *r, struct text *out);
/* One by its number. */
void registers_one(const struct frame_registers *r, uint64_t number, struct text *out);
