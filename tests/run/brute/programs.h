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

/* How programs with ends differ from others. */
enum programs_how {
  PROGRAMS_ENDS,      /* as above: nothing is allocated where a block was */
  PROGRAMS_REUSE_OWN, /* but for the last one that the same thread ended */
  PROGRAMS_REUSE_ANY, /* or that any thread ended */
  PROGRAMS_REFUSE     /* not as above: blocks end as they do, and locks that are only tried may be refused though nobody has them */
};

/* Appends the source of `count` programs. Of argument N it runs program N; built with -DNATIVE it runs several, each some times, in
 * processes of their own (its last lines say how). `seed` decides everything. Each statement begins a line. `ends`: of each program; may
 * be NULL. */
void programs_write(uint64_t seed, unsigned count, const struct programs_ends *ends, enum programs_how how, struct text *out);
