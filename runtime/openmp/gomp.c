/* Programs that gcc has compiled call libgomp for teams and tasks. It tells nobody of what it does, so its functions stand here before it:
 * a function of the program that is handed to it becomes one of these (heddle_*), which does what is to do around it. */
#include "openmp/library.h"

/* What it calls has its frames below. */
#define FRAME ((uintptr_t)__builtin_frame_address(0))
typedef void function(void *data);
typedef void copier(void *to, void *from);

/* A parallel construct. It lies on its creator's stack until all is over. */
struct region {
  uintptr_t reductions; /* what the library looks for at the begin of the program's data, if it has task reductions */
  struct team *team;
  function *f;
  void *data;
};

static void heddle_member(void *data) {
  struct region *r = data;
  struct task *outer = task_now, *task = implicit_begins(r->team);
  r->f(r->data);
  implicit_ends(task, outer);
}

#define ARGUMENTS(...) __VA_ARGS__
#define REGION(name, parameters, arguments)                                     \
  PUBLIC void name(function *f, void *data, unsigned threads, parameters);      \
  void name(function *f, void *data, unsigned threads, parameters) {            \
    if (!openmp_calls()) return NEXT_OPENMP(name)(f, data, threads, arguments); \
    openmp_understands((void *)(uintptr_t)NEXT_OPENMP(name));                   \
    struct region r = {.team = team_new(CALLER), .f = f, .data = data};         \
    NEXT_OPENMP(name)(heddle_member, &r, threads, arguments);                   \
    team_end(r.team);                                                           \
  }
#define LOOP(name) \
  REGION(name, ARGUMENTS(long start, long end, long step, long chunk, unsigned flags), ARGUMENTS(start, end, step, chunk, flags))
#define LOOP_RUNTIME(name) REGION(name, ARGUMENTS(long start, long end, long step, unsigned flags), ARGUMENTS(start, end, step, flags))
REGION(GOMP_parallel, unsigned flags, flags)
REGION(GOMP_parallel_sections, ARGUMENTS(unsigned count, unsigned flags), ARGUMENTS(count, flags))
REGION(GOMP_teams_reg, ARGUMENTS(unsigned limit, unsigned flags), ARGUMENTS(limit, flags))
LOOP(GOMP_parallel_loop_static)
LOOP(GOMP_parallel_loop_dynamic)
LOOP(GOMP_parallel_loop_guided)
LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
LOOP(GOMP_parallel_loop_nonmonotonic_guided)
LOOP_RUNTIME(GOMP_parallel_loop_runtime)
LOOP_RUNTIME(GOMP_parallel_loop_nonmonotonic_runtime)
LOOP_RUNTIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

PUBLIC unsigned GOMP_parallel_reductions(function *f, void *data, unsigned threads, unsigned flags);
unsigned GOMP_parallel_reductions(function *f, void *data, unsigned threads, unsigned flags) {
  if (!openmp_calls()) return NEXT_OPENMP(GOMP_parallel_reductions)(f, data, threads, flags);
  openmp_understands((void *)(uintptr_t)NEXT_OPENMP(GOMP_parallel_reductions));
  struct region r = {.reductions = *(uintptr_t *)data, .team = team_new(CALLER), .f = f, .data = data};
  unsigned n = NEXT_OPENMP(GOMP_parallel_reductions)(heddle_member, &r, threads, flags);
  team_end(r.team);
  return n;
}

