/* Schedule files: what is written can be read again, and whatever is damaged is refused with its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "report/schedule_file.h"

static void fill(struct schedule_file *f) {
  *f = (struct schedule_file){.content = 0x1234, .loop_bound = 7, .spurious = true, .alone = true, .kind = FINDING_DATA_RACE};
  uint32_t program = schedule_intern(f, "my program.c"), argument = schedule_intern(f, "a \"quoted\"\n#argument");
  *vec_push(&f->programs) = program;
  *vec_push(&f->arguments) = argument;
  *vec_push(&f->arguments) = 0;
  f->memory = schedule_intern(f, "sc");
  f->called = schedule_intern(f, "./it");
  f->message = schedule_intern(f, "x is written and read at once");
  uint32_t main_thread = schedule_intern(f, "0"), child = schedule_intern(f, "0.1");
  uint32_t file = schedule_intern(f, "dir with blank/a:b.c"), function = schedule_intern(f, "run<int, 3>");
  struct schedule_step fork = {
      .thread = main_thread, .repeat = 1, .op = EVENT_FORK, .file = file, .function = function, .line = 3, .column = 1};
  struct schedule_step read = {.thread = child, .repeat = 1, .op = EVENT_READ, .file = file, .function = function, .line = 9, .column = 12};
  read.object = 0x200000010000, read.size = 4;
  read.comment = schedule_intern(f, "reads x = 0");
  struct schedule_step signal = {.thread = child, .choice = 2, .repeat = 1, .op = EVENT_SIGNAL};
  schedule_append(f, &fork);
  for (int i = 0; i < 3; i++) schedule_append(f, &read);
  schedule_append(f, &signal);
  uint32_t name = schedule_intern(f, "the key"), bytes = schedule_intern(f, "2a0000ff");
  *vec_push(&f->data) = (struct schedule_data){.thread = child, .name = name, .bytes = bytes, .number = 3};
  schedule_append_bytes(f, 0, "in\0put\xff", 7);
  schedule_append_bytes(f, schedule_intern(f, "a file"), "bytes", 5);
  schedule_append_bytes(f, schedule_intern(f, "empty"), "", 0);
  *vec_push(&f->shared) = (struct schedule_range){0x200000010000, 4};
  *vec_push(&f->stops) = read;
  *vec_push(&f->sites) = (struct schedule_site){
      .thread = child, .role = schedule_intern(f, "waits for"), .file = file, .function = function, .line = 9, .column = 12};
}

static void written(struct text *out) {
  struct schedule_file f;
  fill(&f);
  schedule_file_text(&f, out);
  schedule_file_release(&f);
}

static void equal_consecutive_steps_are_one_entry_with_a_count(void **state) {
  (void)state;
  struct schedule_file f;
  fill(&f);
  assert_int_equal(f.steps.count, 3);
  assert_int_equal(f.steps.data[1].repeat, 3);
  assert_int_equal(schedule_steps(&f), 5);
  schedule_file_release(&f);
}

static void equal_strings_have_equal_offsets(void **state) {
  (void)state;
  struct schedule_file f = {0};
  uint32_t a = schedule_intern(&f, "one"), b = schedule_intern(&f, "two"), c = schedule_intern(&f, "one");
  assert_int_equal(a, c);
  assert_int_not_equal(a, b);
  assert_int_equal(schedule_intern(&f, ""), 0);
  assert_string_equal(schedule_string(&f, b), "two");
  schedule_file_release(&f);
}

static void a_file_that_was_written_reads_back_the_same(void **state) {
  (void)state;
  struct text first = {0}, second = {0};
  struct schedule_file f;
  struct diag d = {0};
  written(&first);
  assert_int_equal(schedule_file_parse(&f, "x.schedule", text_str(&first), first.count, &d), ERR_NONE);
  assert_int_equal(f.steps.count, 3);
  assert_int_equal(f.steps.data[1].object, 0x200000010000);
  assert_int_equal(f.steps.data[2].choice, 2);
  assert_int_equal(f.steps.data[2].file, 0);
  assert_string_equal(schedule_string(&f, f.steps.data[0].file), "dir with blank/a:b.c");
  assert_string_equal(schedule_string(&f, f.arguments.data[0]), "a \"quoted\"\n#argument");
  assert_string_equal(schedule_string(&f, f.arguments.data[1]), "");
  assert_string_equal(schedule_string(&f, f.sites.data[0].role), "waits for");
  assert_int_equal(f.data.data[0].number, 3);
  assert_string_equal(schedule_string(&f, f.data.data[0].bytes), "2a0000ff");
  assert_int_equal(f.files.count, 3);
  assert_int_equal(f.files.data[0].name, 0);
  assert_memory_equal(f.files.data[0].bytes.data, "in\0put\xff", 7);
  assert_string_equal(schedule_string(&f, f.files.data[1].name), "a file");
  assert_int_equal(f.files.data[2].bytes.count, 0);
  struct text input = {0};
  schedule_data_text(&f, &f.data.data[0], &input);
  assert_string_equal(text_str(&input), "thread 0.1: the key = 0xff00002a");
  text_release(&input);
  /* comments are for people: they do not come back */
  f.steps.data[1].comment = f.stops.data[0].comment = schedule_intern(&f, "reads x = 0");
  schedule_file_text(&f, &second);
  assert_string_equal(text_str(&first), text_str(&second));
  schedule_file_release(&f);
  text_release(&first);
  text_release(&second);
}

