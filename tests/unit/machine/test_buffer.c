/* Store buffers, one step at a time: what waits for them, what goes first, what they hide and show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

#define RELAXED   "__ATOMIC_RELAXED"
#define STORE(x)  "__atomic_store_n(&" x ", 1, " RELAXED "); "
#define F(body)   THREAD("f") "{ " body " return argument; }\n"
#define G(body)   THREAD("g") "{ " body " return argument; }\n"
#define SET(x, v) "__atomic_store_n(&" x ", " v ", " RELAXED "); "
#define GET(x)    "__atomic_load_n(&" x ", " RELAXED ")"

static const struct machine_options tso = {.memory = MEMORY_TSO}, pso = {.memory = MEMORY_PSO};

/* Opens a program, both of whose threads have begun. What is shared is known. */
static void begin(struct rig *r, const char *source, const struct machine_options *options) {
  rig_open(r, source, options);
  struct outcomes o = rig_explore(r, 100000);
  outcomes_release(&o);
  machine_reset(r->machine);
  rig_step(r, "0", 0);
  rig_step(r, "0", 0);
}

static const char *const three_stores =
    HEAD "int z;\n" F(SET("x", "1") SET("y", "1") SET("x", "2")) G("r = " GET("x") " + " GET("y") ";") RUN_F_AND_G("return " GET("x") ";");

/* The enabled agents of thread 0.1: how many there are; the k-th of them, oldest store first. */
static uint32_t flushes(struct rig *r) {
  uint32_t n = 0, thread = machine_thread_find(r->machine, "0.1");
  const struct tset *enabled = machine_enabled(r->machine);
  for (uint32_t t = tset_next(enabled, AGENTS_FROM); t < THREADS_MAX; t = tset_next(enabled, t + 1))
    n += machine_owner(r->machine, t) == thread;
  return n;
}

static struct event flush_at(struct rig *r, uint32_t k) {
  uint32_t thread = machine_thread_find(r->machine, "0.1"), count;
  const struct tset *enabled = machine_enabled(r->machine);
  machine_trace(r->machine, &count);
  for (uint32_t store = 0; store < count; store++)
    for (uint32_t t = tset_next(enabled, AGENTS_FROM); t < THREADS_MAX; t = tset_next(enabled, t + 1)) {
      const struct event *e = machine_pending(r->machine, t);
      if (machine_owner(r->machine, t) == thread && flush_store(e) == store && k-- == 0) return *e;
    }
  fail_msg("no such flush");
  return (struct event){0};
}

static void only_the_oldest_store_can_be_flushed_under_tso(void **state) {
  (void)state;
  struct rig r;
  begin(&r, three_stores, &tso);
  assert_int_equal(flushes(&r), 0);
  for (int i = 0; i < 3; i++) {
    rig_step(&r, "0.1", 0);
    assert_int_equal(flushes(&r), 1);
  }
  for (uint64_t i = 0; i < 3; i++) {
    uint32_t count, agent = flush_at(&r, 0).thread;
    rig_step(&r, "0.1's stores", 0);
    const struct event *e = &machine_trace(r.machine, &count)[count - 1];
    assert_int_equal(e->op, EVENT_FLUSH);
    assert_int_equal(e->thread, agent);
    assert_int_equal(flush_store(e), i);
    assert_int_equal(flush_thread(e), machine_thread_find(r.machine, "0.1"));
    assert_int_equal(e->index, i);
  }
  assert_int_equal(flushes(&r), 0);
  rig_close(&r);
}

static void stores_to_one_location_stay_in_order_under_pso(void **state) {
  (void)state;
  struct rig r;
  begin(&r, three_stores, &pso);
  for (int i = 0; i < 3; i++) rig_step(&r, "0.1", 0);
  assert_int_equal(flushes(&r), 2);
  struct event x = flush_at(&r, 0), y = flush_at(&r, 1);
  assert_int_equal(flush_store(&x), 0);
  assert_int_equal(flush_store(&y), 1);
  machine_step(r.machine, y.thread, 0);
  assert_int_equal(flushes(&r), 1);
  machine_step(r.machine, flush_at(&r, 0).thread, 0);
  assert_int_equal(flush_at(&r, 0).value, 2);
  rig_close(&r);
}

static void a_release_is_flushed_after_what_came_before_it(void **state) {
  (void)state;
  struct rig r;
  const char *source =
      HEAD F(SET("x", "1") "__atomic_store_n(&y, 1, __ATOMIC_RELEASE);") G("r = " GET("x") " + " GET("y") ";") RUN_F_AND_G("return 0;");
  begin(&r, source, &pso);
  rig_step(&r, "0.1", 0);
  rig_step(&r, "0.1", 0);
  assert_int_equal(flushes(&r), 1);
  rig_close(&r);
}

