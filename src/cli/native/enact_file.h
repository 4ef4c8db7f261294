/* The file that tells a runtime which witness to carry out (base/enforce.h). */
#pragma once
#include "base/enforce.h"
#include "trace/witness_file.h"

/* Makes one, whose path is appended, and maps it. `addresses`: accesses of which the witness says the address must have it. ERR_UNSUPPORTED
 * if such a finding cannot be seen. */
[[nodiscard]] enum err enact_file_new(const struct witness_file *w, bool addresses, struct text *path, struct enforce_file **f,
                                      size_t *size, struct diag *d);
