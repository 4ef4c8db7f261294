/* Explicit tasks. This file is a library of its own, linked under programs that have tasks: with it the barrier of a team, and the end of
 * its region, is where threads run tasks until there are none.
 *
 * A task is deferred: the thread that creates it goes on, and any thread of the team runs it where it waits (a barrier, the end of the
 * region, taskwait, the end of a taskgroup, taskyield). Which one of several a thread takes is a choice, which is explored. A tied task can
 * only be taken by a thread whose suspended tied tasks are all its ancestors, as OpenMP says; threads at a barrier have none.
 *
 * All that the threads share about tasks is read and written in sections with a guard; a thread that finds nothing to do waits for its
 * bell. */
#include "internal.h"

typedef int32_t routine(int32_t gtid, void *task);

/* A task as clang knows it: what it has for its own follows. */
struct known {
  void *shareds;
  routine *run;
  int32_t part;
  union {
    routine *destroy;
    int32_t priority;
  } data[2];
};

enum flags { TIED = 1, FINAL = 2, DESTROYS = 8, DETACHABLE = 64 };

/* What a task depends on, as clang passes it. */
struct depend {
  intptr_t address;
  size_t size;
  uint8_t flags;
};
enum depend_flags { DEPEND_IN = 1, DEPEND_OUT = 2, DEPEND_MUTEX = 4, DEPEND_SET = 8, DEPEND_ALL = 128 };

void __kmpc_taskgroup(ident_t *where, int32_t gtid);
void __kmpc_end_taskgroup(ident_t *where, int32_t gtid);

/* A variable that tasks of a group reduce, as clang passes it. */
struct reduced {
  void *shared, *original;
  size_t size;
  void (*init)(void *copy, void *original);
  void (*fini)(void *copy);
  void (*add)(void *to, void *copy);
  uint32_t flags;
};

/* Each thread adds to a copy of its own; what it is given is the shared variable's address, or a copy's. */
struct reduction {
  struct reduction *next;
  struct reduced variable;
  char copies[] __attribute__((aligned(16)));
};

struct group {
  struct group *outer;
  struct reduction *reductions; /* do not change once there are tasks */
  uint32_t unfinished;
};

struct task {
  struct task *parent;
  struct group *group;     /* of taskgroups that it is in */
  uint32_t children, uses; /* unfinished ones; those that still name it, and itself */
  /* Of deferred tasks: */
  struct task *before, *behind; /* the team's unfinished ones, in the order of their creation */
  struct depend *depends;
  int32_t ndepends;
  uint32_t flags;
  struct settings settings; /* which the task may change for itself; while it runs, those around it */
  struct task *outer_tied;  /* of one whose if clause is false: self.tied around it */
  bool is_running, goes_on; /* goes_on: an untied one is to be run again */
  size_t size;              /* with all that follows */
  struct known known;       /* last */
};

#define TASK_OF(k) ((struct task *)((char *)(k)-offsetof(struct task, known)))

static uint32_t *bell(unsigned number) { return &self.team->bells[number]; }

/* Who is alone has nobody to exclude. */
static void begin_shared(void) {
  if (self.size > 1) __hd_guarded_begin(&self.team->guard);
}
static void end_shared(void) {
  if (self.size > 1) __hd_guarded_end(&self.team->guard);
}

/* Somebody may have something to do now. */
static void ring_all(void) {
  for (unsigned i = 0; i < self.size; i++)
    if (!__atomic_load_n(bell(i), __ATOMIC_RELAXED)) __atomic_store_n(bell(i), 1, __ATOMIC_RELEASE);
}

/* --- what may run --- */

static bool depends_conflict(const struct depend *a, const struct depend *b) {
  if (a->address != b->address && !((a->flags | b->flags) & DEPEND_ALL)) return false;
  if ((a->flags & DEPEND_SET) && (b->flags & DEPEND_SET)) return false;
  bool a_reads = a->flags == DEPEND_IN, b_reads = b->flags == DEPEND_IN;
  return !(a_reads && b_reads);
}