/* The second step of 0.1, behind a store. */
static bool second_waits(const char *body, const struct machine_options *options) {
  struct text source = {0};
  struct rig r;
  text_printf(&source,
              HEAD MUTEX "sem_t s;\nvoid *g(void *);\nvoid __hd_atomic_begin(void), __hd_atomic_end(void);\n" F("%s")
                  G("r = " GET("x") " + " GET("y") ";") RUN_F_AND_G("return 0;"),
              body);
  begin(&r, text_str(&source), options);
  rig_step(&r, "0.1", 0);
  bool waits = !rig_is_enabled(&r, "0.1");
  assert_int_equal(flushes(&r), 1);
  rig_step(&r, "0.1's stores", 0);
  assert_true(rig_is_enabled(&r, "0.1"));
  rig_close(&r);
  text_release(&source);
  return waits;
}

static void fences_locked_operations_and_synchronisation_wait(void **state) {
  (void)state;
  static const char *const waiting[] = {
      STORE("x") "__atomic_thread_fence(5);",
      STORE("x") "__atomic_store_n(&y, 1, 5);",
      STORE("x") "__atomic_exchange_n(&y, 1, 0);",
      STORE("x") "{ int e = 3; __atomic_compare_exchange_n(&y, &e, 1, 0, 0, 0); }",
      STORE("x") "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
      STORE("x") "sem_post(&s);",
      STORE("x") "{ pthread_t t; pthread_create(&t, 0, g, 0); pthread_join(t, 0); }",
      STORE("x") "__hd_atomic_begin(); r++; __hd_atomic_end();",
      STORE("x"), /* the end of the thread */
  };
  for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++) {
    assert_true(second_waits(waiting[i], &tso));
    assert_true(second_waits(waiting[i], &pso));
  }
  assert_true(second_waits(STORE("x") "__atomic_thread_fence(3);", &pso));
}

static void loads_stores_and_weaker_fences_do_not(void **state) {
  (void)state;
  static const char *const going_on[] = {STORE("x") "r = " GET("x") ";", STORE("x") STORE("y"), STORE("x") "__atomic_store_n(&y, 1, 3);",
                                         STORE("x") "__atomic_thread_fence(2);"};
  for (size_t i = 0; i < sizeof going_on / sizeof *going_on; i++) {
    assert_false(second_waits(going_on[i], &tso));
    assert_false(second_waits(going_on[i], &pso));
  }
  assert_false(second_waits(STORE("x") "__atomic_thread_fence(3);", &tso));
}

/* Every exit code of `codes` and no other. */
static void expect_under(const struct machine_options *options, const char *source, uint64_t codes) {
  struct rig r;
  rig_open(&r, source, options);
  struct outcomes o = rig_explore(&r, 200000);
  assert_int_equal(o.exit_codes, codes);
  assert_int_equal(o.status[MACHINE_DONE], o.executions);
  outcomes_release(&o);
  rig_close(&r);
}

static void a_thread_reads_its_stores_byte_by_byte(void **state) {
  (void)state;
  /* Its own bytes at once, mixed with what another thread's two bytes come to; never less than what it stored itself. */
  const char *source = HEAD "union { unsigned char byte[4]; unsigned word; } u; unsigned seen;\n" F(
      "__atomic_store_n(&u.byte[1], 1, 0); __atomic_store_n(&u.byte[1], 2, 0); seen = __atomic_load_n(&u.word, 0);")
      G("__atomic_store_n((unsigned short *)&u.byte[2], 0x0403, 0);") RUN_F_AND_G("return seen == 0x200 ? 1 : seen == 0x04030200 ? 2 : 3;");
  expect_under(&tso, source, 1 << 1 | 1 << 2);
  expect_under(&pso, source, 1 << 1 | 1 << 2);
}

static void larger_stores_are_buffered_whole(void **state) {
  (void)state;
  const char *source = HEAD "struct big { int a[6]; } big, one = {{1, 1, 1, 1, 1, 1}}; int p, q;\n" F("big = one; p = big.a[5];")
      G("q = big.a[0];") RUN_F_AND_G("return p + 2 * q + 4 * big.a[3];");
  expect_under(&tso, source, 1 << 5 | 1 << 7);
  expect_under(&pso, source, 1 << 5 | 1 << 7);
}

