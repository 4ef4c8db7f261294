/* A recorded run, read a window at a time. Each window has a part in common with the next one, so that what stands at a border is looked at
 * together once. */
#pragma once
#include "base/vec.h"
#include "trace/recorded.h"

/* An event of the run that takes part in a finding, or a step of a witness. */
struct recorded_step {
  uint32_t thread, index, site;
  uint8_t op, flags;
  uint8_t what; /* of a property's finding: event of the property; of a lock: at which of the finding's events it is held */
  uint64_t object, size, position; /* position: events of the run before it */
};
struct recorded_step recorded_step_of(const struct event *e, uint64_t position);

/* Zeroed is ready for use: before the first event. */
struct recorded_reading {
  VEC(struct event) buffer; /* the window, and what was read behind it */
  bool ended;               /* there is no more behind the buffer */
};

/* Reads until the buffer has `window` events, or all there are. False: an error, or nothing is left. */
bool recorded_reading_fill(struct recorded_reading *r, struct recorded_stream *s, uint32_t window);
/* The window was the buffer's first `n` events: how many of them the next one does not have. */
uint32_t recorded_reading_passes(const struct recorded_reading *r, uint32_t n);
/* How many of the buffer's first events are RECORDED_DOUBTFUL: where the threads are before one of these, they need never have been at the
 * same time, so no window begins there. */
uint32_t recorded_reading_doubtful(const struct recorded_reading *r);
/* Forgets the first `n` events. */
void recorded_reading_pass(struct recorded_reading *r, uint32_t n);
