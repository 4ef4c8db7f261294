/* A trace file as its blocks have it (trace/format.h), in the order of the times in it: what the recorder wrote, without the reader's repairs. */
#pragma once
#include "base/vec.h"
#include "trace/encoding.h"
#include "trace/event.h"

struct timed {
  struct trace_event event;
  uint64_t time, index;
  uint32_t thread;
};
struct place {
  char *file;
  uint64_t line, column;
};
struct blocks {
  VEC(struct timed) events;
  VEC(struct place) places; /* [0] is not known */
  char *threads[4096];      /* names */
  unsigned missing;         /* blocks */
  bool ended;               /* in order */
};
/* NULL, or what is wrong with it. */
const char *blocks_read(const char *path, struct blocks *b);
