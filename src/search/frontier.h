/* What is left of an exploration by dpor, in parts that can be explored one by one, by several workers at once, or another day.
 *
 * A *job* is a depth-first stack, as dpor keeps it, whose lower nodes it does not own: a worker that has it explores what is left at the
 * nodes that it owns and below. A job that was interrupted can be split at the shallowest of its own nodes that has something left. The
 * nodes down to there become *shared*: nobody owns them. The rest of the stack stays a job, and each step that is left at a shared node
 * becomes one. A race between a step of a job and one that was taken at a shared node is reversed there: the job asks for it
 * (dpor_request), and what is not explored there already becomes a job. When everything below a shared node is explored, nobody can
 * ask for anything there, and it goes.
 *
 * Sleep sets. A step sleeps in the siblings that were made after it, whether it is explored by then or not: what they need is an order of
 * the siblings, not one in time. So complete executions are the same in number whatever is split where, one a trace; how many redundant
 * ones are begun may differ. What a sleeping step does must be known before somebody has explored it: it is taken once, alone
 * (frontier_try).
 *
 * Related: Yang, Chen, Gopalakrishnan, Kirby, "Distributed dynamic partial order reduction based verification of threaded software", SPIN
 * 2007; Simsa, Bryant, Gibson, Hickey, "Scalable dynamic partial order reduction", RV 2012. */
#pragma once
#include "base/wire.h"
#include "strategy/dpor.h"

#define NO_JOB UINT32_MAX

/* A node and the step taken at it. Its sleepers' events are in `events`, from 0. */
struct frontier_state {
  struct dpor_node node;
  struct step step;
  VEC(struct sleeper) sleepers;
  VEC(struct event) events;
};

/* A step below a shared node: of the job or the shared node that it leads to. */
struct frontier_origin {
  uint32_t parent;       /* shared node, or NO_STEP: there is none */
  struct step step;      /* that was taken there */
  uint32_t alternatives; /* of that step */
  uint32_t seen;         /* the first of the parent's sleepers sleep here as well */
};

struct frontier_shared {
  struct frontier_state state; /* its `step` means nothing */
  struct frontier_origin origin;
  VEC(struct step) awake; /* taken here, but not asleep yet in those to come */
  uint32_t open;          /* jobs and shared nodes that lead from here; 0: it is not in use */
};

enum frontier_status { JOB_NONE, JOB_WAITING, JOB_TAKEN };

struct frontier_job {
  enum frontier_status status;
  struct frontier_origin origin;
  VEC(struct frontier_state) stack; /* the nodes that it owns; the last one's step is the next to take */
  double share;                     /* of the whole exploration, by a guess */
};

struct frontier {
  VEC(struct frontier_shared) shared;
  VEC(struct frontier_job) jobs;
  uint32_t waiting, taken; /* jobs */
  uint32_t used_below;     /* no shared node below this number is free */
  double done;             /* shares of jobs that are done */
};

/* Takes a step in the state that `path` leads to, and says what it was. */
struct frontier_step {
  uint32_t alternatives;
  bool ends; /* it ended the execution for everybody, or may do so in the rest of its atomic section */
  VEC(struct event) events;
};
struct frontier_try {
  /* False: it cannot be, or the exploration has to start again; everything that calls it then returns false, too. */
  bool (*step)(void *data, const struct schedule *path, struct step step, struct frontier_step *out);
  void *data;
};

struct run;
/* What try.step() has to do, in this run of the machine; the strategy's sections may grow. False if the step is not possible there. */
[[nodiscard]] bool frontier_run_step(struct run *r, struct sections *sections, const struct schedule *path, struct step step,
                                     struct frontier_step *out);

/* Makes known what the atomic sections of the execution touched. */
void frontier_learn(struct sections *sections, const struct execution *x);

void frontier_release(struct frontier *f);
void frontier_clear(struct frontier *f);

/* Between next() and the execution: all that is left of the exploration, or all of it, becomes the one job. */
void frontier_begin(struct frontier *f, const struct strategy *s);
/* The waiting job nearest to the root, which is TAKEN now; or NO_JOB. */
uint32_t frontier_take(struct frontier *f);
/* It was not explored: it is WAITING again. */
void frontier_return(struct frontier *f, uint32_t job);
/* Prepares a strategy that was restarted: its next executions are those of the job. next() becomes NULL when the job is done. */
void frontier_load(const struct frontier *f, uint32_t job, struct strategy *s);
/* Writes down what became of a loaded job: what is left of it, if anything (between next() and the execution), and what it asks for. */
void frontier_save(struct strategy *s, bool left, struct text *out);
/* Reads that for a job that is TAKEN: it is done, or WAITING. */
[[nodiscard]] bool frontier_put(struct frontier *f, uint32_t job, struct wire *from, const struct frontier_try *try);
/* Splits a WAITING job if it can be; else nothing happens. */
[[nodiscard]] bool frontier_split(struct frontier *f, uint32_t job, const struct frontier_try *try);

/* The whole frontier, for a file; jobs that are TAKEN are written as WAITING. False: these bytes are no frontier. */
void frontier_write(const struct frontier *f, struct text *out);
[[nodiscard]] bool frontier_read(struct frontier *f, struct wire *from);
