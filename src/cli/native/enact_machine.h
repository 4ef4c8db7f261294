/* Witnesses in the machine: the program that the witness names is opened as `heddle check` opens it, followed (report/follow.h), and what
 * comes of it is a schedule, of which a second machine has to show the finding again. So a finding that is confirmed here has a schedule
 * file like any other. */
#pragma once
#include "cli/native/enact.h"
#include "report/report.h"

struct style;

/* Zeroed is empty. */
struct machine_enacted {
  bool confirmed;
  struct text what;              /* why the finding was not shown, or why the machine cannot run the program */
  uint32_t position;             /* steps of the witness that were done */
  struct report_finding finding; /* confirmed: its schedule is at its path */
  struct text report;            /* confirmed: what heddle replay prints of the schedule */
};

/* `schedule`: the file to write. A program that the machine cannot run is no error: `what`. Errors are files that cannot be read or
 * written. */
[[nodiscard]] enum err enact_in_machine(const struct witness_file *w, const struct enact_options *o, const char *schedule,
                                        const struct style *style, struct machine_enacted *out, struct diag *d);
void machine_enacted_release(struct machine_enacted *e);
