/* What programs and library models ask the machine for: choices, assumptions, atomic sections, output, files, jumps, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "rig.h"

#define PRIMITIVES                                                                                                                   \
  "unsigned hd_choose(unsigned); void hd_assume(int); void hd_assert(int); void __hd_output(int, const void *, unsigned long);\n"    \
  "int __hd_file_open(const char *); long __hd_file_read(int, unsigned long, void *, unsigned long); long __hd_file_size(int);\n"    \
  "const char *__hd_getenv(const char *); unsigned long __hd_time(void); void __hd_await(int *, int, int); void __hd_yield(void);\n" \
  "int __hd_format_double(char *, unsigned long, const char *, double); double __hd_parse_double(const char *, unsigned long *);\n"  \
  "int __hd_format_long_double(char *, unsigned long, const char *, const long double *);\n"                                         \
  "void __hd_fail(const char *, const char *); void __hd_unsupported(const char *, const char *); void __hd_exit(int);\n"

static void every_alternative_is_explored(void **state) {
  (void)state;
  expect_codes(PRIMITIVES "int main(void) { return 10 * hd_choose(2) + hd_choose(3); }\n",
               1 | 1 << 1 | 1 << 2 | 1 << 10 | 1 << 11 | 1 << 12);
}

static void choice_among_nothing_is_an_error(void **state) {
  (void)state;
  expect_only_finding(PRIMITIVES "int main(void) { return hd_choose(0); }\n", FINDING_ASSERTION, "nothing to choose from");
}

static void executions_with_false_assumptions_do_not_count(void **state) {
  (void)state;
  struct rig r;
  rig_open(&r, PRIMITIVES "int main(void) { unsigned v = hd_choose(4); hd_assume(v & 1); return v; }\n", NULL);
  struct outcomes o = rig_explore(&r, 100);
  assert_int_equal(o.executions, 4);
  assert_int_equal(o.status[MACHINE_ASSUMED], 2);
  assert_int_equal(o.exit_codes, 1 << 1 | 1 << 3);
  outcomes_release(&o);
  rig_close(&r);
}

static void false_assertions_are_found(void **state) {
  (void)state;
  expect_finding(PRIMITIVES "int main(void) { hd_assert(hd_choose(2)); return 0; }\n", FINDING_ASSERTION, "hd_assert failed");
  expect_finding(
      "void __VERIFIER_assert(int); _Bool __VERIFIER_nondet_bool(void); int main(void) { "
      "__VERIFIER_assert(__VERIFIER_nondet_bool()); return 0; }\n",
      FINDING_ASSERTION, "__VERIFIER_assert failed");
  expect_only_finding("void reach_error(void); int main(void) { reach_error(); return 0; }\n", FINDING_ASSERTION, "error location");
}

static void nondeterministic_values_include_the_extremes(void **state) {
  (void)state;
  expect_codes(
      "int __VERIFIER_nondet_int(void); int main(void) { int v = __VERIFIER_nondet_int(); "
      "return v == 0 ? 1 : v == 1 ? 2 : v == -1 ? 3 : v == -2147483647 - 1 ? 4 : v == 2147483647 ? 5 : 6; }\n",
      1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5);
  expect_codes(
      "unsigned char __VERIFIER_nondet_uchar(void); int main(void) { int v = __VERIFIER_nondet_uchar(); return v == 255 ? 2 : v; }\n",
      1 << 0 | 1 << 1 | 1 << 2);
  expect_codes(
      "unsigned __int128 __VERIFIER_nondet_uint128(void); int main(void) { unsigned __int128 v = __VERIFIER_nondet_uint128(); "
      "return v == ~(unsigned __int128)0 ? 2 : (int)v; }\n",
      1 << 0 | 1 << 1 | 1 << 2);
  expect_codes(
      "float __VERIFIER_nondet_float(void); double __VERIFIER_nondet_double(void); void *__VERIFIER_nondet_pointer(void); "
      "int main(void) { return 10 + (int)__VERIFIER_nondet_float() + 3 * (int)__VERIFIER_nondet_double() + !__VERIFIER_nondet_pointer(); "
      "}\n",
      0x1ff << 7);
}

static void nothing_comes_between_the_steps_of_an_atomic_section(void **state) {
  (void)state;
  expect_codes(HEAD "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n" THREAD(
                   "f") "{ __VERIFIER_atomic_begin(); int v = x; x = v + 1; __VERIFIER_atomic_end(); return 0; }\n" THREAD(
                   "g") "{ return f(0); }\n" RUN_F_AND_G("return x;"),
               1 << 2);
  expect_only_finding("void __VERIFIER_atomic_end(void); int main(void) { __VERIFIER_atomic_end(); }\n", FINDING_THREAD_MISUSE,
                      "did not begin");
}

static void await_blocks_until_the_value_is_there(void **state) {
  (void)state;
  expect_codes(HEAD PRIMITIVES THREAD("f") "{ __hd_await(&x, 3, 4); y = x; return 0; }\n" THREAD(
                   "g") "{ __atomic_store_n(&x, 2, 5); __atomic_store_n(&x, 3, 5); return 0; }\n" RUN_F_AND_G("return y;"),
               1 << 4);
  expect_only_finding(HEAD PRIMITIVES "int main(void) { __hd_await(&x, 3, 4); }\n", FINDING_DEADLOCK, "thread 0 waits for");
}

static void output_is_kept_apart_and_rolled_back(void **state) {
  (void)state;
  struct rig r;
  rig_open(&r,
           PRIMITIVES
           "int main(void) { __hd_output(1, \"one \", 4); unsigned v = hd_choose(2); __hd_output(1, v ? \"b\" : \"a\", 1); "
           "__hd_output(2, \"e\", 1); return 0; }\n",
           NULL);
  for (uint32_t choice = 0; choice < 2; choice++) {
    machine_reset(r.machine);
    rig_step(&r, "0", choice);
    assert_int_equal(machine_status(r.machine), MACHINE_DONE);
    assert_string_equal(text_str(machine_output(r.machine, 1)), choice ? "one b" : "one a");
    assert_string_equal(text_str(machine_output(r.machine, 2)), "e");
  }
  rig_close(&r);
}

static void files_named_by_the_user_can_be_read(void **state) {
  (void)state;
  char path[] = "/tmp/heddle-file-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, "hello", 5), 5);
  close(fd);
  const char *readable[] = {path, NULL}, *environment[] = {"A=1", "NAME=value", NULL};
  struct machine_options options = {.readable = readable, .environment = environment};
  char source[4096];
  int n =
      snprintf(source, sizeof source,
               "%sint main(void) { char b[8] = {0}; int h = __hd_file_open(\"%s\"), none = __hd_file_open(\"other\"); const char *v = "
               "__hd_getenv(\"NAME\"); return h == 1 && none == -1 && __hd_file_size(h) == 5 && __hd_file_read(h, 1, b, 8) == 4 && "
               "b[0] == 'e' && b[3] == 'o' && __hd_file_read(h, 5, b, 8) == 0 && __hd_file_size(0) == 0 && __hd_file_size(9) == -1 && v[0] "
               "== 'v' && !__hd_getenv(\"NAM\"); }\n",
               PRIMITIVES, path);
  assert_true(n > 0 && (size_t)n < sizeof source);
  struct rig r;
  rig_open(&r, source, &options);
  unlink(path);
  assert_int_equal(machine_status(r.machine), MACHINE_DONE);
  assert_int_equal(machine_exit_code(r.machine), 1);
  rig_close(&r);
}

static void numbers_are_formatted_and_parsed_as_by_the_host(void **state) {
  (void)state;
  expect_codes(PRIMITIVES
               "int same(const char *a, const char *b) { while (*a && *a == *b) a++, b++; return *a == *b; }\n"
               "int main(void) { char b[16]; long double l = 0.1L; unsigned long used; "
               "if (__hd_format_double(b, 16, \"%+08.3f\", 1.5) != 8 || !same(b, \"+001.500\")) return 1; "
               "if (__hd_format_double(b, 4, \"%.6e\", 12345.0) != 12 || !same(b, \"1.2\")) return 2; "
               "if (__hd_format_double(0, 0, \"%g\", 100.0) != 3) return 3; "
               "if (__hd_format_long_double(b, 16, \"%.3Lf\", &l) != 5 || !same(b, \"0.100\")) return 4; "
               "if (__hd_parse_double(\" 2.5e1x\", &used) != 25.0 || used != 6) return 5; return 0; }\n",
               1 << 0);
}

static void formats_that_are_no_number_are_refused(void **state) {
  (void)state;
  struct rig r;
  const char *bad[] = {"%s", "%n", "%*f", "%f%n", "x%f", "%Lf", "%"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct text source = {0};
    text_printf(&source, "%sint main(void) { char b[16]; return __hd_format_double(b, 16, \"%s\", 1.5); }\n", PRIMITIVES, bad[i]);
    rig_open(&r, text_str(&source), NULL);
    assert_int_equal(machine_status(r.machine), MACHINE_UNSUPPORTED);
    rig_close(&r);
    text_release(&source);
  }
}

static void time_moves_and_the_same_way_in_each_execution(void **state) {
  (void)state;
  expect_codes(PRIMITIVES
               "int main(void) { unsigned long a = __hd_time(); hd_choose(2); unsigned long b = __hd_time(); return b - a == 1000; }\n",
               1 << 1);
}

/* --- jumps --- */

