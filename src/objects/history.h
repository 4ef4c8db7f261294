/* Is a history linearizable? Watched while it happens: after each end of an operation it is known whether the results so far have an
 * explanation.
 *
 * A history is the order in which operations begin and end, with their results. It is linearizable if there is an order of its operations
 * in which each one comes before those that began after it had ended, and in which the object, used by nobody else meanwhile, returns these
 * results; operations that have not ended may have taken effect, with any result, or not (Herlihy and Wing, "Linearizability: a correctness
 * condition for concurrent objects", 1990).
 *
 * What is kept of the past is what can still matter: which operations are pending, and all *explanations*, each a node of the sequential
 * graph (sequential.h) and the results of pending operations that it takes for done. When an operation ends, explanations in which it is
 * done with that result are left, and such as come of the others by letting pending operations take effect up to it. Nobody lets them take
 * effect before that is needed (Lowe, "Testing for linearizability", 2017: just-in-time linearization), so two operations that begin one
 * after the other, or end one after the other, leave the same state in either order.
 *
 * States are known by numbers, as those of property/monitor.h: hashes of their content, which mean the same in other processes. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "objects/scenario.h"
#include "objects/sequential.h"

struct history;

enum { HISTORY_BEGIN = 0, HISTORY_WRONG = 1 }; /* nothing has happened; no order explains what has */

/* Both must last. */
[[nodiscard]] struct history *history_new(const struct scenario *scenario, const struct sequential *sequential);
void history_free(struct history *h);

/* The state when the thread's next operation begins; when its pending one ends. A state that this history has not been in is
 * HISTORY_WRONG, as is all behind it. */
uint64_t history_begins(struct history *h, uint64_t state, uint32_t thread);
uint64_t history_ends(struct history *h, uint64_t state, uint32_t thread, uint64_t result);
/* All operations have ended, and the object is in that state (sequential_node.state). */
uint64_t history_closes(struct history *h, uint64_t state, uint64_t value);
/* No operation that is pending can end any more. May that be: is there an explanation in which each of them blocks? That of `crashed`
 * (HISTORY_NOBODY: of none) need not: its thread has stopped in it, with or without an effect. */
enum { HISTORY_NOBODY = UINT32_MAX };
bool history_may_block(const struct history *h, uint64_t state, uint32_t crashed);

/* What happened, for people. */
struct history_event {
  uint8_t what;    /* enum history_what */
  uint32_t thread; /* of the scenario */
  uint32_t tid;    /* the thread that it is in an execution */
  uint64_t value;  /* the result, the state */
};
enum history_what { HISTORY_BEGINS, HISTORY_ENDS, HISTORY_CLOSES };

/* Appends one line: "put(1) = 0 | get() = 1, get() pending". */
void history_line(const struct object *o, const struct scenario *s, const struct history_event *events, size_t n, struct text *out);
/* Appends what the last event is: "begins put(1)", "ends put(1) = 0". */
void history_event_text(const struct object *o, const struct scenario *s, const struct history_event *events, size_t n, struct text *out);
/* Appends a table with a column for each thread, in the order of time. `names`: of the threads. */
void history_table(const struct object *o, const struct scenario *s, const struct history_event *events, size_t n, const char *const *names,
                   struct text *out);
/* Appends the orders of the operations that keep to which ended before which began, each as far as it gives these results, and what it
 * would give next instead, a line each; at most `most` of them, and then how many more there are. None if one of them gives these results.
 * `names`: of the threads. */
void history_orders(const struct history *h, const struct object *o, const struct history_event *events, size_t n, const char *const *names,
                    uint32_t most, struct text *out);
