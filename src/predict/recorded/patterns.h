/* Properties of recorded runs: which orders of a run's events match a property's pattern (property.h).
 *
 * The run is taken in windows that overlap, as maximal.h does. Events of earlier windows count as such: they have happened, in the order of
 * the run. So a match needs its last events, and those that the pattern wants at one moment, in one window; that others came earlier need
 * not be in it. What matches the run as it is, is found, too. */
#pragma once
#include "predict/pattern.h"
#include "predict/recorded/points.h"
#include "predict/recorded/reading.h"
#include "trace/recorded.h"

struct patterns;

#define PATTERNS_WINDOW 10000u
#define PATTERNS_BUDGET 20000u

struct patterns_options {
  uint32_t window; /* events; 0: PATTERNS_WINDOW */
  uint64_t budget; /* effort of the order engine for one question; 0: PATTERNS_BUDGET */
  bool all;        /* every choice of events, not only those of new places */
};

struct patterns_finding {
  const struct property *property;
  bool undecided;         /* the budget was not enough, or something is not modelled */
  const char *claimed;    /* as maximal_finding has it */
  uint32_t which;         /* case */
  uint64_t from;          /* the witness: the run's first `from` events in the run's order, */
  uint32_t steps, step;   /* then these: patterns_events(): how many, the first */
  uint32_t events, event; /* those that take part, likewise, in the pattern's order without ends that need not happen */
  uint32_t bound;         /* bit set of parameters that have a value */
  uint64_t values[PROPERTY_PARAMETERS];
};

[[nodiscard]] struct patterns *patterns_new(const struct patterns_options *options);
void patterns_free(struct patterns *p);
/* Looks for one property in the whole run. `file`: of the property, for errors. May be called again, with another property or run. */
[[nodiscard]] enum err patterns_run(struct patterns *p, const struct property *property, const char *file, struct recorded_stream *s);
/* Those of all runs so far. */
const struct patterns_finding *patterns_findings(const struct patterns *p, uint32_t *n);
const struct recorded_step *patterns_events(const struct patterns *p);
struct pattern_counts patterns_counts(const struct patterns *p);
/* For tests: the points of the only window of the last run, and the choice of points that each finding is of (NULL: there are several
 * windows); PROPERTY_ATOMS for each. */
const struct property_points *patterns_points(const struct patterns *p);
const uint32_t *patterns_choices(const struct patterns *p);
