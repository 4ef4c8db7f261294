/* A recorded run whose order is wrong, as that of a file may be (src/trace/repair.h). */
#pragma once
#include "trace/recorded.h"

/* Takes one read, with what its thread has done since, before the write that it read from; reads that nothing explains then are marked, and
 * what is doubtful. Returns how many reads that are: 0, and nothing is changed, if the run has no such read. `random` chooses it. */
uint64_t displaced(struct recorded *r, uint64_t random);
