/* Read-write locks, spin locks, barriers and semaphores. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "rig.h"

/* --- read-write locks --- */

#define RWLOCK "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\n"
#define READ   "pthread_rwlock_rdlock(&l); "
#define WRITE  "pthread_rwlock_wrlock(&l); "
#define FREE   "pthread_rwlock_unlock(&l); "

static void readers_share_and_writers_exclude(void **state) {
  (void)state;
  struct rig r;
  rig_open(
      &r,
      HEAD RWLOCK THREAD("f") "{" READ "r = x; " FREE "return 0; }\n" THREAD(
          "g") "{" WRITE "x = 1; x = 0; " FREE
               "return 0; }\n"
               "int main(void) { pthread_t a, b, c; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); pthread_create(&c, 0, g, 0); "
               "pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0); }\n",
      NULL);
  rig_run_to(&r, "0", EVENT_JOIN);
  rig_step(&r, "0.1", 0);
  assert_true(rig_is_enabled(&r, "0.2"));
  assert_false(rig_is_enabled(&r, "0.3"));
  rig_step(&r, "0.2", 0);
  rig_run_to(&r, "0.1", EVENT_RELEASE);
  rig_step(&r, "0.1", 0);
  assert_false(rig_is_enabled(&r, "0.3"));
  rig_run_to(&r, "0.2", EVENT_RELEASE);
  rig_step(&r, "0.2", 0);
  assert_true(rig_is_enabled(&r, "0.3"));
  rig_close(&r);
}

static void writers_sections_are_not_seen_half_done(void **state) {
  (void)state;
  expect_codes(HEAD RWLOCK THREAD("f") "{" READ "r = x; " FREE "return 0; }\n" THREAD("g") "{" WRITE "x = 1; x = 2; " FREE
                                                                                           "return 0; }\n" RUN_F_AND_G("return r;"),
               1 << 0 | 1 << 2);
}

static void try_and_timed_locks_fail_only_against_holders(void **state) {
  (void)state;
  expect_codes(HEAD RWLOCK
               "int main(void) { " READ "int a = pthread_rwlock_tryrdlock(&l), b = pthread_rwlock_trywrlock(&l); " FREE FREE WRITE
               "int d = pthread_rwlock_tryrdlock(&l), e = pthread_rwlock_timedwrlock(&l, &soon), f = pthread_rwlock_wrlock(&l); "
               "return a == 0 && b == EBUSY && d == EBUSY && e == EDEADLK && f == EDEADLK; }\n",
               1 << 1);
  expect_codes(HEAD RWLOCK THREAD("f") "{" WRITE FREE "return 0; }\n" THREAD(
                   "g") "{ r = pthread_rwlock_timedrdlock(&l, &soon); if (!r) " FREE
                        "return 0; }\n" RUN_F_AND_G("return r == 0 ? 1 : r == ETIMEDOUT ? 2 : 3;"),
               1 << 1 | 1 << 2);
  expect_codes(HEAD RWLOCK THREAD("f") "{" READ FREE
                                       "return 0; }\n" THREAD("g") "{ r = pthread_rwlock_trywrlock(&l); if (!r) " FREE
                                                                   "return 0; }\n" RUN_F_AND_G("return r == 0 ? 1 : r == EBUSY ? 2 : 3;"),
               1 << 1 | 1 << 2);
}

static void read_lock_taken_twice_is_held_until_both_are_given_back(void **state) {
  (void)state;
  expect_codes(HEAD RWLOCK THREAD("f") "{ r = pthread_rwlock_trywrlock(&l); return 0; }\n"
               "int main(void) { pthread_t a; " READ READ FREE "pthread_create(&a, 0, f, 0); pthread_join(a, 0); return r == EBUSY; }\n", 1 << 1);
}

static void second_unlock_of_a_reader_is_misuse_though_others_read(void **state) {
  (void)state;
  expect_only_finding(HEAD RWLOCK THREAD("f") "{" READ FREE FREE
                                              "return 0; }\n"
                                              "int main(void) { pthread_t a; " READ READ
                                              "pthread_create(&a, 0, f, 0); pthread_join(a, 0); }\n",
                      FINDING_THREAD_MISUSE, "unlock of the read-write lock l, which the thread does not hold");
}

static void write_lock_by_a_reader_is_a_deadlock(void **state) {
  (void)state;
  expect_only_finding(HEAD RWLOCK "int main(void) { " READ WRITE "}\n", FINDING_DEADLOCK, "which it holds for reading");
}

static void readers_that_both_want_to_write_deadlock(void **state) {
  (void)state;
  expect_finding(HEAD RWLOCK "pthread_rwlock_t k = PTHREAD_RWLOCK_INITIALIZER;\n" THREAD(
                     "f") "{" READ "pthread_rwlock_wrlock(&k); pthread_rwlock_unlock(&k); " FREE
                          "return 0; }\n" THREAD("g") "{ pthread_rwlock_rdlock(&k); " WRITE FREE
                                                      "pthread_rwlock_unlock(&k); return 0; }\n" RUN_F_AND_G("return 0;"),
                 FINDING_DEADLOCK,
                 "thread 0.1 waits for read-write lock k for writing held by thread 0.2, which waits for read-write lock l "
                 "for writing held by thread 0.1");
}

