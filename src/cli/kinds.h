/* Kinds of findings as options name them: --only=deadlock,lost-wakeup. */
#pragma once
#include <stdint.h>

#include "base/err.h"
#include "cli/options.h"

/* The set (bits of 1 << enum finding_kind) of the kinds that are to be ignored. ERR_USAGE: there is no such kind; the hint lists them. */
[[nodiscard]] enum err kinds_ignored(const struct words *only, const struct words *ignore, uint32_t *set, struct diag *d);
