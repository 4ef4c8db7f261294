/* Prediction on the toy machine: what is found without being executed by the strategy, and that nothing is found that cannot happen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "../leaks.h"
#include "base/deadline.h"
#include "random_program.h"
#include "search/search.h"

#define FORK(n) \
  { .kind = TOY_FORK, .value = n }
#define JOIN(n) \
  { .kind = TOY_JOIN, .value = n }
#define LOCK(n) \
  { .kind = TOY_LOCK, .at = n }
#define UNLOCK(n) \
  { .kind = TOY_UNLOCK, .at = n }
#define READ(n) \
  { .kind = TOY_READ, .at = n, .size = 1 }
#define SET(n, v) \
  { .kind = TOY_WRITE, .at = n, .size = 1, .value = v }
#define GET(n) \
  { .kind = TOY_READ, .at = n, .size = 1, .order = ORDER_RELAXED }
#define PUT(n, v) \
  { .kind = TOY_WRITE, .at = n, .size = 1, .value = v, .order = ORDER_RELAXED }

/* The first execution of naive: thread 1 runs to its end, then thread 2. */
static struct explore_result first_execution(const struct toy_program *p, bool predict) {
  struct explore_options o = {.strategy = &strategy_naive, .executions = 1, .predict = predict};
  struct machine *m = toy_new(p);
  struct explore_result r = {0};
  struct diag d = {0};
  assert_int_equal(explore(m, &o, &r, &d), ERR_NONE);
  toy_free(m);
  return r;
}

static uint64_t counter(const struct explore_result *r, const char *name) {
  for (size_t i = 0; i < r->counters.count; i++)
    if (strcmp(r->counters.data[i].name, name) == 0) return r->counters.data[i].number;
  fail_msg("there is no counter %s", name);
  return 0;
}

/* Only the model shows it. */
static void expect_predicted(const struct toy_program *p, enum finding_kind kind) {
  struct explore_result r = first_execution(p, false);
  assert_int_equal(r.findings.count, 0);
  assert_int_equal(r.counters.count, 0);
  explore_result_release(&r);
  r = first_execution(p, true);
  assert_int_equal(r.findings.count, 1);
  assert_int_equal(r.findings.data[0].finding.kind, kind);
  assert_int_equal(r.counts.executions, 1);
  assert_int_equal(counter(&r, "asked-about"), 1);
  assert_int_equal(counter(&r, "confirmed"), 1);
  assert_int_equal(counter(&r, "unconfirmed"), 0);
  explore_result_release(&r);
}

static void expect_nothing(const struct toy_program *p) {
  struct explore_result r = first_execution(p, true);
  assert_int_equal(r.findings.count, 0);
  assert_int_equal(counter(&r, "asked-about"), 1);
  assert_int_equal(counter(&r, "unconfirmed"), 0);
  explore_result_release(&r);
}

static void a_race_that_a_lock_hides_is_predicted(void **state) {
  (void)state;
  struct toy_program p = {.threads = 3,
                          .length = {4, 3, 3},
                          .ops = {{FORK(1), FORK(2), JOIN(1), JOIN(2)}, {SET(0, 1), LOCK(0), UNLOCK(0)}, {LOCK(0), UNLOCK(0), READ(0)}}};
  expect_predicted(&p, FINDING_DATA_RACE);
  struct toy_program fixed = {
      .threads = 3,
      .length = {4, 3, 3},
      .ops = {{FORK(1), FORK(2), JOIN(1), JOIN(2)}, {LOCK(0), SET(0, 1), UNLOCK(0)}, {LOCK(0), READ(0), UNLOCK(0)}}};
  expect_nothing(&fixed);
}

static void a_deadlock_of_an_execution_without_one_is_predicted(void **state) {
  (void)state;
  struct toy_program p = {
      .threads = 3,
      .length = {4, 4, 4},
      .ops = {{FORK(1), FORK(2), JOIN(1), JOIN(2)}, {LOCK(0), LOCK(1), UNLOCK(1), UNLOCK(0)}, {LOCK(1), LOCK(0), UNLOCK(0), UNLOCK(1)}}};
  expect_predicted(&p, FINDING_DEADLOCK);
  for (unsigned i = 0; i < 4; i++) p.ops[2][i] = p.ops[1][i];
  expect_nothing(&p);
}

static void a_failure_is_predicted_where_a_read_could_return_something_else(void **state) {
  (void)state;
  /* Both look, then both act: in the order of the execution for the others, the second one's look comes first. */
  struct toy_program p = {
      .threads = 3,
      .length = {4, 3, 5},
      .ops = {{FORK(1), FORK(2), JOIN(1), JOIN(2)},
              {GET(0), PUT(0, 1), PUT(1, 1)},
              {GET(0), {.kind = TOY_SKIP_IF, .value = 1, .skip = 3}, PUT(0, 1), GET(1), {.kind = TOY_ASSERT, .value = 1}}}};
  struct explore_result r = first_execution(&p, true);
  assert_int_equal(r.findings.count, 1);
  assert_int_equal(r.findings.data[0].finding.kind, FINDING_ASSERTION);
  explore_result_release(&r);
  r = first_execution(&p, false);
  assert_int_equal(r.findings.count, 0);
  explore_result_release(&r);
}

static void an_execution_is_asked_about_once_whatever_the_order_of_its_events(void **state) {
  (void)state;
  struct toy_program p = {
      .threads = 3, .length = {4, 2, 2}, .ops = {{FORK(1), FORK(2), JOIN(1), JOIN(2)}, {PUT(0, 1), PUT(1, 1)}, {PUT(2, 1), PUT(3, 1)}}};
  struct explore_options o = {.strategy = &strategy_naive, .predict = true};
  struct machine *m = toy_new(&p);
  struct explore_result r = {0};
  struct diag d = {0};
  assert_int_equal(explore(m, &o, &r, &d), ERR_NONE);
  assert_true(r.counts.executions > 5);
  assert_int_equal(counter(&r, "asked-about"), 1);
  assert_int_equal(r.verdict, VERDICT_SAFE);
  explore_result_release(&r);
  toy_free(m);
}

