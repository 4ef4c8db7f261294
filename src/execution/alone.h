/* What an object's operations return when nobody else uses it: those of a scenario are run by one thread of the machine, one after the
 * other, in every order that keeps each thread's own. */
#pragma once
#include "base/err.h"
#include "objects/sequential.h"

struct image;
struct machine_options;

/* Fills *to, which is empty. `model`: it is another implementation of the operations, whose failures nobody else shows: they are errors.
 * `options`: as for the scenario's executions; the memory model makes no difference. There must be no machine
 * while it runs. Operations that block for ever, go round in a circle of states, or fail, have no result there: executions of the scenario
 * show failures. ERR_UNSUPPORTED: an operation does not end, or does what has more than one result; ERR_INTERRUPTED: the deadline passed.
 */
[[nodiscard]] enum err alone_run(struct sequential *to, const struct image *image, const struct machine_options *options, bool model,
                                 struct diag *d);
