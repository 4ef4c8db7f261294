/* What the events of an execution depend on: the dynamic dependency setting (docs/model.md, Dependency).
 *
 * The execution is repeated by a second instance of the interpreter, which carries for each slot, and for memory that only one thread
 * touches, the set of the thread's reads that the value was computed from. The machine that does not look for dependencies has no part of
 * this.
 *
 *   - What an event is depends on the reads that any branch, address, size or argument of an external function before it was computed
 *     from: if these return the same, the thread comes to the event, with the same object. Where a branch's ways meet again is not asked:
 *     one that was not taken could have had visible steps.
 *   - What a write leaves depends also on the reads that its value was computed from.
 *   - What is read from shared memory depends on that read alone: its value is the other thread's business.
 *   - Reads whose result decides what the step is (a compare-exchange that failed, a wait for a change), and what starts a thread, depend
 *     on all earlier reads of their thread; of arguments and memory that external functions see, nothing is known, so they are taken for
 *     branches.
 *
 * Read-modify-writes, and results of operations other than READ, are no reads here: whoever asks takes them for kept in any case. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "trace/schedule.h"

struct machine;
struct follow;

/* Positions in the machine's trace. The lists of event i are [starts[i], starts[i + 1]) of `control` and `values`, each of earlier READs
 * of its thread, and where the event decides something itself, its own. The control list is what was added since the thread's event
 * before it that no buffer holds back: whatever has event i has that one, too. */
struct depend {
  VEC(uint32_t) control_starts, control, value_starts, values;
  struct follow *follow; /* kept from one execution to the next */
};

void depend_release(struct depend *d);
/* Repeats the execution that the machine has made in these `n` steps from its initial state, and fills `*d`. The machine then stands where
 * it stood, without marks but the first. False: it cannot be repeated, because more memory turned out to be shared. */
[[nodiscard]] bool depend_follow(struct depend *d, struct machine *m, const struct step *steps, uint32_t n);
