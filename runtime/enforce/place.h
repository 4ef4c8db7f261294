/* Which of the program's places are those of the steps, where those say lines and columns (struct enforce_place). Each module hands over
 * its names when it is loaded (weave/sites.h). */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Before the first module. */
void places_start(void);
/* Of a module whose first place has the number `first`: a NAMES payload (trace/format.h). */
void places_of_module(const void *names, size_t size, uint32_t first);
/* As steps say it: if there are places, 1 + the index of the one with this number, 0 if it is none of them, or PLACE_UNKNOWN in code
 * without debug information, as of the C++ library's parts; else the number. */
#define PLACE_UNKNOWN UINT32_MAX
uint32_t place_of(uint32_t site);
