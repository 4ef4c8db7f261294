/* State of one exploration, shared by explore.c, collect.c and shorten.c. */
#pragma once
#include "base/hash.h"
#include "explore/explore.h"
#include "explore/race.h"
#include "explore/run.h"

struct session {
  struct machine *machine;
  const struct explore_options *options;
  struct explore_result *result;
  struct strategy *strategy;
  struct run run;
  struct races races;
  struct hashmap outcomes; /* hash -> index into result->outcomes */
  double started, next_look, last_progress;
  uint64_t made, made_at_progress, steps_since_look;
};

/* Looks at the finished execution of `s->run`: findings, races, outcome (collect.c). */
void collect(struct session *s);
/* Carries all findings over to a machine that has more visible steps (collect.c); those that cannot be shown again are dropped: they
 * will be found again. */
void collect_again(struct session *s);
/* Does the finished execution show the finding with this key? On true, `*steps` is how many of its first steps are needed. */
bool collect_shows(struct session *s, uint64_t key, size_t *steps);
/* The finished execution shows the finding `f`: takes its message, sites and schedule from it. */
void collect_update(struct session *s, struct explore_finding *f);
/* Makes a finding's schedule shorter (shorten.c). False if more memory turned out to be shared meanwhile: the schedules of all findings
 * then need collect_again(). */
bool shorten(struct session *s, struct explore_finding *f);
/* True if the exploration must end now: time or interruption. */
bool session_over(struct session *s);
