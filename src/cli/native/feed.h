/* Standard input of programs that are run natively and recorded: each run is given the same bytes, and the log keeps them.
 *
 * A file is handed to the program as it is, each time at the place where it stood. What comes through a pipe is kept by a process that
 * reads it and hands it on, no further ahead than a pipe has room for: so nobody waits for more than the program does. A terminal, or a
 * socket, is the program's alone, and not kept. */
#pragma once
#include <sys/types.h>

#include "base/err.h"
#include "base/text.h"
#include "trace/path_format.h"

struct feed_shared;

struct feed {
  enum path_kept kept; /* what is known before a run */
  off_t from;          /* of a file: its place */
  struct text bytes;   /* of a file: what there is from there on */
  int pipe;            /* what standard input was; -1: it is no pipe */
  int spool;           /* a file in memory: what has come through the pipe so far */
  struct feed_shared *shared;
  pid_t pump; /* the process; 0: there is none */
};

/* Looks at standard input. It is to be ended by feed_release(). */
[[nodiscard]] enum err feed_begin(struct feed *f, struct diag *d);
/* Before each run: standard input has the same bytes once more. ERR_UNSUPPORTED: it cannot, there were too many. */
[[nodiscard]] enum err feed_start(struct feed *f, struct diag *d);
/* After each run. */
void feed_stop(struct feed *f);
/* Appends what the last run was given to the log, `fd`, behind the header's chunks, and has the header say so. */
void feed_keep(struct feed *f, int fd, struct path_header *header);
void feed_release(struct feed *f);
