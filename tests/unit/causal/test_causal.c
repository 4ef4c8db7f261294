/* The causal model, question by question, on traces written by hand. (Against brute force: tests/differential/witness.c.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "../leaks.h"
#include "causal/causal.h"

enum { X = 0x1000, Y = 0x1008, LOCK = 0x2000, LOCK2 = 0x2040 };

static bool zero(void *data, uint64_t address, uint32_t size, uint64_t *value) {
  (void)data, (void)address, (void)size;
  *value = 0;
  return true;
}

static struct causal_options sc(void) { return (struct causal_options){.memory = CAUSAL_SC, .initial = zero}; }

/* Gives the events their indices. */
static struct causal_trace trace_of(struct event *events, uint32_t n) {
  uint32_t next[THREADS_MAX] = {0};
  for (uint32_t i = 0; i < n; i++) events[i].index = next[events[i].thread]++;
  return (struct causal_trace){.events = events, .n = n};
}

#define FORK(t, child) \
  { .op = EVENT_FORK, .thread = t, .object = child }
#define READ(t, at, v) \
  { .op = EVENT_READ, .thread = t, .object = at, .size = 4, .value = v }
#define WRITE(t, at, v) \
  { .op = EVENT_WRITE, .thread = t, .object = at, .size = 4, .value = v }
#define ACQUIRE(t, lock) \
  { .op = EVENT_ACQUIRE, .thread = t, .object = lock, .size = 40 }
#define RELEASE(t, lock) \
  { .op = EVENT_RELEASE, .thread = t, .object = lock, .size = 40 }
#define BUILD(c, ...)                                                             \
  static struct event events[] = {__VA_ARGS__};                                   \
  struct causal_trace trace = trace_of(events, sizeof events / sizeof events[0]); \
  causal_build(c, &trace)

/* The witness's events, as digits. */
static uint64_t steps_of(struct causal *c) {
  uint32_t n;
  uint64_t digits = 0;
  const struct causal_step *steps = causal_witness(c, &n);
  for (uint32_t i = 0; i < n; i++) digits = 10 * digits + steps[i].event;
  return digits;
}

static void a_read_returns_another_value_behind_the_write(void **state) {
  struct causal_options options = sc();
  struct causal *c = causal_new(&options);
  BUILD(c, FORK(0, 1), READ(0, X, 0), WRITE(1, X, 1));
  uint64_t values[4];
  bool all;
  assert_int_equal(causal_values(c, 1, values, 4, &all), 1);
  assert_true(all);
  assert_int_equal(values[0], 1);
  assert_int_equal(causal_read(c, 1, 1), CAUSAL_YES);
  assert_int_equal(steps_of(c), 21); /* fork is 0 */
  assert_int_equal(causal_read(c, 1, 2), CAUSAL_NO);
  assert_null(causal_limit(c));
  causal_free(c);
  (void)state;
}

static void a_section_is_not_interrupted(void **state) {
  struct causal_options options = sc();
  struct causal *c = causal_new(&options);
  BUILD(c, FORK(0, 1), ACQUIRE(0, LOCK), WRITE(0, X, 1), WRITE(0, X, 2), RELEASE(0, LOCK), ACQUIRE(1, LOCK), READ(1, X, 2));
  assert_int_equal(causal_read(c, 6, 0), CAUSAL_YES);
  assert_int_equal(causal_read(c, 6, 1), CAUSAL_NO);
  causal_free(c);
  (void)state;
}

static void a_store_is_buffered_where_the_model_allows_it(void **state) {
  for (int memory = CAUSAL_SC; memory <= CAUSAL_PSO; memory++) {
    struct causal_options options = {.memory = (enum causal_memory)memory, .initial = zero};
    struct causal *c = causal_new(&options);
    BUILD(c, FORK(0, 1), WRITE(0, X, 1), READ(0, Y, 0), WRITE(1, Y, 1), READ(1, X, 1));
    bool kept[] = {true, true, true, true, false};
    trace.kept = kept;
    causal_build(c, &trace);
    assert_int_equal(causal_read(c, 4, 0), memory == CAUSAL_SC ? CAUSAL_NO : CAUSAL_YES);
    causal_free(c);
  }
  (void)state;
}

