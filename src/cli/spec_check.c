#include "cli/spec_check.h"

#include <string.h>

#include "explore/explore.h"
#include "strategy/strategy.h"

static enum err wrong(struct diag *d, const char *message) { return diag_set(d, ERR_USAGE, "%s", message); }

bool spec_check_takes_steps(const struct options *o, const struct strategy_type *strategy) { return o->specs.count && !strategy->commutes; }

enum err spec_check_options(const struct options *o, const struct strategy_type *strategy, struct diag *d) {
  bool known = strategy->commutes || strategy == &strategy_maximal || strategy == &strategy_dpor;
  if (strategy->commutes && !o->specs.count) return wrong(d, "the strategy ncmc needs --spec=FILE, which says which methods commute");
  if (!o->specs.count) return ERR_NONE;
  if (!known) return wrong(d, "--spec is for the strategies ncmc, maximal and dpor");
  if (strcmp(o->memory, "sc") != 0) return wrong(d, "--spec knows the memory model sc alone");
  if (strategy->commutes) return ERR_NONE;
  if (o->jobs != 1 || o->campaign) return wrong(d, "--spec with maximal or dpor excludes --jobs and --campaign");
  if (o->properties.count || o->predict) return wrong(d, "--spec with maximal or dpor excludes --property and --predict");
  return o->schedule ? wrong(d, "--spec with maximal or dpor writes no schedules: their steps are whole invocations") : ERR_NONE;
}

void spec_check_doubt(uint32_t ignored, struct explore_result *result) {
  if (ignored >> FINDING_DATA_RACE & 1) return;
  result->reasons |= 1u << EXPLORE_REASON_RACES;
  if (result->verdict == VERDICT_SAFE) result->verdict = VERDICT_BOUNDED;
}

void spec_check_note(struct text *note) {
  *note = (struct text){0};
  text_puts(
      note,
      "with --spec the verdict stands on this: the objects are linearizable, nothing but their methods touches them, and the specification "
      "is sound (heddle check --test-spec)");
}
