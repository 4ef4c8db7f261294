/* Schedule files: an execution that shows a finding, as text that people can read and `heddle replay` can run.
 * heddle-schedule(5) describes the format; both directions are here and in schedule_parse.c.
 *
 * Steps are named by thread, operation and place in the source, so a schedule still fits a recompiled program whose places did not
 * move, and a replay that goes another way notices where. Threads have their hierarchical names, since tids mean nothing in
 * another process. Equal consecutive steps are one entry with a count, in memory too: a hostile count costs nothing.
 *
 * Strings lie in one pool and are offsets into it; offset 0 is "". */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "trace/event.h"
#include "trace/finding.h"
#include "trace/path_log.h"

#define SCHEDULE_VERSION 1
/* Steps of an execution, whose events then have 3 GB. */
#define SCHEDULE_STEPS_MOST (1u << 26)
#define SCHEDULE_AGENT      "'s stores"

/* What a step does and where. A flush: the store's place; which of the stores in a buffer it is, place and object say. */
struct schedule_step {
  uint32_t thread; /* string: hierarchical name; of an agent, SCHEDULE_AGENT behind the thread's */
  uint32_t choice;
  uint32_t repeat; /* >= 1 */
  enum event_op op;
  uint32_t file, function; /* strings */
  uint32_t line, column;
  uint64_t object, size; /* 0: none; means something for the same program only */
  uint32_t comment;      /* string: for people; not compared */
};

struct schedule_site {
  uint32_t thread, role, file, function; /* strings */
  uint32_t line, column;
};

/* A vector (base/vec.h) of strings. */
struct schedule_strings {
  uint32_t *data;
  size_t count, cap;
};

/* The lists of strings: what the program was made of and run with. (member, key in the file) */
#define SCHEDULE_LISTS(X)                                    \
  X(programs, "program") /* sources, bitcode or a binary */  \
  X(flags, "flag")       /* for the compiler */              \
  X(arguments, "argument")                                   \
  X(allowed, "allow")                                        \
  X(readable, "readable")                                    \
  X(loads, "loads")                                          \
  X(environment, "environment")                              \
  X(properties, "property")                                  \
  X(scenarios, "scenario") /* of an object's operations */   \
  X(models, "model")       /* what they are compared with */ \
  X(symbolic_stdin, "symbolic-stdin")                        \
  X(symbolic_files, "symbolic-file")                         \
  X(symbolic_arguments, "symbolic-args")                     \
  X(symbolic_variables, "symbolic-env")

/* What a call of hd_symbolic() was given. */
struct schedule_data {
  uint32_t thread, name, bytes; /* strings; the bytes as pairs of hexadecimal digits */
  uint32_t number;              /* it is the thread's so many'th, from 0 */
};

/* What standard input, or a file that the program may read, has. */
struct schedule_bytes {
  uint32_t name; /* string; 0: standard input */
  struct text bytes;
};

/* Memory of the program. */
struct schedule_range {
  uint64_t object, size;
};

/* Zeroed is empty. */
struct schedule_file {
  bool is_input; /* an input alone: no execution, nothing found */
  struct text pool;
  struct hashmap interned;
#define X(member, key) struct schedule_strings member;
  SCHEDULE_LISTS(X)
#undef X
  uint32_t input;   /* string: file that standard input reads; 0: none */
  uint32_t called;  /* string: argv[0]; 0: the program's name */
  uint32_t memory;  /* string: memory model */
  uint64_t content; /* hash of the image */
  uint64_t loop_bound;
  bool spurious, whole_deadlocks, no_leaks, exit_codes;
  bool alone;        /* what a thread does after all others were joined is a step */
  bool recorded;     /* the program as it is built to record its paths (weave/paths.h): what ran natively; */
  enum path_how how; /* and how they are recorded */
  bool nondet;       /* __VERIFIER_nondet_*() give data, not choices */
  enum finding_kind kind;
  uint32_t message; /* string */
  VEC(struct schedule_site) sites;
  VEC(struct schedule_data) data;
  VEC(struct schedule_bytes) files;
  VEC(struct schedule_range) shared; /* plain accesses to it are steps: an exploration found out that threads share it */
  VEC(struct schedule_step) steps;
  VEC(struct schedule_step) stops; /* where each thread stands at the end; choice and repeat mean nothing */
};

/* The pool's offset of `s`; equal strings have equal offsets. */
uint32_t schedule_intern(struct schedule_file *f, const char *s);
/* Valid until the next schedule_intern(). */
const char *schedule_string(const struct schedule_file *f, uint32_t offset);
/* Appends bytes to the file of that name, 0 for standard input; it may be new. */
void schedule_append_bytes(struct schedule_file *f, uint32_t name, const char *bytes, size_t n);
/* Appends a step, merged with the last one if they are equal. */
void schedule_append(struct schedule_file *f, const struct schedule_step *step);
/* Appends "x = 0x2a"; of more than eight bytes, the bytes; of what the process is given, a string. */
void schedule_data_text(const struct schedule_file *f, const struct schedule_data *data, struct text *out);
/* Number of steps, counts taken into account. */
uint64_t schedule_steps(const struct schedule_file *f);
/* Appends "bank.c:12:3". */
void schedule_place_text(const struct schedule_file *f, const struct schedule_step *s, struct text *out);
void schedule_file_release(struct schedule_file *f);

/* Appends the file's content. */
void schedule_file_text(const struct schedule_file *f, struct text *out);
/* Reads what schedule_file_text() wrote. Anything else is ERR_FORMAT, with `name` and the line in the message, and leaves `*f` empty. */
[[nodiscard]] enum err schedule_file_parse(struct schedule_file *f, const char *name, const char *content, size_t n, struct diag *d);

[[nodiscard]] enum err schedule_file_write(const struct schedule_file *f, const char *path, struct diag *d);
[[nodiscard]] enum err schedule_file_read(struct schedule_file *f, const char *path, struct diag *d);