/* Barriers, also those at the end of loops and sections. A team that was cancelled leaves them early, and comes to the last one alone. */
static struct task *barrier_task(void) { return openmp_calls() ? task_now : NULL; }
#define BARRIER(name, ...)                      \
  PUBLIC void name(__VA_ARGS__);                \
  void name(__VA_ARGS__) {                      \
    struct task *task = barrier_task();         \
    barrier_comes(task);                        \
    NEXT_OPENMP(name)(BARRIER_ARGUMENT_##name); \
    barrier_leaves(task);                       \
  }
#define CANCELLED(name)                 \
  PUBLIC bool name(void);               \
  bool name(void) {                     \
    struct task *task = barrier_task(); \
    barrier_comes(task);                \
    bool gone = NEXT_OPENMP(name)();    \
    barrier_leaves(task);               \
    return gone;                        \
  }
#define BARRIER_ARGUMENT_GOMP_barrier
#define BARRIER_ARGUMENT_GOMP_loop_end
#define BARRIER_ARGUMENT_GOMP_sections_end
#define BARRIER_ARGUMENT_GOMP_workshare_task_reduction_unregister cancelled
BARRIER(GOMP_barrier, void)
BARRIER(GOMP_loop_end, void)
BARRIER(GOMP_sections_end, void)
BARRIER(GOMP_workshare_task_reduction_unregister, bool cancelled)
CANCELLED(GOMP_barrier_cancel)
CANCELLED(GOMP_loop_end_cancel)
CANCELLED(GOMP_sections_end_cancel)

/* `single copyprivate`: the one that gets NULL goes on, and ends what the others wait in. */
PUBLIC void *GOMP_single_copy_start(void);
PUBLIC void GOMP_single_copy_end(void *data);
void *GOMP_single_copy_start(void) {
  struct task *task = barrier_task();
  barrier_comes(task);
  void *data = NEXT_OPENMP(GOMP_single_copy_start)();
  if (data) barrier_leaves(task);
  return data;
}
void GOMP_single_copy_end(void *data) {
  struct task *task = barrier_task();
  barrier_comes(task);
  NEXT_OPENMP(GOMP_single_copy_end)(data);
  barrier_leaves(task);
}

/* Ordered sections, and iterations that wait for others. */
PUBLIC void GOMP_ordered_start(void);
PUBLIC void GOMP_ordered_end(void);
static struct order *ordered(void) { return openmp_calls() && task_now && task_now->team ? &task_now->team->ordered : NULL; }
void GOMP_ordered_start(void) {
  NEXT_OPENMP(GOMP_ordered_start)();
  struct order *o = ordered();
  if (o) order_acquire(o);
}
void GOMP_ordered_end(void) {
  struct order *o = ordered();
  if (o) order_release(o);
  NEXT_OPENMP(GOMP_ordered_end)();
}

static struct order *step(uint64_t number) {
  return openmp_calls() && task_now && task_now->team ? team_step(task_now->team, number) : NULL;
}
/* How many numbers there are is known to the library alone: what is behind them is handed on unseen. */
#define NUMBERS \
  long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l, long m, long n, long o, long p
#define DOACROSS(post, wait)                                           \
  PUBLIC void post(long *numbers);                                     \
  PUBLIC void wait(NUMBERS);                                           \
  void post(long *numbers) {                                           \
    struct order *s = step((uint64_t)numbers[0]);                      \
    if (s) order_release(s);                                           \
    NEXT_OPENMP(post)(numbers);                                        \
  }                                                                    \
  void wait(NUMBERS) {                                                 \
    NEXT_OPENMP(wait)(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p); \
    struct order *s = step((uint64_t)a);                               \
    if (s) order_acquire(s);                                           \
  }
DOACROSS(GOMP_doacross_post, GOMP_doacross_wait)
DOACROSS(GOMP_doacross_ull_post, GOMP_doacross_ull_wait)

/* Tasks. */
enum { IS_FINAL = 1 << 1, HAS_DEPENDENCES = 1 << 3, IS_DEFERRED = 1 << 10, NO_GROUP = 1 << 11, IS_DETACHED = 1 << 13 };

/* A task is done by another thread, or may be: there are others. */
PUBLIC int omp_get_num_threads(void);
int omp_get_num_threads(void) { return NEXT_OPENMP(omp_get_num_threads)(); }
static bool is_deferred(bool deferred, unsigned flags) { return deferred && !(flags & IS_FINAL) && omp_get_num_threads() > 1; }

/* depend[] begins with the numbers of what follows: all, out; or 0, all, out, mutexinoutset, in, and objects that say it themselves. */
struct depend_object {
  uintptr_t address;
  uintptr_t how;
};
static void each_dependence(void **depend, void (*f)(void *, uintptr_t, enum dependence), void *to) {
  static const enum dependence of_object[] = {DEPEND_OUT, DEPEND_IN, DEPEND_OUT, DEPEND_OUT, DEPEND_MUTEX, DEPEND_SET};
  const uintptr_t *d = (const uintptr_t *)(const void *)depend;
  uintptr_t all = d[0], out = d[1], mutex = 0, in = all - out;
  void **at = depend + 2;
  if (all == 0) all = d[1], out = d[2], mutex = d[3], in = d[4], at = depend + 5;
  for (uintptr_t i = 0; i < all; i++) {
    if (i < out + mutex + in) {
      f(to, (uintptr_t)at[i], i < out ? DEPEND_OUT : i < out + mutex ? DEPEND_MUTEX : DEPEND_IN);
      continue;
    }
    const struct depend_object *o = at[i];
    f(to, o->address, o->how < sizeof of_object / sizeof of_object[0] ? of_object[o->how] : DEPEND_OUT);
  }
}
static void child_depends(void *child, uintptr_t address, enum dependence how) { task_depends(child, address, how); }

/* A task with `detach(event)` is over when the program says so: what came before that is known to whoever waits for any task. */
static struct order fulfilled;
static bool detaches;
static void sees_fulfilled(void) {
  if (__atomic_load_n(&detaches, __ATOMIC_RELAXED)) order_acquire(&fulfilled);
}
PUBLIC void omp_fulfill_event(uintptr_t event);
void omp_fulfill_event(uintptr_t event) {
  if (openmp_calls()) order_release(&fulfilled);
  NEXT_OPENMP(omp_fulfill_event)(event);
}

/* A task on its way: the program's data is copied behind it, as the library would do. */
struct call {
  struct task *task;
  function *f;
  void *data;
  size_t size;
};
/* What the library is given instead: for a detached task it writes the event to the begin. */
struct ticket {
  void *event;
  struct call *call;
};

static void heddle_task(void *data) {
  const struct ticket *ticket = data;
  struct call *c = ticket->call;
  struct task *outer = task_now, *actor = actor_now();
  if (ticket->event) *(void **)c->data = ticket->event;
  sees_fulfilled();
  task_begins(c->task, FRAME);
  c->f(c->data);
  task_ends(c->task);
  actor_switch(actor);
  task_now = outer;
  rt_free(c, c->size);
}

static uintptr_t aligned(uintptr_t at, size_t align) { return align > 1 ? (at + align - 1) & ~((uintptr_t)align - 1) : at; }

static struct call *new_call(function *f, void *data, copier *copy, size_t size, size_t align, bool deferred, unsigned flags,
                             uintptr_t pc) {
  size_t room = sizeof(struct call) + size + align;
  struct call *c = rt_alloc(room);
  if (!c) return NULL;
  *c = (struct call){.f = f, .data = (void *)aligned((uintptr_t)(c + 1), align), .size = room};
  access_forget((uintptr_t)c->data, size);
  if (copy)
    copy(c->data, data);
  else
    memory_copy(c->data, data, size);
  c->task = task_new(task_now, pc, is_deferred(deferred, flags));
  if (c->task) c->task->final |= (flags & IS_FINAL) != 0;
  return c;
}

PUBLIC void GOMP_task(function *f, void *data, copier *copy, long size, long align, bool deferred, unsigned flags, void **depend,
                      int priority, void *detach);
void GOMP_task(function *f, void *data, copier *copy, long size, long align, bool deferred, unsigned flags, void **depend, int priority,
               void *detach) {
  struct ticket ticket = {NULL, openmp_calls() ? new_call(f, data, copy, (size_t)size, (size_t)align, deferred, flags, CALLER) : NULL};
  if (!ticket.call) return NEXT_OPENMP(GOMP_task)(f, data, copy, size, align, deferred, flags, depend, priority, detach);
  if (flags & HAS_DEPENDENCES) each_dependence(depend, child_depends, ticket.call->task);
  if (flags & IS_DETACHED) __atomic_store_n(&detaches, true, __ATOMIC_RELAXED);
  NEXT_OPENMP(GOMP_task)(heddle_task, &ticket, NULL, sizeof ticket, _Alignof(struct ticket), deferred, flags, depend, priority, detach);
}

/* The tasks of a loop: the library writes the bounds of each to the begin of its data, and looks behind them for reductions. The program's
 * own data comes behind this. */
struct loop {
  struct task *parent;
  struct order begin;
  function *f;
  copier *copy;
  void *data;
  size_t offset;
  uintptr_t pc;
  struct group *group;
  bool deferred, final;
};
struct part {
  uint64_t bounds[2];
  uintptr_t reductions;
  struct loop *loop;
};

static void heddle_part(void *data) {
  const struct part *p = data;
  struct loop *l = p->loop;
  struct task *outer = task_now, *actor = actor_now(), *task = task_new_part(l->parent, l->pc, l->deferred, &l->begin);
  char *own = (char *)data + l->offset;
  if (task) task->group = l->group, task->final |= l->final;
  rt_copy(own, p->bounds, sizeof p->bounds);
  task_begins(task, FRAME);
  l->f(own);
  task_ends(task);
  actor_switch(actor);
  task_now = outer;
}

static void copy_part(void *to, void *from) {
  struct part *p = from;
  *(struct part *)to = *p;
  p->loop->copy((char *)to + p->loop->offset, p->loop->data);
}

#define TASKLOOP(name, type)                                                                                                             \
  PUBLIC void name(function *f, void *data, copier *copy, long size, long align, unsigned flags, unsigned long count, int priority,      \
                   type start, type end, type step);                                                                                     \
  void name(function *f, void *data, copier *copy, long size, long align, unsigned flags, unsigned long count, int priority, type start, \
            type end, type step) {                                                                                                       \
    struct loop *l = openmp_calls() ? rt_alloc(sizeof *l) : NULL;                                                                        \
    if (!l) return NEXT_OPENMP(name)(f, data, copy, size, align, flags, count, priority, start, end, step);                              \
    if (align < (long)_Alignof(struct part)) align = _Alignof(struct part);                                                              \
    *l = (struct loop){.parent = task_now, .f = f, .copy = copy, .data = data, .pc = CALLER};                                            \
    l->offset = aligned(sizeof(struct part), (size_t)align);                                                                             \
    size_t all = l->offset + (size_t)size, room = all + (size_t)align;                                                                   \
    void *block = rt_alloc(room);                                                                                                        \
    if (!block) return NEXT_OPENMP(name)(f, data, copy, size, align, flags, count, priority, start, end, step);                          \
    struct part *p = (struct part *)aligned((uintptr_t)block, (size_t)align);                                                            \
    *p = (struct part){.loop = l, .reductions = size >= 24 ? ((uintptr_t *)data)[2] : 0};                                                \
    access_forget((uintptr_t)p + l->offset, (size_t)size);                                                                               \
    memory_copy((char *)p + l->offset, data, (size_t)size);                                                                              \
    bool waits = !(flags & NO_GROUP);                                                                                                    \
    if (waits) group_begins(task_now);                                                                                                   \
    if (l->parent) __atomic_fetch_add(&l->parent->references, 1, __ATOMIC_RELAXED), l->group = l->parent->group;                         \
    l->deferred = is_deferred(flags & IS_DEFERRED, flags), l->final = flags & IS_FINAL;                                                  \
    order_release(&l->begin);                                                                                                            \
    NEXT_OPENMP(name)(heddle_part, p, copy ? copy_part : NULL, (long)all, align, flags, count, priority, start, end, step);              \
    rt_free(block, room);                                                                                                                \
    if (!waits) return; /* its tasks may still begin: what they need stays */                                                            \
    group_ends(task_now);                                                                                                                \
    task_drop(l->parent);                                                                                                                \
    order_drop(&l->begin);                                                                                                               \
    rt_free(l, sizeof *l);                                                                                                               \
  }
TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long)

