/* The file that tells a runtime which witness to carry out (base/enforce.h). */
#pragma once
#include "base/enforce.h"
#include "cli/native/enact.h"

/* Makes one, whose path is appended, and maps it. `addresses`: accesses of which the witness says the address must have it. ERR_UNSUPPORTED
 * if such a finding cannot be seen. */
[[nodiscard]] enum err enact_file_new(const struct witness_file *w, const struct enact_options *o, bool addresses, struct text *path,
                                      struct enforce_file **f, size_t *size, struct diag *d);
