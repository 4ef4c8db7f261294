/* A finding as an execution shows it: the schedule file is run again, the detectors are asked again, and what they say is what every
 * report prints. `heddle check` and `heddle replay` both come through here, so a finding looks the same in both. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "report/place.h"
#include "report/replayer.h"
#include "report/timeline.h"
#include "trace/finding.h"

struct image;
struct machine;
struct schedule_file;

struct witness {
  struct replayer replayer; /* at the end of the execution */
  struct timeline timeline;
  struct finding finding;    /* of this execution */
  VEC(struct place) places;  /* of the finding's sites, in the program's own source */
  VEC(struct moment) stacks; /* for each site: a moment with its call stack (nstack 0: unknown) */
  bool shown;                /* the execution has the finding */
  bool left;                 /* it would be a livelock, but a schedule leads out of its circle, */
  bool unknown;              /* or that was not settled: the search for one was cut short (livelock_search()) */
};

/* Runs the schedule and looks for its finding: `wanted` (site numbers of this image), or if that is NULL the one whose kind and
 * places the file names. ERR_DIVERGED if the schedule does not fit, ERR_INTERRUPTED if the deadline passes (base/deadline.h). Zeroes `*w`
 * first; release it in any case. */
[[nodiscard]] enum err witness_make(struct witness *w, struct machine *m, const struct image *image, const struct schedule_file *file,
                                    const struct finding *wanted, struct diag *d);
/* Writes the finding's kind, message and sites into the file that it was made from. */
void witness_describe(const struct witness *w, struct schedule_file *file);
void witness_release(struct witness *w);
