/* Condition variables: who wakes, what gets lost, what expires. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "rig.h"

#define COND "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
#define LOCK "pthread_mutex_lock(&m); "
#define FREE "pthread_mutex_unlock(&m); "

static void waiter_with_a_predicate_always_gets_through(void **state) {
  (void)state;
  expect_codes(HEAD MUTEX COND THREAD("f") "{" LOCK "while (!x) pthread_cond_wait(&c, &m); " FREE
                                           "return 0; }\n" THREAD("g") "{" LOCK "x = 1; pthread_cond_signal(&c); " FREE
                                                                       "return 0; }\n" RUN_F_AND_G("return x;"),
               1 << 1);
}

static void signal_before_the_wait_is_lost(void **state) {
  (void)state;
  expect_finding(HEAD MUTEX COND THREAD("f") "{" LOCK "pthread_cond_wait(&c, &m); " FREE
                                             "return 0; }\n" THREAD("g") "{" LOCK "pthread_cond_signal(&c); " FREE
                                                                         "return 0; }\n" RUN_F_AND_G("return 0;"),
                 FINDING_LOST_WAKEUP,
                 "thread 0.1 waits for ever on the condition variable c, which thread 0.2 signalled while nobody waited");
}

static void signal_before_there_were_threads_is_lost_too(void **state) {
  (void)state;
  expect_only_finding(HEAD MUTEX COND THREAD("f") "{" LOCK "pthread_cond_wait(&c, &m); " FREE
                                                  "return 0; }\n"
                                                  "int main(void) { pthread_t a; pthread_cond_signal(&c); pthread_create(&a, 0, f, 0); "
                                                  "pthread_join(a, 0); }\n",
                      FINDING_LOST_WAKEUP, "which thread 0 signalled while nobody waited");
}

static void wait_that_nobody_signals_is_a_deadlock(void **state) {
  (void)state;
  expect_only_finding(HEAD MUTEX COND THREAD("f") "{" LOCK "pthread_cond_wait(&c, &m); " FREE "return 0; }\n" RUN_F("return 0;"),
                      FINDING_DEADLOCK, "thread 0.1 waits for condition variable c");
}

#define WAITERS(n)                                                                       \
  THREAD("w")                                                                            \
  "{" LOCK "y++; pthread_cond_wait(&c, &m); if (!r) r = (int)(long)argument; y--; " FREE \
  "return 0; }\n"                                                                        \
  "int main(void) { pthread_t t[" #n "]; for (long i = 0; i < " #n                       \
  "; i++) pthread_create(&t[i], 0, w, (void *)(i + 1)); "                                \
  "for (;;) { " LOCK "if (y == " #n ") break; " FREE "} "

static void signal_may_wake_any_waiter(void **state) {
  (void)state;
  struct rig r;
  rig_open(&r, HEAD MUTEX COND WAITERS(3) "pthread_cond_signal(&c); " FREE "for (;;) { " LOCK "if (r) return r; " FREE "} }\n", NULL);
  for (uint32_t choice = 0; choice < 3; choice++) {
    machine_reset(r.machine);
    rig_run_to(&r, "0", EVENT_ACQUIRE);
    rig_run_to(&r, "0.1", EVENT_WAIT_LEAVE);
    rig_run_to(&r, "0.2", EVENT_WAIT_LEAVE);
    rig_run_to(&r, "0.3", EVENT_WAIT_LEAVE);
    rig_run_to(&r, "0", EVENT_SIGNAL);
    assert_int_equal(machine_alternatives(r.machine, 0), 3);
    rig_step(&r, "0", choice);
    const char *names[] = {"0.1", "0.2", "0.3"};
    rig_step(&r, "0", 0);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(rig_is_enabled(&r, names[i]), i == choice);
    while (rig_pending(&r, names[choice]) != EVENT_RELEASE) rig_step(&r, names[choice], 0);
    rig_step(&r, names[choice], 0);
    while (machine_status(r.machine) == MACHINE_RUNNING) rig_step(&r, "0", 0);
    assert_int_equal(machine_exit_code(r.machine), choice + 1);
  }
  rig_close(&r);
}

static void broadcast_wakes_everybody(void **state) {
  (void)state;
  struct rig r;
  rig_open(&r, HEAD MUTEX COND WAITERS(2) "pthread_cond_broadcast(&c); " FREE "pthread_join(t[0], 0); pthread_join(t[1], 0); return y; }\n",
           NULL);
  rig_run_to(&r, "0", EVENT_ACQUIRE);
  rig_run_to(&r, "0.1", EVENT_WAIT_LEAVE);
  rig_run_to(&r, "0.2", EVENT_WAIT_LEAVE);
  assert_false(rig_is_enabled(&r, "0.1"));
  rig_run_to(&r, "0", EVENT_BROADCAST);
  rig_step(&r, "0", 0);
  assert_false(rig_is_enabled(&r, "0.1")); /* main still holds the mutex */
  rig_step(&r, "0", 0);
  assert_true(rig_is_enabled(&r, "0.1"));
  assert_true(rig_is_enabled(&r, "0.2"));
  rig_step(&r, "0.2", 0);
  assert_false(rig_is_enabled(&r, "0.1"));
  rig_close(&r);
}

static void timed_wait_expires_or_is_woken(void **state) {
  (void)state;
  expect_codes(HEAD MUTEX COND THREAD("f") "{" LOCK "r = pthread_cond_timedwait(&c, &m, &soon); " FREE "return 0; }\n" THREAD(
                   "g") "{" LOCK "pthread_cond_signal(&c); " FREE
                        "return 0; }\n" RUN_F_AND_G("return r == 0 ? 1 : r == ETIMEDOUT ? 2 : 3;"),
               1 << 1 | 1 << 2);
}

