/* Which block an address belongs to, as allocations follow one another: memory that is handed out again is another block. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"
#include "trace/event.h"

struct blocks_page;

/* Zeroed is ready for use: no block. */
struct blocks {
  struct hashmap pages; /* by number; to `store` */
  VEC(struct blocks_page *) store;
  struct hashmap chunks; /* of larger blocks: by number; the last block that has a part of the chunk */
  uint64_t from, to;     /* where the largest blocks are, all together; `last`: the last one of them */
  uint64_t last;
};

/* A block begins, whose number is greater than those before; numbers are from 1 on, below 2^32. */
void blocks_begin(struct blocks *b, const struct event *alloc, uint64_t number);
/* The number of the last block that began at the address; 0: none. Of large blocks' ends it may be a later one's. */
uint64_t blocks_at(const struct blocks *b, uint64_t address);
void blocks_clear(struct blocks *b);
void blocks_release(struct blocks *b);
