/* When the deadline passes, and what makes it forget that it has. */
#include "base/deadline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Waits for it, at most five seconds; how long it took. */
static double wait_for(enum deadline what) {
  double begun = deadline_now();
  while (deadline_passed != (sig_atomic_t)what && deadline_now() - begun < 5) continue;
  assert_int_equal(deadline_passed, what);
  return deadline_now() - begun;
}

static void it_passes_at_its_time(void **state) {
  (void)state;
  deadline_set(deadline_now() + 0.05);
  assert_true(wait_for(DEADLINE_TIME) > 0.03);
  deadline_set(deadline_now() + 0.05); /* and again, for another phase */
  assert_true(wait_for(DEADLINE_TIME) > 0.03);
  deadline_set(0);
  assert_int_equal(deadline_passed, DEADLINE_NONE);
}

static void a_time_that_is_over_has_passed_at_once(void **state) {
  (void)state;
  deadline_set(deadline_now() - 1);
  assert_int_equal(deadline_passed, DEADLINE_TIME);
  deadline_set(0);
}

static void a_time_that_was_replaced_does_not_pass(void **state) {
  (void)state;
  deadline_set(deadline_now() + 0.02);
  deadline_set(deadline_now() + 60);
  double begun = deadline_now();
  while (deadline_now() - begun < 0.1) assert_int_equal(deadline_passed, DEADLINE_NONE);
  deadline_set(0);
}

static void an_interruption_is_forgotten_only_by_renewing(void **state) {
  (void)state;
  deadline_interrupt();
  deadline_set(deadline_now() + 60);
  assert_int_equal(deadline_passed, DEADLINE_INTERRUPTED);
  deadline_set(0);
  assert_int_equal(deadline_passed, DEADLINE_INTERRUPTED);
  deadline_renew(deadline_now() + 0.02);
  (void)wait_for(DEADLINE_TIME);
  deadline_renew(0);
}

static void a_forked_process_has_it_too(void **state) {
  (void)state;
  int status;
  deadline_set(deadline_now() + 0.05);
  pid_t pid = fork();
  if (pid == 0) {
    deadline_inherit(0.02);
    double begun = deadline_now();
    while (!deadline_passed && deadline_now() - begun < 5) continue;
    bool passed = deadline_passed == DEADLINE_TIME;
    deadline_set(0);
    raise(SIGTERM);
    _exit(passed && deadline_passed == DEADLINE_INTERRUPTED ? 0 : 1);
  }
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  deadline_set(0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_passes_at_its_time),
      cmocka_unit_test(a_time_that_is_over_has_passed_at_once),
      cmocka_unit_test(a_time_that_was_replaced_does_not_pass),
      cmocka_unit_test(an_interruption_is_forgotten_only_by_renewing),
      cmocka_unit_test(a_forked_process_has_it_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