static void a_prefix_is_not_asked_again(void **state) {
  struct causal_options options = sc();
  struct causal *c = causal_new(&options);
  BUILD(c, FORK(0, 1), WRITE(1, X, 1), READ(0, X, 1));
  assert_int_equal(causal_read(c, 2, 0), CAUSAL_YES);
  trace.prefix = 2;
  causal_build(c, &trace);
  assert_int_equal(causal_read(c, 2, 0), CAUSAL_NO);
  causal_free(c);
  (void)state;
}

static void nothing_comes_behind_what_ended_the_execution(void **state) {
  struct causal_options options = sc();
  options.thorough = false;
  for (unsigned i = 0; i < 6; i++) {
    options.memory = (enum causal_memory)(i / 2);
    struct causal *c = causal_new(&options);
    BUILD(c, FORK(0, 1), READ(1, X, 0), WRITE(0, X, 1));
    assert_int_equal(causal_read(c, 1, 1), CAUSAL_YES);
    trace.cut = true;
    causal_build(c, &trace);
    assert_int_equal(causal_read(c, 1, 1), CAUSAL_NO);
    assert_int_equal(causal_race(c, 1, 2), CAUSAL_YES);
    causal_free(c);
    options.thorough = i % 2 == 0;
  }
  (void)state;
}

static void a_deadlock_is_found_in_a_run_without_one(void **state) {
  struct causal_options options = sc();
  struct causal *c = causal_new(&options);
  BUILD(c, FORK(0, 1), ACQUIRE(0, LOCK), ACQUIRE(0, LOCK2), RELEASE(0, LOCK2), RELEASE(0, LOCK), ACQUIRE(1, LOCK2), ACQUIRE(1, LOCK),
        RELEASE(1, LOCK), RELEASE(1, LOCK2));
  struct causal_cycle cycle;
  assert_int_equal(causal_cycles(c, &cycle, 1, NULL), 1);
  assert_int_equal(cycle.n, 2);
  assert_int_equal(causal_deadlock(c, &cycle), CAUSAL_YES);
  assert_int_equal(steps_of(c), 15);
  causal_free(c);
  (void)state;
}

static void a_use_comes_behind_a_free_that_nothing_orders(void **state) {
  struct causal_options options = sc();
  struct causal *c = causal_new(&options);
  BUILD(c, FORK(0, 1), READ(0, X, 0), {.op = EVENT_FREE, .thread = 1, .object = X, .size = 16});
  assert_int_equal(causal_use_after_free(c, 2, 1), CAUSAL_YES);
  assert_int_equal(steps_of(c), 21);
  assert_int_equal(causal_race(c, 1, 2), CAUSAL_YES);
  causal_free(c);
  (void)state;
}

static void a_blocked_thread_goes_on_where_another_one_does_not(void **state) {
  struct causal_options options = sc();
  struct causal *c = causal_new(&options);
  BUILD(c, FORK(0, 1), {.op = EVENT_SEM_POST, .thread = 0, .object = LOCK, .size = 32, .value = 1},
        {.op = EVENT_SEM_WAIT, .thread = 0, .object = LOCK, .size = 32}, {.op = EVENT_SEM_WAIT, .thread = 1, .object = LOCK, .size = 32});
  trace.n = 3, trace.pending = 1;
  causal_build(c, &trace);
  assert_int_equal(causal_reach(c, 3), CAUSAL_YES);
  assert_int_equal(steps_of(c), 13);
  causal_free(c);
  (void)state;
}

