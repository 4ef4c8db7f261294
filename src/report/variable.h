/* Variables of the program under test by their names in the source, with members, indices and pointers: "account[2].balance",
 * "head->next", "*p". */
#pragma once
#include <stdint.h>

#include "base/err.h"

struct image;
struct machine;

/* Appends "NAME = VALUE". Locals of the thread's innermost frame in the program's own code are looked for first, then globals. ERR_USAGE,
 * with the reason, if there is no such variable or it cannot be had. */
[[nodiscard]] enum err variable_text(const struct image *image, const struct machine *m, uint32_t thread, const char *expression,
                                     struct text *out, struct diag *d);
