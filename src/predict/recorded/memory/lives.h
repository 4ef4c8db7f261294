/* Memory that is used again. An allocator hands the same addresses out again, to other threads, and its own order of things is in no trace.
 * So each block's life has addresses of its own: the memory is another object, whatever order the run is put into. (In another order it
 * would have other addresses.) What a block was before the window began keeps its address up to the first ALLOC of the window.
 *
 * The same holds for locks, conditions, semaphores and barriers in the memory. They have addresses of their own beside those of its bytes:
 * that the memory is freed, or an object initialised by an assignment, is no operation of the object. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"
#include "trace/recorded.h"

/* Zeroed is ready for use. */
struct lives {
  VEC(struct event) events;
  struct hashmap granules; /* address / 8 -> life, of blocks that are not too large; lives count from 1 on */
  VEC(struct lives_range) ranges;
  struct lives_range {
    uint64_t from, to, life;
  } unused;
};

#define LIVES_SHIFT 47 /* addresses of programs are below */
#define LIVES_MOST  ((1ull << (64 - LIVES_SHIFT - 2)) - 1)

/* The window's events with the addresses of accesses, frees and operations of synchronisation objects so changed; the window itself if
 * there is nothing to change. NULL: there are too many blocks. */
const struct event *lives_tell_apart(struct lives *l, const struct event *window, uint32_t n);
void lives_release(struct lives *l);
