/* The bound on loops: how often the threads of the present execution came to the steps of their loops.
 *
 * A visit is a step that a thread takes at an instruction in a loop of the program (machine_in_loop()). A thread that has visited an
 * instruction as often as the bound says and stands before it once more is *stopped*: as far as strategies see, it is neither enabled nor
 * alive any more, and the others go on. What a thread has visited follows from its own steps, so executions that differ in the order of
 * independent steps stop the same threads, and a stopped thread stays so. Agents of store buffers are never stopped. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "trace/tset.h"

struct machine;

struct loops {
  uint32_t bound;             /* 0: none, and nothing else here is used */
  struct hashmap counts;      /* (thread, instruction) -> visits */
  VEC(uint64_t) visits;       /* by step: which count it is part of, if any */
  uint64_t sums[THREADS_MAX]; /* by thread: a hash of its counts */
  struct tset stopped;
  struct tset enabled, alive; /* the machine's but for those */
  uint64_t hash;              /* of threads that are alive: their counts, and what they read in their loops */
  bool cut;                   /* a thread is stopped; if it is blocked, too, another order of the steps may find it ready */
};

void loops_release(struct loops *l);
/* The machine is in its initial state. */
void loops_begin(struct loops *l, const struct machine *m);
/* The thread is about to take a step; it has taken it. */
void loops_enter(struct loops *l, const struct machine *m, uint32_t thread);
void loops_leave(struct loops *l, const struct machine *m, uint32_t thread);
/* The machine is back behind its first `depth` steps. `cut`: as it was then. */
void loops_return(struct loops *l, const struct machine *m, uint32_t depth, bool cut);