static void expired_wait_can_miss_a_signal_sent_before_it_has_the_mutex_back(void **state) {
  (void)state;
  /* The waiter expired while the signaller held the mutex: the signal is lost though the waiter had not returned. */
  struct rig r;
  rig_open(&r,
           HEAD MUTEX COND THREAD("f") "{" LOCK "r = pthread_cond_timedwait(&c, &m, &soon); " FREE
                                       "return 0; }\n" THREAD("g") "{" LOCK "pthread_cond_signal(&c); " FREE
                                                                   "return 0; }\n" RUN_F_AND_G("return r == ETIMEDOUT;"),
           NULL);
  rig_run_to(&r, "0", EVENT_JOIN);
  rig_run_to(&r, "0.1", EVENT_WAIT_LEAVE);
  rig_run_to(&r, "0.2", EVENT_SIGNAL);
  assert_true(rig_is_enabled(&r, "0.1"));
  rig_step(&r, "0.1", 0);
  assert_int_equal(rig_pending(&r, "0.1"), EVENT_ACQUIRE);
  assert_false(rig_is_enabled(&r, "0.1"));
  while (rig_is_enabled(&r, "0.2")) rig_step(&r, "0.2", 0);
  while (rig_is_enabled(&r, "0.1")) rig_step(&r, "0.1", 0);
  while (machine_status(r.machine) == MACHINE_RUNNING) rig_step(&r, "0", 0);
  assert_int_equal(machine_exit_code(r.machine), 1);
  rig_close(&r);
}

static void timed_wait_refuses_a_time_that_is_none(void **state) {
  (void)state;
  expect_codes(HEAD MUTEX COND "int main(void) { " LOCK "return pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &bad) == EINVAL; }\n",
               1 << 1);
}

static void waiters_wake_spuriously_only_on_request(void **state) {
  (void)state;
  const char *source = HEAD MUTEX COND THREAD("f") "{" LOCK "x = 1; pthread_cond_wait(&c, &m); r = y; " FREE "return 0; }\n" THREAD(
      "g") "{ for (;;) {" LOCK "if (x) break; " FREE "} y = 1; pthread_cond_signal(&c); " FREE "return 0; }\n" RUN_F_AND_G("return r;");
  expect_codes(source, 1 << 1);
  struct machine_options options = {.spurious_wakeups = true};
  struct rig r;
  rig_open(&r, source, &options);
  struct outcomes o = rig_explore(&r, 100000);
  assert_int_equal(o.exit_codes, 1 << 0 | 1 << 1);
  outcomes_release(&o);
  rig_close(&r);
}

static void wait_without_the_mutex_is_misuse(void **state) {
  (void)state;
  expect_only_finding(HEAD MUTEX COND "int main(void) { pthread_cond_wait(&c, &m); }\n", FINDING_THREAD_MISUSE,
                      "wait on a condition variable with the mutex m, which the thread does not hold");
}

static void waits_with_two_mutexes_are_misuse(void **state) {
  (void)state;
  expect_only_finding(
      HEAD MUTEX COND
      "pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;\n" THREAD("f") "{" LOCK "pthread_cond_wait(&c, &m); return 0; }\n" THREAD(
          "g") "{ pthread_mutex_lock(&n); pthread_cond_wait(&c, &n); return 0; }\n" RUN_F_AND_G("return 0;"),
      FINDING_THREAD_MISUSE, "two threads wait on the condition variable c with different mutexes");
}

static void destruction_while_a_thread_waits_is_misuse(void **state) {
  (void)state;
  expect_finding(HEAD MUTEX COND THREAD("f") "{" LOCK "while (!x) pthread_cond_wait(&c, &m); " FREE "return 0; }\n" THREAD(
                     "g") "{ pthread_cond_destroy(&c); return 0; }\n" RUN_F_AND_G("return 0;"),
                 FINDING_THREAD_MISUSE, "the condition variable c");
}

static void wait_with_a_recursive_mutex_gives_up_one_level(void **state) {
  (void)state;
  expect_codes(HEAD "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;\n" COND "int main(void) { " LOCK LOCK
                    "int a = pthread_cond_timedwait(&c, &m, &soon); " FREE
                    "return a == ETIMEDOUT && pthread_mutex_unlock(&m) == 0 && "
                    "pthread_mutex_unlock(&m) == EPERM; }\n",
               1 << 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(waiter_with_a_predicate_always_gets_through),
      cmocka_unit_test(signal_before_the_wait_is_lost),
      cmocka_unit_test(signal_before_there_were_threads_is_lost_too),
      cmocka_unit_test(wait_that_nobody_signals_is_a_deadlock),
      cmocka_unit_test(signal_may_wake_any_waiter),
      cmocka_unit_test(broadcast_wakes_everybody),
      cmocka_unit_test(timed_wait_expires_or_is_woken),
      cmocka_unit_test(expired_wait_can_miss_a_signal_sent_before_it_has_the_mutex_back),
      cmocka_unit_test(timed_wait_refuses_a_time_that_is_none),
      cmocka_unit_test(waiters_wake_spuriously_only_on_request),
      cmocka_unit_test(wait_without_the_mutex_is_misuse),
      cmocka_unit_test(waits_with_two_mutexes_are_misuse),
      cmocka_unit_test(destruction_while_a_thread_waits_is_misuse),
      cmocka_unit_test(wait_with_a_recursive_mutex_gives_up_one_level),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