static void destruction_of_a_held_lock_is_misuse(void **state) {
  (void)state;
  expect_only_finding(HEAD RWLOCK "int main(void) { " READ "pthread_rwlock_destroy(&l); }\n", FINDING_THREAD_MISUSE, "while it is locked");
}

/* --- spin locks --- */

#define SPIN "pthread_spinlock_t s;\n"

static void spin_lock_excludes(void **state) {
  (void)state;
  expect_codes(HEAD SPIN THREAD("f") "{ pthread_spin_lock(&s); int v = x; x = v + 1; pthread_spin_unlock(&s); return 0; }\n" THREAD("g")
               "{ return f(0); }\n" "int main(void) { pthread_t a, b; pthread_spin_init(&s, 0); pthread_create(&a, 0, f, 0); "
               "pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0); pthread_spin_destroy(&s); return x; }\n", 1 << 2);
}

static void spin_lock_must_be_initialised(void **state) {
  (void)state;
  expect_only_finding(HEAD SPIN "int main(void) { pthread_spin_lock(&s); }\n", FINDING_THREAD_MISUSE,
                      "use of the uninitialised spin lock s");
}

static void spin_lock_knows_its_owner(void **state) {
  (void)state;
  expect_codes(HEAD SPIN
               "int main(void) { pthread_spin_init(&s, 0); int a = pthread_spin_trylock(&s), b = pthread_spin_trylock(&s); "
               "return a == 0 && b == EBUSY; }\n",
               1 << 1);
  expect_only_finding(HEAD SPIN "int main(void) { pthread_spin_init(&s, 0); pthread_spin_lock(&s); pthread_spin_lock(&s); }\n",
                      FINDING_DEADLOCK, "which it holds already");
  expect_only_finding(HEAD SPIN "int main(void) { pthread_spin_init(&s, 0); pthread_spin_unlock(&s); }\n", FINDING_THREAD_MISUSE,
                      "which nobody holds");
  expect_only_finding(HEAD SPIN "int main(void) { pthread_spin_init(&s, 0); pthread_spin_destroy(&s); pthread_spin_lock(&s); }\n",
                      FINDING_THREAD_MISUSE, "use of the destroyed spin lock s");
}

/* --- barriers --- */

#define BARRIER "pthread_barrier_t b;\n"

static void nobody_passes_a_barrier_before_everybody_came(void **state) {
  (void)state;
  expect_codes(HEAD BARRIER THREAD("f") "{ x = 1; pthread_barrier_wait(&b); r += y; return 0; }\n"
               "int main(void) { pthread_t a; pthread_barrier_init(&b, 0, 2); pthread_create(&a, 0, f, 0); y = 1; pthread_barrier_wait(&b); "
               "int seen = x; pthread_join(a, 0); pthread_barrier_destroy(&b); return seen + r; }\n", 1 << 2);
}

static void one_thread_of_each_round_is_singled_out_and_any_may_be(void **state) {
  (void)state;
  expect_codes(HEAD BARRIER THREAD("f") "{ if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_fetch_add(&r, 1, 5); return 0; }\n"
               THREAD("g") "{ if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_fetch_add(&r, 2, 5); return 0; }\n"
               "int main(void) { pthread_t p, q; pthread_barrier_init(&b, 0, 2); pthread_create(&p, 0, f, 0); pthread_create(&q, 0, g, 0); "
               "pthread_join(p, 0); pthread_join(q, 0); return r; }\n", 1 << 1 | 1 << 2);
}

static void barrier_is_reusable(void **state) {
  (void)state;
  expect_codes(HEAD BARRIER THREAD("f") "{ for (int i = 0; i < 2; i++) { pthread_barrier_wait(&b); x++; pthread_barrier_wait(&b); } return 0; }\n"
               "int main(void) { pthread_t a; pthread_barrier_init(&b, 0, 2); pthread_create(&a, 0, f, 0); for (int i = 0; i < 2; i++) { "
               "pthread_barrier_wait(&b); pthread_barrier_wait(&b); if (x != i + 1) return 1; } pthread_join(a, 0); return 0; }\n", 1 << 0);
}

static void barrier_for_nobody_is_refused(void **state) {
  (void)state;
  expect_codes(HEAD BARRIER "int main(void) { return pthread_barrier_init(&b, 0, 0) == EINVAL; }\n", 1 << 1);
}

static void too_few_threads_at_a_barrier_wait_for_ever(void **state) {
  (void)state;
  expect_only_finding(HEAD BARRIER THREAD("f") "{ pthread_barrier_wait(&b); return 0; }\n"
                      "int main(void) { pthread_t a; pthread_barrier_init(&b, 0, 2); pthread_create(&a, 0, f, 0); pthread_join(a, 0); }\n",
                      FINDING_DEADLOCK, "thread 0 waits for the end of thread 0.1; thread 0.1 waits for barrier b");
}

