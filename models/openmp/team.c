/* Parallel regions, and the barrier of a team. */
#include "internal.h"

__thread struct member __hd_omp_self;
__attribute__((weak)) const struct task_functions __hd_omp_tasks = {NULL, NULL, NULL, NULL};

void __hd_omp_unsupported(const ident_t *where, const char *what) { __hd_unsupported("OpenMP", what); }

unsigned __hd_omp_number(const char *name, unsigned n) {
  const char *s = __hd_getenv(name);
  unsigned number = 0;
  if (!s) return 0;
  for (const char *comma = s; n > 0; comma++) {
    while (*comma && *comma != ',') comma++;
    if (!*comma) break;
    s = comma + 1, n--;
  }
  while (*s == ' ') s++;
  for (; *s >= '0' && *s <= '9'; s++) number = number < 100000 ? number * 10 + (unsigned)(*s - '0') : number;
  return number;
}

unsigned __hd_omp_levels_most(void) {
  if (self.settings.levels) return self.settings.levels - 1;
  unsigned levels = __hd_omp_number("OMP_MAX_ACTIVE_LEVELS", 0);
  return levels ? levels : 1;
}

unsigned __hd_omp_threads_wanted(void) {
  unsigned wanted = self.settings.threads ? self.settings.threads : __hd_omp_number("OMP_NUM_THREADS", self.active);
  if (!wanted) wanted = THREADS_DEFAULT, __hd_omp_default_team();
  return wanted;
}

unsigned __hd_omp_threads_most(void) {
  unsigned limit = self.settings.limit ? self.settings.limit : __hd_omp_number("OMP_THREAD_LIMIT", 0);
  return limit && limit < THREADS_MOST ? limit : THREADS_MOST;
}

/* How many threads the region gets that the thread comes to. */
static unsigned size_of_next(void) {
  unsigned pushed = self.pushed;
  self.pushed = 0;
  if (pushed == 1 || self.active >= __hd_omp_levels_most()) return 1;
  if (!pushed) pushed = __hd_omp_threads_wanted();
  return pushed < __hd_omp_threads_most() ? pushed : __hd_omp_threads_most();
}

/* --- the region's function --- */

typedef void *word;
#define T4        word, word, word, word
#define T8        T4, T4
#define T16       T8, T8
#define T32       T16, T16
#define A(i)      arguments[i]
#define A4(i)     A(i), A(i + 1), A(i + 2), A(i + 3)
#define A8(i)     A4(i), A4(i + 4)
#define A16(i)    A8(i), A8(i + 8)
#define A32(i)    A16(i), A16(i + 16)
#define RUN(...)  ((void (*)(int32_t *, int32_t *, __VA_ARGS__))run)
#define WITH(...) (&gtid, &btid, __VA_ARGS__)

/* A function that is called with more arguments than it has does not see the others. */
static void invoke(void (*run)(void), unsigned count, void **arguments) {
  int32_t gtid = (int32_t)self.number, btid = gtid;
  if (count == 0)
    ((void (*)(int32_t *, int32_t *))run)(&gtid, &btid);
  else if (count == 1)
    RUN(word) WITH(A(0));
  else if (count == 2)
    RUN(word, word) WITH(A(0), A(1));
  else if (count <= 4)
    RUN(T4) WITH(A4(0));
  else if (count <= 8)
    RUN(T8) WITH(A8(0));
  else if (count <= 16)
    RUN(T16) WITH(A16(0));
  else if (count <= 32)
    RUN(T32) WITH(A32(0));
  else
    RUN(T32, T32) WITH(A32(0), A32(32));
}

/* --- regions --- */

/* What a thread of a team other than its first begins with: the one that creates it fills in its own, and hands it on. */
static __thread struct start {
  struct member member;
  void (*run)(void);
  uint64_t count;
  void *arguments[ARGUMENTS_MOST];
} start;

/* A thread's part of a region, and of its tasks. That it is over is seen where the thread is joined. */
static void run_part(void (*run)(void), unsigned count, void **arguments) {
  if (__hd_omp_tasks.enter) __hd_omp_tasks.enter();
  invoke(run, count, arguments);
  if (__hd_omp_tasks.meet && self.size > 1) __hd_omp_tasks.meet();
}

static void *run_thread(void *unused) {
  self = start.member;
  run_part(start.run, (unsigned)start.count, start.arguments);
  __hd_omp_private_end();
  return unused;
}

static struct member member_of(struct team *team, unsigned size, unsigned number, const struct member *outer) {
  return (struct member){.team = team,
                         .number = number,
                         .size = size,
                         .level = outer->level + 1,
                         .active = outer->active + (size > 1),
                         .settings = outer->settings,
                         .is_main = outer->is_main,
                         .is_first = number == 0 && outer->is_first,
                         .copies = number == 0 ? outer->copies : NULL};
}

