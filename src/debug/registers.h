/* The registers of an x86-64 that a debugger is shown: of use are those that say where a thread and its frame are. */
#pragma once
#include "base/text.h"
#include "debug/frames.h"

/* All, as digits (the answer to "g"). */
void registers_all(const struct frame_registers *r, struct text *out);
/* One by its number; false: that one is not known. */
bool registers_one(const struct frame_registers *r, uint64_t number, struct text *out);
