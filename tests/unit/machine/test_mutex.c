/* Mutexes of every kind, in programs explored under every schedule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "rig.h"

#define RECURSIVE  "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;\n"
#define ERRORCHECK "pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;\n"

static void sections_exclude_each_other(void **state) {
  (void)state;
  expect_codes(HEAD MUTEX THREAD("f") "{ pthread_mutex_lock(&m); int v = x; x = v + 1; pthread_mutex_unlock(&m); return 0; }\n" THREAD(
                   "g") "{ return f(0); }\n" RUN_F_AND_G("return x;"),
               1 << 2);
}

static void unlocked_increments_get_lost(void **state) {
  (void)state;
  expect_codes(HEAD THREAD("f") "{ int v = x; x = v + 1; return 0; }\n" THREAD("g") "{ return f(0); }\n" RUN_F_AND_G("return x;"),
               1 << 1 | 1 << 2);
}

static void trylock_fails_only_while_the_mutex_is_held(void **state) {
  (void)state;
  expect_codes(
      HEAD MUTEX THREAD("f") "{ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }\n" THREAD(
          "g") "{ r = pthread_mutex_trylock(&m); if (!r) pthread_mutex_unlock(&m); return 0; }\n" RUN_F_AND_G("return r == EBUSY ? 1 : r "
                                                                                                              "== 0 ? 2 : 3;"),
      1 << 1 | 1 << 2);
}

static void trylock_of_a_free_mutex_succeeds(void **state) {
  (void)state;
  expect_codes(HEAD MUTEX
               "int main(void) { int a = pthread_mutex_trylock(&m), b = pthread_mutex_trylock(&m); pthread_mutex_unlock(&m); "
               "return a == 0 && b == EBUSY; }\n",
               1 << 1);
}

static void timed_lock_may_expire_while_the_mutex_is_held(void **state) {
  (void)state;
  expect_codes(
      HEAD MUTEX THREAD("f") "{ pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }\n" THREAD(
          "g") "{ r = pthread_mutex_timedlock(&m, &soon); if (!r) { r = x ? 1 : 2; pthread_mutex_unlock(&m); } return 0; }\n" RUN_F_AND_G("return r == ETIMEDOUT ? 3 : r;"),
      1 << 1 | 1 << 2 | 1 << 3);
}

static void timed_lock_checks_its_time_when_it_would_wait(void **state) {
  (void)state;
  expect_codes(HEAD MUTEX THREAD("f") "{ r = pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &bad); return 0; }\n"
                                      "int main(void) { pthread_t a; pthread_mutex_lock(&m); pthread_create(&a, 0, f, 0); "
                                      "pthread_join(a, 0); return r == EINVAL; }\n",
               1 << 1);
}

static void recursive_mutex_is_released_by_its_last_unlock(void **state) {
  (void)state;
  expect_codes(HEAD RECURSIVE THREAD("f") "{ pthread_mutex_lock(&m); pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); x = 0; "
                                          "pthread_mutex_unlock(&m); return 0; }\n" THREAD(
                                              "g") "{ pthread_mutex_lock(&m); r = x; pthread_mutex_unlock(&m); return 0; }\n"
                                              RUN_F_AND_G("return r;"),
               1 << 0);
}

static void recursive_mutex_refuses_to_be_unlocked_by_others(void **state) {
  (void)state;
  expect_codes(HEAD RECURSIVE THREAD("f") "{ r = pthread_mutex_unlock(&m); return 0; }\n"
                                          "int main(void) { pthread_t a; pthread_mutex_lock(&m); pthread_create(&a, 0, f, 0); "
                                          "pthread_join(a, 0); return r == EPERM; }\n",
               1 << 1);
}

static void errorcheck_mutex_reports_misuse_to_the_caller(void **state) {
  (void)state;
  expect_codes(HEAD ERRORCHECK
               "int main(void) { int a = pthread_mutex_unlock(&m); pthread_mutex_lock(&m); int b = pthread_mutex_lock(&m); "
               "int c = pthread_mutex_unlock(&m); return a == EPERM && b == EDEADLK && c == 0; }\n",
               1 << 1);
}

static void refused_unlock_that_nobody_looks_at_is_misuse(void **state) {
  (void)state;
  expect_only_finding(HEAD ERRORCHECK "int main(void) { pthread_mutex_unlock(&m); return 0; }\n", FINDING_THREAD_MISUSE,
                      "which nobody holds");
}

static void kind_comes_from_the_attributes(void **state) {
  (void)state;
  expect_codes(HEAD
               "pthread_mutex_t m; int main(void) { int recursive = 1, errorcheck = 2; "
               "pthread_mutex_init(&m, (pthread_mutexattr_t *)&recursive); pthread_mutex_lock(&m); pthread_mutex_lock(&m); "
               "pthread_mutex_unlock(&m); pthread_mutex_unlock(&m); pthread_mutex_destroy(&m); "
               "pthread_mutex_init(&m, (pthread_mutexattr_t *)&errorcheck); return pthread_mutex_unlock(&m) == EPERM; }\n",
               1 << 1);
}

#define ROBUST \
  HEAD "pthread_mutex_t m;\n" THREAD("f") "{ pthread_mutex_lock(&m); return 0; }\n"                             \
                                          "int main(void) { int robust = 0x40000000; pthread_t a; "             \
                                          "pthread_mutex_init(&m, (pthread_mutexattr_t *)&robust); "            \
                                          "pthread_create(&a, 0, f, 0); pthread_join(a, 0); "

static void robust_mutex_tells_that_its_owner_died(void **state) {
  (void)state;
  expect_codes(ROBUST
               "int first = pthread_mutex_lock(&m), mended = pthread_mutex_consistent(&m); pthread_mutex_unlock(&m); "
               "return first == EOWNERDEAD && mended == 0 && pthread_mutex_lock(&m) == 0; }\n",
               1 << 1);
}

static void robust_mutex_not_made_consistent_is_lost(void **state) {
  (void)state;
  expect_codes(ROBUST
               "int first = pthread_mutex_trylock(&m); pthread_mutex_unlock(&m); "
               "return first == EOWNERDEAD && pthread_mutex_lock(&m) == ENOTRECOVERABLE; }\n",
               1 << 1);
}

static void relock_of_a_normal_mutex_is_a_deadlock(void **state) {
  (void)state;
  expect_only_finding(HEAD MUTEX "int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); }\n", FINDING_DEADLOCK,
                      "thread 0 locks the mutex m, which it holds already");
  expect_only_finding(HEAD
                      "struct pair { int n; pthread_mutex_t lock[2]; };\n"
                      "static void twice(struct pair *p) { pthread_mutex_lock(&p->lock[1]); pthread_mutex_lock(&p->lock[1]); }\n"
                      "int main(void) { struct pair own = {3, {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}}; twice(&own); }\n",
                      FINDING_DEADLOCK, "thread 0 locks the mutex own.lock[1] in main, which it holds already");
}

static void unlock_of_a_free_mutex_is_misuse(void **state) {
  (void)state;
  expect_only_finding(HEAD MUTEX "int main(void) { pthread_mutex_unlock(&m); }\n", FINDING_THREAD_MISUSE,
                      "unlock of the mutex m, which nobody holds");
}

static void unlock_by_another_thread_is_misuse(void **state) {
  (void)state;
  expect_only_finding(HEAD MUTEX THREAD("f") "{ pthread_mutex_unlock(&m); return 0; }\n"
                                             "int main(void) { pthread_t a; pthread_mutex_lock(&m); pthread_create(&a, 0, f, 0); "
                                             "pthread_join(a, 0); }\n",
                      FINDING_THREAD_MISUSE, "unlock of the mutex m, which another thread holds");
}

static void destruction_of_a_locked_mutex_is_misuse(void **state) {
  (void)state;
  expect_finding(HEAD MUTEX THREAD("f") "{ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }\n"
                                        "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); pthread_mutex_lock(&m); "
                                        "pthread_mutex_unlock(&m); pthread_join(a, 0); pthread_mutex_lock(&m); pthread_mutex_destroy(&m); }\n",
                 FINDING_THREAD_MISUSE, "destruction of the mutex m while it is locked");
}

static void use_after_destruction_is_misuse_in_some_schedule(void **state) {
  (void)state;
  expect_finding(
      HEAD MUTEX THREAD("f") "{ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }\n" THREAD(
          "g") "{ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_destroy(&m); return 0; }\n" RUN_F_AND_G("return 0;"),
      FINDING_THREAD_MISUSE, "the");
}

static void second_initialisation_is_misuse(void **state) {
  (void)state;
  expect_only_finding(HEAD "pthread_mutex_t m; int main(void) { pthread_mutex_init(&m, 0); pthread_mutex_init(&m, 0); }\n",
                      FINDING_THREAD_MISUSE, "initialisation of the mutex m, which is initialised already");
}

static void static_objects_may_be_initialised_and_destroyed_again_and_again(void **state) {
  (void)state;
  expect_codes(HEAD MUTEX
               "int main(void) { for (int i = 0; i < 3; i++) { pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); "
               "pthread_mutex_unlock(&m); pthread_mutex_destroy(&m); } return 0; }\n",
               1 << 0);
}

static void local_mutex_that_nobody_initialised_is_misuse(void **state) {
  (void)state;
  expect_only_finding(HEAD "int main(void) { pthread_mutex_t m; pthread_mutex_lock(&m); }\n", FINDING_THREAD_MISUSE,
                      "use of the uninitialised mutex");
}

static void copied_mutex_is_misuse(void **state) {
  (void)state;
  expect_only_finding(HEAD "pthread_mutex_t m, n; int main(void) { pthread_mutex_init(&m, 0); n = m; pthread_mutex_lock(&n); }\n",
                      FINDING_THREAD_MISUSE, "no valid mutex n");
}

static void null_mutex_is_a_null_dereference(void **state) {
  (void)state;
  expect_only_finding(HEAD "int main(void) { pthread_mutex_t *volatile m = 0; pthread_mutex_lock(m); }\n", FINDING_NULL_DEREFERENCE, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sections_exclude_each_other),
      cmocka_unit_test(unlocked_increments_get_lost),
      cmocka_unit_test(trylock_fails_only_while_the_mutex_is_held),
      cmocka_unit_test(trylock_of_a_free_mutex_succeeds),
      cmocka_unit_test(timed_lock_may_expire_while_the_mutex_is_held),
      cmocka_unit_test(timed_lock_checks_its_time_when_it_would_wait),
      cmocka_unit_test(recursive_mutex_is_released_by_its_last_unlock),
      cmocka_unit_test(recursive_mutex_refuses_to_be_unlocked_by_others),
      cmocka_unit_test(errorcheck_mutex_reports_misuse_to_the_caller),
      cmocka_unit_test(refused_unlock_that_nobody_looks_at_is_misuse),
      cmocka_unit_test(kind_comes_from_the_attributes),
      cmocka_unit_test(robust_mutex_tells_that_its_owner_died),
      cmocka_unit_test(robust_mutex_not_made_consistent_is_lost),
      cmocka_unit_test(relock_of_a_normal_mutex_is_a_deadlock),
      cmocka_unit_test(unlock_of_a_free_mutex_is_misuse),
      cmocka_unit_test(unlock_by_another_thread_is_misuse),
      cmocka_unit_test(destruction_of_a_locked_mutex_is_misuse),
      cmocka_unit_test(use_after_destruction_is_misuse_in_some_schedule),
      cmocka_unit_test(second_initialisation_is_misuse),
      cmocka_unit_test(static_objects_may_be_initialised_and_destroyed_again_and_again),
      cmocka_unit_test(local_mutex_that_nobody_initialised_is_misuse),
      cmocka_unit_test(copied_mutex_is_misuse),
      cmocka_unit_test(null_mutex_is_a_null_dereference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
