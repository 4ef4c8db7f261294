/* What a pattern of a property means, by brute force: each choice of a run's points for its atoms, and for each all orders of the run's
 * events (recorded_enumerate.h). It shares the cases of a pattern with the analysis, and nothing else. */
#pragma once
#include "base/vec.h"
#include "predict/recorded/points.h"
#include "property/property.h"
#include "recorded_enumerate.h"

/* A choice that some order of events shows. */
struct pattern_truth {
  uint32_t which;                  /* case */
  uint32_t points[PROPERTY_ATOMS]; /* UINT32_MAX: a region's end that did not happen */
};
struct pattern_truths {
  VEC(struct pattern_truth) list;
  bool complete; /* false: too much to look at */
  uint64_t asked;
};

/* `r` is the run with the points. */
void patterns_true(struct pattern_truths *out, const struct property *p, const struct property_points *points, const struct run *r);
