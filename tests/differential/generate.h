/* Random C programs with threads, many to a source file: program i of a file runs when main's first argument is i. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* STORES: programs that show what store buffers do. LOOPS: with loops that may have no end. */
enum generate_feature { GENERATE_STORES = 1, GENERATE_LOOPS = 2 };

/* Appends the C source of `count` programs; the same for the same seed everywhere. `features`: of enum generate_feature. */
void generate(uint64_t seed, unsigned count, unsigned features, struct text *out);
/* Appends the source of one of them alone, for people. */
void generate_one(uint64_t seed, unsigned index, unsigned features, struct text *out);
