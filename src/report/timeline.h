/* What happened in an execution, event by event, ready to be shown: words, values, places in the program's own source. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "report/names.h"
#include "report/place.h"
#include "trace/event.h"

struct finding;
struct finding_site;
struct replayer;

struct moment {
  uint64_t step;   /* from 1; 0: not a step (what a thread waits for at the end) */
  uint32_t thread; /* tid */
  uint32_t event;  /* index into the machine's trace, or UINT32_MAX */
  struct event e;  /* zero if there is no event */
  struct place place;
  uint32_t words;         /* offset into the timeline's pool */
  uint32_t stack, nstack; /* call stack before the step, innermost first: sites, in the timeline's `stacks` */
  bool marked;            /* belongs to the finding */
  bool folded;            /* not worth showing */
};

struct timeline_thread {
  uint32_t thread;
  uint32_t start; /* offset into the pool: the name of its first function */
  bool shown;     /* has a moment that is not folded */
};

/* Zeroed is empty. */
struct timeline {
  VEC(struct moment) moments;
  VEC(uint32_t) stacks;
  VEC(struct timeline_thread) threads; /* in the order of their names */
  struct names names;                  /* of what the words mention */
  struct text pool;
  uint64_t steps, switches; /* switches: how often another thread went on */
};

/* Runs the whole schedule. On ERR_DIVERGED the timeline holds what happened before. */
[[nodiscard]] enum err timeline_run(struct timeline *t, struct replayer *r, struct diag *d);
/* Marks the events of the finding, adds what threads wait for at the end, and folds what does not matter to it (unless `full`).
 * The machine still stands at the end of the execution. */
void timeline_focus(struct timeline *t, const struct replayer *r, const struct finding *finding, bool full);
const char *timeline_string(const struct timeline *t, uint32_t offset);
/* The moment of trace entry `event`, or NULL. */
const struct moment *timeline_find(const struct timeline *t, uint32_t event);
/* The moment that a site of a finding means: that of its event, or the last one of its thread at that place. NULL if there is none,
 * or if that is where the thread stands at the end. */
const struct moment *timeline_find_site(const struct timeline *t, const struct replayer *r, const struct finding_site *site);
/* Does the site's thread stand before it at the end? */
bool timeline_stands_at(const struct replayer *r, const struct finding_site *site);
void timeline_release(struct timeline *t);
