/* Properties as software verification competitions (SV-COMP) write them, in files of lines like
 *
 *   CHECK( init(main()), LTL(G ! call(reach_error())) )
 *
 * for which a program's result is "true", "false(NAME)" or "unknown". What else is wrong with the program is ignored: a data race is none
 * of reach_error()'s business. */
#pragma once
#include <stdint.h>

#include "base/err.h"
#include "cli/options.h"

struct report;
struct report_finding;

/* Zeroed: there is no such file. */
struct competition {
  const char *path;          /* the file; borrowed */
  uint32_t asked;            /* bits: rows of the table of properties */
  struct text specification; /* the file's lines that say something */
};

/* Looks for a file with such properties among `paths`, and reads it. ERR_USAGE: there are two; ERR_FORMAT: it cannot be read, or asks for
 * what Heddle does not look for. */
[[nodiscard]] enum err competition_find(struct competition *c, const struct words *paths, struct diag *d);
/* Is the text of a file of such properties? NULL: no. Else what is to be watched for it, as properties of the other kind
 * (heddle-property(5)). */
const char *competition_watched(const char *text);
/* Does it ask for overflows? Then the program has to be compiled so that they are seen. */
bool competition_asks_overflow(const char *text);
/* The kinds of findings that are asked for: bits of 1 << enum finding_kind. */
uint32_t competition_kinds(const struct competition *c);
/* The first finding that violates what is asked for and has an execution that was run again; NULL: none has. */
const struct report_finding *competition_finding(const struct competition *c, const struct report *r);
void competition_release(struct competition *c);
/* Sets the report's result, which has its verdict and its findings. */
void competition_judge(const struct competition *c, struct report *r);
