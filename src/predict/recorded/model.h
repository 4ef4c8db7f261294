/* A window of a recorded run, as the causal model takes it (causal.h, "Recorded runs").
 *
 * Branches are no events there, but say what the events behind them depend on: all reads of their thread before them. What comes before the
 * window is fixed: of it the model has the acquires of locks that are held, the waits that have not ended, and arrivals at barriers whose
 * round has not ended. Of the window it has what threads can tell each other:
 *
 * 1. accesses to words that more than one thread touches in the window, and some thread writes; what others read is what it is. An access
 *    over the border of two words takes both of them along;
 * 2. operations of objects that more than one thread uses in the window, or one uses and another one holds;
 * 3. forks, joins, begins and ends;
 * 4. what threads know of memory that is used again (reuse.h).
 *
 * A *trusting* model takes it that functions which are not recorded (EVENT_OUTSIDE) look at nothing but what such functions change. So
 * they decide by what keeps the order of that (RMW), and nothing depends on what else they read.
 *
 * A model that is not trusting takes it that what a read returned that was waited for, if nothing that was recorded explains it, may have
 * been caused by anything that any thread did before it in the run.
 *
 * Positions are those of the window; `places` translates them to the model's. */
#pragma once
#include "causal/causal.h"
#include "predict/recorded/memory/lives.h"
#include "predict/recorded/memory/pointers.h"
#include "predict/recorded/memory/reuse.h"
#include "predict/recorded/owners.h"

/* A value that was read and used as an address. */
struct recorded_pointer {
  uint32_t branch, read; /* positions */
  uint32_t to;           /* place: the thread's last event before the branch that the model has */
};

/* What is known of a thread while the model is made. */
struct recorded_maker {
  VEC(uint32_t) open, due; /* places: reads since its last branch; reads that its next event depends on */
  VEC(uint32_t) seen;      /* positions: all reads since its last branch, those that the model does not have included */
  VEC(uint64_t) sections;  /* locks that it holds, and its calls: the object; where that begins */
  uint32_t last;           /* place of its last event */
  uint32_t round;          /* of the barrier that it is in */
  bool has_end;
  uint64_t ending; /* an object that it accessed at its end; 0: none */
};

/* Zeroed is ready for use. */
struct recorded_model {
  struct recorded_state *state; /* before the window */
  const struct event *window;   /* with lives told apart */
  struct lives lives;
  struct reuse reuse;
  struct contents fresh; /* what the window says of memory that is new in it */
  uint32_t n;
  VEC(struct event) events;
  VEC(uint32_t) origins; /* by place; RECORDED_NONE: not of the window */
  VEC(uint32_t) places;  /* by position; RECORDED_NONE: not in the model */
  VEC(uint32_t) threads; /* by tid: the run's number */
  VEC(uint32_t) regions; /* by place: the position where the oldest region begins that is open there (0: before the window, too) */
  VEC(struct recorded_pointer) pointers;
  VEC(uint32_t) starts, reads;
  struct causal_needs needs;
  uint32_t prefix;
  /* used while it is made */
  bool (*region)(void *data, uint64_t method);
  void *data;
  struct hashmap tids, counts, users;
  struct contents memory, names; /* what accesses of the model have left: as it is, and with pointers by their names */
  struct contents lost;          /* bytes that were written since the window's begin, nobody knows what: known there */
  struct blocks blocks;          /* of the window */
  uint64_t allocations;
  bool cautious;                               /* reuse.h; the caller's */
  bool trusting;                               /* the caller's, too */
  bool trusts;                                 /* it is trusting, and that makes a difference */
  bool unexplained;                            /* there are reads that returned what nobody wrote, as far as is known */
  uint32_t causes;                             /* of such reads, the objects that order them */
  uint32_t followed[THREADS_MAX][THREADS_MAX]; /* of thread and other: the other's last event when it last came behind all of that, + 1 */
  bool any_block;                              /* some block has begun by the window's end: pointers have names */
  struct recorded_owners owners;
  VEC(struct recorded_note) notes;
  VEC(uint8_t) waits; /* by position of a wait's end, and of its begin: how it is taken */
  struct recorded_maker makers[THREADS_MAX];
};

/* Begins with the window's events [0, n), of at most RECORDED_THREADS threads, behind what `state` says. They must stay until the next
 * call. Returns what building the causal model costs, roughly. */
#define RECORDED_THREADS (THREADS_MAX - 1)
uint64_t recorded_model_begin(struct recorded_model *m, struct recorded_state *state, const struct event *window, uint32_t n);
/* Makes the model. `region`: is a call of the method meant to be atomic? May be NULL. */
void recorded_model_make(struct recorded_model *m, bool (*region)(void *data, uint64_t method), void *data);
struct causal_trace recorded_model_trace(const struct recorded_model *m);
/* The last answer's witness as positions, with what the model does not have: a thread's steps come with all its events before them. */
void recorded_model_steps(const struct recorded_model *m, const struct causal *c, void (*put)(void *data, uint32_t position), void *data);
/* Reads among the window's first n events that others may depend on, whose values no order of the recorded writes explains. */
uint64_t recorded_model_unexplained(const struct recorded_model *m, uint32_t n);
/* For causal_options.initial; `data` is the model. */
bool recorded_model_initial(void *data, uint64_t address, uint32_t size, uint64_t *value);
void recorded_model_release(struct recorded_model *m);
/* The same for as many of the window's events as make a model that is not too large; how many. 0: the first event alone has too many
 * threads with it. */
uint32_t recorded_model_measure(struct recorded_model *m, struct recorded_state *state, const struct event *window, uint32_t n);
/* The longest part of the window that has no more than RECORDED_THREADS threads. */
uint32_t recorded_model_fits(struct recorded_model *m, struct recorded_state *state, const struct event *window, uint32_t n);
