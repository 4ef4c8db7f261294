/* Schedules and prefixes: replayable lists of scheduling steps (check.md, "The loop that all strategies share"). */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* Let `thread` take its pending step, taking alternative `choice` of it where it has several. */
struct step {
  uint32_t thread; /* tid */
  uint32_t choice;
};

static inline bool step_equal(struct step a, struct step b) { return a.thread == b.thread && a.choice == b.choice; }

struct schedule {
  VEC(struct step) steps;
};
