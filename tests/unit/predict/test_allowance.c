/* What questions may cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "../leaks.h"
#include "predict/recorded/allowance.h"

enum { BUDGET = 20000, MANY = 100000 };

/* So many questions of a window, each of which takes all that it may. Returns what they cost. */
static uint64_t ask_hard_ones(struct allowance *a, unsigned n) {
  uint64_t spent = 0;
  for (unsigned i = 0; i < n; i++) {
    uint64_t cost = allowance_question(a, false);
    allowance_spend(a, cost);
    spent += cost;
  }
  return spent;
}

static void the_first_hard_question_may_cost_the_whole_budget(void **state) {
  struct allowance a;
  allowance_begin(&a, BUDGET);
  allowance_window(&a);
  assert_int_equal(allowance_question(&a, false), BUDGET);
  (void)state;
}

static void hard_questions_of_a_window_cost_a_few_budgets_in_all(void **state) {
  struct allowance a;
  allowance_begin(&a, BUDGET);
  allowance_window(&a);
  uint64_t spent = ask_hard_ones(&a, 1000);
  assert_in_range(spent, 3 * BUDGET, 6 * BUDGET);
  (void)state;
}

static void easy_questions_are_asked_however_many_there_are(void **state) {
  struct allowance a;
  allowance_begin(&a, BUDGET);
  allowance_window(&a);
  (void)ask_hard_ones(&a, MANY);
  assert_in_range(allowance_question(&a, false), 10, BUDGET / 100);
  (void)state;
}

static void hard_windows_get_less_the_more_there_are(void **state) {
  struct allowance a;
  uint64_t first = 0, spent = 0;
  allowance_begin(&a, BUDGET);
  for (unsigned i = 0; i < 100; i++) {
    allowance_window(&a);
    spent = ask_hard_ones(&a, 100);
    if (i == 0) first = spent;
    allowance_settle(&a, spent);
  }
  assert_true(spent < first / 8);
  allowance_window(&a);
  assert_true(allowance_question(&a, false) >= BUDGET / 100);
  (void)state;
}

static void what_was_not_decided_once_gets_little(void **state) {
  struct allowance a;
  allowance_begin(&a, BUDGET);
  allowance_window(&a);
  assert_int_equal(allowance_question(&a, true), BUDGET / 100);
  (void)state;
}

static void small_and_large_budgets_are_possible(void **state) {
  static const uint64_t budgets[] = {1, UINT64_MAX};
  for (unsigned i = 0; i < 2; i++) {
    struct allowance a;
    allowance_begin(&a, budgets[i]);
    allowance_window(&a);
    assert_true(allowance_question(&a, false) >= 1 && allowance_question(&a, false) <= budgets[i]);
    (void)ask_hard_ones(&a, 100);
    assert_true(allowance_question(&a, false) >= 1);
  }
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_first_hard_question_may_cost_the_whole_budget),
      TEST(hard_questions_of_a_window_cost_a_few_budgets_in_all),
      TEST(easy_questions_are_asked_however_many_there_are),
      TEST(hard_windows_get_less_the_more_there_are),
      TEST(what_was_not_decided_once_gets_little),
      TEST(small_and_large_budgets_are_possible),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
