/* Reading and writing logs of control flow (path_format.h). What native runs write themselves, runtime/paths writes. */
#pragma once
#include <stdbool.h>

#include "base/err.h"
#include "base/text.h"
#include "base/vec.h"
#include "trace/path_format.h"

/* Number `n` of the log; thread 0 is main. */
struct path_thread {
  uint32_t parent, nth; /* of main: 0, 0 */
  bool known;           /* it has a chunk, so that it is known whose child it is */
  VEC(uint64_t) words;  /* with all bits, but for the last one with 64 of them */
  uint64_t bits;
};

/* What the run was given. */
struct path_given {
  enum path_piece_kind kind; /* PIECE_INPUT, PIECE_FILE or PIECE_VARIABLE */
  enum path_kept kept;
  const char *name;  /* of a variable with its value: "NAME=VALUE"; of standard input "" */
  const char *bytes; /* `size` of them, and a zero */
  size_t size;
};

struct path_log {
  struct path_header header;   /* of version 1: with zeros for what it has not */
  const char *program;         /* the program as it was built by its user */
  const char *called;          /* argv[0]; NULL: it is not known */
  VEC(const char *) arguments; /* without the program's name */
  VEC(struct path_thread) threads;
  VEC(struct path_given) given; /* in the order of their numbers */
  struct text texts, contents;  /* what those strings are in */
};

/* ERR_FILE, or ERR_FORMAT for what is no log, or a part of one. Nothing is left then. */
[[nodiscard]] enum err path_log_read(struct path_log *log, const char *path, struct diag *d);
void path_log_release(struct path_log *log);
/* A whole file, or none. Of the header the caller has filled in how the run ended; the rest of it is filled in here. ERR_UNSUPPORTED: the
 * program's arguments are longer than there is room for. */
[[nodiscard]] enum err path_log_write(struct path_log *log, const char *path, struct diag *d);

/* The first PATH_CHUNK bytes of such a file, appended, and the header as it is in them. */
[[nodiscard]] enum err path_log_head(struct path_log *log, struct text *out, struct diag *d);

/* Appends the lowest `n` bits of the number, the highest first. */
void path_log_append(struct path_thread *t, uint64_t number, uint32_t n);
/* Nothing is left behind the first `bits` of them, of which there are as many. */
void path_log_cut(struct path_thread *t, uint64_t bits);
/* The thread's `nth` child; PATH_THREADS: the log has none. */
uint32_t path_log_child(const struct path_log *log, uint32_t thread, uint32_t nth);
/* Bits [at, at + n) of the thread's as a number, the first one highest. at + n is at most its bits, n at most 64. */
uint64_t path_log_number(const struct path_log *log, uint32_t thread, uint64_t at, uint32_t n);
/* The item of that kind and name; NULL: there is none. */
const struct path_given *path_log_given(const struct path_log *log, enum path_piece_kind kind, const char *name);
/* "bits", "all", "numbers"; PATH_HOWS: it is none of them. */
const char *path_how_text(enum path_how how);
enum path_how path_how_find(const char *text);
/* "0.1": the hierarchical name. */
void path_log_name(const struct path_log *log, uint32_t thread, struct text *out);
