/* What memory contains as far as a trace says, byte for byte. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"

struct memory_page;

struct memory {
  struct hashmap pages; /* by number; to `store` */
  VEC(struct memory_page *) store;
  uint64_t last_number; /* the page that was looked at last, + 1 */
  struct memory_page *last;
};

/* Up to 8 bytes. `known`: a bit for each byte of `value` that is known; the others are 0. */
struct memory_word {
  uint64_t value;
  uint8_t known;
};

/* `size`: 1 to 8. */
struct memory_word memory_read(struct memory *m, uint64_t address, unsigned size);
void memory_write(struct memory *m, uint64_t address, unsigned size, struct memory_word w);
/* Any number of bytes is not known any more. */
void memory_forget(struct memory *m, uint64_t address, uint64_t size);
void memory_release(struct memory *m);
