/* Atomicity violations (happens/atomicity.h) as findings of an execution. */
#pragma once
#include "happens/atomicity.h"

struct finding;
struct machine;

/* Its places are the two accesses of one thread, then the one between them. `f` is empty before. */
void atomicity_finding(const struct machine *m, const struct event *trace, const struct atomicity_triple *t, struct finding *f);
