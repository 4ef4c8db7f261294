/* Witnesses of recorded runs (trace/witness_file.h), followed in the machine: what a native run's prediction says becomes a schedule.
 *
 * The machine has to have been made with every access visible (machine_options.no_narrowing). A thread goes on only when its next step is
 * due: then it does what comes before that step, and the step. Steps are told by operation, place and count; addresses are the recorded
 * run's, and mean nothing here. What the witness's threads did before the first fork, the machine has done before its initial state.
 *
 * When all steps are done, threads are taken to the witness's ends and over them, so that a detector of the machine sees the finding:
 *
 *   - a data race: both accesses, one behind the other, and the race detector on the trace;
 *   - an atomicity violation: the last access, behind the two others, and what happens/atomicity.h says of the trace;
 *   - a deadlock, a use after free, a null pointer: the machine fails;
 *   - a lost wake-up: the wait begins, all others go on as they can, and the machine fails when nobody is left;
 *   - a property, which the machine has to watch: it fails. A property's events are steps of the machine, and none of the witness. So they
 *     are taken as late as can be, or, if that does not show it, as early; and behind the witness the next ones in any order. */
#pragma once
#include "base/text.h"
#include "trace/finding.h"
#include "trace/schedule.h"
#include "trace/witness_file.h"

struct machine;

/* Zeroed is empty. */
struct followed {
  bool shown;               /* the execution has the finding */
  uint32_t done;            /* steps of the witness that were done */
  struct schedule schedule; /* all steps of the machine */
  struct finding finding;   /* as this execution shows it, if it does */
  struct text why;          /* else why not: a clause */
};

/* NULL if the machine has a detector for the witness's kind of finding; else why it cannot be seen there. */
const char *follow_lacks(const struct witness_file *w);
/* Is it of a property, which the machine has to watch? */
bool follow_is_property(const struct witness_file *w);
/* Resets the machine, and leaves it where the execution ends. `*out` is empty before. */
void follow_witness(struct machine *m, const struct witness_file *w, struct followed *out);
void followed_release(struct followed *f);
