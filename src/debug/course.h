/* The course of one execution, forwards and backwards, one instruction at a time.
 *
 * The schedule says which thread takes which step, so the whole execution is known in advance, and only one thread is at it at any time. A
 * *position* is a moment at which a thread is about to execute an instruction. Going back is running again from the beginning, up to the
 * position wanted: what an instruction did is never undone. Steps on the way are taken at the machine's full speed; only where something is
 * looked for is each instruction told. To look backwards, the present step is gone through, then the one before it, then the two before
 * that, and so on.
 *
 * Example: thread 1 executes A and stands before B, which has to wait for its step; thread 2 executes C; then thread 1 executes B. There
 * are three positions, before A, C and B; that thread 1 came to B first is none.
 *
 * Whoever uses it is called where the course stops, and says how it goes on: serve(). */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "debug/frames.h"
#include "trace/event.h"
#include "trace/schedule.h"

enum course_reason {
  COURSE_ARRIVED, /* where it was sent */
  COURSE_STEPPED,
  COURSE_BREAKPOINT,
  COURSE_WATCHPOINT,
  COURSE_INTERRUPTED,
  COURSE_BEGIN, /* there is nothing before this position, */
  COURSE_END    /* or behind it */
};

struct course_stop {
  enum course_reason reason;
  uint32_t thread;
  uint64_t address; /* COURSE_WATCHPOINT: of the memory that changed */
};

enum course_way { COURSE_GO, COURSE_STEP, COURSE_BACK, COURSE_STEP_BACK, COURSE_QUIT };
struct course_request {
  enum course_way way;
  uint32_t thread; /* the one that steps */
};

struct course_watch {
  uint64_t address, size;
  uint8_t bytes[64], unreadable;
};
#define WATCH_MOST 64u /* bytes */

/* What a thread has just returned. */
struct course_return {
  uint64_t value[2];     /* slots */
  unsigned results;      /* enum debug_result */
  bool executes, behind; /* it executes the return; it stands where that leads */
  bool waits;            /* and has to wait for its step there */
};

struct course {
  struct machine *m;
  struct frames frames;
  struct schedule steps;
  VEC(uint64_t) first; /* by step: how often the machine has told of an instruction before it */
  VEC(uint64_t) waits; /* the tellings that are no positions, in order */
  uint64_t begin, end; /* the first position; the last, or behind the last step if threads are left that stand there */
  bool leaves_none;    /* no thread is left at the end: the course stays before the last instruction */
  uint32_t last;       /* the thread of the end */

  VEC(uint32_t) breakpoints; /* code words */
  VEC(struct course_watch) watches;

  /* where it is */
  size_t step;
  uint64_t told, at; /* tellings so far; the position */
  size_t wait;       /* the first of `waits` that is not behind it */
  uint32_t thread;
  struct course_return returns[THREADS_MAX];
  /* where it goes */
  enum { COURSE_SEEKS, COURSE_SCANS, COURSE_RUNS } mode;
  uint64_t goal;           /* COURSE_SEEKS: to this position; COURSE_SCANS: up to it, for the last one that matters */
  size_t from, span;       /* COURSE_SCANS: from this step on; how many more steps are looked at next time */
  struct course_stop stop; /* what is said there */
  uint32_t stepper;        /* the thread that steps; THREADS_MAX: none */
  bool stepped, changed, fresh, again, quit;
  struct course_stop change; /* what has changed, and by whom, */
  uint64_t changed_at, best; /* and from which position on; COURSE_SCANS: the best one so far */
  bool found;

  struct course_request (*serve)(void *context, const struct course_stop *stop);
  bool (*interrupted)(void *context);
  void *context;
};

/* Learns the course of these steps, which the machine can take. False: they do not fit. */
bool course_open(struct course *c, struct machine *m, const struct code_map *map, const struct schedule *steps);
void course_close(struct course *c);

/* From the beginning on, until serve() has enough. `serve`, `interrupted` and `context` are set. */
void course_run(struct course *c);

/* Where the thread stands, and what it has returned if it stands behind a return. */
struct frame_registers course_registers(const struct course *c, uint32_t thread);

void course_break(struct course *c, uint32_t code, bool set);
/* False: too much memory, or none. */
bool course_watch(struct course *c, uint64_t address, uint64_t size, bool set);
