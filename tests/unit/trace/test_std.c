/* RAPID's STD format: what is read, what reading adds, what is refused and where; and what is written is read again. */
#include "trace/std.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "trace/recorded.h"

static struct diag diag;

static enum err read_bytes(const char *text, size_t n, struct recorded *r) {
  struct recorded_stream *s;
  *r = (struct recorded){0};
  int fd = file_in_memory("std", text, n);
  assert_true(fd >= 0);
  assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
  assert_int_equal(std_open("F", fd, &s, &diag), ERR_NONE);
  enum err e = recorded_collect(s, r);
  recorded_close(s);
  return e;
}

static enum err read_text(const char *text, struct recorded *r) { return read_bytes(text, strlen(text), r); }

/* "0:fork 0:read=3 ..." */
static void expect_events(const struct recorded *r, const char *expected) {
  struct text t = {0};
  for (size_t i = 0; i < r->events.count; i++) {
    const struct event *e = &r->events.data[i];
    text_printf(&t, "%s%u.%u:%s", i ? " " : "", e->thread, e->index, recorded_op_text(e->op));
    if (e->op == EVENT_READ || e->op == EVENT_WRITE) text_printf(&t, "=%llu", (unsigned long long)e->value);
  }
  assert_string_equal(text_str(&t), expected);
  text_release(&t);
}

static int nothing_is_left(void **state) {
  (void)state;
  diag_release(&diag);
  assert_int_equal(mem_live(), 0);
  return 0;
}

static void what_the_text_leaves_out_is_added(void **state) {
  (void)state;
  struct recorded r;
  assert_int_equal(read_text("T0|fork(T2)|123\nT2|acq(L34)|120\r\nT2|w(V1.x[0])|7\nT2|acq(L34)|8\nT2|rel(L34)|130\nT2|rel(L34)|130\n\n"
                             "T0|r(V1.x[0])|a.c:5\nT0|r(y)|9\nT0|join(T2)|134",
                             &r),
                   ERR_NONE);
  expect_events(
      &r, "0.0:begin 0.1:fork 1.0:begin 1.1:acquire 1.2:write=1 1.3:release 0.2:read=1 0.3:branch 0.4:read=0 0.5:branch 1.4:end 0.6:join");
  assert_string_equal(recorded_text(&r.names, r.names.threads.data[1]), "T2");
  assert_int_equal(r.names.sites.data[r.events.data[4].site].line, 7);
  assert_string_equal(recorded_text(&r.names, r.names.sites.data[r.events.data[6].site].file), "a.c:5");
  assert_int_equal(r.events.data[4].object, r.events.data[6].object);
  assert_int_not_equal(r.events.data[8].object, r.events.data[6].object);
  assert_int_equal(r.events.data[1].object, 1);
  recorded_release(&r);
}

static void branches_and_values_of_the_file_are_all_that_there_are(void **state) {
  (void)state;
  struct recorded r;
  assert_int_equal(read_text("T0|w(x)|1|5\nT1|r(x)|2|5\nT1|branch(1)|3\nT1|r(x)|4|6\nT1|req(l)|4\nT1|begin(m)|4\nT1|end(m)|4\n", &r),
                   ERR_NONE);
  expect_events(&r, "0.0:begin 0.1:write=5 1.0:begin 1.1:read=5 1.2:branch 1.3:read=6 1.4:call 1.5:return");
  assert_int_equal(r.events.data[3].flags, 0);
  assert_int_equal(r.events.data[5].flags, RECORDED_UNORDERED);
  recorded_release(&r);
}

