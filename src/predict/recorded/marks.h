/* Which events of a recorded run's beginning have to be carried out in the order of the run, so that each thread does again what it did
 * there: all synchronisation, and of two conflicting accesses by different threads both, unless the order of other such events has them in
 * order already. In a program without races that is synchronisation alone. */
#pragma once
#include "trace/recorded.h"

struct marks;

struct marks *marks_new(void);
/* Reads the first `n` events of `s`. */
[[nodiscard]] enum err marks_find(struct marks *m, struct recorded_stream *s, uint64_t n);
bool marks_has(const struct marks *m, uint64_t position);
void marks_free(struct marks *m);
