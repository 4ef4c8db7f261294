/* What --spec means for heddle check: with which strategies and options it goes, and what a verdict is worth then. */
#pragma once
#include "base/err.h"
#include "base/text.h"
#include "cli/options.h"

struct explore_result;
struct strategy_type;

/* Is an invocation of a method one step, so that those that commute are not reordered? */
bool spec_check_takes_steps(const struct options *o, const struct strategy_type *strategy);
/* ERR_USAGE if the options or the strategy do not go with it. */
[[nodiscard]] enum err spec_check_options(const struct options *o, const struct strategy_type *strategy, struct diag *d);
/* Where invocations are steps, data races are not looked for: nothing is SAFE then, unless they are ignored on purpose. `ignored`: a bit
 * for each kind of finding. */
void spec_check_doubt(uint32_t ignored, struct explore_result *result);
/* Makes the text of the note that says what a verdict stands on. */
void spec_check_note(struct text *note);
