/* What the streaming analyses are to find, by their definitions (docs/prediction.md): closures of relations over all events of a short run,
 * computed without a clock. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "trace/recorded.h"

enum { DEFINED_MOST = 64 };

/* first[b]: the events that come before b in the run and make a finding with it. */
struct defined {
  uint64_t race[DEFINED_MOST];   /* conflicts that nothing orders, frees among them; and what touches freed memory */
  uint64_t proven[DEFINED_MOST]; /* hb: of these, those that SHB does not order either */
  uint64_t kept[DEFINED_MOST];   /* hb: of these, those that SHB does not order with allocations behind the frees of their bytes */
  uint64_t swap[DEFINED_MOST];   /* edc: of a free, uses under a common lock that may change places with it */
};

/* `name`: of the analysis. At most DEFINED_MOST events. */
void define(const char *name, const struct event *trace, uint32_t n, struct defined *out);