/* Must one of these wait for the other task, which was created before? Those that exclude each other need not, before they run. */
static bool must_wait(const struct depend *depends, int32_t n, const struct task *other) {
  for (int32_t i = 0; i < n; i++)
    for (int32_t k = 0; k < other->ndepends; k++) {
      bool exclude = depends[i].flags == DEPEND_MUTEX && other->depends[k].flags == DEPEND_MUTEX;
      if (depends_conflict(&depends[i], &other->depends[k]) && !(exclude && !other->is_running)) return true;
    }
  return false;
}

/* Is there an unfinished child of `parent`, created before `end` (NULL: at all), that must be waited for? */
static bool has_predecessor(const struct task *parent, const struct depend *depends, int32_t n, const struct task *end) {
  for (const struct task *t = n ? self.team->tasks : NULL; t && t != end; t = t->behind)
    if (t->parent == parent && must_wait(depends, n, t)) return true;
  return false;
}

/* Those that exclude each other may have been created in any order. */
static bool is_excluded(const struct task *task) {
  for (const struct task *t = task->ndepends ? task->behind : NULL; t; t = t->behind)
    if (t->is_running && t->parent == task->parent && must_wait(task->depends, task->ndepends, t)) return true;
  return false;
}

static bool descends(const struct task *task, const struct task *from) {
  while (task && task != from) task = task->parent;
  return task != NULL;
}

static bool may_run(const struct task *task) {
  if (task->is_running || ((task->flags & TIED) && self.tied && !descends(task, self.tied))) return false;
  return !has_predecessor(task->parent, task->depends, task->ndepends, task) && !is_excluded(task);
}

/* One of the tasks that the thread may run; NULL if there is none, or, if it `may_not`, also by choice. */
static struct task *take(bool may_not) {
  unsigned n = 0, chosen;
  for (struct task *t = self.team->tasks; t; t = t->behind) n += may_run(t);
  if (n == 0) return NULL;
  chosen = n + may_not > 1 ? __hd_choose(n + may_not) : 0;
  if (chosen == n) return NULL;
  struct task *t = self.team->tasks;
  while (!may_run(t) || chosen-- > 0) t = t->behind;
  t->is_running = true;
  return t;
}

/* --- lives --- */

static void drop(struct task *task) {
  while (task && task->parent && --task->uses == 0) { /* an implicit task has no parent, and is nobody's to free */
    struct task *parent = task->parent;
    free(task->depends);
    free(task);
    task = parent;
  }
}

static void unlink_task(struct task *task) {
  *(task->before ? &task->before->behind : &self.team->tasks) = task->behind;
  *(task->behind ? &task->behind->before : &self.team->last_task) = task->before;
}

static void complete_barrier(void) {
  if (self.team->arrived < self.size || self.team->tasks) return;
  self.team->arrived = 0, self.team->round++;
}

static void finish(struct task *task, bool was_deferred) {
  begin_shared();
  task->parent->children--;
  if (task->group) task->group->unfinished--;
  if (was_deferred) unlink_task(task);
  drop(task);
  if (self.size > 1) complete_barrier(), ring_all();
  end_shared();
}

/* The untied task has come to a point where others may go on with it. */
static void run_later(struct task *task) {
  begin_shared();
  task->is_running = false;
  ring_all();
  end_shared();
}

static void exchange_settings(struct task *task) {
  struct settings settings = self.settings;
  self.settings = task->settings;
  task->settings = settings;
}

static void run(struct task *task, bool was_deferred) {
  struct task *outer = self.task, *tied = self.tied;
  self.task = task;
  exchange_settings(task);
  if (task->flags & TIED) self.tied = task;
  do {
    task->goes_on = false;
    task->known.run((int32_t)self.number, &task->known);
  } while (task->goes_on && !was_deferred);
  exchange_settings(task);
  self.task = outer, self.tied = tied;
  if (task->goes_on) {
    run_later(task);
    return;
  }
  if (task->flags & DESTROYS) task->known.data[0].destroy((int32_t)self.number, &task->known);
  finish(task, was_deferred);
}

/* Runs tasks until `done` says that it is time to go on. Called within a section, and ends it. */
static void work_on(bool (*done)(const void *), const void *what) {
  for (;; begin_shared()) {
    bool over = done(what);
    struct task *task = over ? NULL : take(false);
    if (!over && !task) __atomic_store_n(bell(self.number), 0, __ATOMIC_RELAXED);
    end_shared();
    if (over) return;
    if (task)
      run(task, true);
    else
      __hd_await_masked((int *)bell(self.number), -1, 1);
  }
}

