/* Values of the program under test as text, by the types that debug information gives its variables. */
#pragma once
#include <stdint.h>

#include "base/text.h"

struct image;
struct machine;
struct names;

/* The type of exactly the `size` bytes at `address` in a global variable, looking into structures and arrays; 0 (unknown) if no
 * global covers them or none of its parts fits. */
uint32_t value_type_at(const struct image *image, uint64_t address, uint64_t size);
/* Appends a scalar of `size` (<= 8) bytes: "-3", "'x'", "true", "1.5", "&counter", "NULL". Unknown types: a pointer if it points
 * somewhere, else a signed number. `names` as in names.h. */
void value_text(struct names *names, const struct image *image, const struct machine *m, uint32_t type, uint64_t size, uint64_t value,
                struct text *out);
/* Appends the variable of `type` at `address` as the program's memory has it, structures and arrays (their first elements) included. */
void value_memory_text(struct names *names, const struct image *image, const struct machine *m, uint32_t type, uint64_t address,
                       struct text *out);
