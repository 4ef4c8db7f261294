/* Witnesses (trace/witness_file.h) of what was found in a recorded run. A finding says how many of the run's first events happen in the
 * order of the run, and which ones then, up to the finding. What becomes steps of that:
 *
 * - of the first part, what orders threads: synchronisation, and accesses that nothing else orders (marks.h);
 * - where it ends, each thread's last event, so that nobody goes on before all are there;
 * - all events behind that. */
#pragma once
#include "predict/recorded/reading.h"
#include "trace/finding.h"
#include "trace/witness_file.h"

struct steps;

/* `thin`: the trace lacks accesses that one thread alone cares for; so others are told by their addresses, too. */
struct steps *steps_new(bool thin);
/* A finding: its events, as the analysis says them, and the witness. `kind`: FINDING_PROPERTY for any property's. What is pointed to stays
 * as it is. Findings have numbers from 0 on. */
void steps_add(struct steps *s, enum finding_kind kind, const struct recorded_step *events, uint32_t nevents, uint64_t from,
               const struct recorded_step *steps, uint32_t nsteps);
/* Reads the run that they are of, twice if it is long. `open` begins it anew. */
[[nodiscard]] enum err steps_run(struct steps *s, struct recorded_stream *(*open)(void *data), void *data);
/* The witness of that number, but for its head; its threads' names and sites are there. NULL if there is none: `*why`. */
struct witness_file *steps_witness(struct steps *s, uint32_t number, const char **why);
void steps_free(struct steps *s);
