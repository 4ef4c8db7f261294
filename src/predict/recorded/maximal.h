/* The maximal analysis of recorded runs: what could go wrong in any other order of a run's events that every program must be able to come
 * to that did this run (docs/model.md, section 2; Huang and Rosu, US 9,792,161).
 *
 * A run is taken in windows that overlap. In each, candidates (candidate.h, and those found here) are asked of the window's causal model,
 * one by one; what is found is reported once for each combination of sites, with a witness.
 *
 * 1. Every finding is real, or `claimed`: each program that can do the run can do the witness.
 * 2. In a window nothing is missed that the model has, unless it is counted: as undecided, or left out.
 * 3. The result depends on the run and the options alone, but not on `jobs`. Windows are looked at in rounds; in a round each is looked at
 *    with what was known when it began, by whatever process, and what they find is put together in the order of windows. */
#pragma once
#include "predict/recorded/reading.h"
#include "trace/finding.h"
#include "trace/recorded.h"

struct maximal;

#define MAXIMAL_WINDOW 10000u
#define MAXIMAL_BUDGET 20000u

/* What is left out, each counted once for each window. X(name, what) */
#define MAXIMAL_LEFT_LIST(X)                                                                                            \
  X(QUESTIONS, "combinations of places were asked about as often as may be, and have more pairs of events")             \
  X(ACCESSES, "accesses are to words that have too many kinds of accesses to be compared")                              \
  X(TRIPLES, "sets of accesses were not tried as a whole between two others of one region")                             \
  X(CYCLES, "circles of locks are too many to be asked about")                                                          \
  X(DOUBT, "events lie where the order of the run is in doubt: nothing was asked there")                                \
  X(THREADS, "events were not looked at: more threads than a window can have wait for what they are about, or hold it") \
  X(TIME, "windows were not looked at, or not to their end, for lack of time")
enum maximal_left {
#define X(name, what) LEFT_##name,
  MAXIMAL_LEFT_LIST(X)
#undef X
      LEFT_COUNT
};

struct maximal_counts {
  uint64_t events, windows, modelled, questions, yes, no, undecided;
  uint64_t left_out, left[LEFT_COUNT]; /* in all; of each */
  uint64_t effort;                     /* of the order engine (order.h) */
  bool stopped;
  uint64_t unexplained; /* reads of shared memory whose values no order of the recorded writes explains */
};

struct maximal_options {
  uint32_t window;  /* events; 0: MAXIMAL_WINDOW */
  uint64_t budget;  /* effort of the order engine for one question, at most (allowance.h); 0: MAXIMAL_BUDGET */
  uint32_t jobs;    /* processes that share the windows; 0: one */
  unsigned without; /* 1 << kind: do not look for these */
  /* Is a call of the method meant to be atomic (recorded_names.methods)? May be NULL: none is. Sections of locks always are. */
  bool (*region)(void *data, uint64_t method);
  void *data;
  /* Told what was done so far, now and then. May be NULL. */
  void (*progress)(void *to, const struct maximal_counts *counts, uint64_t findings);
  void *to;
};

/* Events: of a DATA_RACE the two accesses; USE_AFTER_FREE: the use, the free; ATOMICITY_VIOLATION: the two accesses of one thread, then the
 * one that comes between; DEADLOCK: the acquires, each of a lock that the thread of the next one holds; NULL_DEREFERENCE: the use, the
 * read; LOST_WAKEUP: the wait. */
struct maximal_finding {
  enum finding_kind kind;
  bool undecided;         /* the budget was not enough, or something is not modelled: */
  const char *why;        /* which of these; else NULL */
  const char *claimed;    /* why it is no proof (question.h); NULL: it is one, or undecided */
  uint64_t window;        /* its number */
  uint64_t from, end;     /* of the window; the witness: the run's first `from` events, in the run's order, */
  uint32_t events, event; /* (these are maximal_events(): how many, the first) */
  uint32_t steps, step;   /* then these: maximal_events() again */
  uint32_t locks;     /* and behind these the locks that are held at the finding's events (`what`: which of them), where they were taken */
  uint64_t condition; /* LOST_WAKEUP: its condition variable */
};

[[nodiscard]] struct maximal *maximal_new(const struct maximal_options *options);
void maximal_free(struct maximal *m);
/* Reads the run to its end, or until `deadline_passed` (base/deadline.h): then the windows that were not looked at are LEFT_TIME, and
 * `counts.stopped` is set if there is more of the run behind them. ERR_NONE, or what the stream says; with several processes ERR_TOOL,
 * which is `d`, if one of them ends early. */
enum err maximal_run(struct maximal *m, struct recorded_stream *s, struct diag *d);
/* Those decided and those not, in the order of the windows. Indices into `maximal_events()`. */
const struct maximal_finding *maximal_findings(const struct maximal *m, uint32_t *n);
const struct recorded_step *maximal_events(const struct maximal *m);
struct maximal_counts maximal_counts(const struct maximal *m);