static void every_truncation_is_refused(void **state) {
  (void)state;
  struct text whole = {0};
  written(&whole);
  for (size_t n = 0; n + 1 < whole.count; n++) { /* without the last newline it is still whole */
    struct schedule_file f;
    struct diag d = {0};
    assert_int_equal(schedule_file_parse(&f, "x", whole.data, n, &d), ERR_FORMAT);
    assert_true(d.message.count > 0);
    assert_int_equal(f.steps.count, 0);
    diag_release(&d);
  }
  text_release(&whole);
}

/* Replaces the first `from` by `to` in a good file and expects the message. */
static void refused(const char *from, const char *to, const char *message) {
  struct text whole = {0}, changed = {0};
  written(&whole);
  char *at = strstr(whole.data, from);
  assert_non_null(at);
  text_append(&changed, whole.data, (size_t)(at - whole.data));
  text_puts(&changed, to);
  text_puts(&changed, at + strlen(from));
  struct schedule_file f;
  struct diag d = {0};
  assert_int_equal(schedule_file_parse(&f, "x", changed.data, changed.count, &d), ERR_FORMAT);
  if (!strstr(text_str(&d.message), message)) fail_msg("\"%s\" does not contain \"%s\"", text_str(&d.message), message);
  diag_release(&d);
  text_release(&whole);
  text_release(&changed);
}

static void damage_is_refused_with_its_line(void **state) {
  (void)state;
  refused("input-bytes 69", "input-bytes 6", "not bytes as hexadecimal digits");
  refused("input-bytes 69", "input-bytes x9", "not bytes as hexadecimal digits");
  refused("file-bytes \"a file\"", "file-bytes \"\"", "a file without a name");
  refused("heddle schedule 1", "heddle schedule 2", "x:1: ");
  refused("heddle schedule 1", "#!/bin/sh", "x is not a schedule");
  refused("memory sc", "memory weak", "not a memory model: \"weak\"");
  refused("found data-race", "found a-bug", "not a kind of finding: \"a-bug\"");
  refused("found data-race", "", "is missing");
  refused("2a0000ff", "2a0000f", "not bytes as hexadecimal digits");
  refused("2a0000ff", "2a0000fg", "not bytes as hexadecimal digits");
  refused("steps 5", "steps 6", "not as many steps");
  refused("steps 5", "", "a step before the line");
  refused("x3", "x0", "not a count of steps");
  refused("x3", "x99999999999", "not a count of steps");
  refused("step 0 fork", "step 0. fork", "not the name of a thread");
  refused("step 0 fork", "step 0 forks", "not an operation: \"forks\"");
  refused(":3:1", ":3", "not a place in the form");
  refused("choice=2", "choice=x", "not a choice");
  refused("shared @", "shared ", "not an object in the form");
  refused("@2000", "@g000", "not an object in the form");
  refused("spurious", "spurious yes", "something is left over");
  refused("spurious", "spurius", "not a line that a schedule has: \"spurius\"");
  refused("\\\"quoted", "\\zquoted", "wrong escape");
  refused("content 0000000000001234", "content xyz", "not a hash");
  refused("\nend\n", "\nend\nstep\n", "something follows the line \"end\"");
}

