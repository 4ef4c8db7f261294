/* Claims (for mcr's workers, prefixes.h): states that several processes are about to explore, in memory that they share. A process that
 * comes to a state that a job with a smaller number has claimed leaves it to that job.
 *
 * The table may forget: a state that is not found there is explored twice, and one of the two results is thrown away (prefixes.h). There
 * are no locks; an entry whose parts come from two writers fits no key. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct claims;

/* NULL: no memory can be shared. */
struct claims *claims_new(void);
void claims_free(struct claims *c);
/* Forgets all of them; no other process may use it meanwhile. */
void claims_clear(struct claims *c);
/* Has a job with a smaller number than `job` claimed the state with this key? */
bool claims_has(const struct claims *c, uint64_t key, uint64_t job);
/* The job claims it: of several, the one with the smallest number has it. */
void claims_add(struct claims *c, uint64_t key, uint64_t job);
