/* What `heddle check` has to say at the end, and the formats it can say it in.
 *
 * A new format is a row in report_formats[] and a function that appends the whole report to a text: CONTRIBUTING.md. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"
#include "report/schedule_file.h"

struct image;
struct machine;
struct sources;
struct style;

#define VERDICT_LIST(X) \
  X(SAFE, "SAFE", 0)    \
  X(BUG, "BUG", 1)      \
  X(BOUNDED, "BOUNDED", 3)

enum verdict {
#define X(name, text, code) VERDICT_##name,
  VERDICT_LIST(X)
#undef X
};

const char *verdict_text(enum verdict v);
int verdict_exit_code(enum verdict v);

struct report_finding {
  struct schedule_file schedule; /* complete: steps, kind, message, sites */
  struct text path;              /* the schedule file; empty if none was written */
  bool confirmed;                /* running the schedule again showed it */
};

/* Owns what it holds except for image, machine and strings. */
struct report {
  const struct image *image;
  struct machine *m;
  enum verdict verdict;
  const char *memory, *strategy;
  uint64_t executions, blocked;
  double seconds;
  VEC(struct report_finding) findings;
  VEC(struct text) uncovered; /* what a BOUNDED verdict did not cover, one phrase each */
  VEC(struct text) notes;     /* what else a reader has to know about the verdict */
  VEC(struct text) outcomes;  /* --outcomes: distinct results of executions; empty if not asked for */
};

void report_release(struct report *r);

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

/* One finding as the text report shows it: runs its schedule in the machine. False, with what went wrong in `d`, if the execution does
 * not show it (any more); what could be shown of it is appended all the same. */
[[nodiscard]] bool report_finding_text(struct machine *m, const struct image *image, const struct report_finding *finding,
                                       const struct style *style, struct text *out, struct diag *d);