static void shows(struct schedule_file *f, uint32_t number, const char *bytes, const char *wanted) {
  struct schedule_data data = {
      .thread = schedule_intern(f, "0"), .name = schedule_intern(f, "it"), .bytes = schedule_intern(f, bytes), .number = number};
  struct text t = {0};
  schedule_data_text(f, &data, &t);
  assert_string_equal(text_str(&t), wanted);
  text_release(&t);
}

static void what_the_process_is_given_is_shown_as_text(void **state) {
  (void)state;
  struct schedule_file f = {0};
  uint32_t arguments = schedule_intern(&f, "2:3"), size = schedule_intern(&f, "8");
  *vec_push(&f.symbolic_stdin) = size;
  *vec_push(&f.symbolic_arguments) = arguments;
  shows(&f, 0, "6822410a5c00", "it = \"h\\\"A\\n\\\\\\000\"");
  shows(&f, 0, "61ff000000000000", "it = \"a\\377\" and 6 bytes 0");
  shows(&f, 1, "2d7800", "it = \"-x\"");
  shows(&f, 2, "000000", "it = \"\"");
  shows(&f, 3, "2d7800", "it = \"-x\\000\""); /* the program's own */
  shows(&f, 3, "6b657900", "it = 0x79656b (\"key\")");
  shows(&f, 3, "6b650000", "it = 0x656b"); /* a number as well as not */
  shows(&f, 3, "6b65007900000000", "it = 0x7900656b");
  schedule_file_release(&f);
}

static void an_input_reads_back_the_same_and_has_no_steps(void **state) {
  (void)state;
  struct schedule_file f;
  struct text first = {0}, second = {0};
  struct diag d = {0};
  fill(&f);
  f.is_input = f.nondet = true;
  schedule_file_text(&f, &first);
  schedule_file_release(&f);
  assert_null(strstr(text_str(&first), "steps"));
  assert_int_equal(schedule_file_parse(&f, "x.input", text_str(&first), first.count, &d), ERR_NONE);
  assert_true(f.is_input && f.nondet);
  schedule_file_text(&f, &second);
  assert_string_equal(text_str(&first), text_str(&second));
  schedule_file_release(&f);
  text_clear(&second);
  text_append(&second, first.data, first.count - 4); /* without "end" */
  text_puts(&second, "steps 0\nend\n");
  assert_int_equal(schedule_file_parse(&f, "x", text_str(&second), second.count, &d), ERR_FORMAT);
  assert_non_null(strstr(text_str(&d.message), "not a line that an input has: \"steps\""));
  diag_release(&d);
  text_release(&first);
  text_release(&second);
}

static void text_with_zero_bytes_is_refused(void **state) {
  (void)state;
  struct text whole = {0};
  written(&whole);
  whole.data[whole.count / 2] = 0;
  struct schedule_file f;
  struct diag d = {0};
  assert_int_equal(schedule_file_parse(&f, "x", whole.data, whole.count, &d), ERR_FORMAT);
  assert_string_equal(text_str(&d.message), "x is not a schedule: it is not text");
  diag_release(&d);
  text_release(&whole);
}

static int nothing_leaks(void **state) {
  (void)state;
  assert_int_equal(mem_live(), 0);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(equal_consecutive_steps_are_one_entry_with_a_count, nothing_leaks),
      cmocka_unit_test_teardown(equal_strings_have_equal_offsets, nothing_leaks),
      cmocka_unit_test_teardown(a_file_that_was_written_reads_back_the_same, nothing_leaks),
      cmocka_unit_test_teardown(every_truncation_is_refused, nothing_leaks),
      cmocka_unit_test_teardown(damage_is_refused_with_its_line, nothing_leaks),
      cmocka_unit_test_teardown(what_the_process_is_given_is_shown_as_text, nothing_leaks),
      cmocka_unit_test_teardown(an_input_reads_back_the_same_and_has_no_steps, nothing_leaks),
      cmocka_unit_test_teardown(text_with_zero_bytes_is_refused, nothing_leaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
