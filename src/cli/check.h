/* heddle check, for other commands. */
#pragma once
#include <stdbool.h>

struct options;
struct path_log;
struct plan;

/* Jumps and calls that a thread may make between two visible steps. */
#define INSN_LIMIT 1000000000u

/* What heddle reproduce asks for besides. Zeroed: what the options say. */
struct check_request {
  const struct path_log *paths; /* of a run that is repeated: only executions are looked at in which each thread goes as it did there, and
                                   no data races are told; NULL: all */
  const struct plan *plan;      /* only the execution that it describes; NULL: as the options say */
  struct path_log *record; /* gets the log of the first execution that fails, or of none; its `called` is given. Nothing is reported: 0,
                              CHECK_NOTHING, or what was complained of. NULL: none is asked for */
  const char *note;        /* to be said if nothing is found; NULL: nothing */
  bool only_findings;      /* if nothing is found, nothing is reported: CHECK_NOTHING; */
  bool unless_late;        /* the same, but only if there was not time enough */
};

#define CHECK_NOTHING (-1)

/* Explores what the options name, and reports; the exit code. */
int check_program(const struct options *o, const struct check_request *request);
