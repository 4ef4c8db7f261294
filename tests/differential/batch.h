/* Random programs compiled and loaded, many to an image. */
#pragma once
#include "generate/generate.h"
#include "machine/machine.h"

/* Opens the image of `count` programs of that seed; every second seed is compiled with optimisation. `features`: of generate.h.
 * False: it says why. */
bool batch_open(struct image *image, uint64_t seed, unsigned count, unsigned features);
/* The same, compiled with these options of clang, which end in "-o". */
bool batch_open_as(struct image *image, uint64_t seed, unsigned count, unsigned features, const char *flags);
/* The same of a source file, whose program this is, whatever its argument. */
bool batch_open_file(struct image *image, const char *path, uint64_t seed, unsigned features);
/* A machine for program `index`; NULL: it says why. There can be one at a time. */
struct machine *batch_machine(const struct image *image, unsigned index, enum machine_memory memory, bool see_alone);
/* "sc", "tso" or "pso". */
bool batch_memory(const char *name, enum machine_memory *memory);
