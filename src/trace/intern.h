/* Names to numbers from 0 on, in the order in which they come. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"

struct intern {
  struct hashmap numbers; /* by hash, and by the next numbers where hashes meet */
  VEC(size_t) ends;       /* of each name in `bytes` */
  VEC(char) bytes;
};

/* The number of `name`; `*is_new` (may be NULL) tells. */
uint32_t intern(struct intern *t, const char *name, size_t n, bool *is_new);
/* The name of a number, not ended by a zero; its length in `*n`. */
const char *intern_name(const struct intern *t, uint32_t number, size_t *n);
void intern_release(struct intern *t);
