/* Findings of a streaming analysis against its definition. */
#pragma once
#include "streaming/streaming.h"

/* All findings of the run, whose events have the sites 1, 2, ... in their order. False: `why` says what is wrong. `less`: there need not be
 * all of them. */
bool compare_defined(const struct streaming *s, const struct event *trace, uint32_t n, bool less, char *why, size_t size);
