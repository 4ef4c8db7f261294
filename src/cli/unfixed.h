/* What the options --symbolic-* say: bytes that the process is given when it begins, and that nobody fixes. */
#pragma once
#include "base/text.h"
#include "base/vec.h"
#include "cli/options.h"
#include "machine/machine.h"

struct session_inputs;

struct unfixed {
  VEC(struct machine_source) list; /* their names are here: */
  VEC(char *) names;
};

bool unfixed_any(const struct session_inputs *inputs);
/* ERR_USAGE: one of the words is wrong, or says what another one, or another option, has said. unfixed_release() in any case. */
[[nodiscard]] enum err unfixed_read(struct unfixed *s, const struct session_inputs *inputs, struct diag *d);
void unfixed_release(struct unfixed *s);
