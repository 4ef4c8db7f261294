/* A trace file that is read: what it says of itself, where its blocks are, and what is missing.
 *
 * Opening looks at the whole file once. A block counts only if its sum is right; from bytes that are no block the next one is looked
 * for, at multiples of 8. What FILE.live has and the file has not becomes a block, too. A file that is still being written can be read. */
#pragma once
#include "base/err.h"
#include "base/vec.h"
#include "trace/format.h"
#include "trace/recorded.h"

/* An EVENTS block. */
struct trace_place {
  uint64_t offset; /* of the payload, in the file or in `live` */
  uint64_t first, time;
  uint32_t thread, sequence, raw, packed;
  uint8_t packing; /* enum trace_packing */
  bool live;
};

struct trace_file {
  int fd;
  uint64_t size;
  struct text path;
  struct trace_header header;
  struct text texts;              /* of the header, each with its zero */
  VEC(struct trace_place) blocks; /* by thread, and in it by sequence; no sequence twice */
  struct text live;               /* payloads of FILE.live that are not in the file */
  struct recorded_names names;    /* without threads */

  bool ended;        /* the program has ended in order */
  uint64_t dropped;  /* events that the recorder could not write */
  uint64_t left_out; /* events that matter to no analysis (thin.h) */
  uint64_t torn;     /* bytes that belong to no block; holes do not count */
  uint64_t missing;  /* blocks whose number is missing in their thread, other than at its beginning */
  uint64_t headless; /* threads whose beginning is missing */
};

/* Takes `fd` over, also when it fails: ERR_FORMAT if there is no header that can be believed. */
[[nodiscard]] enum err trace_file_open(struct trace_file *f, const char *path, int fd, uint64_t size, struct diag *d);
void trace_file_release(struct trace_file *f);

/* Reads the payload of a block to `to`, unpacked: `raw` bytes, with place for TRACE_EVENT_MOST more behind them. `packed`: buffer of
 * TRACE_PACKED_MOST bytes. False if it cannot be read (any more). */
[[nodiscard]] bool trace_file_payload(const struct trace_file *f, const struct trace_place *p, char *packed, char *to);
enum { TRACE_PACKED_MOST = TRACE_RAW_MOST + TRACE_RAW_MOST / 128 + 1024 };

/* The `n`-th text of the header: program, its build, arguments; NULL behind the last one. */
const char *trace_file_text(const struct trace_file *f, unsigned n);