static void longjmp_returns_from_setjmp_again(void **state) {
  (void)state;
  expect_codes(
      "#include <setjmp.h>\njmp_buf b; int n; void deep(int k) { int local[4] = {k}; if (k == 0) longjmp(b, 7); deep(k - 1); n = local[0]; "
      "}\n"
      "int main(void) { volatile int tries = 0; int v = setjmp(b); if (v == 0) deep(5); tries++; "
      "if (tries < 3) longjmp(b, 0); return v * 10 + tries + n; }\n",
      1 << 13);
}

static void longjmp_into_a_function_that_returned_is_found(void **state) {
  (void)state;
  expect_only_finding("#include <setjmp.h>\njmp_buf b; void set(void) { setjmp(b); } int main(void) { set(); longjmp(b, 1); }\n",
                      FINDING_USE_AFTER_FREE, "longjmp into a function that has returned");
  expect_only_finding("#include <setjmp.h>\njmp_buf b; int main(void) { longjmp(b, 1); }\n", FINDING_UNINITIALISED,
                      "that setjmp never filled");
}

static void longjmp_frees_the_stack_above(void **state) {
  (void)state;
  expect_only_finding(
      "#include <setjmp.h>\njmp_buf b; int *p; void inner(void) { int local = 4; p = &local; longjmp(b, 1); }\n"
      "int main(void) { if (!setjmp(b)) inner(); return *p; }\n",
      FINDING_USE_AFTER_FREE, "a local variable that no longer exists");
}

