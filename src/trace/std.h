/* RAPID's STD text format, in which traces are published: a line for each event, `thread|operation(operand)|location`.
 *
 *   T0|fork(T1)|3      r w acq rel fork join branch, begin and end of an atomic region; req (asking for a lock) is ignored
 *   T1|w(V5)|12        operands and locations are names, whatever they look like
 *   T1|w(V5)|12|7      our addition: the value, in all lines of accesses or in none
 *   T1|w(V5)|-1        not known where
 *
 * What the format has no word for, reading adds:
 *   - values, if there are none: each write has its own, so that a read tells which write it saw
 *   - a branch behind each read, if the file has none: what its thread does then may depend on any value
 *   - BEGIN of each thread, and END before JOIN
 * Recursive inner pairs of a lock are left out. Atomic regions are calls of the method "atomic"; the operand is its argument's number. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct event;
struct recorded_names;
struct recorded_stream;
struct text;

/* Is this the beginning of such a text? */
bool std_begins(const char *bytes, size_t n);
/* `size`: of the file that `fd` is; both are the stream's from then on. */
[[nodiscard]] enum err std_open(const char *path, int fd, struct recorded_stream **s, struct diag *d);

/* Appends the line of an event; false if the format has none for it (locks held for reading, notifications, barriers, semaphores, fences,
 * allocation). An atomic update becomes a read and a write, the two halves of a wait what they do to the mutex. Overlapping accesses at
 * different addresses are different variables there. */
bool std_append(struct text *out, const struct recorded_names *names, const struct event *e);

/* What a text does not say of the events that it was made of. */
struct std_losses {
  uint64_t events, atomics, values; /* left out; plain there; 0 there, as it is not known */
};
/* Begins a text with a branch that nothing depends on: who reads it is not to think that there are none, and that any read decides. */
void std_begin(struct text *out);
/* std_append(), and counts what the event has lost. */
void std_append_counted(struct text *out, const struct recorded_names *names, const struct event *e, struct std_losses *lost);