static void work_until(bool (*done)(const void *), const void *what) {
  begin_shared();
  work_on(done, what);
}

/* --- creation --- */

/* What a thread is in that belongs to no team. */
static __thread struct task alone;

static struct task *current(void) { return self.task ? self.task : &alone; }

static struct task *new_task(size_t size) {
  struct task *task = malloc(size);
  if (!task) __hd_unsupported("OpenMP", "a task without memory");
  return task;
}

void *__kmpc_omp_task_alloc(ident_t *where, int32_t gtid, int32_t flags, size_t size, size_t shareds, routine *run) {
  if (flags & DETACHABLE) __hd_omp_unsupported(where, "a task with the clause detach");
  size_t offset = (offsetof(struct task, known) + size + 15) & ~(size_t)15;
  struct task *task = new_task(offset + shareds);
  *task = (struct task){.uses = 1, .flags = (uint32_t)flags, .size = offset + shareds, .settings = self.settings};
  task->known = (struct known){.shareds = shareds ? (char *)task + offset : NULL, .run = run};
  if (current()->flags & FINAL) task->flags |= FINAL;
  return &task->known;
}
void *__kmpc_omp_target_task_alloc(ident_t *where, int32_t gtid, int32_t flags, size_t size, size_t shareds, routine *run, int64_t device) {
  return __kmpc_omp_task_alloc(where, gtid, flags, size, shareds, run);
}

static void add_child(struct task *task) {
  task->parent = current(), task->group = current()->group;
  begin_shared();
  task->parent->children++, task->parent->uses++;
  if (task->group) task->group->unfinished++;
  end_shared();
}

static void defer(struct task *task) {
  struct team *team = self.team;
  task->parent = current(), task->group = current()->group;
  begin_shared();
  task->parent->children++, task->parent->uses++;
  if (task->group) task->group->unfinished++;
  task->before = team->last_task;
  *(team->last_task ? &team->last_task->behind : &team->tasks) = task;
  team->last_task = task;
  ring_all();
  end_shared();
}

int32_t __kmpc_omp_task(ident_t *where, int32_t gtid, void *known) {
  struct task *task = TASK_OF(known);
  if (task == self.task) return task->goes_on = true, 0; /* an untied one stops here */
  if (self.size > 1 && !(current()->flags & FINAL))
    defer(task);
  else
    add_child(task), run(task, false);
  return 0;
}
int32_t __kmpc_omp_task_parts(ident_t *where, int32_t gtid, void *known) { return __kmpc_omp_task(where, gtid, known); }

/* A task whose if clause is false: clang calls its function itself. */
void __kmpc_omp_task_begin_if0(ident_t *where, int32_t gtid, void *known) {
  struct task *task = TASK_OF(known);
  add_child(task);
  task->outer_tied = self.tied;
  self.task = task;
  exchange_settings(task);
  if (task->flags & TIED) self.tied = task;
}
void __kmpc_omp_task_complete_if0(ident_t *where, int32_t gtid, void *known) {
  struct task *task = TASK_OF(known);
  self.task = task->parent, self.tied = task->outer_tied;
  exchange_settings(task);
  if (task->flags & DESTROYS) task->known.data[0].destroy((int32_t)self.number, &task->known);
  finish(task, false);
}

/* --- dependences --- */

static struct depend *copy_depends(const struct depend *first, int32_t n, const struct depend *second, int32_t m) {
  struct depend *to = malloc(((size_t)n + (size_t)m) * sizeof *to);
  if (!to) __hd_unsupported("OpenMP", "a task without memory");
  for (int32_t i = 0; i < n; i++) to[i] = first[i];
  for (int32_t i = 0; i < m; i++) to[n + i] = second[i];
  return to;
}

struct waited {
  const struct depend *depends;
  int32_t n;
};

static bool are_done(const void *what) {
  const struct waited *w = what;
  return !has_predecessor(current(), w->depends, w->n, NULL);
}

static void await_depends(const struct depend *first, int32_t n, const struct depend *second, int32_t m) {
  if (self.size <= 1 || n + m == 0) return;
  struct depend *all = copy_depends(first, n, second, m);
  work_until(are_done, &(struct waited){all, n + m});
  free(all);
}

