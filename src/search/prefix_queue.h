/* What prefixes.c, the master, and prefix_worker.c share of an exploration by prefixes: its jobs, and who does them. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "base/vec.h"
#include "search/answer.h"
#include "search/pool.h"
#include "strategy/prefix_type.h"

struct claims;

/* DONE: counts, reasons, what the strategy gave, findings, outcomes, predictions, and an execution that shows something of the program.
 * LEARNT: an execution that shows that everything has to start again. CUT: as DONE, but the deadline passed before the job was done. */
enum answer { ANSWER_DONE, ANSWER_LEARNT, ANSWER_ERROR, ANSWER_CUT };

/* What is predicted of one job may cost much for the first ones, little for one in ASK_EVERY others, and nothing else: so it does not
 * depend on what other jobs were done by the same worker. */
#define RICH_JOBS 16u

/* Jobs that one worker does, one after the other. */
struct block {
  uint32_t from, end;
};

struct entry {
  struct text job, answer;
};

/* What a worker of the pool has to do. */
struct member {
  struct block block;
  uint32_t said_to; /* what it has said ends before this job */
  bool ended;       /* it said that it will not go on */
};

struct queue {
  struct session *s;
  const struct prefix_type *type;
  VEC(struct entry) entries; /* by number; what was put together is empty */
  uint32_t merged, handed;   /* jobs put together; given out in blocks */
  VEC(struct block) redo;    /* blocks to be given out again */
  struct claims *claims;
  struct worker_board *board;
  struct pool pool;
  struct member *members;           /* by place in the pool */
  bool stopping, learnt, restarted; /* learnt: everything has to start again; restarted: the session has */
  unsigned killed;
  enum err error;
  struct diag *diag;
};

static inline void queue_add_job(struct queue *q, struct text what) { *vec_push(&q->entries) = (struct entry){.job = what}; }

/* prefix_worker.c. The executions that are part of a job, all of them: bounds are looked at between jobs. False at an error. */
bool queue_do_job(struct queue *q, uint32_t number, enum err *e, struct diag *d);
/* A worker's life: pool_type.work. `user` is the queue. */
void queue_work(void *user, uint32_t place, int in, int out);
