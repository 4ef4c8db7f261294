/* OpenMP's runtime as clang calls it (LLVM's __kmpc_ functions) and as programs do (omp_ functions), over threads and atomic operations
 * that the machine explores.
 *
 *   1. A region's threads are created where it begins and joined where it ends; the thread that comes to it is number 0 of its team. So
 * what threads other than that one have of their own lasts for one region, but for threadprivate variables (private.c).
 *   2. What all threads of a team read is in `self`, of which each has its own: reading it is no step. What they share is in `struct team`,
 *      and is changed by atomic operations alone.
 *   3. Operations are as weak as OpenMP allows: a loop's iterations are dealt out by relaxed operations, which order nothing, so a race is
 *      not hidden by the runtime itself.
 *   4. Nothing here looks at the number of a thread that clang passes (`gtid`): `self` knows better. */
#pragma once
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "../hd_model.h"

/* Where a construct is, for messages; and what it is. */
typedef struct {
  int32_t reserved_1;
  int32_t flags;
  int32_t reserved_2;
  int32_t reserved_3;
  const char *source; /* ";FILE;FUNCTION;LINE;COLUMN;;" */
} ident_t;
enum { IDENT_WORK_SECTIONS = 0x400 };

typedef int32_t critical_name[8];

/* Schedules of loops, as clang passes them. */
enum schedule {
  SCHEDULE_STATIC_CHUNKED = 33,
  SCHEDULE_STATIC = 34,
  SCHEDULE_DYNAMIC = 35,
  SCHEDULE_GUIDED = 36,
  SCHEDULE_RUNTIME = 37,
  SCHEDULE_AUTO = 38,
  SCHEDULE_STATIC_SIMD = 45,
  SCHEDULE_GUIDED_SIMD = 46,
  SCHEDULE_RUNTIME_SIMD = 47,
  SCHEDULE_ORDERED = 32, /* added, if the loop has ordered regions */
  DISTRIBUTE_CHUNKED = 91,
  DISTRIBUTE = 92,
  SCHEDULE_MODIFIERS = 1 << 29 | 1 << 30 /* monotonic, nonmonotonic */
};

enum {
  THREADS_DEFAULT = 2, /* of a team, if neither the program nor OMP_NUM_THREADS says how many */
  THREADS_MOST = 64,   /* of a team; the machine has 256 at a time */
  ARGUMENTS_MOST = 64, /* of a region: variables that it shares with what is around it */
  LOOPS_APART = 16     /* between two barriers: loops that are dealt out */
};

struct team;

/* A loop whose iterations are dealt out as threads ask for them. */
struct shared_loop {
  uint64_t next;    /* the next chunk */
  uint32_t ordered; /* iterations that have been through their ordered region, or have none */
};

struct task;

/* What task.c adds, if it is there: what a team has of its own, what a thread begins with, the barrier. NULL: there are no tasks. */
struct task_functions {
  void (*begin_team)(struct team *team, unsigned size);
  void (*end_team)(struct team *team);
  void (*enter)(void);
  void (*meet)(void);
};
extern const struct task_functions __hd_omp_tasks;

struct team {
  struct member *parent; /* the thread that came to the region, as it was */
  pthread_barrier_t barrier;
  uint32_t singles;                         /* how many single constructs somebody has entered */
  void *copied;                             /* what copyprivate hands on */
  struct task *tasks, *last_task;           /* unfinished deferred tasks */
  int guard;                                /* of all that is shared about them */
  struct task *implicit;                    /* what each thread runs besides */
  uint32_t arrived, round;                  /* at the barrier; how often all have left it */
  uint32_t bells[THREADS_MOST];             /* 0: the thread has found nothing to do, and waits for a 1 */
  struct shared_loop loops[2][LOOPS_APART]; /* of the time since the last barrier, and of that before it, in turn */
};

/* The loop that a thread is in: its part of it. */
struct own_loop {
  struct shared_loop *shared; /* NULL: nobody else is in the loop */
  int kind;
  bool is_ordered, was_ordered; /* it may have ordered regions; the present iteration had one */
  uint64_t trip, chunk;         /* iterations; iterations of a chunk */
  uint64_t next;                /* the thread's own count of chunks */
  uint64_t lower, step;
  uint64_t iteration; /* the present one, of a loop with ordered regions */
};

/* Settings that a thread hands on to the threads of its regions. */
struct settings {
  unsigned threads; /* of a team; 0: the program has not said */
  unsigned levels;  /* of regions that may be active one within the other; 0: the program has not said */
  unsigned limit;   /* thread_limit() of the league; 0: none */
  bool dynamic;
  int schedule, chunk; /* of loops with schedule(runtime); 0: the program has not said */
};

struct member {
  struct team *team; /* NULL: it is alone */
  unsigned number, size;
  unsigned level, active; /* regions that it is in; those with more than one thread */
  struct member *outer; /* what the thread was around the region that it is number 0 of; NULL: there is none, or it began with the region */
  struct settings settings;
  unsigned pushed;        /* num_threads() of the region that comes; 0: it has none */
  uint32_t singles;       /* single constructs that it has come to */
  uint32_t epoch;         /* barriers that it has passed */
  uint32_t loops;         /* loops that were dealt out since the last one; */
  uint32_t ordered_loops; /* a bit for each that has ordered regions */
  bool is_first;          /* it is the program's first thread */
  bool is_main;           /* or belongs to one of its teams */
  void **copies;          /* of threadprivate variables; NULL: it is number 0 of all that it is in */
  struct own_loop loop;
  struct task *task, *tied; /* that it runs; the innermost tied one, NULL while it waits at a barrier */
};
extern __thread struct member __hd_omp_self;
#define self __hd_omp_self

static inline unsigned team_size(void) { return self.size ? self.size : 1; }

_Noreturn void __hd_omp_unsupported(const ident_t *where, const char *what);
/* A number from the environment, or 0. For a list, its n-th one, or the last. */
unsigned __hd_omp_number(const char *name, unsigned n);
void __hd_omp_barrier(void);
/* Behind a barrier: loops that are dealt out begin anew. */
void __hd_omp_clear_loops(void);
/* The part of `trip` iterations that a thread has under schedule(static). */
void __hd_omp_blocks(unsigned number, unsigned size, uint64_t trip, uint64_t *first, uint64_t *count);
/* The thread of this number in a team of the caller's has the copies that the one before it had. And: a thread of a team ends. */
void __hd_omp_private_lists(struct member *member);
void __hd_omp_private_end(void);
/* How many threads a region has that does not say; how many may be active one within the other. */
unsigned __hd_omp_threads_wanted(void);
unsigned __hd_omp_levels_most(void);
unsigned __hd_omp_threads_most(void);

/* What clang and programs call. */
void __kmpc_barrier(ident_t *where, int32_t gtid);