static void a_loop_on_an_own_store_waits_for_others(void **state) {
  (void)state;
  const char *source = HEAD F(SET("x", "1") "while (" GET("x") " == 1) ;") G("while (" GET("x") " != 1) ; " SET("x", "2"))
      RUN_F_AND_G("return " GET("x") ";");
  struct rig r;
  rig_open(&r, source, &tso);
  struct outcomes o = rig_explore(&r, 200000);
  assert_int_equal(o.exit_codes, 1 << 2);
  assert_int_equal(o.status[MACHINE_DONE], o.executions);
  outcomes_release(&o);
  rig_close(&r);
}

static void expect_found(const struct machine_options *options, const char *source, enum finding_kind kind, const char *role) {
  struct rig r;
  rig_open(&r, source, options);
  struct outcomes o = rig_explore(&r, 200000);
  assert_int_equal(o.findings[kind] > 0, role != NULL);
  assert_int_equal(o.status[MACHINE_DONE] + o.findings[kind], o.executions);
  outcomes_release(&o);
  rig_close(&r);
}

static void a_store_to_memory_that_was_freed_before_its_flush_is_found(void **state) {
  (void)state;
  /* The flag overtakes the store, so that the block is freed with the store still to come. */
  const char *source = HEAD "#include <stdlib.h>\nint *p;\n" F(SET("*p", "1") SET("x", "1")) G("if (" GET("x") ") { free(p); p = 0; }")
      "int main(void) { p = malloc(4); __atomic_store_n(p, 0, 0); pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); "
      "pthread_join(a, 0); pthread_join(b, 0); free(p); return 0; }\n";
  expect_found(&tso, source, FINDING_USE_AFTER_FREE, NULL);
  expect_found(&pso, source, FINDING_USE_AFTER_FREE, "write");
}

static void stores_to_a_stack_frame_end_with_it(void **state) {
  (void)state;
  /* `here` is shared while its function runs. What lies there later must not be written by the flush. */
  const char *source = HEAD
      "int *shown, wrong;\n"
      "static void share(void) { int here = 1; __atomic_store_n(&shown, &here, 5); __atomic_store_n(&here, 7, 0); "
      "__atomic_store_n(&shown, 0, 0); }\n"
      "static int later(void) { int other[4] = {5, 5, 5, 5}; __atomic_load_n(&x, 0); __atomic_load_n(&x, 0); "
      "return other[0] + other[1] + other[2] + other[3] != 20; }\n" F("share(); wrong = later();")
          G("int *p = __atomic_load_n(&shown, 0); r = p != 0; x = 1;") RUN_F_AND_G("return wrong;");
  expect_under(&tso, source, 1 << 0);
  expect_under(&pso, source, 1 << 0);
}

static void memory_written_but_not_seen_yet_is_uninitialised_for_others(void **state) {
  (void)state;
  const char *source = HEAD "#include <stdlib.h>\nint *p;\n" F(SET("*p", "1") SET("x", "1")) G("if (" GET("x") " && " GET("*p") ") r = 1;")
      "int main(void) { p = malloc(4); pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); "
      "pthread_join(a, 0); pthread_join(b, 0); free(p); return 0; }\n";
  expect_found(&tso, source, FINDING_UNINITIALISED, NULL);
  expect_found(&pso, source, FINDING_UNINITIALISED, "read");
}

static void a_block_that_only_a_buffered_store_points_to_is_no_leak(void **state) {
  (void)state;
  const struct machine_options options = {.memory = MEMORY_TSO, .leaks = true};
  const char *source = HEAD "#include <stdlib.h>\nvoid *kept; void __hd_exit(int);\n" F(
      "void *p = malloc(4); __atomic_store_n(&kept, p, 0); p = 0; r = " GET("x") ";") G("r = kept != 0; __hd_exit(0);")
      RUN_F_AND_G("__hd_exit(0);");
  expect_found(&options, source, FINDING_LEAK, NULL);
}

static void a_buffer_without_end_ends_the_execution_as_a_limit(void **state) {
  (void)state;
  struct rig r;
  const struct machine_options options = {.memory = MEMORY_TSO, .no_narrowing = true};
  rig_open(&r, HEAD F("for (;;) __atomic_store_n(&x, 1, 0);") RUN_F(""), &options);
  rig_run_to(&r, "0", EVENT_JOIN);
  int steps = 0;
  while (machine_status(r.machine) == MACHINE_RUNNING && steps < 100) rig_step(&r, "0.1", 0), steps++;
  assert_int_equal(machine_status(r.machine), MACHINE_LIMIT);
  assert_int_equal(steps, 65);
  assert_true(tset_empty(machine_enabled(r.machine)));
  machine_reset(r.machine);
  assert_int_equal(flushes(&r), 0);
  rig_close(&r);
}

#define OWN "0.1's stores"