int32_t __kmpc_omp_task_with_deps(ident_t *where, int32_t gtid, void *known, int32_t n, struct depend *depends, int32_t m,
                                  struct depend *more) {
  struct task *task = TASK_OF(known);
  if (self.size > 1 && !(current()->flags & FINAL)) {
    task->depends = copy_depends(depends, n, more, m), task->ndepends = n + m;
  } else {
    await_depends(depends, n, more, m);
  }
  return __kmpc_omp_task(where, gtid, known);
}
void __kmpc_omp_wait_deps(ident_t *where, int32_t gtid, int32_t n, struct depend *depends, int32_t m, struct depend *more) {
  await_depends(depends, n, more, m);
}
void __kmpc_omp_taskwait_deps_51(ident_t *where, int32_t gtid, int32_t n, struct depend *depends, int32_t m, struct depend *more,
                                 int32_t nowait) {
  if (nowait) __hd_omp_unsupported(where, "taskwait with nowait");
  await_depends(depends, n, more, m);
}

/* --- taskloop --- */

typedef void duplicate(void *to, void *from, int32_t is_last);

/* A task for some of the iterations: a copy of the one that clang has made for all. */
static struct task *part_of(struct task *whole, uint64_t *lower, uint64_t *upper, uint64_t first, uint64_t end, duplicate *copy,
                            bool is_last) {
  struct task *part = new_task(whole->size);
  __builtin_memcpy(part, whole, whole->size);
  if (whole->known.shareds) part->known.shareds = (char *)part + ((char *)whole->known.shareds - (char *)whole);
  *(uint64_t *)((char *)part + ((char *)lower - (char *)whole)) = first;
  *(uint64_t *)((char *)part + ((char *)upper - (char *)whole)) = end;
  if (copy) copy(&part->known, &whole->known, is_last);
  return part;
}

enum { ANY, GRAIN_SIZE, TASKS }; /* what a taskloop says: nothing, so many iterations for each task, so many tasks */

/* Without a wish each iteration is a task: no other choice lets more happen. Tasks have at least the grain's iterations, and fewer than two
 * grains'. */
static uint64_t tasks_of(int32_t says, uint64_t wish, uint64_t trip) {
  if (says == ANY || wish == 0) return trip;
  if (says == TASKS) return wish < trip ? wish : trip;
  return wish < trip ? trip / wish : 1;
}

static void loop_of_tasks(void *known, bool deferred, uint64_t *lower, uint64_t *upper, int64_t step, int32_t says, uint64_t wish,
                          bool strict, duplicate *copy) {
  struct task *whole = TASK_OF(known);
  uint64_t first = *lower, last = *upper;
  bool is_empty = step > 0 ? (int64_t)last < (int64_t)first : (int64_t)first < (int64_t)last;
  uint64_t trip = is_empty ? 0 : step > 0 ? (last - first) / (uint64_t)step + 1 : (first - last) / (uint64_t)-step + 1;
  for (uint64_t i = 0, end, n = trip ? tasks_of(says, wish, trip) : 0, k = 0; i < trip; i = end, k++) {
    end = i + trip / n + (k < trip % n);
    if (strict && says == GRAIN_SIZE) end = i + wish < trip ? i + wish : trip;
    uint64_t from = first + i * (uint64_t)step, to = first + (end - 1) * (uint64_t)step;
    struct task *part = part_of(whole, lower, upper, from, to, copy, end == trip);
    if (deferred)
      __kmpc_omp_task(NULL, 0, &part->known);
    else
      add_child(part), run(part, false);
  }
  if (whole->flags & DESTROYS) whole->known.data[0].destroy((int32_t)self.number, known);
  free(whole);
}

void __kmpc_taskloop_5(ident_t *where, int32_t gtid, void *known, int32_t deferred, uint64_t *lower, uint64_t *upper, int64_t step,
                       int32_t no_group, int32_t says, uint64_t wish, int32_t strict, duplicate *copy) {
  if (!no_group) __kmpc_taskgroup(where, gtid);
  loop_of_tasks(known, deferred, lower, upper, step, says, wish, strict, copy);
  if (!no_group) __kmpc_end_taskgroup(where, gtid);
}

