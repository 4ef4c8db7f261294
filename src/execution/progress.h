/* Can the operations of a scenario be kept from ending? The graph of all states of its executions is made, from the initial one on in the
 * order of breadth-first search, and asked (objects/progress.h). Nothing is reduced: a partial-order reduction may leave circles out.
 *
 * States are told apart by machine_state(). A thread that the machine has seen to wait (machine/spin.c, machine/patience.c), or that is
 * blocked, has a circle of one step in each state in which it does. */
#pragma once
#include "execution/run.h"
#include "objects/progress.h"
#include "trace/schedule.h"

struct finding;

enum progress_answer { PROGRESS_HOLDS, PROGRESS_FAILS, PROGRESS_UNKNOWN };

/* Asks it of a machine with options.unjudged, under sc, and for wait-freedom options.repeats. PROGRESS_FAILS: `to`, which is empty, leads
 * to a circle and once round. PROGRESS_UNKNOWN: *why is a static text. */
enum progress_answer progress_search(struct machine *m, enum progress_condition asked, struct schedule *to, const char **why);

/* Takes the steps from the initial state on. Do they show that it is not so: do the last ones form such a circle, or does a thread wait
 * behind them? Then fills in the finding; the caller releases it in any case. */
bool progress_shown(struct run *r, enum progress_condition asked, const struct schedule *steps, struct finding *to);

/* The kind of its findings, and what they are about; PROGRESS_NOT_ASKED: something else. */
enum finding_kind progress_finding(enum progress_condition asked);
enum progress_condition progress_of_finding(enum finding_kind kind);
