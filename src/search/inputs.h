/* Inputs of a program with symbolic data, explored by several processes, or in several sittings (explore/inputs.c has one process do it).
 *
 * What is pending (machine/symbolic/pending.h) is a tree, no two parts of which have an input in common. A worker has a part: it takes one
 * pending input after the other, explores it, and what that leaves pending is its own. Where nobody has anything left, one that has much
 * gives about half of it away. So each input is explored once, by one worker, and workers hardly ever wait for each other; each has its own
 * expressions, solver and states, and what it has learned of the program (which memory is shared) stays with it.
 *
 * A worker says what it has counted, seen and still has pending, all at once: when it gives something away, when it has nothing left, and
 * every second or so. So whatever becomes of it, what was done since is to be done again, and nothing is counted twice. A campaign keeps
 * what was said last in its file.
 *
 * An input that shows a finding, or a circle of states, ends this: the master explores that input alone, as one process would, and what
 * comes of it is told of it. Which input that is depends on who is first. */
#pragma once
#include "explore/session.h"

struct inputs;

/* The session has just begun, and is not to have a campaign of its own: `folder` (NULL: none) is the campaign's, and `of` what it is of.
 * ERR_FILE, ERR_FORMAT, ERR_USAGE, ERR_TOOL; may be NULL then. */
[[nodiscard]] enum err inputs_new(struct session *s, const char *folder, const char *of, struct inputs **out, struct diag *d);
/* Is there a present input that is to be explored? False: inputs_next() has the first, as a campaign goes on. */
bool inputs_begin(struct inputs *x);
/* Does the session explore? */
bool inputs_explores(const struct inputs *x);
/* Everything was explored with the present input. Has others explored, until the session has to explore one (true), everything is explored,
 * or something ends it (false). */
bool inputs_next(struct inputs *x, enum err *e);
/* The exploration is over: a campaign is saved. */
[[nodiscard]] enum err inputs_save(struct inputs *x);
void inputs_free(struct inputs *x);