/* The calling thread becomes number 0 of a team, and what it was again. */
static void run_team(unsigned size) {
  struct member outer = self;
  struct team team = {.parent = &outer};
  pthread_t threads[size];
  if (__hd_omp_tasks.begin_team) __hd_omp_tasks.begin_team(&team, size);
  if (size > 1) pthread_barrier_init(&team.barrier, NULL, size);
  for (unsigned i = 1; i < size; i++) {
    start.member = member_of(&team, size, i, &outer);
    __hd_omp_private_lists(&start.member);
    size_t bytes = offsetof(struct start, arguments) + start.count * sizeof *start.arguments;
    if (__hd_thread_create_with(&threads[i], NULL, run_thread, NULL, &start, bytes))
      __hd_unsupported("OpenMP", "a thread of a team cannot be created");
  }
  self = member_of(&team, size, 0, &outer);
  self.outer = &outer;
  struct start own = start; /* regions within this one have others */
  run_part(own.run, (unsigned)own.count, own.arguments);
  self = outer;
  for (unsigned i = 1; i < size; i++) pthread_join(threads[i], NULL);
  if (__hd_omp_tasks.end_team) __hd_omp_tasks.end_team(&team);
}

void __kmpc_fork_call(ident_t *where, int32_t count, void (*run)(void), ...) {
  if (count > ARGUMENTS_MOST) __hd_omp_unsupported(where, "a region that shares more than 64 variables with what is around it");
  va_list list;
  va_start(list, run);
  for (int32_t i = 0; i < count; i++) start.arguments[i] = va_arg(list, void *);
  va_end(list);
  start.run = run, start.count = (uint64_t)count;
  run_team(size_of_next());
}

/* thread_limit() of the league that comes. */
static __thread unsigned league_limit;

/* A league of one team, whose only thread so far is the calling one: the program may ask for more teams, and need not get them. */
void __kmpc_fork_teams(ident_t *where, int32_t count, void (*run)(void), ...) {
  void *arguments[ARGUMENTS_MOST] = {0};
  if (count > ARGUMENTS_MOST) __hd_omp_unsupported(where, "a league that shares more than 64 variables with what is around it");
  va_list list;
  va_start(list, run);
  for (int32_t i = 0; i < count; i++) arguments[i] = va_arg(list, void *);
  va_end(list);
  struct settings outer = self.settings;
  if (league_limit) self.settings.limit = league_limit;
  league_limit = 0;
  invoke(run, (unsigned)count, arguments);
  self.settings = outer;
}
void __kmpc_push_num_teams(ident_t *where, int32_t gtid, int32_t teams, int32_t threads) {
  league_limit = threads > 0 ? (unsigned)threads : 0;
}
void __kmpc_push_num_teams_51(ident_t *where, int32_t gtid, int32_t least, int32_t most, int32_t threads) {
  __kmpc_push_num_teams(where, gtid, most, threads);
}
void __kmpc_set_thread_limit(ident_t *where, int32_t gtid, int32_t threads) {}

/* The if clause is there, and may be false. */
void __kmpc_fork_call_if(ident_t *where, int32_t count, void (*run)(void), int32_t condition, void *argument) {
  if (!condition) self.pushed = 1;
  __kmpc_fork_call(where, count, run, argument);
}

/* A region whose if clause is false: clang calls its function itself. */
void __kmpc_serialized_parallel(ident_t *where, int32_t gtid) {
  struct member *outer = malloc(sizeof *outer);
  if (!outer) __hd_unsupported("OpenMP", "a region without memory");
  *outer = self;
  self = member_of(NULL, 1, 0, outer);
  self.outer = outer;
}

void __kmpc_end_serialized_parallel(ident_t *where, int32_t gtid) {
  struct member *outer = self.outer;
  self = *outer;
  free(outer);
}

void __kmpc_push_num_threads(ident_t *where, int32_t gtid, int32_t threads) { self.pushed = threads > 0 ? (unsigned)threads : 1; }

/* Advice on where threads run. */
void __kmpc_push_proc_bind(ident_t *where, int32_t gtid, int32_t bind) {}

int32_t __kmpc_global_thread_num(ident_t *where) { return (int32_t)self.number; }
int32_t __kmpc_global_num_threads(ident_t *where) { return (int32_t)team_size(); }
int32_t __kmpc_bound_thread_num(ident_t *where) { return (int32_t)self.number; }
int32_t __kmpc_bound_num_threads(ident_t *where) { return (int32_t)team_size(); }
int32_t __kmpc_in_parallel(ident_t *where) { return self.active > 0; }
void __kmpc_begin(ident_t *where, int32_t flags) {}
void __kmpc_end(ident_t *where) {}

/* --- barriers --- */

void __hd_omp_barrier(void) {
  if (self.size <= 1) return;
  if (__hd_omp_tasks.meet)
    __hd_omp_tasks.meet();
  else
    pthread_barrier_wait(&self.team->barrier);
  __hd_omp_clear_loops();
}

void __kmpc_barrier(ident_t *where, int32_t gtid) { __hd_omp_barrier(); }

/* Nothing is cancelled unless OMP_CANCELLATION asks for it. */
static void no_cancellation(const ident_t *where) {
  const char *wish = __hd_getenv("OMP_CANCELLATION");
  if (wish && (*wish | 32) == 't') __hd_omp_unsupported(where, "cancellation");
}
int32_t __kmpc_cancel_barrier(ident_t *where, int32_t gtid) { return __hd_omp_barrier(), 0; }
int32_t __kmpc_cancel(ident_t *where, int32_t gtid, int32_t what) { return no_cancellation(where), 0; }
int32_t __kmpc_cancellationpoint(ident_t *where, int32_t gtid, int32_t what) { return no_cancellation(where), 0; }
int omp_get_cancellation(void);
int omp_get_cancellation(void) { return 0; }
