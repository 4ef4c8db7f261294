/* Findings that are not wanted, in ThreadSanitizer's format (base/suppress.h). */
#pragma once
#include "report/finding.h"

struct suppression {
  const char *type, *pattern;
  const char *file; /* that it is in */
  unsigned line;
  unsigned count; /* of the findings that it suppressed */
  struct suppression *next;
};

/* Ends the process with an explanation if the file cannot be read, or is not in that format. */
void suppressions_read(const char *file);
/* The same of text that the program brings along. */
void suppressions_add(const char *text, const char *from);
/* The first one that is about this finding, and counts it; NULL if none is. One thread at a time. */
const struct suppression *suppression_of(const struct finding *f);
/* Calls f for all, in their order. */
void suppressions_each(void (*f)(const struct suppression *, void *), void *data);
/* In a child, the counts begin again. */
void suppressions_after_fork(void);
