/* Threads: creation, results, joining, detaching, ends; and the deadlocks that they get into. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "rig.h"

static void join_gives_the_result(void **state) {
  (void)state;
  expect_codes(HEAD THREAD("f") "{ return (char *)argument + 2; }\n"
               "int main(void) { pthread_t a; void *v; int e = pthread_create(&a, 0, f, (void *)5); pthread_join(a, &v); return e + (int)(long)v; }\n", 1 << 7);
}

static void exit_ends_the_thread_from_any_depth(void **state) {
  (void)state;
  expect_codes(HEAD "void deep(int n) { int local = n; if (n == 0) pthread_exit((void *)9); deep(n - 1); x += local; }\n" THREAD("f")
               "{ deep(3); x = 50; return 0; }\n" "int main(void) { pthread_t a; void *v; pthread_create(&a, 0, f, 0); pthread_join(a, &v); "
               "return x + (int)(long)v; }\n", 1 << 9);
}

static void exit_of_main_leaves_the_others_running(void **state) {
  (void)state;
  expect_codes(HEAD "void exit(int);\n" THREAD("f") "{ x = 1; return 0; }\n"
               "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); pthread_exit(0); }\n", 1 << 0);
}

static void cleanup_handlers_run_innermost_first(void **state) {
  (void)state;
  expect_codes(HEAD "void push(void *digit) { x = x * 10 + (int)(long)digit; }\n" THREAD("f")
               "{ pthread_cleanup_push(push, (void *)1); pthread_cleanup_push(push, (void *)2); if (!argument) pthread_exit(0); "
               "pthread_cleanup_pop(1); pthread_cleanup_pop(0); return 0; }\n" RUN_F("return x;"), 1ull << 21);
  expect_codes(HEAD
               "void push(void *digit) { x = x * 10 + (int)(long)digit; }\n"
               "int main(void) "
               "{ pthread_cleanup_push(push, (void *)1); pthread_cleanup_push(push, (void *)2); "
               "pthread_cleanup_pop(1); pthread_cleanup_pop(0); return x; }\n",
               1 << 2);
}

static void self_is_what_create_gave(void **state) {
  (void)state;
  expect_codes(HEAD "pthread_t me;\n" THREAD("f") "{ me = pthread_self(); return 0; }\n"
               "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); pthread_join(a, 0); "
               "return pthread_equal(a, me) != 0 && !pthread_equal(a, pthread_self()); }\n", 1 << 1);
}

static void tryjoin_depends_on_whether_the_thread_ended(void **state) {
  (void)state;
  expect_codes(HEAD THREAD("f") "{ x = 1; return 0; }\n" "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); x; int e = pthread_tryjoin_np(a, 0); "
               "return e == 0 ? 1 + x : e == EBUSY ? 3 : 4; }\n", 1 << 2 | 1 << 3);
  expect_codes(HEAD THREAD("f") "{ x = 1; return 0; }\n" "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); int e = pthread_timedjoin_np(a, 0, &soon); "
               "return e == 0 ? 1 : e == ETIMEDOUT ? 2 : 3; }\n", 1 << 1 | 1 << 2);
}

static void joining_oneself_is_misuse(void **state) {
  (void)state;
  expect_only_finding(HEAD "int main(void) { return pthread_join(pthread_self(), 0); }\n", FINDING_THREAD_MISUSE,
                      "join of the calling thread 0");
}

static void threads_can_be_misused(void **state) {
  (void)state;
  static const struct {
    const char *statements, *message;
  } cases[] = {
      {"pthread_join(a, 0); pthread_join(a, 0);", "second join of thread 0.1"},
      {"pthread_detach(a); pthread_join(a, 0);", "join of the detached thread 0.1"},
      {"pthread_detach(a); pthread_detach(a);", "second detach of thread 0.1"},
      {"pthread_join(a, 0); pthread_detach(a);", "detach of the joined thread 0.1"},
      {"pthread_join((pthread_t)77, 0);", "join of something that is no thread"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char source[2000];
    struct text t = {0};
    text_printf(&t, "%s%s{ return 0; }\nint main(void) { pthread_t a; pthread_create(&a, 0, f, 0); %s }\n", HEAD, THREAD("f"),
                cases[i].statements);
    assert_true(t.count < sizeof source);
    expect_only_finding(text_str(&t), FINDING_THREAD_MISUSE, cases[i].message);
    text_release(&t);
  }
}

static void thread_created_detached_cannot_be_joined(void **state) {
  (void)state;
  expect_only_finding(HEAD THREAD("f") "{ return 0; }\n" "int main(void) { pthread_t a; int at[14] = {0}; at[2] = 1; "
                      "pthread_create(&a, (pthread_attr_t *)at, f, 0); pthread_join(a, 0); }\n", FINDING_THREAD_MISUSE, "join of the detached thread 0.1");
}

static void detached_threads_end_on_their_own(void **state) {
  (void)state;
  expect_codes(HEAD THREAD("f") "{ pthread_detach(pthread_self()); x = 1; return 0; }\n"
               "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); while (!__atomic_load_n(&x, 5)); return x; }\n",
               1 << 1);
}

static void locks_in_opposite_order_deadlock(void **state) {
  (void)state;
  expect_finding(HEAD MUTEX "pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;\n" THREAD("f") "{ pthread_mutex_lock(&m); pthread_mutex_lock(&n); "
                 "pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return 0; }\n" THREAD("g") "{ pthread_mutex_lock(&n); pthread_mutex_lock(&m); "
                 "pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return 0; }\n" RUN_F_AND_G("return 0;"), FINDING_DEADLOCK,
                 "thread 0.1 waits for mutex n held by thread 0.2, which waits for mutex m held by thread 0.1");
}

static void deadlock_is_found_while_another_thread_runs_on(void **state) {
  (void)state;
  struct rig r;
  rig_open(&r, HEAD MUTEX "pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;\n" THREAD("f") "{ pthread_mutex_lock(&m); pthread_mutex_lock(&n); return 0; }\n"
           THREAD("g") "{ pthread_mutex_lock(&n); pthread_mutex_lock(&m); return 0; }\n"
           "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); for (;;) __atomic_fetch_add(&x, 1, 5); }\n", NULL);
  rig_run_to(&r, "0", EVENT_RMW);
  rig_step(&r, "0.1", 0);
  rig_step(&r, "0.2", 0);
  assert_int_equal(machine_status(r.machine), MACHINE_FAILED);
  const struct finding *f = machine_finding(r.machine);
  assert_int_equal(f->kind, FINDING_DEADLOCK);
  assert_int_equal(f->sites.count, 4);
  const char *roles[] = {"waits for", "waits for", "holds", "holds"};
  const uint32_t threads[] = {1, 2, 2, 1};
  for (size_t i = 0; i < 4; i++) {
    assert_string_equal(f->sites.data[i].role, roles[i]);
    assert_int_equal(f->sites.data[i].thread, threads[i]);
  }
  rig_close(&r);
}

static void joiner_that_holds_what_the_joined_needs_deadlocks(void **state) {
  (void)state;
  expect_finding(HEAD MUTEX THREAD("f") "{ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }\n"
                 "int main(void) { pthread_t a; pthread_mutex_lock(&m); pthread_create(&a, 0, f, 0); pthread_join(a, 0); }\n", FINDING_DEADLOCK,
                 "thread 0 waits for the end of thread 0.1, which waits for mutex m held by thread 0");
}

static void thread_that_ends_with_a_mutex_leaves_others_stuck(void **state) {
  (void)state;
  expect_finding(HEAD MUTEX THREAD("f") "{ pthread_mutex_lock(&m); return 0; }\n" THREAD(
                     "g") "{ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }\n" RUN_F_AND_G("return 0;"),
                 FINDING_DEADLOCK, "thread 0.2 waits for mutex m held by thread 0.1, which has ended");
}

static void threads_that_spin_on_each_other_livelock(void **state) {
  (void)state;
  expect_only_finding(HEAD THREAD("f") "{ while (!__atomic_load_n(&x, 5)); __atomic_store_n(&y, 1, 5); return 0; }\n" THREAD("g")
                      "{ while (!__atomic_load_n(&y, 5)); __atomic_store_n(&x, 1, 5); return 0; }\n"
                      "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_exit(0); }\n",
                      FINDING_LIVELOCK, "");
}

static void threads_that_back_off_from_each_other_are_no_crash(void **state) {
  (void)state;
  /* One that polls a try-lock which nobody ever gives back spins; its pending step names no lock. */
  expect_only_finding(HEAD MUTEX THREAD("f") "{ while (pthread_mutex_trylock(&m)); return 0; }\n"
                                             "int main(void) { pthread_t a; pthread_mutex_lock(&m); pthread_create(&a, 0, f, 0); "
                                             "while (!__atomic_load_n(&x, 5)); pthread_join(a, 0); }\n",
                      FINDING_LIVELOCK, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(join_gives_the_result),
      cmocka_unit_test(exit_ends_the_thread_from_any_depth),
      cmocka_unit_test(exit_of_main_leaves_the_others_running),
      cmocka_unit_test(cleanup_handlers_run_innermost_first),
      cmocka_unit_test(self_is_what_create_gave),
      cmocka_unit_test(tryjoin_depends_on_whether_the_thread_ended),
      cmocka_unit_test(joining_oneself_is_misuse),
      cmocka_unit_test(threads_can_be_misused),
      cmocka_unit_test(thread_created_detached_cannot_be_joined),
      cmocka_unit_test(detached_threads_end_on_their_own),
      cmocka_unit_test(locks_in_opposite_order_deadlock),
      cmocka_unit_test(deadlock_is_found_while_another_thread_runs_on),
      cmocka_unit_test(joiner_that_holds_what_the_joined_needs_deadlocks),
      cmocka_unit_test(thread_that_ends_with_a_mutex_leaves_others_stuck),
      cmocka_unit_test(threads_that_back_off_from_each_other_are_no_crash),
      cmocka_unit_test(threads_that_spin_on_each_other_livelock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
