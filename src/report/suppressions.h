/* Findings of recorded runs that are not wanted: suppression files (base/suppress.h), the same as those of `heddle run`. */
#pragma once
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "base/vec.h"

struct predicted_report;
struct recorded_names;

struct suppression_rule {
  struct text type, pattern;
  uint32_t line;
  uint64_t count; /* findings that it suppressed */
};

/* Zeroed: there are none. */
struct suppressions {
  const char *file; /* not owned */
  VEC(struct suppression_rule) rules;
  uint64_t count;     /* findings that were suppressed */
  uint64_t unwatched; /* races in functions that the program does not want to be watched (RECORDED_UNWATCHED) */
};

/* ERR_FILE; ERR_FORMAT with the line's number. */
[[nodiscard]] enum err suppressions_read(struct suppressions *s, const char *file, struct diag *d);
/* Takes the findings out of the report that a rule is about: its type is theirs, and its pattern is found in the name of a function or file
 * of one of their events. The first rule that is counts it. So it takes out races in functions that are not to be watched. (A trace has no
 * stacks, modules and names of variables to look at.) */
void suppressions_apply(struct suppressions *s, struct predicted_report *r, const struct recorded_names *names);
void suppressions_text(const struct suppressions *s, struct text *out);
/* Appends a list: those that suppressed something, as `heddle run --json` has it. */
void suppressions_json(const struct suppressions *s, struct text *out);
void suppressions_release(struct suppressions *s);
