/* One order of a run's steps while it is made: what memory, locks, buffers and threads are after the steps so far; for generate.c.
 *
 * moves.c makes the tables once (`struct moves`), which say of each step all that does not depend on the order. A `struct attempt` stands
 * on them. What changes in it are `cells`, numbers of 64 bits each, so that a step can be taken back, and states be compared. */
#pragma once
#include "base/hash.h"
#include "reproduce/formula.h"
#include "value/eval.h"

#define NONE UINT32_MAX

/* A part of an access: the whole, where all accesses that overlap are of this memory, else a byte. */
struct unit {
  uint32_t cell;
  uint8_t shift, bits; /* where it is in the access's value */
};

static inline uint64_t unit_part(const struct unit *u, uint64_t value) {
  return u->bits == 64 ? value : value >> u->shift & (((uint64_t)1 << u->bits) - 1);
}

/* A step of a thread: an event of `apart`. */
struct move {
  uint32_t event;
  uint32_t first_unit, units; /* of an access */
  uint32_t cell;              /* of the lock, semaphore, round of a barrier; of the thread that is created; a condition variable's name */
  uint32_t mutex;             /* of waits: the cell of the lock */
  uint32_t need;              /* JOIN: the thread that must have ended, or NONE; BARRIER_LEAVE: how many must have come */
  uint32_t chain;             /* of a store that is buffered; else NONE */
  uint32_t first_due, dues;   /* conditions that can be decided once this read is done */
  uint8_t op, thread;
  bool drains, internal, needed, shared;
  bool takes;      /* WAIT_LEAVE: the mutex, too */
  bool remembered; /* a read on which later steps depend */
  bool constant;   /* what it writes is `value` */
  uint64_t value;
};

/* Stores that leave a thread's buffer in this order. */
struct chain {
  uint32_t thread;
  uint32_t issued, flushed; /* cells: how many */
  VEC(uint32_t) moves;      /* indices of `moves` */
};

struct thread_moves {
  uint32_t first, count; /* in `moves` */
  uint32_t at;           /* the cell: how many are done */
  uint32_t history;      /* the cell: a sum over what was read, and is needed still */
  uint32_t begun;        /* the cell: may it begin? NONE: from the start */
  uint32_t waiting;      /* the cell: signals that it can use, see attempt.c; and */
  uint32_t awaits;       /* the cell: the condition variable that it waits for, + 1 */
  bool ends;             /* its last move is its END */
};

struct moves {
  const struct apart *a;
  enum machine_memory memory;
  struct value_pool *pool;
  VEC(struct move) all; /* thread by thread */
  VEC(struct unit) units;
  VEC(struct chain) chains;
  VEC(uint32_t) due;     /* conditions, as indices of those of `apart` */
  VEC(uint64_t) initial; /* what cells are at first */
  struct thread_moves threads[THREADS_MAX];
  uint32_t nthreads;    /* those above have none */
  uint32_t needed;      /* moves that must be done */
  struct hashmap cells; /* while the tables are made */
};

/* `any_address`: without what was assumed of addresses, as in formula.h. ERR_UNSUPPORTED: something in it is no part of an order, and why.
 */
[[nodiscard]] enum err moves_make(struct moves *m, const struct apart *a, enum machine_memory memory, bool any_address, struct diag *d);
void moves_release(struct moves *m);

/* Cells of locks: 0 free; readers, so many; or a thread's, + 1 in the upper half, so many times. */
#define OWNED(thread) ((uint64_t)((thread) + 1) << 32)

/* What to do next: a thread's next move; or of this chain the oldest store becomes visible. */
#define ATTEMPT_FLUSH 0x80000000u

struct attempt {
  const struct moves *m;
  uint64_t *cells;
  struct fingerprint state; /* of all cells */
  uint64_t *stored;         /* by move: what it wrote */
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
void attempt_begin(struct attempt *w, const struct moves *m);
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
void attempt_flush(struct attempt *w, uint32_t chain);
/* Chains whose next store may become visible before the thread's next move, and where it makes a difference to that. Appended. */
typedef VEC(uint32_t) attempt_chains;
void attempt_offers(const struct attempt *w, uint32_t thread, attempt_chains *out);
