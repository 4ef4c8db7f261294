/* What memory contains as far as a trace says, byte for byte. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"
#include "trace/event.h"

struct contents_page;

/* Pages of zeros that are not in `store` yet: [from, to). */
struct contents_zeros {
  uint64_t from, to;
};

struct contents {
  struct hashmap pages; /* by number; to `store` */
  VEC(struct contents_page *) store;
  VEC(struct contents_zeros) zeros;
  uint64_t last_number; /* the page that was looked at last, + 1 */
  struct contents_page *last;
};

/* Up to 8 bytes. `known`: a bit for each byte of `value` that is known; the others are 0. */
struct contents_word {
  uint64_t value;
  uint8_t known;
};

/* `size`: 1 to 8. */
static inline struct contents_word contents_word_of(uint64_t value, unsigned size) {
  return (struct contents_word){value, (uint8_t)((1u << size) - 1)};
}
struct contents_word contents_read(struct contents *m, uint64_t address, unsigned size);
void contents_write(struct contents *m, uint64_t address, unsigned size, struct contents_word w);
/* Any number of bytes is zero; is not known any more. Of large ranges only the ends take memory. */
void contents_zero(struct contents *m, uint64_t address, uint64_t size);
void contents_forget(struct contents *m, uint64_t address, uint64_t size);
/* RECORDED_INITIAL (trace/recorded.h). */
void contents_begin(struct contents *m, const struct event *initial);
/* Nothing is known. */
void contents_clear(struct contents *m);
void contents_release(struct contents *m);
