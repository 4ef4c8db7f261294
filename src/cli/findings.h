/* What an exploration found, as `heddle check` reports it: run again, written down, and told once. */
#pragma once
#include <stdbool.h>

struct explore_result;
struct options;
struct report;
struct session;
struct session_inputs;

struct findings {
  const struct options *options;
  const struct session_inputs *inputs;
  struct session *session;
  struct report *report; /* its findings are filled in */
  bool unwritten;        /* a schedule could not be written; the complaint has been made */
};

/* Takes linear time, and runs no more than options->most schedules again. */
void findings_tell(struct findings *f, const struct explore_result *result);