static void reads_that_nothing_depends_on_may_change(void **state) {
  struct causal_options options = sc();
  struct causal *c = causal_new(&options);
  /* Thread 1 sees x, then writes y; the question is whether y can be 1 while x is still 0. */
  BUILD(c, FORK(0, 1), WRITE(0, X, 1), READ(1, X, 1), WRITE(1, Y, 1), FORK(0, 2), READ(2, Y, 1), READ(2, X, 1));
  uint32_t starts[] = {0, 0, 0, 0, 0, 0, 0, 0}, none = 0;
  struct causal_needs needs = {.starts = starts, .reads = &none};
  assert_int_equal(causal_race(c, 1, 3), CAUSAL_NO); /* the write of y needs the read of x, which needs the write of x */
  trace.needs = &needs;
  causal_build(c, &trace);
  assert_int_equal(causal_race(c, 1, 3), CAUSAL_YES);
  /* Not if the write of y itself depends on the read. */
  uint32_t before_write[] = {0, 0, 0, 0, 1, 1, 1, 1}, read = 2;
  needs = (struct causal_needs){.starts = before_write, .reads = &read};
  causal_build(c, &trace);
  assert_int_equal(causal_race(c, 1, 3), CAUSAL_NO);
  causal_free(c);
  (void)state;
}

#define SECTION(t) \
  { .op = EVENT_ATOMIC, .thread = t }
#define INSIDE(t, at, v) \
  { .op = EVENT_READ, .flags = EVENT_INTERNAL, .thread = t, .object = at, .size = 4, .value = v }

static void what_a_section_depends_on_stays_where_a_read_inside_changes(void **state) {
  struct causal_options options = sc();
  struct causal *c = causal_new(&options);
  BUILD(c, FORK(0, 1), WRITE(0, X, 1), READ(1, X, 1), SECTION(1), INSIDE(1, X, 1));
  uint32_t starts[] = {0, 0, 0, 0, 0, 0}, before_section[] = {0, 0, 0, 0, 1, 1}, read = 2;
  struct causal_needs needs = {.starts = starts, .reads = &read, .loose = true};
  trace.needs = &needs;
  causal_build(c, &trace);
  assert_int_equal(causal_read(c, 4, 0), CAUSAL_YES); /* both reads come before the write */
  assert_int_equal(steps_of(c), 234);
  needs.starts = before_section;
  causal_build(c, &trace);
  assert_int_equal(causal_read(c, 4, 0), CAUSAL_NO);
  causal_free(c);
  (void)state;
}

static void a_section_may_have_a_read_before_the_one_that_changes(void **state) {
  struct causal_options options = sc();
  struct causal *c = causal_new(&options);
  BUILD(c, FORK(0, 1), SECTION(1), INSIDE(1, Y, 0), INSIDE(1, X, 0), WRITE(0, X, 1));
  uint32_t starts[] = {0, 0, 0, 0, 0, 0}, none = 0;
  struct causal_needs needs = {.starts = starts, .reads = &none};
  trace.needs = &needs;
  causal_build(c, &trace);
  assert_int_equal(causal_read(c, 3, 1), CAUSAL_YES);
  assert_int_equal(steps_of(c), 4123);
  causal_free(c);
  (void)state;
}

static void what_is_not_modelled_is_unknown(void **state) {
  struct causal_options options = sc();
  struct causal *c = causal_new(&options);
  BUILD(c, FORK(0, 1), {.op = EVENT_WRITE, .thread = 1, .object = X, .size = 32, .value = 5}, READ(0, X, 5), WRITE(0, Y, 1), READ(1, Y, 1));
  assert_non_null(causal_limit(c));
  assert_int_equal(causal_read(c, 2, 0), CAUSAL_UNKNOWN);
  bool all = true;
  uint64_t values[4];
  causal_values(c, 2, values, 4, &all);
  assert_false(all);
  causal_free(c);
  (void)state;
}

static void a_value_from_before_the_trace_is_unknown_if_nobody_tells(void **state) {
  struct causal_options options = {.memory = CAUSAL_SC};
  struct causal *c = causal_new(&options);
  BUILD(c, FORK(0, 1), WRITE(1, X, 1), READ(0, X, 1));
  assert_int_equal(causal_read(c, 2, 7), CAUSAL_UNKNOWN);
  assert_non_null(causal_limit(c));
  causal_free(c);
  (void)state;
}

