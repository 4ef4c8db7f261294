/* What `heddle check` has to say at the end, and the formats it can say it in.
 *
 * A new format is a row in report_formats[] and a function that appends the whole report to a text: CONTRIBUTING.md. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"
#include "explore/explore.h"
#include "report/remarks.h"
#include "report/schedule_file.h"

struct image;
struct machine;
struct sources;
struct style;

/* "SAFE", "BUG", "BOUNDED"; and the exit code that says the same. */
const char *verdict_text(enum explore_verdict v);
int verdict_exit_code(enum explore_verdict v);

struct report_finding {
  struct schedule_file schedule;  /* complete: steps, kind, message, sites */
  struct text path;               /* the schedule file; empty if none was written */
  bool confirmed;                 /* running the schedule again showed it */
  bool needs_trust;               /* whoever replays it has to say --trust */
  bool is_recorded;               /* the schedule has its steps */
  bool is_brief;                  /* there are so many that this one is counted, and its places are told */
  VEC(struct schedule_file) also; /* other findings of the same defect: kinds, messages and sites */
};

struct report_outcome {
  struct text text; /* how the execution ended, a newline, what it wrote */
  uint64_t count;   /* executions */
};

/* Owns what it holds except for image, machine and strings. */
struct report {
  const struct image *image;
  struct machine *m;
  enum explore_verdict verdict;
  const char *memory, *strategy;
  struct text claim;                     /* what a SAFE verdict says; empty: that every execution was explored */
  bool all_inputs;                       /* the exploration was about all inputs */
  uint64_t executions, blocked, assumed; /* completed; given up; ended by a false assumption */
  const char *given_up;                  /* why; NULL: they are redundant */
  double seconds;
  const struct strategy_counter *counters; /* the strategy's own; borrowed */
  size_t counter_count;
  VEC(struct report_finding) findings;
  uint32_t ignored_kinds;              /* bits of 1 << enum finding_kind: what was not asked for */
  const uint32_t *ignored;             /* by kind: findings that are not among these for that reason; borrowed, NULL: none */
  VEC(struct text) uncovered;          /* what a BOUNDED verdict did not cover, one phrase each */
  VEC(struct text) notes;              /* what else a reader has to know about the verdict */
  VEC(struct remark_order) orders;     /* atomic accesses whose order was explored as a stronger one */
  const char *property;                /* a file of SV-COMP's properties; NULL: none was asked for */
  struct text result;                  /* of that: "true", "false(NAME)", "unknown" */
  VEC(struct report_outcome) outcomes; /* --outcomes: distinct results of executions; empty if not asked for */
};

void report_release(struct report *r);
/* Appends the counter's number: as it is, or seconds. */
void report_counter(const struct strategy_counter *c, struct text *out);

struct report_format {
  const char *name;
  const char *summary;
  /* Appends the whole report. */
  void (*write)(struct report *r, const struct style *style, struct text *out);
};
/* NULL-named row at the end. */
extern const struct report_format report_formats[];
const struct report_format *report_format_find(const char *name);

/* The formats. */
void report_as_text(struct report *r, const struct style *style, struct text *out);
void report_as_json(struct report *r, const struct style *style, struct text *out);

/* How a replayed schedule went: it shows its finding, it does not (any more), it does not fit the program. */
enum report_shown { REPORT_SHOWN, REPORT_GONE, REPORT_DIVERGED };

/* Appends one finding as the text report shows it, by running its schedule in the machine. Whatever can be shown is appended also if the
 * finding is not shown; `d` then says what went wrong. */
enum report_shown report_finding_text(struct machine *m, const struct image *image, const struct report_finding *finding,
                                      const struct style *style, struct text *out, struct diag *d);
/* Runs the finding's schedule and writes what this execution shows into it: message, sites. `wanted` as in witness_make(). Sets confirmed.
 */
enum report_shown report_confirm(struct machine *m, const struct image *image, struct report_finding *finding, const struct finding *wanted,
                                 struct diag *d);