void __kmpc_taskloop(ident_t *where, int32_t gtid, void *known, int32_t deferred, uint64_t *lower, uint64_t *upper, int64_t step,
                     int32_t no_group, int32_t says, uint64_t wish, duplicate *copy) {
  __kmpc_taskloop_5(where, gtid, known, deferred, lower, upper, step, no_group, says, wish, 0, copy);
}

/* --- waiting --- */

static bool has_no_children(const void *task) { return ((const struct task *)task)->children == 0; }

int32_t __kmpc_omp_taskwait(ident_t *where, int32_t gtid) {
  if (self.size > 1) work_until(has_no_children, current());
  return 0;
}

int32_t __kmpc_omp_taskyield(ident_t *where, int32_t gtid, int32_t end) {
  if (self.size <= 1) return 0;
  begin_shared();
  struct task *task = take(true);
  end_shared();
  if (task) run(task, true);
  return 0;
}

void __kmpc_taskgroup(ident_t *where, int32_t gtid) {
  struct group *group = malloc(sizeof *group);
  if (!group) __hd_unsupported("OpenMP", "a taskgroup without memory");
  *group = (struct group){.outer = current()->group};
  current()->group = group;
}

void *__kmpc_taskred_init(int32_t gtid, int32_t n, void *data) {
  const struct reduced *variables = data;
  struct group *group = current()->group;
  for (int32_t i = 0; i < n; i++) {
    size_t size = variables[i].size, threads = team_size();
    struct reduction *r = malloc(sizeof *r + threads * size);
    if (!r) __hd_unsupported("OpenMP", "a taskgroup without memory");
    r->next = group->reductions, r->variable = variables[i];
    for (size_t k = 0; k < threads; k++) {
      __builtin_memset(r->copies + k * size, 0, size);
      if (r->variable.init) r->variable.init(r->copies + k * size, r->variable.original);
    }
    group->reductions = r;
  }
  return group;
}
void *__kmpc_task_reduction_init(int32_t gtid, int32_t n, void *data) { return __kmpc_taskred_init(gtid, n, data); }

static bool is_of(const struct reduction *r, const void *item) {
  const char *at = item;
  return item == r->variable.shared || (at >= r->copies && at < r->copies + team_size() * r->variable.size);
}

void *__kmpc_task_reduction_get_th_data(int32_t gtid, void *from, void *item) {
  for (struct group *group = from ? from : current()->group; group; group = group->outer)
    for (struct reduction *r = group->reductions; r; r = r->next)
      if (is_of(r, item)) return r->copies + self.number * r->variable.size;
  __hd_unsupported("OpenMP", "in_reduction of what no taskgroup around it reduces");
}

static void add_copies(struct reduction *r) {
  for (struct reduction *next; r; r = next) {
    next = r->next;
    for (size_t k = 0; k < team_size(); k++) {
      r->variable.add(r->variable.shared, r->copies + k * r->variable.size);
      if (r->variable.fini) r->variable.fini(r->copies + k * r->variable.size);
    }
    free(r);
  }
}

static bool is_empty(const void *group) { return ((const struct group *)group)->unfinished == 0; }

void __kmpc_end_taskgroup(ident_t *where, int32_t gtid) {
  struct group *group = current()->group;
  if (self.size > 1) work_until(is_empty, group);
  current()->group = group->outer;
  add_copies(group->reductions);
  free(group);
}

/* --- the team --- */

static bool is_round_over(const void *round) { return self.team->round != *(const uint32_t *)round; }

static void meet(void) {
  begin_shared();
  uint32_t round = self.team->round;
  self.team->arrived++;
  complete_barrier();
  if (self.team->round != round) ring_all();
  struct task *tied = self.tied;
  self.tied = NULL;
  work_on(is_round_over, &round);
  self.tied = tied;
}

static void begin_team(struct team *team, unsigned size) {
  team->implicit = calloc(size, sizeof *team->implicit);
  if (!team->implicit) __hd_unsupported("OpenMP", "a team without memory");
  for (unsigned i = 0; i < size; i++) team->bells[i] = 1;
}

static void end_team(struct team *team) { free(team->implicit); }

static void enter(void) { self.task = self.tied = &self.team->implicit[self.number]; }

const struct task_functions __hd_omp_tasks = {begin_team, end_team, enter, meet};

int omp_in_final(void);
int omp_in_final(void) { return (current()->flags & FINAL) != 0; }
