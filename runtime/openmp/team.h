/* Teams and tasks of an OpenMP program, and what orders them. The library that runs them is not watched. It tells of what it does (tool.c),
 * or the program's calls of it are seen (gomp.c); either way it comes to this:
 *
 *   1. What came before a parallel construct comes before all implicit tasks of its team, and these come before what is behind it.
 *   2. All that the members of a team did before a barrier comes before what they do behind it.
 *   3. A task comes behind its creation, and behind those siblings that it depends on (depend.h).
 *   4. It comes before the end of a taskwait of its parent, of a taskgroup that it or its ancestors were made in, and before the end of the
 *      next barrier of its team.
 *
 * Two tasks that one thread runs one after the other are ordered by that in this run, though others could have run them at the same time:
 * actor.h. */
#pragma once
#include "openmp/actor.h"
#include "openmp/depend.h"

enum { STEPS = 64 };

struct team {
  uint32_t references; /* its creator's, and its implicit tasks' */
  uintptr_t pc;        /* of the construct; 0: none */
  struct order begin, end;
  struct order barriers[2];  /* one after the other: who comes to the next but one knows that all have left this one */
  struct order ordered;      /* sections of an ordered loop */
  struct order steps[STEPS]; /* iterations of an ordered loop that others wait for, by a hash */
};

/* A taskgroup. */
struct group {
  struct group *outer;
  struct order over; /* tasks */
};

struct task {
  uint32_t references;            /* its own until it is over, and its children's */
  struct team *team;              /* NULL: it is not known */
  struct task *parent, *implicit; /* the implicit task that it comes from, or is */
  struct group *group;            /* the innermost that is open */
  uintptr_t pc;                   /* where it was made */
  struct order start;             /* handed on by who made it, or by itself when it paused */
  struct order children;          /* by children that are over */
  struct names *names;            /* that children depend on */
  struct dependences depends;
  unsigned barriers;    /* implicit tasks: that it has left */
  struct task *actor;   /* that it belongs to, or is (actor.h); NULL: home */
  struct vclock *known; /* what it knew when it was left, as an actor */
  uintptr_t base;       /* its calls have their frames below; 0: that is not known */
  bool asks;            /* as an actor */
  bool final;           /* its children are done at once */
  bool begun;
  bool reduces;         /* under the lock of a reduction (kmpc.c) */
  bool untied;          /* it goes on in parts (task_returns()) */
  bool returned;        /* the last of them is over */
  struct task *resumes; /* the one that goes on behind its present part, in the same thread */
};

/* The task that the present thread runs; NULL: none that is known. */
extern __thread struct task *task_now __attribute__((tls_model("initial-exec")));

/* A team comes about, by a construct of the present thread. NULL if there is no memory. */
struct team *team_new(uintptr_t pc);
/* Its creator goes on: all members are over, or are about to wait for what comes next. */
void team_end(struct team *team);

/* Around what a member of the team does: `outer` is the task that goes on behind it. */
struct task *implicit_begins(struct team *team);
void implicit_ends(struct task *task, struct task *outer);

void barrier_comes(struct task *task);
void barrier_leaves(struct task *task);
/* It knows of those who have come so far. */
void barrier_looks(struct task *task);

/* A child of that task, which it has made just now, at that place. `deferred`: another thread may do it meanwhile. */
struct task *task_new(struct task *parent, uintptr_t pc, bool deferred);
/* The same, but it was made some time ago by the one who handed on `made`. */
struct task *task_new_part(struct task *parent, uintptr_t pc, bool deferred, struct order *made);
void task_depends(struct task *child, uintptr_t address, enum dependence how);
/* It begins, or goes on; it is over, or pauses. `base`: frames of its calls are below; 0: that is not known, or it goes on. */
void task_begins(struct task *task, uintptr_t base);
void task_pauses(struct task *task);
void task_ends(struct task *task);
void task_drop(struct task *task); /* a reference less */
/* It is over, but its end was told by another thread: that one is the present one. */
void task_over(struct task *task);
/* An untied task is done in parts, one after the other, by any threads. Its present part ends here and now, and was the last one, unless it
 * was told to pause. libomp tells of the end only when all threads that did parts are back, and says it in the last one of these. */
void task_returns(struct task *task);
/* The task has waited for its children. */
void task_waited(struct task *task);
/* For some of them, as in `taskwait depend(in: x)`: those that this task, which does nothing, depends on. */
void task_chose(struct task *task);
void group_begins(struct task *task);
void group_waited(struct task *task); /* its tasks are over */
void group_ends(struct task *task);

/* The iteration that one number of it names is over, or was waited for. */
struct order *team_step(struct team *team, uint64_t number);
