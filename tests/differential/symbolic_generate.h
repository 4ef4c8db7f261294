/* Random C programs with an input, for symbolic.c: program I is run by the argument "cI", where the bits of its input are chosen, or
 * "wI", where they are symbolic and w is one of SYMBOLIC_WAYS: hd_symbolic(), two of them of one variable, __VERIFIER_nondet_uchar(), klee_range(), the second argument's,
 * the variable IN's, standard input's or the file in's first byte. */
#pragma once
#include <stdint.h>

#include "base/text.h"

#define SYMBOLIC_WAYS "stnkavif"

/* endless_generate.c: of those that read input again and again. */
#define ENDLESS_WAYS "snk"

void symbolic_generate(uint64_t seed, unsigned count, struct text *out);
void endless_generate(uint64_t seed, unsigned count, struct text *out);
