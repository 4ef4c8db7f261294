/* The interleaving, drawn: a column for each thread where they fit, else one list with a headline at each context switch. */
#pragma once
#include "base/text.h"

struct machine;
struct sources;
struct style;
struct timeline;

/* Appends the timeline's moments. `m` names the threads. */
void columns_text(const struct timeline *t, const struct machine *m, struct sources *sources, const struct style *style, struct text *out);
