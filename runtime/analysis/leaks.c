#include "analysis/leaks.h"

#include "joining.h"
#include "report/report.h"

static void tell(struct thread *t, const struct thread_info *leaked) {
  const struct finding_part made = {.what = "creation", .thread = thread_by_number(leaked->creator), .site = leaked->site};
  const char *state = leaked->over ? ", which has ended" : ", which still runs";
  const struct finding_piece notes[] = {{"Nobody joined or detached ", leaked, NULL, false}, {state, NULL, NULL, true}, {0}};
  if (report_is_new(FINDING_LEAKED, &made.site, 1))
    report_finding(t, &(struct finding){.kind = FINDING_LEAKED, .parts = &made, .count = 1, .notes = notes});
}

void leaks_report(struct thread *t) {
  for (const struct thread_info *leaked = NULL; (leaked = ending_without_join(leaked ? leaked->number : 0));) tell(t, leaked);
}