static void what_is_wrong_is_said_with_its_line(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } wrong[] = {
      {"T0|acq(l)|1\nT1|acq(l)|2\n", "F:2: another thread holds the lock 'l'"},
      {"T0|rel(l)|1\n", "F:1: the thread does not hold the lock 'l'"},
      {"T0|fork(T1)|1\nT1|w(x)|1\nT0|join(T1)|3\nT1|w(x)|1\n", "F:4: a thread goes on that has been joined: 'T1'"},
      {"T1|w(x)|1\nT0|fork(T1)|1\n", "F:2: the thread was there before: 'T1'"},
      {"T0|join(T0)|1\n", "F:1: a thread waits for itself: 'T0'"},
      {"T0|w(x)|1\nT0|r(x)|1|5\n", "F:2: some lines have values and others have none: 'x'"},
      {"T0|w(x)|1|a\n", "F:1: the value is no number: 'a'"},
      {"T0|w(x)|1|18446744073709551616\n", "F:1: the value is no number: '18446744073709551616'"},
      {"\n\nT0|lock(x)|1\n", "F:3: no operation: 'lock'"},
      {"T0|w x|1\n", "F:1: no event: 'T0|w x|1'"},
      {"|w(x)|1\n", "F:1: no event: '|w(x)|1'"},
      {"hello", "F:1: no event: 'hello'"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    struct recorded r;
    assert_int_equal(read_text(wrong[i].text, &r), ERR_FORMAT);
    assert_string_equal(text_str(&diag.message), wrong[i].message);
    recorded_release(&r);
  }
  struct recorded r;
  struct text longest = {0};
  text_printf(&longest, "T0|w(x)|1\nT0|w(%09000d)|2\n", 0);
  assert_int_equal(read_text(text_str(&longest), &r), ERR_FORMAT);
  assert_non_null(strstr(text_str(&diag.message), "F:2: too long a line"));
  text_release(&longest);
  recorded_release(&r);
}

/* Lines cross the borders of what is read at once. */
static void long_files_are_read_and_written_again(void **state) {
  (void)state;
  struct recorded r, again;
  struct text t = {0}, out = {0}, twice = {0};
  for (unsigned i = 0; i < 30000; i++) {
    text_printf(&t, "T%u|acq(L%u)|%u\nT%u|w(V%u)|%u\nT%u|r(V%u)|%u\nT%u|rel(L%u)|%u\n", i % 7, i % 3, i, i % 7, i % 100, i, i % 7, i % 90,
                i, i % 7, i % 3, i);
  }
  text_puts(&t, "T0|branch(1)|5");
  assert_int_equal(read_text(text_str(&t), &r), ERR_NONE);
  assert_int_equal(r.events.count, 7 + 4 * 30000 + 1);
  for (size_t i = 0; i < r.events.count; i++) assert_true(std_append(&out, &r.names, &r.events.data[i]));
  assert_int_equal(read_text(text_str(&out), &again), ERR_NONE);
  assert_int_equal(again.events.count, r.events.count);
  for (size_t i = 0; i < r.events.count; i++) {
    assert_int_equal(r.events.data[i].op, again.events.data[i].op);
    assert_int_equal(r.events.data[i].value, again.events.data[i].value);
    assert_true(std_append(&twice, &again.names, &again.events.data[i]));
  }
  recorded_release(&r);
  recorded_release(&again);
  text_release(&t), text_release(&out), text_release(&twice);
}

static void the_format_is_known_by_its_first_line(void **state) {
  (void)state;
  assert_true(std_begins("T0|w(x)|1\nrest", 14));
  assert_true(std_begins("T0|w(xyz", 8));
  assert_false(std_begins("", 0));
  assert_false(std_begins("heddle schedule 1\n", 18));
  assert_false(std_begins("a|b|c\n", 6));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(what_the_text_leaves_out_is_added, nothing_is_left),
      cmocka_unit_test_teardown(branches_and_values_of_the_file_are_all_that_there_are, nothing_is_left),
      cmocka_unit_test_teardown(what_is_wrong_is_said_with_its_line, nothing_is_left),
      cmocka_unit_test_teardown(long_files_are_read_and_written_again, nothing_is_left),
      cmocka_unit_test_teardown(the_format_is_known_by_its_first_line, nothing_is_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
