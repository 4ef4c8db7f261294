/* Can an operation be kept from ending? Asked of the graph of all states of a scenario's executions.
 *
 *   obstruction-free: from every state, each thread that is in an operation ends it if it runs alone, all others standing still (Herlihy,
 *     Luchangco and Moir, "Obstruction-free synchronization: double-ended queues as an example", 2003);
 *   lock-free: there is no infinite run in which no operation ends from some point on, whichever threads take steps in it;
 *   wait-free: there is no infinite run in which a thread takes infinitely many steps and does not end its operation, while others may end
 *     theirs, and begin new ones, for ever (Herlihy, "Wait-free synchronization", 1991).
 *
 * An infinite run of finitely many states goes round in a circle of them, so each of the three is about a circle of steps. A thread that
 * waits, for a lock or for what others write, is taken to look again for ever: a circle of one step that leads nowhere. So what waits is
 * never obstruction-free, and each of the three says more than the one before it.
 *
 * In scenarios of finitely many operations, every infinite run is one in which no operation ends from some point on. So wait-freedom is
 * asked of scenarios that repeat: each thread does its operations again and again (machine_options.repeats). */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

enum progress_condition { PROGRESS_NOT_ASKED, PROGRESS_OBSTRUCTION_FREE, PROGRESS_LOCK_FREE, PROGRESS_WAIT_FREE, PROGRESS_COUNT };

/* "lock-free", ... */
extern const char *const progress_names[PROGRESS_COUNT];

enum { PROGRESS_NOBODY = UINT32_MAX };

/* A step from one state to another one, or the same. */
struct progress_step {
  uint32_t from, to;
  uint32_t thread; /* of the scenario; PROGRESS_NOBODY: it has not begun an operation yet, or is none of them */
  bool ends;       /* an operation of that thread */
};

/* Ordered by `from`. States are numbered from 0. */
struct progress_graph {
  VEC(struct progress_step) steps;
  uint32_t states;
};

/* Steps of a circle that must not be there, by their numbers; the first begins in the state with the least number from which there is one.
 * `to` is empty; it stays so if there is none. */
struct progress_circle {
  VEC(uint32_t) steps;
};
void progress_find(const struct progress_graph *g, enum progress_condition asked, uint32_t threads, struct progress_circle *to);
