/* Short names for what has none in the source: heap blocks are "block 1", "block 2" in the order in which a report meets them, and a
 * legend says where they come from. The machine's own words for them are too long for a column. */
#pragma once
#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"

struct machine;

struct named_block {
  uint64_t address;   /* of its first byte */
  struct text origin; /* "8 bytes from config.c:18:22" */
};

/* Zeroed is empty. */
struct names {
  VEC(struct named_block) blocks;
};

/* Appends a name for the object: machine_object_text()'s, with heap blocks shortened unless `names` is NULL. */
void names_object_text(struct names *names, const struct machine *m, uint64_t address, uint64_t size, struct text *out);
/* Appends a line for each block that was named. */
void names_legend(const struct names *names, struct text *out);
void names_release(struct names *names);

/* Appends `s` with the names of files below the current folder made relative to it. */
void names_relative(const char *s, struct text *out);
