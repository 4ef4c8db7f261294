/* The waypoints of a violation witness (violation.h), and how they are written. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "base/vec.h"
#include "report/task_source.h"

struct machine_nondet;
struct violation_task;

#define WAYPOINT_LIST(X)                                                                 \
  X(ASSUMPTION, "assumption") /* a thread comes to a statement: the constraint is "1" */ \
  X(FUNCTION_ENTER, "function_enter")                                                    \
  X(FUNCTION_RETURN, "function_return")                                                  \
  X(TARGET, "target")

enum waypoint_type {
#define X(name, text) WAYPOINT_##name,
  WAYPOINT_LIST(X)
#undef X
};

#define WAYPOINT_NO_THREAD UINT32_MAX

struct waypoint {
  enum waypoint_type type;
  uint32_t thread;      /* its number in the witness; WAYPOINT_NO_THREAD: not said */
  const char *file;     /* as the user named it */
  const char *function; /* that the place is in; "": not known */
  struct spot spot;
  struct text constraint; /* C; empty: none */
};

/* Zeroed is empty. */
struct waypoints {
  VEC(struct waypoint) list;
  bool has_threads; /* more than one: version 2.2 */
};

void waypoints_release(struct waypoints *w);
/* Appends the constraint that the call has returned the value. Exact, but for NaN and numbers that C has no constants for: then it is true
 * of others as well. */
void waypoint_result(const struct machine_nondet *value, struct text *out);
/* Appends the witness. The targets, at the end of the list, are one segment. ERR_FILE: a source cannot be read. */
[[nodiscard]] enum err waypoints_write(const struct waypoints *w, const struct violation_task *task, struct text *out, struct diag *d);
