/* Where an order of events begins if the beginning of a trace is missing: when the last of the threads whose beginning is missing comes in.
 */
#pragma once
#include "base/hash.h"
#include "trace/strand.h"

/* A lock that a thread holds there. */
struct border_lock {
  uint32_t thread;
  uint8_t flags; /* of its ACQUIRE */
  uint64_t object;
};

struct border {
  uint64_t time;        /* events with an earlier strand_time() are left out */
  struct hashmap first; /* the least number of each object behind it */
  VEC(struct border_lock) locks;
};

/* Reads all of the file. */
void border_find(struct border *b, const struct trace_file *f);
void border_release(struct border *b);
