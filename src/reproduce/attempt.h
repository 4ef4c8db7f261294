/* One order of a run's steps while it is made: what memory, locks, buffers and threads are after the steps so far; for generate.c.
 *
 * moves.c makes the tables once (`struct moves`), which say of each step all that does not depend on the order. A `struct attempt` stands
 * on them. What changes in it are `cells`, numbers of 64 bits each, so that a step can be taken back, and states be compared. */
#pragma once
#include "base/hash.h"
#include "reproduce/formula.h"
#include "value/eval.h"

#define NONE UINT32_MAX

/* A step of a thread: an event of `apart`. */
struct move {
  uint32_t event;
  uint32_t cell;            /* of the lock, semaphore, round of a barrier; of the thread that is created; a condition variable's name */
  uint32_t mutex;           /* of waits: the cell of the lock; BARRIER_ENTER: of the round before */
  uint32_t need;            /* JOIN: the thread that must have ended, or NONE; barriers: how many must have come */
  uint32_t store;           /* of a store that is buffered: the so many'th of its thread; else NONE */
  uint32_t first_due, dues; /* conditions that can be decided once this read is done */
  uint8_t op, thread;
  bool drains, internal, needed, shared, hidden;
  bool takes;      /* WAIT_LEAVE: the mutex, too */
  bool remembered; /* a read on which later steps depend */
  bool constant;   /* what it writes is `value` */
  uint64_t value;
};

struct thread_moves {
  uint32_t from, count; /* in `moves` */
  uint32_t at;          /* the cell: how many are done */
  uint32_t history;     /* the cell: a sum over what was read, and is needed still */
  uint32_t begun;       /* the cell: may it begin? NONE: from the start */
  uint32_t waiting;     /* the cell: signals that it can use, see attempt.c; and */
  uint32_t awaits;      /* the cell: the condition variable that it waits for, + 1 */
  bool ends;            /* its last move is its END */
  VEC(uint32_t) stores; /* those that are buffered, as moves */
  uint32_t issued;      /* the cell: so many of them are done; */
  uint32_t first;       /* the cell: all before this one have left the buffer */
  uint32_t left;        /* PSO: the first of as many cells: has it left the buffer? */
};

struct moves {
  const struct apart *a;
  enum machine_memory memory;
  struct value_pool *pool;
  VEC(struct move) all;  /* thread by thread */
  VEC(uint32_t) due;     /* conditions, as indices of those of `apart` */
  VEC(uint64_t) initial; /* what cells are at first */
  struct thread_moves threads[THREADS_MAX];
  uint32_t nthreads;    /* those above have none */
  uint32_t needed;      /* moves that must be done */
  bool hidden;          /* there are hidden ones */
  struct hashmap cells; /* while the tables are made */
};

/* `any_address`: without what was assumed of addresses, as in formula.h. ERR_UNSUPPORTED: something in it is no part of an order, and why.
 */
[[nodiscard]] enum err moves_make(struct moves *m, const struct apart *a, enum machine_memory memory, bool any_address, struct diag *d);
void moves_release(struct moves *m);

/* Cells of locks: 0 free; readers, so many; or a thread's, + 1 in the upper half, so many times. */
#define OWNED(thread) ((uint64_t)((thread) + 1) << 32)

/* What to do next: a thread's next move; or this store, a move, becomes visible. */
#define ATTEMPT_FLUSH 0x80000000u

struct attempt {
  const struct moves *m;
  bool glued; /* hidden moves are made with the one before them */
  VEC(uint64_t) cells;
  struct hashmap words;     /* of memory, by address: the cell */
  struct fingerprint state; /* of all cells */
  uint64_t *stored, *at;    /* by move: what it wrote, and where its access is */
  uint32_t left;            /* needed moves that are not done */
  VEC(struct attempt_undo {
    uint32_t cell;
    uint64_t before;
  })
  undo;
  VEC(uint32_t) steps;
  struct value_model values;
  struct evaluator evaluator;
};

struct attempt_mark {
  size_t undo, steps;
  uint32_t left;
};

/* It lives as long as its process. */
void attempt_begin(struct attempt *w, const struct moves *m, bool glued);
struct attempt_mark attempt_mark(const struct attempt *w);
/* Back to the mark. */
void attempt_back(struct attempt *w, struct attempt_mark to);

/* The thread's next move; NULL: it has done all. */
const struct move *attempt_next(const struct attempt *w, uint32_t thread);
/* Can it be done now, whatever it would find? */
bool attempt_ready(const struct attempt *w, uint32_t thread);
/* Does it, for a thread that is ready, with all stores that have to be visible before. False: what it found is not what the log says, or
 * the thread cannot do what belongs to the same step; the attempt has to go back. */
[[nodiscard]] bool attempt_move(struct attempt *w, uint32_t thread);
void attempt_flush(struct attempt *w, uint32_t store);
/* Stores that may become visible before the thread's next move, and where it makes a difference to that. Appended. */
typedef VEC(uint32_t) attempt_stores;
void attempt_offers(struct attempt *w, uint32_t thread, attempt_stores *out);
