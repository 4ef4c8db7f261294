/* Payloads of NAMES blocks (format.h): places and methods of a module. */
#pragma once
#include "trace/recorded.h"

/* Most places and methods of a trace. */
enum { TRACE_SITES_MOST = 1 << 24, TRACE_METHODS_MOST = 1 << 20 };

/* Adds what a payload says to `names`: its places get numbers from `first_site` on, its methods from `first_method` on. False if the
 * payload is not what it should be, or if its numbers are `most` or more; then `names` may have some of it. */
[[nodiscard]] bool trace_names_read(struct recorded_names *names, const char *payload, size_t n, uint64_t first_site, uint64_t first_method,
                                    uint64_t most);
/* Makes the payload of places [from, to) and methods [from_method, to_method). */
void trace_names_write(struct text *out, const struct recorded_names *names, size_t from, size_t to, size_t from_method, size_t to_method);
/* Makes methods up to `number` known, those that are not yet by the empty name. False if there are too many. */
[[nodiscard]] bool trace_names_reach(struct recorded_names *names, uint64_t number);
