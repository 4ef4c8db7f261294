/* --tests=FOLDER: a file for each input that was explored, for `heddle replay`; and what the process is given, as it is. */
#pragma once
#include "cli/session.h"

struct tests {
  const char *folder; /* NULL: none is wanted */
  const struct session_inputs *inputs;
  const struct session *session;
  bool goes_on;   /* those that are there are of earlier sittings, and stay */
  uint64_t there; /* so many */
  uint64_t written;
  bool failed; /* one could not be written: nothing was since; the complaint has been made */
};

/* Makes the folder. Before the first test is written. */
[[nodiscard]] enum err tests_begin(struct tests *t, struct diag *d);
void tests_write(struct tests *t, const struct machine_input *inputs, size_t n);
