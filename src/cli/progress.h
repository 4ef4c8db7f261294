/* The progress line of an exploration, or of other long work, on a terminal only. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct progress {
  bool shown;         /* standard error is a terminal */
  bool drawn;         /* the line is on the screen */
  double start, next; /* seconds, monotonic */
};

/* What the line tells. */
struct progress_state {
  uint64_t executions, given_up, findings;
  double per_second;
  uint32_t depth; /* steps of the last execution */
  double done;    /* estimated share that is explored, 0..1; negative: unknown */
};

void progress_begin(struct progress *p);
/* Cheap to call often: draws ten times a second at most. */
void progress_update(struct progress *p, const struct progress_state *state);
/* Removes the line. */
void progress_end(struct progress *p);
/* The same for work of another kind: is it time to draw? Then the line is this. */
bool progress_is_due(struct progress *p);
void progress_draw(struct progress *p, const char *line);
double progress_seconds(const struct progress *p);
