/* An execution of the machine as steps that a native run can be made to do (base/enforce.h): the way back from report/follow.h.
 *
 * Steps are what threads synchronise by, and accesses to memory that several threads use and one writes; all else passes in a native run as
 * it comes. Of accesses at the same place that are no steps it is counted how many come first. */
#pragma once
#include "cli/native/enact.h"

struct image;
struct machine;
struct witness;

/* Zeroed is empty. */
struct enact_steps {
  struct witness_file w;       /* threads, sites (numbered from 1 on), steps, ends; the rest is the caller's */
  VEC(uint8_t) goes_on, hangs; /* by thread of `w` */
  VEC(uint8_t) loose;          /* by step */
  struct enact_ending ending;
  bool by_kind; /* the runtime sees the finding itself: there is no ending */
};

/* Of an execution that shows its finding; runs its steps again in the machine. ERR_UNSUPPORTED if no native run can be told to do the same:
 * a store waits in its buffer while its thread goes on, or the program has hd_choose() choose. */
[[nodiscard]] enum err enact_steps_make(struct machine *m, const struct image *image, const struct witness *shown, struct enact_steps *out,
                                        struct diag *d);
void enact_steps_release(struct enact_steps *s);
