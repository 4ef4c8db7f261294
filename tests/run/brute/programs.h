/* Random C programs that both `heddle run` and `heddle check` get to see: small enough to be explored whole. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Of a program: the ends of blocks are writes to them and no ends, so that what comes behind a use after free is explored, too. A use on
 * line `used` of a block whose end was on line `freed` is an abort(); 0: none is. */
struct programs_ends {
  bool wanted; /* false: the program is left out; its lines are empty */
  unsigned freed, used;
};

/* Of blocks that were ended so, which ones are allocated again. */
enum programs_reuse { REUSE_NONE, REUSE_OWN /* by the thread that ended it */, REUSE_ANY };

/* Appends the source of `count` programs. Of argument N it runs program N; built with -DNATIVE it runs several, each some times, in
 * processes of their own (its last lines say how). `seed` decides everything. Each statement begins a line. `ends`: of each program; may
 * be NULL. */
void programs_write(uint64_t seed, unsigned count, const struct programs_ends *ends, enum programs_reuse reuse, struct text *out);
