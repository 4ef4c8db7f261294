/* Random C programs with an input, for symbolic.c: program I is run by the argument "cI", where the bits of its input are chosen, or "sI",
 * where they are symbolic. */
#pragma once
#include <stdint.h>

#include "base/text.h"

void symbolic_generate(uint64_t seed, unsigned count, struct text *out);