/* The state after the steps, from where both threads have begun. */
static struct fingerprint state_after(struct rig *r, const char *const *steps) {
  machine_reset(r->machine);
  rig_step(r, "0", 0);
  rig_step(r, "0", 0);
  for (; *steps; steps++) {
    if (strcmp(*steps, OWN) != 0)
      rig_step(r, *steps, 0);
    else
      machine_step(r->machine, flush_at(r, 0).thread, 0);
  }
  return machine_fingerprint(r->machine);
}

#define STEPS(...) \
  (const char *const[]) { __VA_ARGS__, NULL }

static void states_differ_by_what_is_buffered_and_in_which_order(void **state) {
  (void)state;
  const char *source = HEAD F("if (" GET("r") ") { " SET("x", "1") SET("y", "1") "} else { " SET("y", "1") SET("x", "1") "} ")
      G("__atomic_store_n(&r, 1, 5); __atomic_store_n(&r, 0, 5);") RUN_F_AND_G("return " GET("x") " + " GET("y") ";");
  const struct machine_options *models[] = {&tso, &pso};
  for (size_t i = 0; i < 2; i++) {
    struct rig r;
    begin(&r, source, models[i]);
    struct fingerprint yx = state_after(&r, STEPS("0.1", "0.1", "0.1", "0.2", "0.2"));
    struct fingerprint xy = state_after(&r, STEPS("0.2", "0.1", "0.1", "0.1", "0.2"));
    assert_false(fingerprint_equal(xy, yx));
    /* a store that is flushed and one that is not; all flushed, in the one order and the other */
    struct fingerprint y = state_after(&r, STEPS("0.1", "0.1", "0.1", OWN, "0.2", "0.2"));
    assert_false(fingerprint_equal(y, yx));
    struct fingerprint none = state_after(&r, STEPS("0.1", "0.1", "0.1", OWN, OWN, "0.2", "0.2"));
    assert_false(fingerprint_equal(y, none));
    /* at the end, when nobody can tell any more what was stored first */
    struct fingerprint end = state_after(&r, STEPS("0.1", "0.1", "0.1", OWN, OWN, "0.1", "0.2", "0.2"));
    assert_true(fingerprint_equal(end, state_after(&r, STEPS("0.2", "0.1", "0.1", OWN, "0.1", "0.2", OWN, "0.1"))));
    assert_true(fingerprint_equal(yx, state_after(&r, STEPS("0.1", "0.2", "0.1", "0.2", "0.1"))));
    rig_close(&r);
  }
}

static void what_a_thread_that_waits_to_end_returns_is_part_of_the_state(void **state) {
  (void)state;
  const char *source = HEAD THREAD("f") "{ (void)argument; int was = " GET("x") "; " SET("y", "1") "return was ? &x : &y; }\n" G(
      "__atomic_store_n(&x, 1, 5); __atomic_store_n(&x, 0, 5);") RUN_F_AND_G("return " GET("x") " + " GET("y") ";");
  struct rig r;
  begin(&r, source, &tso);
  struct fingerprint one = state_after(&r, STEPS("0.1", "0.1", "0.2", "0.2"));
  assert_true(fingerprint_equal(one, state_after(&r, STEPS("0.2", "0.2", "0.1", "0.1"))));
  assert_false(fingerprint_equal(one, state_after(&r, STEPS("0.2", "0.1", "0.1", "0.2"))));
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_the_oldest_store_can_be_flushed_under_tso),
      cmocka_unit_test(stores_to_one_location_stay_in_order_under_pso),
      cmocka_unit_test(a_release_is_flushed_after_what_came_before_it),
      cmocka_unit_test(fences_locked_operations_and_synchronisation_wait),
      cmocka_unit_test(loads_stores_and_weaker_fences_do_not),
      cmocka_unit_test(a_thread_reads_its_stores_byte_by_byte),
      cmocka_unit_test(larger_stores_are_buffered_whole),
      cmocka_unit_test(a_loop_on_an_own_store_waits_for_others),
      cmocka_unit_test(a_store_to_memory_that_was_freed_before_its_flush_is_found),
      cmocka_unit_test(stores_to_a_stack_frame_end_with_it),
      cmocka_unit_test(memory_written_but_not_seen_yet_is_uninitialised_for_others),
      cmocka_unit_test(a_block_that_only_a_buffered_store_points_to_is_no_leak),
      cmocka_unit_test(states_differ_by_what_is_buffered_and_in_which_order),
      cmocka_unit_test(what_a_thread_that_waits_to_end_returns_is_part_of_the_state),
      cmocka_unit_test(a_buffer_without_end_ends_the_execution_as_a_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