PUBLIC void GOMP_taskwait(void);
PUBLIC void GOMP_taskwait_depend(void **depend);
PUBLIC void GOMP_taskgroup_start(void);
PUBLIC void GOMP_taskgroup_end(void);
void GOMP_taskwait(void) {
  NEXT_OPENMP(GOMP_taskwait)();
  if (!openmp_calls()) return;
  task_waited(task_now);
  sees_fulfilled();
}
void GOMP_taskwait_depend(void **depend) {
  struct task *waits = openmp_calls() ? task_new(task_now, CALLER, false) : NULL;
  if (waits) each_dependence(depend, child_depends, waits);
  NEXT_OPENMP(GOMP_taskwait_depend)(depend);
  task_chose(waits);
}
void GOMP_taskgroup_start(void) {
  NEXT_OPENMP(GOMP_taskgroup_start)();
  if (openmp_calls()) group_begins(task_now);
}
void GOMP_taskgroup_end(void) {
  NEXT_OPENMP(GOMP_taskgroup_end)();
  if (!openmp_calls()) return;
  group_ends(task_now);
  sees_fulfilled();
}

/* Copies of what tasks reduce are their thread's. */
PUBLIC void GOMP_task_reduction_remap(size_t count, size_t originals, void **at);
void GOMP_task_reduction_remap(size_t count, size_t originals, void **at) {
  if (openmp_calls()) actor_asks();
  NEXT_OPENMP(GOMP_task_reduction_remap)(count, originals, at);
}
