/* The events of one thread of a trace file, in their order, a *segment* at a time: what is between two time stamps.
 *
 * A strand has a block in memory while it is being read, and nothing before and after that. */
#pragma once
#include "trace/encoding.h"
#include "trace/file.h"

/* An event with what orders it: it was done between the times. */
struct placed {
  struct event e; /* thread, and object of FORK and JOIN, are the recorder's numbers */
  uint64_t low, high;
  uint64_t sequence, sequence2; /* as in struct trace_event */
};

struct strand {
  uint32_t thread;   /* the recorder's number */
  size_t block, end; /* of the file's blocks: the next one to be read; behind its last one */
  char *name;        /* of the thread, in `bytes`, once a block was read */
  char *bytes;       /* the present block, or NULL */
  size_t room;       /* of `bytes` */
  const unsigned char *at, *stop;
  struct trace_coder *coder;
  VEC(struct placed) segment;
  size_t taken;    /* of the segment */
  uint32_t events; /* that were decoded */
  bool torn;       /* something is missing behind what is there */
};

void strand_init(struct strand *s, const struct trace_file *f, size_t from, size_t to);
/* The next event without taking it, or NULL at the end. `packed`: see trace_file_payload(). */
const struct placed *strand_head(struct strand *s, const struct trace_file *f, char *packed);
/* When the head was done, as far as can be told: times between those of its segment. Before the first segment: the block's time. */
uint64_t strand_time(const struct strand *s, const struct trace_file *f);
static inline void strand_take(struct strand *s) { s->taken++; }
/* When the next event came at the earliest; UINT64_MAX: there is none. */
uint64_t strand_low(const struct strand *s, const struct trace_file *f);
void strand_release(struct strand *s);
