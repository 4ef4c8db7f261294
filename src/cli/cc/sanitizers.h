/* -fsanitize= beside -fheddle=run, and for `heddle link`. */
#pragma once
#include <stdbool.h>

#include "base/err.h"
#include "base/text.h"

struct sanitizers {
  unsigned asked; /* of those that cannot be there as well: a bit for each */
  bool thread;    /* ThreadSanitizer's */
};
/* Reads an option -fsanitize=LIST or -fno-sanitize=LIST. What of it is for the compiler goes to `rest`, nothing if there is no such thing:
 * ThreadSanitizer's own runtime may not be linked, and its checks are there anyway. False if the word is another option. */
bool sanitizers_read(struct sanitizers *s, const char *word, struct text *rest);
/* ERR_UNSUPPORTED if there is one that cannot be there as well. */
[[nodiscard]] enum err sanitizers_check(const struct sanitizers *s, struct diag *d);