static void destruction_of_a_barrier_with_waiters_is_misuse(void **state) {
  (void)state;
  expect_finding(HEAD BARRIER THREAD("f") "{ pthread_barrier_wait(&b); return 0; }\n"
                 "int main(void) { pthread_t a; pthread_barrier_init(&b, 0, 2); pthread_create(&a, 0, f, 0); pthread_barrier_destroy(&b); "
                 "pthread_join(a, 0); }\n", FINDING_THREAD_MISUSE, "barrier b");
}

/* --- semaphores --- */

#define SEM "sem_t s;\n"

static void semaphore_counts(void **state) {
  (void)state;
  expect_codes(HEAD SEM THREAD("f") "{ sem_wait(&s); int v = x; x = v + 1; sem_post(&s); return 0; }\n" THREAD("g") "{ return f(0); }\n"
               "int main(void) { pthread_t a, b; sem_init(&s, 0, 1); pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); "
               "pthread_join(a, 0); pthread_join(b, 0); sem_getvalue(&s, &r); sem_destroy(&s); return x * 10 + r; }\n", 1ull << 21);
}

static void semaphore_of_two_lets_two_in(void **state) {
  (void)state;
  expect_codes(HEAD SEM THREAD("f") "{ sem_wait(&s); int v = x; x = v + 1; sem_post(&s); return 0; }\n" THREAD("g") "{ return f(0); }\n"
               "int main(void) { pthread_t a, b; sem_init(&s, 0, 2); pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); "
               "pthread_join(a, 0); pthread_join(b, 0); return x; }\n", 1 << 1 | 1 << 2);
}

static void try_and_timed_waits_fail_at_zero(void **state) {
  (void)state;
  expect_codes(HEAD SEM THREAD("f") "{ sem_post(&s); return 0; }\n" THREAD("g") "{ r = sem_trywait(&s); return 0; }\n"
               "int main(void) { pthread_t a, b; sem_init(&s, 0, 0); pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); "
               "pthread_join(a, 0); pthread_join(b, 0); return r + 1; }\n", 1 << 0 | 1 << 1);
  expect_codes(HEAD SEM
               "int main(void) { sem_init(&s, 0, 1); int a = sem_timedwait(&s, &soon), b = sem_clockwait(&s, 0, &soon); "
               "return a == 0 && b == -1; }\n",
               1 << 1);
}

static void value_read_by_another_thread_depends_on_the_schedule(void **state) {
  (void)state;
  expect_codes(HEAD SEM THREAD("f") "{ sem_post(&s); return 0; }\n" THREAD("g") "{ sem_getvalue(&s, &r); return 0; }\n"
               "int main(void) { pthread_t a, b; sem_init(&s, 0, 0); pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); "
               "pthread_join(a, 0); pthread_join(b, 0); return r; }\n", 1 << 0 | 1 << 1);
}

static void semaphore_that_nobody_posts_is_a_deadlock(void **state) {
  (void)state;
  expect_only_finding(HEAD SEM "int main(void) { sem_init(&s, 0, 0); sem_wait(&s); }\n", FINDING_DEADLOCK,
                      "thread 0 waits for semaphore s");
}

static void semaphore_must_be_initialised(void **state) {
  (void)state;
  expect_only_finding(HEAD SEM "int main(void) { sem_post(&s); }\n", FINDING_THREAD_MISUSE, "use of the uninitialised semaphore s");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(readers_share_and_writers_exclude),
      cmocka_unit_test(writers_sections_are_not_seen_half_done),
      cmocka_unit_test(try_and_timed_locks_fail_only_against_holders),
      cmocka_unit_test(read_lock_taken_twice_is_held_until_both_are_given_back),
      cmocka_unit_test(second_unlock_of_a_reader_is_misuse_though_others_read),
      cmocka_unit_test(write_lock_by_a_reader_is_a_deadlock),
      cmocka_unit_test(readers_that_both_want_to_write_deadlock),
      cmocka_unit_test(destruction_of_a_held_lock_is_misuse),
      cmocka_unit_test(spin_lock_excludes),
      cmocka_unit_test(spin_lock_must_be_initialised),
      cmocka_unit_test(spin_lock_knows_its_owner),
      cmocka_unit_test(nobody_passes_a_barrier_before_everybody_came),
      cmocka_unit_test(one_thread_of_each_round_is_singled_out_and_any_may_be),
      cmocka_unit_test(barrier_is_reusable),
      cmocka_unit_test(barrier_for_nobody_is_refused),
      cmocka_unit_test(too_few_threads_at_a_barrier_wait_for_ever),
      cmocka_unit_test(destruction_of_a_barrier_with_waiters_is_misuse),
      cmocka_unit_test(semaphore_counts),
      cmocka_unit_test(semaphore_of_two_lets_two_in),
      cmocka_unit_test(try_and_timed_waits_fail_at_zero),
      cmocka_unit_test(value_read_by_another_thread_depends_on_the_schedule),
      cmocka_unit_test(semaphore_that_nobody_posts_is_a_deadlock),
      cmocka_unit_test(semaphore_must_be_initialised),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
