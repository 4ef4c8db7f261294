/* --tests=FOLDER: a file for each input that was explored, for `heddle replay`; and what the process is given, as it is. */
#pragma once
#include "cli/session.h"

struct tests {
  const char *folder; /* NULL: none is wanted */
  const struct session_inputs *inputs;
  const struct session *session;
  uint64_t written;
  bool failed; /* one could not be written: nothing was since; the complaint has been made */
};

/* Makes the folder. */
[[nodiscard]] enum err tests_begin(const struct tests *t, struct diag *d);
void tests_write(struct tests *t, const struct machine_input *inputs, size_t n);
