/* Names of the places of woven modules, in the trace of this process and in those of its children. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Writes down the names of a module's places (payload of a TRACE_NAMES, which stays where it is). Returns the number of the first of them.
 */
uint32_t record_places_name(const void *names, size_t size, uint32_t sites);
/* In a child of fork(): again, with the same numbers. */
void record_places_after_fork(void);
