/* The clock. All threads have one: a look at it is a step, which moves it by a tick, so that of two looks the later one sees a later time,
 * whoever looks. Looks of two threads depend on each other, and on nothing else: they order nothing, and no buffer is emptied for them.
 * What is explored is one course of time for each order of the looks.
 *
 * The more often a thread looks the larger its ticks are, and sooner so where it looks again and again at one place of a loop; and a loop
 * that would wait lets time leap (machine.c). So a loop that goes on for a time comes to its end soon: two of them in two threads have all
 * orders of their looks. That, and the time that a wait was over at, is the thread's own until it looks. */
#include "machine/remark.h"
#include "machine/sync/table.h"

#define TICK       1000 /* nanoseconds, of a thread's first looks */
#define CYCLE_TICK 100
#define LONGEST    (UINT64_MAX / 64) /* nanoseconds of a sleep: longer ones end with the program */
#define NAPS       8 /* that are added up from one look to the next: a loop that sleeps comes back to its state when there are more */

/* Looks in a row at one place of a loop before ticks double with every second one. A loop that notes down when it did something for each
 * of a few things shall not see days go by. */
#define ROW 16u

/* The thread looks, and is not alone: at the same place as last time? */
static void follow_row(const struct machine *m, struct thread *t) {
  uint64_t place = 0;
  if (spin_in_loop(m, t))
    for (size_t i = 0; i < t->frames.count; i++) place = hash_pair(place, t->frames.data[i].pc);
  t->row = place && place == t->row_place ? t->row + (t->row < ROW + 2 * CLOCK_DOUBLED) : 0;
  t->row_place = place;
}

static uint32_t doublings(const struct thread *t) {
  uint32_t n = clock_looks(t) / CLOCK_LOOKS + (t->row > ROW ? (t->row - ROW) / 2 : 0);
  return n < CLOCK_DOUBLED ? n : CLOCK_DOUBLED;
}

static enum run look_at_clock(struct machine *m, struct thread *t, uint64_t tick, uint64_t *result) {
  t->next_order = ORDER_RELAXED, t->next_flags = EVENT_CLOCK;
  if (!machine_visible(m, t, EVENT_RMW, clock_word(), 8, 0, false)) return RUN_YIELD;
  t->next_order = t->next_flags = 0;
  if (!m->single) follow_row(m, t);
  uint32_t doubled = doublings(t);
  t->looks++;
  uint64_t before = memory_get(clock_word()), now = before + t->ahead;
  if (now < t->reached) now = t->reached;
  now += tick << doubled;
  memory_put(&m->memory, clock_word(), now);
  t->ahead = t->reached = t->naps = 0;
  struct event *e = machine_last_event(m);
  e->value = before, e->value2 = now;
  remark(m, t, REMARK_CLOCK);
  *result = now;
  return RUN_GO;
}

static BUILTIN(clock_time) {
  (void)args;
  return look_at_clock(m, t, TICK, result);
}

static BUILTIN(clock_cycles) {
  (void)args;
  return look_at_clock(m, t, CYCLE_TICK, result);
}

/* The thread has slept for so many nanoseconds, or until the clock shows args[1]. It is a matter of its own until it looks. */
static BUILTIN(clock_slept) {
  (void)result;
  if (!m->clocked) return RUN_GO;
  clock_reach(t, args[1]);
  if (t->naps < NAPS && args[0] < LONGEST) t->ahead += args[0], t->naps++;
  return RUN_GO;
}

const struct builtin clock_builtins[] = {
    {"__hd_time", clock_time, 0}, {"__hd_cycles", clock_cycles, 0}, {"__hd_slept", clock_slept, 2}, {0}};
