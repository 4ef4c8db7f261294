/* Options: values, lists, compiler flags, arguments, and what is wrong with a command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "cli/options.h"

#define ARGUMENTS(...) (char *[]){__VA_ARGS__}, (int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *))

static void parse(struct options *o, enum command_bit command, char **argv, int argc) {
  struct diag d = {0};
  assert_int_equal(options_parse(o, command, argc, argv, &d), ERR_NONE);
  assert_int_equal(d.message.count, 0);
}

static void refused(enum command_bit command, char **argv, int argc, const char *message, const char *hint) {
  struct options o;
  struct diag d = {0};
  assert_int_equal(options_parse(&o, command, argc, argv, &d), ERR_USAGE);
  assert_string_equal(text_str(&d.message), message);
  assert_string_equal(text_str(&d.hint), hint);
  options_release(&o);
  diag_release(&d);
}

static void options_that_are_not_given_have_their_defaults(void **state) {
  (void)state;
  struct options o;
  parse(&o, CHECK, ARGUMENTS("a.c"));
  assert_string_equal(o.memory, "sc");
  assert_null(o.strategy);
  assert_int_equal(o.bound, UINT64_MAX);
  assert_int_equal(o.jobs, 1);
  assert_false(o.json);
  assert_int_equal(o.programs.count, 1);
  assert_string_equal(o.programs.data[0], "a.c");
  options_release(&o);
}

static void values_are_attached_or_the_next_word(void **state) {
  (void)state;
  struct options o;
  parse(&o, CHECK, ARGUMENTS("--memory=tso", "--bound", "3", "-j", "2", "-oout", "--time=1.5", "--json", "x.c"));
  assert_string_equal(o.memory, "tso");
  assert_int_equal(o.bound, 3);
  assert_int_equal(o.jobs, 2);
  assert_string_equal(o.schedule, "out");
  assert_true(o.time > 1.49 && o.time < 1.51);
  assert_true(o.json);
  options_release(&o);
}

static void repeated_options_collect_and_compiler_flags_are_passed_on(void **state) {
  (void)state;
  struct options o;
  parse(&o, CHECK, ARGUMENTS("--allow", "sin", "--allow=cos", "-O1", "-I", "inc", "-DX=1", "-std=c11", "x.c", "y.c"));
  assert_int_equal(o.allowed.count, 2);
  assert_string_equal(o.allowed.data[1], "cos");
  assert_int_equal(o.flags.count, 5);
  assert_string_equal(o.flags.data[1], "-I");
  assert_string_equal(o.flags.data[2], "inc");
  assert_string_equal(o.flags.data[4], "-std=c11");
  assert_int_equal(o.programs.count, 2);
  options_release(&o);
}

static void words_behind_two_dashes_are_the_programs_arguments(void **state) {
  (void)state;
  struct options o;
  parse(&o, EXEC, ARGUMENTS("x.c", "--", "--json", "--", "-O1"));
  assert_int_equal(o.arguments.count, 3);
  assert_string_equal(o.arguments.data[0], "--json");
  assert_int_equal(o.programs.count, 1);
  assert_int_equal(o.flags.count, 0);
  options_release(&o);
}

static void a_wrong_option_is_refused_with_the_nearest(void **state) {
  (void)state;
  refused(CHECK, ARGUMENTS("--stratgy=dpor"), "there is no option --stratgy", "did you mean --strategy?");
  refused(CHECK, ARGUMENTS("-json"), "there is no option -json", "did you mean --json?");
  refused(CHECK, ARGUMENTS("--zzzzzzzzzzzz"), "there is no option --zzzzzzzzzzzz", "");
  refused(REPLAY, ARGUMENTS("--strategy=dpor"), "there is no option --strategy", "");
  refused(REPLAY, ARGUMENTS("-O1"), "there is no option -O1", "");
}

static void a_wrong_value_is_refused(void **state) {
  (void)state;
  refused(CHECK, ARGUMENTS("--bound=x"), "--bound takes a number, not \"x\"", "");
  refused(CHECK, ARGUMENTS("--bound=-1"), "--bound takes a number, not \"-1\"", "");
  refused(CHECK, ARGUMENTS("--bound=99999999999999999999999"), "--bound takes a number, not \"99999999999999999999999\"", "");
  refused(CHECK, ARGUMENTS("--time=0"), "--time takes a number of seconds above 0, not \"0\"", "");
  refused(CHECK, ARGUMENTS("--time=nan"), "--time takes a number of seconds above 0, not \"nan\"", "");
  refused(CHECK, ARGUMENTS("--json=1"), "--json takes no value", "");
  refused(CHECK, ARGUMENTS("--seed"), "--seed needs a value: N", "");
  refused(CHECK, ARGUMENTS("-I"), "-I needs a value", "");
}

static void help_has_a_line_for_each_option_of_the_command(void **state) {
  (void)state;
  struct text names = {0}, help = {0};
  options_names(CHECK, &names);
  options_help(CHECK, &help);
  size_t n = 0;
  for (const char *line = text_str(&names); *line; n++) {
    size_t length = strcspn(line, "\n");
    const char *name = strstr(line, "--");
    char word[64] = {0};
    memcpy(word, name, length - (size_t)(name - line));
    assert_non_null(strstr(text_str(&help), word));
    line += length + 1;
  }
  assert_true(n > 20);
  assert_null(strstr(text_str(&names), "--step\n"));
  text_release(&names);
  text_release(&help);
}

static int nothing_leaks(void **state) {
  (void)state;
  assert_int_equal(mem_live(), 0);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(options_that_are_not_given_have_their_defaults, nothing_leaks),
      cmocka_unit_test_teardown(values_are_attached_or_the_next_word, nothing_leaks),
      cmocka_unit_test_teardown(repeated_options_collect_and_compiler_flags_are_passed_on, nothing_leaks),
      cmocka_unit_test_teardown(words_behind_two_dashes_are_the_programs_arguments, nothing_leaks),
      cmocka_unit_test_teardown(a_wrong_option_is_refused_with_the_nearest, nothing_leaks),
      cmocka_unit_test_teardown(a_wrong_value_is_refused, nothing_leaks),
      cmocka_unit_test_teardown(help_has_a_line_for_each_option_of_the_command, nothing_leaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
