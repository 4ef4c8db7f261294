/* Scenarios: which thread calls which operations of an object, with which arguments, and all of them up to a size.
 *
 * Written as text, threads are separated by bars: `put(1) get() | get()`. A thread's operations follow each other; those of different
 * threads may overlap. Behind a semicolon it may say that a thread, counted from 1, stops for ever in the midst of an operation:
 * `put(1) get() | get(); thread 2 crashes after 3 steps`. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "base/vec.h"

enum {
  SCENARIO_THREADS = 8,
  SCENARIO_CALLS = 8, /* of one thread */
  SCENARIO_ARGUMENTS = 6,
};

/* What an object can do: the operations of its program, in the order in which they are numbered. */
struct object_operation {
  const char *name; /* lasts as long as the image that it is from */
  uint32_t parameters;
};
struct object {
  VEC(struct object_operation) operations;
};

struct scenario_call {
  uint32_t operation;
  uint64_t arguments[SCENARIO_ARGUMENTS]; /* those that the operation has not are 0 */
};

struct scenario {
  uint32_t threads;
  uint32_t count[SCENARIO_THREADS]; /* calls of each */
  struct scenario_call calls[SCENARIO_THREADS][SCENARIO_CALLS];
  bool crashes;                       /* a thread stops for ever in an operation: */
  uint32_t crash_thread, crash_after; /* which one, and after how many steps within its operations */
};

/* Calls of all threads. */
uint32_t scenario_size(const struct scenario *s);
/* Appends "put(1)". */
void scenario_call_text(const struct object *o, const struct scenario_call *c, struct text *out);
void scenario_text(const struct object *o, const struct scenario *s, struct text *out);
/* Reads what scenario_text() writes. ERR_USAGE, with the column, if it is none of the object. */
[[nodiscard]] enum err scenario_parse(struct scenario *s, const struct object *o, const char *text, struct diag *d);

/* All scenarios of 1 to `threads` threads with 1 to `calls` calls each and every argument from 1 to `arguments`, those with fewest calls
 * first. Of scenarios that differ only in which thread is which there is one. */
struct scenarios {
  const struct object *object;
  uint32_t threads, calls;
  uint64_t arguments;
  uint64_t ncalls;                        /* different calls */
  uint64_t sequences[SCENARIO_CALLS + 1]; /* by length: of them */
  uint32_t size;                          /* calls of the present scenarios; 0: none yet */
  uint32_t parts, length[SCENARIO_THREADS];
  uint64_t which[SCENARIO_THREADS];
};

/* ERR_USAGE if there are more than can be counted, or none. */
[[nodiscard]] enum err scenarios_begin(struct scenarios *s, const struct object *o, uint64_t threads, uint64_t calls, uint64_t arguments,
                                       struct diag *d);
/* How many there are in all. */
double scenarios_count(const struct scenarios *s);
/* The next one; false: there are no more. */
bool scenarios_next(struct scenarios *s, struct scenario *to);
