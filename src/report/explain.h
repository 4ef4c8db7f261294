/* Why a finding is one, in a few sentences: what does not order two accesses, what waits for what. */
#pragma once
#include "base/text.h"

struct names;
struct witness;

/* Appends lines, each ended by a newline; none if the message says it all. */
void explain_text(struct names *names, const struct witness *w, struct text *out);