/* --- refusals --- */

static void check_refusal(const char *source, const char *message) {
  struct rig r;
  rig_open(&r, source, NULL);
  assert_int_equal(machine_status(r.machine), MACHINE_UNSUPPORTED);
  const char *said = text_str(&machine_diag(r.machine)->message);
  if (!strstr(said, message)) fail_msg("\"%s\" does not say \"%s\"", said, message);
  assert_non_null(strstr(said, "program.c:1:")); /* where */
  rig_close(&r);
}

static void refused_functions_say_why(void **state) {
  (void)state;
  check_refusal("int fork(void); int main(void) { fork(); }\n", "fork is not supported: a new process would not be explored");
  check_refusal("void frobnicate(void); int main(void) { frobnicate(); }\n", "frobnicate is called, but neither the program nor");
  check_refusal("void execv(void); void exec(void); int main(void) { exec(); }\n", "exec is called, but neither the program nor");
}

static void allowed_functions_run_on_the_host(void **state) {
  (void)state;
  const char *allowed[] = {"labs", "heddle_no_such_function", NULL};
  struct machine_options options = {.allowed = allowed};
  struct rig r;
  rig_open(&r, "long labs(long); int main(void) { long (*volatile f)(long) = labs; return f(-5) == 5; }\n", &options);
  assert_int_equal(machine_exit_code(r.machine), 1);
  rig_close(&r);
  rig_open(&r, "void heddle_no_such_function(void); int main(void) { heddle_no_such_function(); }\n", &options);
  assert_non_null(strstr(text_str(&machine_diag(r.machine)->message), "was allowed, but the host's libraries do not have it"));
  rig_close(&r);
}

static void process_may_end_before_or_after_what_its_threads_do(void **state) {
  (void)state;
  expect_finding(HEAD PRIMITIVES THREAD("f") "{ hd_assert(0); return 0; }\n"
                                             "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); __hd_exit(0); }\n",
                 FINDING_ASSERTION, "hd_assert failed");
  expect_codes(HEAD PRIMITIVES THREAD("f") "{ __atomic_store_n(&x, 1, 5); __hd_exit(2); return 0; }\n"
                                           "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); __hd_exit(x); }\n",
               1 << 0 | 1 << 1 | 1 << 2);
}

static void models_can_fail_and_refuse(void **state) {
  (void)state;
  expect_only_finding(PRIMITIVES "int main(void) { __hd_fail(\"double-free\", \"twice\"); }\n", FINDING_DOUBLE_FREE, "twice");
  expect_codes(PRIMITIVES "int main(void) { __hd_exit(260); }\n", 1 << 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_alternative_is_explored),
      cmocka_unit_test(choice_among_nothing_is_an_error),
      cmocka_unit_test(executions_with_false_assumptions_do_not_count),
      cmocka_unit_test(false_assertions_are_found),
      cmocka_unit_test(nondeterministic_values_include_the_extremes),
      cmocka_unit_test(nothing_comes_between_the_steps_of_an_atomic_section),
      cmocka_unit_test(await_blocks_until_the_value_is_there),
      cmocka_unit_test(output_is_kept_apart_and_rolled_back),
      cmocka_unit_test(files_named_by_the_user_can_be_read),
      cmocka_unit_test(numbers_are_formatted_and_parsed_as_by_the_host),
      cmocka_unit_test(formats_that_are_no_number_are_refused),
      cmocka_unit_test(time_moves_and_the_same_way_in_each_execution),
      cmocka_unit_test(longjmp_returns_from_setjmp_again),
      cmocka_unit_test(longjmp_into_a_function_that_returned_is_found),
      cmocka_unit_test(longjmp_frees_the_stack_above),
      cmocka_unit_test(refused_functions_say_why),
      cmocka_unit_test(allowed_functions_run_on_the_host),
      cmocka_unit_test(process_may_end_before_or_after_what_its_threads_do),
      cmocka_unit_test(models_can_fail_and_refuse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
