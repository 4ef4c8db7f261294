/* Random C programs with threads, many to a source file: program i of a file runs when main's first argument is i. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Appends the C source of `count` programs; the same for the same seed everywhere. `stores`: that show what store buffers do. */
void generate(uint64_t seed, unsigned count, bool stores, struct text *out);
/* Appends the source of one of them alone, for people. */
void generate_one(uint64_t seed, unsigned index, bool stores, struct text *out);