/* --- questions that are quick to answer, if the model says what there is to know --- */

enum { ROUNDS = 10, WORKERS = 4 };

static struct event *add(struct event *at, uint8_t op, uint32_t thread, uint64_t object, uint64_t value, uint64_t written) {
  *at = (struct event){.op = op, .thread = thread, .object = object, .size = 4, .value = value, .value2 = written};
  return at + 1;
}

/* A recorded run: threads one after the other, each so many rounds of `enter`, a write to Y, and `leave`. Can two of the writes be next? */
static enum causal_answer ask_rounds(struct event *(*enter)(struct event *at, uint32_t thread, uint32_t round),
                                     struct event *(*leave)(struct event *at, uint32_t thread, uint32_t round)) {
  static struct event events[WORKERS + 3 * ROUNDS * WORKERS];
  static uint32_t starts[sizeof events / sizeof events[0] + 1];
  struct causal_options options = {.memory = CAUSAL_SC, .initial = zero, .recorded = true, .budget = 100};
  struct causal *c = causal_new(&options);
  struct event *at = events;
  uint32_t none = 0, writes[WORKERS][ROUNDS];
  for (uint32_t t = 1; t <= WORKERS; t++) at = add(at, EVENT_FORK, 0, t, 0, 0);
  for (uint32_t t = 0; t < WORKERS; t++)
    for (uint32_t i = 0; i < ROUNDS; i++) {
      at = enter(at, t + 1, i);
      writes[t][i] = (uint32_t)(at - events);
      at = leave(add(at, EVENT_WRITE, t + 1, Y, i, 0), t + 1, i);
    }
  struct causal_trace trace = trace_of(events, (uint32_t)(at - events));
  struct causal_needs needs = {.starts = starts, .reads = &none};
  trace.needs = &needs;
  causal_build(c, &trace);
  enum causal_answer answer = causal_race(c, writes[0][ROUNDS / 2], writes[2][ROUNDS / 2 + 1]);
  causal_free(c);
  return answer;
}

static struct event *push(struct event *at, uint32_t thread, uint32_t round) {
  return add(at, EVENT_RMW, thread, X, 0, 100 * thread + round);
}
static struct event *pop(struct event *at, uint32_t thread, uint32_t round) {
  return add(at, EVENT_RMW, thread, X, 100 * thread + round, 0);
}
static struct event *wait(struct event *at, uint32_t thread, uint32_t round) {
  (void)round;
  return add(at, EVENT_SEM_WAIT, thread, LOCK, 0, 0);
}
static struct event *post(struct event *at, uint32_t thread, uint32_t round) {
  (void)round;
  return add(at, EVENT_SEM_POST, thread, LOCK, 1, 0);
}

static void a_stack_of_one_element_is_a_lock(void **state) {
  assert_int_equal(ask_rounds(push, pop), CAUSAL_NO);
  (void)state;
}

static void a_semaphore_of_one_is_a_lock(void **state) {
  assert_int_equal(ask_rounds(wait, post), CAUSAL_NO);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_read_returns_another_value_behind_the_write),
      TEST(a_section_is_not_interrupted),
      TEST(a_store_is_buffered_where_the_model_allows_it),
      TEST(a_prefix_is_not_asked_again),
      TEST(nothing_comes_behind_what_ended_the_execution),
      TEST(a_deadlock_is_found_in_a_run_without_one),
      TEST(a_use_comes_behind_a_free_that_nothing_orders),
      TEST(a_blocked_thread_goes_on_where_another_one_does_not),
      TEST(reads_that_nothing_depends_on_may_change),
      TEST(what_a_section_depends_on_stays_where_a_read_inside_changes),
      TEST(a_section_may_have_a_read_before_the_one_that_changes),
      TEST(what_is_not_modelled_is_unknown),
      TEST(a_value_from_before_the_trace_is_unknown_if_nobody_tells),
      TEST(a_stack_of_one_element_is_a_lock),
      TEST(a_semaphore_of_one_is_a_lock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
