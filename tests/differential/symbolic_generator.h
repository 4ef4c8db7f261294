/* What the files that make symbolic_generate.h's programs have in common. */
#pragma once
#include <stdbool.h>

#include "base/hash.h"
#include "symbolic_generate.h"

struct generator {
  struct text *out;
  uint64_t random;
  unsigned depth, visible; /* visible: atomic operations that a thread may still have */
};

#define PUT(...) text_printf(g->out, __VA_ARGS__)

static inline unsigned below(struct generator *g, unsigned n) {
  g->random = hash_mix(g->random);
  return (unsigned)((g->random >> 20) % n);
}

/* An expression of type int, and one of the locals that such have. */
void generate_value(struct generator *g, unsigned depth);

/* symbolic_generate_wide.c: integers of 65 to 128 bits. An expression of type wide_t; one of type int that has to do with such; a
 * statement; functions that these call; the locals that they use, and what an int is made of these in the end. */
void generate_wide(struct generator *g, unsigned depth);
void generate_of_wide(struct generator *g, unsigned depth);
void generate_wide_statement(struct generator *g);
extern const char generated_wide_functions[], generated_wide_locals[], generated_wide_result[];
