#include "openmp/team.h"

#include "intercept/intercept.h"

__thread struct task *task_now __attribute__((tls_model("initial-exec")));

/* The stack shows the construct behind the function that the compiler has made of it, if there is one. */
static void shows(uintptr_t pc) {
  if (pc && hd_fast.self && !call_begins(pc)) call_begins_slow(pc);
}
static void shown(uintptr_t pc) {
  if (pc && hd_fast.self && !call_ends()) call_ends_slow();
}

struct team *team_new(uintptr_t pc) {
  struct team *team = rt_alloc(sizeof *team);
  if (!team) return order_lose(), NULL;
  *team = (struct team){.references = 1, .pc = pc};
  order_release(&team->begin);
  return team;
}

static void team_drop(struct team *team) {
  if (__atomic_sub_fetch(&team->references, 1, __ATOMIC_ACQ_REL) > 0) return;
  order_drop(&team->begin), order_drop(&team->end), order_drop(&team->ordered);
  order_drop(&team->barriers[0]), order_drop(&team->barriers[1]);
  for (unsigned i = 0; i < STEPS; i++) order_drop(&team->steps[i]);
  rt_free(team, sizeof *team);
}

/* Tasks that others ran are over by the last barrier. */
void team_end(struct team *team) {
  if (!team) return;
  order_acquire(&team->end), order_acquire(&team->barriers[0]), order_acquire(&team->barriers[1]);
  team_drop(team);
}

struct order *team_step(struct team *team, uint64_t number) {
  return &team->steps[number * 0x9e3779b97f4a7c15ull >> 58];
}

void task_drop(struct task *task) {
  while (task && __atomic_sub_fetch(&task->references, 1, __ATOMIC_ACQ_REL) == 0) {
    struct task *parent = task->parent;
    order_drop(&task->start), order_drop(&task->children);
    names_drop(task->names);
    vclock_free(task->known);
    if (task->implicit == task && task->team) team_drop(task->team);
    rt_free(task, sizeof *task);
    task = parent;
  }
}

struct task *implicit_begins(struct team *team) {
  struct task *task = team ? rt_alloc(sizeof *task) : NULL;
  if (!task) return order_lose(), NULL;
  *task = (struct task){.references = 1, .team = team, .implicit = task, .actor = actor_now(), .begun = true};
  __atomic_fetch_add(&team->references, 1, __ATOMIC_RELAXED);
  order_acquire(&team->begin);
  task_now = task;
  shows(team->pc);
  return task;
}

void implicit_ends(struct task *task, struct task *outer) {
  if (!task) return;
  shown(task->team->pc);
  order_release(&task->team->end);
  task_now = outer;
  task_drop(task);
}

static struct order *barrier_of(const struct task *implicit) {
  return &implicit->team->barriers[__atomic_load_n(&implicit->barriers, __ATOMIC_RELAXED) & 1];
}

void barrier_comes(struct task *task) {
  if (task && task->implicit == task) order_release(barrier_of(task));
}

void barrier_leaves(struct task *task) {
  if (!task || task->implicit != task) return;
  order_acquire(barrier_of(task));
  __atomic_store_n(&task->barriers, task->barriers + 1, __ATOMIC_RELAXED);
}

void barrier_looks(struct task *task) {
  if (task && task->implicit == task) order_acquire(barrier_of(task));
}

static struct task *child_of(struct task *parent, uintptr_t pc, bool deferred) {
  struct task *task = rt_alloc(sizeof *task);
  if (!task) return order_lose(), NULL;
  *task = (struct task){.references = 1, .pc = pc, .parent = parent};
  if (parent) {
    task->team = parent->team, task->implicit = parent->implicit, task->group = parent->group;
    task->actor = parent->actor, task->final = parent->final;
    __atomic_fetch_add(&parent->references, 1, __ATOMIC_RELAXED);
  }
  if (deferred && !task->final && actors_differ()) task->actor = task;
  return task;
}

struct task *task_new(struct task *parent, uintptr_t pc, bool deferred) {
  struct task *task = child_of(parent, pc, deferred);
  if (task) order_release(&task->start);
  return task;
}

struct task *task_new_part(struct task *parent, uintptr_t pc, bool deferred, struct order *made) {
  struct task *task = child_of(parent, pc, deferred);
  if (task) order_copy(&task->start, made);
  return task;
}

/* Without a parent it runs at once. */
void task_depends(struct task *child, uintptr_t address, enum dependence how) {
  if (child && child->parent) depend_add(&child->parent->names, &child->depends, address, how);
}

void task_begins(struct task *task, uintptr_t base) {
  if (!task) return;
  if (base && task->actor) frames_end(task->base = base);
  actor_switch(task->actor);
  order_acquire(&task->start);
  if (!task->begun) depend_acquire(&task->depends);
  task->begun = true;
  if (task->implicit != task) shows(task->pc);
  task_now = task;
}

void task_pauses(struct task *task) {
  if (!task) return;
  order_release(&task->start);
  if (task->implicit != task) shown(task->pc);
}

void task_ends(struct task *task) {
  if (!task) return;
  if (task->returned) {
    depend_drop(&task->depends);
    task_drop(task);
    return;
  }
  if (task->begun && task->implicit != task) shown(task->pc);
  if (task->base) frames_end(task->base);
  task_over(task);
}

static void hand_on(struct task *task) {
  if (task->parent) order_release(&task->parent->children);
  if (task->group) order_release(&task->group->over);
  if (task->implicit) order_release(barrier_of(task->implicit));
  depend_release(&task->depends);
}

void task_over(struct task *task) {
  if (!task) return;
  order_acquire(&task->start); /* it may have been detached, and over before that was told */
  hand_on(task);
  depend_drop(&task->depends);
  task_drop(task);
}

void task_returns(struct task *task) {
  if (!task || task_now != task || !task->untied) return; /* one that has paused may be gone */
  shown(task->pc);
  hand_on(task);
  task->returned = true;
  task_now = NULL;
  task_begins(task->resumes, 0);
}

void task_chose(struct task *task) {
  if (!task) return;
  depend_acquire(&task->depends);
  depend_drop(&task->depends);
  task_drop(task);
}

void task_waited(struct task *task) {
  if (task) order_acquire(&task->children);
}

void group_begins(struct task *task) {
  struct group *g = task ? rt_alloc(sizeof *g) : NULL;
  if (!g) return;
  *g = (struct group){.outer = task->group};
  task->group = g;
}

void group_waited(struct task *task) {
  if (task && task->group) order_acquire(&task->group->over);
}

void group_ends(struct task *task) {
  struct group *g = task ? task->group : NULL;
  if (!g) return;
  order_acquire(&g->over);
  task->group = g->outer;
  order_drop(&g->over);
  rt_free(g, sizeof *g);
}
