/* Why two places are no race, for people and tools: an explanation (predict/recorded/explain.h) in words. */
#pragma once
#include "base/text.h"

struct explain_options;
struct explanation;
struct recorded_names;
struct style;

/* The headline, the pair, and a chain of events from its first to its second one, as far as there is one; then whatever else is needed. A
 * race's witness is told by the report of findings. */
void why_text(const struct explanation *x, const struct explain_options *o, const struct recorded_names *names, const struct style *style,
              struct text *out);
void why_json(const struct explanation *x, const struct explain_options *o, const struct recorded_names *names, struct text *out);
