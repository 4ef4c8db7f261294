/* Schedules and prefixes: replayable lists of scheduling steps. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

static inline void schedule_add(struct schedule *s, const struct step *steps, size_t n) {
  if (n) memcpy(vec_push_n(&s->steps, n), steps, n * sizeof *steps);
}
