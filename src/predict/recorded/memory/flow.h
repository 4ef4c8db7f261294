/* Which threads may know of which blocks, by whatever way the recorded values can have taken: as pointers, but also hashed, in parts, or as
 * what somebody decided by them.
 *
 * A thread knows of the blocks that it allocates; of what those knew whose writes it reads (what a thread writes may say all that it
 * knows); of what its creator knew; and of what a thread knew whose end it has waited for. What goes through files and pipes is not seen.
 * Only blocks that the window begins count: of those before it anybody may know. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"
#include "trace/recorded.h"

struct flow_block {
  uint32_t block, position; /* its number, and where it begins */
};

/* Zeroed is ready for use. */
struct flow {
  struct hashmap numbers; /* of threads, from 0 on */
  struct hashmap written; /* address / 8: the record that its last writes left */
  VEC(uint32_t) known;    /* by thread, and by the thread that has allocated them: how many of its blocks it may know of */
  VEC(uint32_t) records;  /* such rows, as threads had them when they wrote */
  VEC(uint32_t) current;  /* by thread: the record that is as its row is; RECORDED_NONE: none */
  VEC(uint32_t) blocks;   /* those of the first thread, those of the second one, ... */
  VEC(uint32_t) begins;   /* by thread: where its blocks begin there */
  uint32_t threads;
};

/* The window's `blocks`, in the order of their positions. Each thread that may know of a block, and from which position on, is told. */
void flow_find(struct flow *f, const struct event *window, uint32_t n, const struct flow_block *blocks, uint32_t count,
               void (*knows)(void *data, uint32_t thread, uint32_t block, uint32_t position), void *data);
void flow_release(struct flow *f);
