/* Loops whose iterations are dealt out as threads ask for them, and all that have ordered regions. Iterations are numbered from 0; chunks
 * are too. Who takes which chunk is the order in which threads count one up, which is explored: so a loop with schedule(dynamic) is dealt
 * out in every possible way. Where the choice is the implementation's (auto, runtime without OMP_SCHEDULE) that is dynamic, too. */
#include <omp.h>

#include "internal.h"

/* "KIND" or "KIND,CHUNK". */
static void schedule_of_environment(int *kind, int *chunk) {
  static const char *const names[] = {"static", "dynamic", "guided", "auto"};
  const char *s = __hd_getenv("OMP_SCHEDULE");
  for (int i = 0; s && i < 4; i++) {
    size_t n = 0;
    while (names[i][n] && (s[n] | 32) == names[i][n]) n++;
    if (!names[i][n]) *kind = i + 1, *chunk = (int)__hd_omp_number("OMP_SCHEDULE", 1);
  }
}

void omp_get_schedule(omp_sched_t *kind, int *chunk) {
  int k = self.settings.schedule, c = self.settings.chunk;
  if (!k) k = omp_sched_dynamic, c = 1, schedule_of_environment(&k, &c);
  *kind = (omp_sched_t)k, *chunk = c;
}

void omp_set_schedule(omp_sched_t kind, int chunk) {
  self.settings.schedule = (int)((unsigned)kind & ~(unsigned)omp_sched_monotonic), self.settings.chunk = chunk;
}

static void take_runtime(struct own_loop *loop) {
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  loop->chunk = chunk > 0 ? (uint64_t)chunk : 1;
  loop->kind = kind == omp_sched_static && chunk < 1 ? SCHEDULE_STATIC
               : kind == omp_sched_static            ? SCHEDULE_STATIC_CHUNKED
               : kind == omp_sched_guided            ? SCHEDULE_GUIDED
                                                     : SCHEDULE_DYNAMIC;
}

/* What the loop's threads share: one of the places of the time since the last barrier. */
static struct shared_loop *next_place(const ident_t *where) {
  if (self.size <= 1) return NULL;
  if (self.loops == LOOPS_APART) __hd_omp_unsupported(where, "more than 16 loops with nowait behind each other that are dealt out");
  return &self.team->loops[self.epoch & 1][self.loops++];
}

/* Behind a barrier: the places of the time before it are nobody's any more. */
void __hd_omp_clear_loops(void) {
  struct shared_loop *places = self.team->loops[self.epoch & 1];
  for (uint32_t i = 0; i < self.loops && self.number == 0; i++) {
    __atomic_store_n(&places[i].next, 0, __ATOMIC_RELAXED);
    if (self.ordered_loops >> i & 1) __atomic_store_n(&places[i].ordered, 0, __ATOMIC_RELAXED);
  }
  self.loops = self.ordered_loops = 0, self.epoch++;
}

static void begin(const ident_t *where, int32_t schedule, uint64_t trip, int64_t chunk) {
  struct own_loop *loop = &self.loop;
  int kind = schedule & ~SCHEDULE_MODIFIERS;
  *loop = (struct own_loop){.kind = kind, .trip = trip, .chunk = chunk > 0 ? (uint64_t)chunk : 1};
  if (kind >= SCHEDULE_ORDERED + SCHEDULE_STATIC_CHUNKED && kind <= SCHEDULE_ORDERED + SCHEDULE_AUTO)
    loop->is_ordered = true, loop->kind -= SCHEDULE_ORDERED;
  if (loop->kind == SCHEDULE_RUNTIME || loop->kind == SCHEDULE_RUNTIME_SIMD) take_runtime(loop);
  if (loop->kind == SCHEDULE_AUTO) loop->kind = SCHEDULE_DYNAMIC;
  if (loop->kind == SCHEDULE_GUIDED_SIMD) loop->kind = SCHEDULE_GUIDED;
  if (loop->is_ordered) self.ordered_loops |= 1u << self.loops;
  loop->shared = next_place(where);
}

/* The part of what is left that a thread gets under schedule(guided): the n-th chunk begins behind the parts before it. */
static void guided(const struct own_loop *loop, uint64_t n, uint64_t *first, uint64_t *count) {
  for (*first = 0; *first < loop->trip; *first += *count) {
    uint64_t left = loop->trip - *first, part = (left + team_size() - 1) / team_size();
    *count = part < loop->chunk ? loop->chunk : part;
    if (*count > left) *count = left;
    if (n-- == 0) return;
  }
}

static uint64_t count_up(struct own_loop *loop) {
  return loop->shared ? __atomic_fetch_add(&loop->shared->next, 1, __ATOMIC_RELAXED) : loop->next++;
}

/* The thread's next iterations; false: there are no more. */
static bool next_chunk(uint64_t *first, uint64_t *count) {
  struct own_loop *loop = &self.loop;
  unsigned size = team_size();
  *first = loop->trip, *count = 0;
  switch (loop->kind) {
    case SCHEDULE_STATIC:
      if (loop->next++ == 0) __hd_omp_blocks(self.number, size, loop->trip, first, count);
      break;
    case SCHEDULE_STATIC_CHUNKED:
      *first = (self.number + loop->next++ * size) * loop->chunk, *count = loop->chunk;
      break;
    case SCHEDULE_DYNAMIC:
      *first = count_up(loop) * loop->chunk, *count = loop->chunk;
      break;
    case SCHEDULE_GUIDED:
      guided(loop, count_up(loop), first, count);
      break;
    default:
      __hd_unsupported("OpenMP", "a loop whose schedule is not known");
  }
  if (*first >= loop->trip || *count == 0) return false;
  if (*count > loop->trip - *first) *count = loop->trip - *first;
  loop->iteration = *first;
  return true;
}

/* --- ordered regions --- */

/* Until all iterations before this one have been through theirs, or turned out to have none. */
static void await_turn(struct own_loop *loop) { __hd_await_masked((int *)&loop->shared->ordered, -1, (int)loop->iteration); }

void __kmpc_ordered(ident_t *where, int32_t gtid) {
  if (self.loop.shared && self.loop.is_ordered) await_turn(&self.loop);
}

void __kmpc_end_ordered(ident_t *where, int32_t gtid) {
  struct own_loop *loop = &self.loop;
  if (!loop->shared || !loop->is_ordered) return;
  loop->was_ordered = true;
  __atomic_fetch_add(&loop->shared->ordered, 1, __ATOMIC_RELEASE);
}

/* An iteration of a loop with ordered regions is over. One that had none hands on the turn, and nothing that it did. */
static void end_iteration(void) {
  struct own_loop *loop = &self.loop;
  if (loop->shared && loop->is_ordered && !loop->was_ordered) {
    await_turn(loop);
    __atomic_fetch_add(&loop->shared->ordered, 1, __ATOMIC_RELAXED);
  }
  loop->was_ordered = false, loop->iteration++;
}

void __kmpc_dispatch_deinit(ident_t *where, int32_t gtid) {}

#define TYPE     int32_t
#define UNSIGNED uint32_t
#define NAME(x)  x##4
#include "dispatch_type.h"

#define TYPE     uint32_t
#define UNSIGNED uint32_t
#define NAME(x)  x##4u
#include "dispatch_type.h"

#define TYPE     int64_t
#define UNSIGNED uint64_t
#define NAME(x)  x##8
#include "dispatch_type.h"

#define TYPE     uint64_t
#define UNSIGNED uint64_t
#define NAME(x)  x##8u
#include "dispatch_type.h"
