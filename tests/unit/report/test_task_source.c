/* Where statements, full expressions and calls begin: a "@" in a text is asked about; "`" is where its statement begins, "$" its expression
 * if that is elsewhere. The marks are taken out before the text is read. */
#include "report/task_source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "report/place.h"

static struct task_source source;
static char path[] = "/tmp/heddle-task-source-XXXXXX";

static void read_text(const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  struct diag d = {0};
  assert_int_equal(task_source_read(&source, path, &d), ERR_NONE);
}

static void expect(const char *marked, enum statement_kind kind) {
  char text[1000];
  size_t n = 0, asked = 0, begin = SIZE_MAX, expression = SIZE_MAX;
  for (const char *at = marked; *at; at++) {
    if (*at == '@')
      asked = n;
    else if (*at == '`')
      begin = n;
    else if (*at == '$')
      expression = n;
    else
      text[n++] = *at;
  }
  text[n] = 0;
  if (expression == SIZE_MAX) expression = begin;
  read_text(text);
  struct statement s = task_source_statement(&source, asked);
  struct spot b = task_source_spot(&source, begin), e = task_source_spot(&source, expression);
  if (s.begin.line != b.line || s.begin.column != b.column || s.expression.line != e.line || s.expression.column != e.column)
    fail_msg("%s: statement at %u:%u, expression at %u:%u", marked, s.begin.line, s.begin.column, s.expression.line, s.expression.column);
  assert_int_equal(s.kind, kind);
  task_source_release(&source);
}

static void statements_begin_where_the_last_one_ends(void **state) {
  (void)state;
  expect("int f(void) { a = 1; `b @= 2; c = 3; }", STATEMENT_PLAIN);
  expect("int f(void) { `int x @= g(), y = 2; }", STATEMENT_PLAIN);
  expect("int f(void) { if (x) { y(); } `z@(1, 2); }", STATEMENT_PLAIN);
  expect("int f(void) {\n  /* ; */ `x[\";{\"[0]] // ;\n  @= 3;\n}", STATEMENT_PLAIN);
  expect("int f(void) { int a[] = { 1, 2 }; `a@[0] = 1; }", STATEMENT_PLAIN);
  expect("int f(void) { `x = g((struct s){ 1, @h() }); }", STATEMENT_PLAIN);
  expect("int f(void) { struct s { int a; } s; `s@.a = 1; }", STATEMENT_PLAIN);
  expect("int f(void) { x = ({ y(); `z@(); 3; }); }", STATEMENT_PLAIN);
  expect("int f(void) { `x = ({ y(); z(); 3; }) @+ u; }", STATEMENT_PLAIN);
  expect("struct s { int a; };\nint f(void)\n#define X {;\n{ `@g(';'); }", STATEMENT_PLAIN);
}

static void bodies_are_statements(void **state) {
  (void)state;
  expect("int f(void) { if (x) `y@(); else z(); }", STATEMENT_PLAIN);
  expect("int f(void) { if (x) y(); else `z@(); }", STATEMENT_PLAIN);
  expect("int f(void) { do `y@(); while (x); }", STATEMENT_PLAIN);
  expect("int f(void) { while (x) `y@(); }", STATEMENT_PLAIN);
  expect("int f(void) { for (;;) `y@(); }", STATEMENT_PLAIN);
  expect("int f(void) { again: `y@(); goto again; }", STATEMENT_PLAIN);
  expect("int f(void) { switch (x) { case A + 1: `y@(); default: z(); } }", STATEMENT_PLAIN);
  expect("int f(void) { switch (x) { default: `z@(); } }", STATEMENT_PLAIN);
  expect("int f(void) { `x = y ? z : @u(); }", STATEMENT_PLAIN);
}

static void heads_are_expressions_of_their_own(void **state) {
  (void)state;
  expect("int f(void) { `if ($g(x) == @y) z(); }", STATEMENT_CONTROL);
  expect("int f(void) { if (a) b(); else `if ($x @== 1) c(); }", STATEMENT_CONTROL);
  expect("int f(void) { `switch ($x@(3)) { } }", STATEMENT_CONTROL);
  expect("int f(void) { a(); `while ($x @== 1) c(); }", STATEMENT_LOOP);
  expect("int f(void) { `for ($int i = @g(); i < 3; i++) c(); }", STATEMENT_LOOP);
  expect("int f(void) { `for (int i = 0; $i < @n; i++) c(); }", STATEMENT_LOOP);
  expect("int f(void) { `for (int i = 0; i < n; $@i++) c(); }", STATEMENT_LOOP);
}

static void a_call_has_the_brackets_of_its_arguments(void **state) {
  (void)state;
  read_text("x = f /* ( */ (\")\", (1),\n ')', g());");
  struct spot open, close;
  assert_true(task_source_call(&source, 4, &open, &close));
  assert_int_equal(open.line, 1);
  assert_int_equal(open.column, 15);
  assert_int_equal(close.line, 2);
  assert_int_equal(close.column, 10);
  assert_false(task_source_call(&source, 0, &open, &close));
  task_source_release(&source);
  read_text("f(1");
  assert_false(task_source_call(&source, 0, &open, &close));
  task_source_release(&source);
}

static void lines_are_those_of_the_file(void **state) {
  (void)state;
  read_text("# 1 \"a.c\"\n# 1 \"b.h\" 1\nint b;\n# 2 \"a.c\" 2\nint a;\n#line 7 \"./a.c\"\nint c;");
  size_t offset;
  struct place place = {.file = "/home/a.c", .function = "", .line = 2, .column = 5};
  assert_true(task_source_find(&source, &place, NULL, &offset));
  assert_int_equal(source.content.data[offset], 'a');
  place.line = 7;
  assert_true(task_source_find(&source, &place, "c", &offset));
  assert_int_equal(source.content.data[offset], 'c');
  place = (struct place){.file = "/home/b.h", .function = "", .line = 1, .column = 5};
  assert_true(task_source_find(&source, &place, NULL, &offset));
  assert_int_equal(source.content.data[offset], 'b');
  place.file = "/home/bb.h";
  assert_false(task_source_find(&source, &place, NULL, &offset));
  task_source_release(&source);
}

static int begin(void **state) {
  (void)state;
  int fd = mkstemp(path);
  if (fd >= 0) close(fd);
  return fd < 0;
}

static int end(void **state) {
  (void)state;
  return unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(statements_begin_where_the_last_one_ends),
      cmocka_unit_test(bodies_are_statements),
      cmocka_unit_test(heads_are_expressions_of_their_own),
      cmocka_unit_test(a_call_has_the_brackets_of_its_arguments),
      cmocka_unit_test(lines_are_those_of_the_file),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
