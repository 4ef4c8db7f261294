/* Schedules and prefixes: replayable lists of scheduling steps (check.md, "The loop that all strategies share"). */
#pragma once
#include <stdint.h>

#include "base/vec.h"

/* Let `thread` take its pending step, taking alternative `choice` of it where it has several. */
struct step {
  uint32_t thread; /* tid */
  uint32_t choice;
};

struct schedule {
  VEC(struct step) steps;
};
