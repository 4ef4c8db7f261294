/* What the machine has told the monitor of properties (library/property.c) in an execution, in the order in which it happened. */
#pragma once
#include "property/monitor.h"

struct machine;

struct told {
  struct monitor_event event; /* or a thread's going on: MONITOR_LEAVES */
  uint32_t site;
  uint32_t at; /* events of the trace by then; the last of them is its own, but if it was */
  bool alone;  /* while there was one thread: then it is no event of the trace */
};

/* Holds until the machine goes on. */
const struct told *machine_told(const struct machine *m, uint32_t *n);
