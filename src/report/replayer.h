/* Running a schedule file in the machine, one step at a time, and making one from a schedule.
 *
 * Two machines may disagree on which plain accesses are visible: what counts as shared narrows and widens with what a process has explored.
 * What the file lists as shared is made so (of a program that has changed every access must be visible: machine_options.no_narrowing), and
 * a replayed thread passes over plain accesses that are not listed; they cannot have mattered, or they would be listed. Nor does the file
 * say when such stores are flushed: replay flushes them as soon as it can. Everything else must fit step by step: operation, place in the
 * source, and for the same program the object. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "trace/event.h"
#include "trace/schedule.h"

struct image;
struct machine;
struct schedule_file;

/* Fills steps and stops of `f` by running `schedule` from the machine's initial state, and its content hash. ERR_DIVERGED if a step
 * cannot be taken, ERR_INTERRUPTED if the deadline passes (base/deadline.h); also in replayer_next(). The machine is left at the end of the
 * execution. */
[[nodiscard]] enum err replayer_record(struct machine *m, const struct image *image, const struct schedule *schedule,
                                       struct schedule_file *f, struct diag *d);

/* A store that was passed over, by the name of its event. */
struct passed_store {
  uint32_t thread, index;
};

/* The references hold until replayer_release(). */
struct replayer {
  struct machine *m;
  const struct image *image;
  const struct schedule_file *file;
  bool same_program;                      /* the image is the one that the schedule was made with: objects are compared */
  uint32_t entry;                         /* the next step is this entry of the file, */
  uint32_t taken;                         /* of whose repetitions so many are done */
  uint64_t step;                          /* steps taken */
  uint32_t last;                          /* thread that took the last one */
  struct schedule made;                   /* all steps of the machine so far, what is passed over included */
  VEC(uint32_t) later;                    /* for each entry, the next one of the same thread, or UINT32_MAX */
  VEC(struct passed_store) passed_stores; /* that are still in a buffer */
  VEC(uint32_t) passed_site;              /* by tid: first site that was passed over since the thread's last step, or UINT32_MAX */
};

/* Resets the machine. */
void replayer_start(struct replayer *r, struct machine *m, const struct image *image, const struct schedule_file *file);
/* Another execution of the same schedule. */
void replayer_restart(struct replayer *r);
void replayer_release(struct replayer *r);

bool replayer_ended(const struct replayer *r);
/* The thread (or agent) of the next step, checked: ERR_DIVERGED, with the step's number and both places, if it cannot take it. */
[[nodiscard]] enum err replayer_next(struct replayer *r, uint32_t *thread, struct diag *d);
/* Takes the step that replayer_next() just checked. Its first event is trace entry `*event`. */
void replayer_take(struct replayer *r, uint32_t thread, uint32_t *event);