/* Events 8 and 15 of the first execution race: what thread 1 writes behind other things and thread 2 reads at its beginning. A lock hides
 * that. */
static const struct toy_program long_one = {
    .threads = 3,
    .length = {4, 9, 6},
    .ops = {{FORK(1), FORK(2), JOIN(1), JOIN(2)},
            {LOCK(1), PUT(1, 1), PUT(1, 2), UNLOCK(1), LOCK(1), UNLOCK(1), SET(0, 1), LOCK(0), UNLOCK(0)},
            {LOCK(0), UNLOCK(0), READ(0), LOCK(1), PUT(1, 2), UNLOCK(1)}}};

static void a_long_execution_is_asked_about_in_windows(void **state) {
  (void)state;
  struct explore_options o = {.strategy = &strategy_naive, .executions = 1, .predict = true, .predict_window = 8};
  struct machine *m = toy_new(&long_one);
  struct explore_result r = {0};
  struct diag d = {0};
  assert_int_equal(explore(m, &o, &r, &d), ERR_NONE);
  assert_int_equal(r.findings.count, 1);
  assert_int_equal(r.findings.data[0].finding.kind, FINDING_DATA_RACE);
  assert_int_equal(counter(&r, "asked-about"), 1);
  assert_int_equal(counter(&r, "parted"), 1);
  assert_int_equal(counter(&r, "unconfirmed"), 0);
  assert_true(counter(&r, "windows") > 2);
  assert_int_equal(counter(&r, "windows-passed-over"), 0);
  assert_int_equal(r.predicted.windows, counter(&r, "windows"));
  explore_result_release(&r);
  /* What is in no window together is not found. */
  o.predict_window = 1;
  assert_int_equal(explore(m, &o, &r, &d), ERR_NONE);
  assert_int_equal(r.findings.count, 0);
  explore_result_release(&r);
  toy_free(m);
}

static void interrupted_after(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up) {
  strategy_naive.done(s, x, end, cut, given_up);
  deadline_interrupt();
}

static void an_interruption_ends_prediction_and_what_is_left_out_is_counted(void **state) {
  (void)state;
  struct strategy_type strategy = strategy_naive;
  strategy.done = interrupted_after;
  struct explore_options o = {.strategy = &strategy, .predict = true, .predict_window = 8};
  struct machine *m = toy_new(&long_one);
  struct explore_result r = {0};
  struct diag d = {0};
  assert_int_equal(explore(m, &o, &r, &d), ERR_NONE);
  assert_int_equal(r.verdict, VERDICT_BOUNDED);
  assert_int_equal(counter(&r, "asked"), 0);
  assert_int_equal(counter(&r, "windows"), 0);
  assert_true(counter(&r, "windows-passed-over") > 2);
  deadline_renew(0);
  explore_result_release(&r);
  toy_free(m);
}

static bool has(const struct explore_result *r, uint64_t key) {
  for (size_t i = 0; i < r->findings.count; i++)
    if (r->findings.data[i].key == key) return true;
  return false;
}

/* What is predicted from one execution of random is among what naive finds, and the machine confirms what the model says. (To the toy
 * machine a use of freed memory is no failure.) */
static void nothing_is_predicted_that_cannot_happen(void **state) {
  (void)state;
  uint64_t programs = getenv("PROGRAMS") ? strtoull(getenv("PROGRAMS"), NULL, 10) : 600, predicted = 0, compared = 0;
  for (uint64_t seed = 1; seed <= programs; seed++) {
    struct toy_program p;
    random_program(&p, seed, FEATURE_ALL & ~FEATURE_FREE, 2 + (unsigned)(seed % 2), 4);
    struct explore_options o = {.strategy = &strategy_naive, .executions = 5000};
    struct machine *m = toy_new(&p);
    struct explore_result naive = {0}, r = {0};
    struct diag d = {0};
    assert_int_equal(explore(m, &o, &naive, &d), ERR_NONE);
    o = (struct explore_options){.strategy = &strategy_random, .strategy_options = {.seed = seed, .executions = 1}, .predict = true};
    o.predict_window = seed % 3 ? 0 : 2 + (uint32_t)(seed % 7);
    bool complete = naive.reasons == 0;
    if (complete) {
      assert_int_equal(explore(m, &o, &r, &d), ERR_NONE);
      bool wrong = counter(&r, "unconfirmed") > 0;
      for (size_t i = 0; i < r.findings.count; i++) wrong |= !has(&naive, r.findings.data[i].key);
      if (wrong) {
        print_program(&p);
        fail_msg("seed %llu", (unsigned long long)seed);
      }
      compared++;
      predicted += counter(&r, "confirmed");
    }
    explore_result_release(&naive);
    explore_result_release(&r);
    toy_free(m);
  }
  assert_true(compared > programs / 2);
  assert_true(predicted > programs / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_race_that_a_lock_hides_is_predicted),
      TEST(a_deadlock_of_an_execution_without_one_is_predicted),
      TEST(a_failure_is_predicted_where_a_read_could_return_something_else),
      TEST(an_execution_is_asked_about_once_whatever_the_order_of_its_events),
      TEST(a_long_execution_is_asked_about_in_windows),
      TEST(an_interruption_ends_prediction_and_what_is_left_out_is_counted),
      TEST(nothing_is_predicted_that_cannot_happen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
