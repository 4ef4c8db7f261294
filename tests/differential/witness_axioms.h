/* The memory models by orders (docs/model.md) taken literally: every closed part of a trace, every reads-from and every coherence order,
 * and whether the graph has a cycle. For traces of accesses of one size, fences, forks and joins alone; the prefix is not looked at. */
#pragma once
#include "witness_sim.h"

/* Can `event` return `value`, when all other reads of some part of the trace return what they did? Parts have at least `least` events of
 * each thread. */
bool axioms_can(const struct sim *x, uint32_t event, uint64_t value, const uint32_t least[SIM_THREADS]);
