/* What the text of a program says about dependencies: the graph that the loader puts into the image. Lines of small programs stand for
 * their events: each has one, or none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "rig.h"

#define LINES 64u

/* Marks all nodes that the node leads to. */
static void mark(const struct image *im, bool *seen, uint32_t node) {
  if (seen[node]) return;
  seen[node] = true;
  for (uint32_t k = im->depend_first[node]; k < im->depend_first[node + 1]; k++) mark(im, seen, im->depend_edges[k]);
}

/* The lines of the reads that were marked, as "2 5"; "all" if it is everything. */
static void put_lines(const struct image *im, const bool *seen, char *out) {
  bool lines[LINES] = {0};
  *out = 0;
  for (uint32_t s = 0; s < im->nsites; s++) {
    uint32_t read = im->depend_sites[s].read;
    if (read != DEPEND_NONE && seen[read] && im->sites[s].line < LINES) lines[im->sites[s].line] = true;
  }
  for (unsigned i = 1; i < LINES; i++)
    if (lines[i]) sprintf(out + strlen(out), "%s%u", *out ? " " : "", i);
  if (seen[DEPEND_ALL]) strcpy(out, "all");
}

static void expect_line(const struct image *im, unsigned line, const char *control, const char *values) {
  uint32_t nodes = im->ndepend_first - 1;
  bool *decides = mem_alloc(nodes), *written = mem_alloc(nodes);
  char text[256];
  for (uint32_t s = 0; s < im->nsites; s++) {
    if (im->sites[s].line != line || im->sites[s].file == 0) continue;
    mark(im, decides, im->depend_sites[s].control);
    mark(im, written, im->depend_sites[s].value);
  }
  put_lines(im, decides, text);
  if (strcmp(text, control) != 0) fail_msg("line %u happens by \"%s\", not \"%s\"", line, text, control);
  put_lines(im, written, text);
  if (strcmp(text, values) != 0) fail_msg("line %u writes \"%s\", not \"%s\"", line, text, values);
  mem_free(decides, nodes);
  mem_free(written, nodes);
}

/* `body`: what thread f does; its first line is line 1, or the first of `functions` if there are any. The line's event is expected to
 * depend on the reads of the lines `control`, and its written value on those of `values`. */
static void expect(const char *functions, const char *body, unsigned line, const char *control, const char *values) {
  char source[4096];
  struct rig r;
  snprintf(source, sizeof source,
           HEAD
           "#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\nint z, a[4];\n"
           "#line 1\n%s" THREAD("f") "{ %s\nreturn 0; }\n" RUN_F(""),
           functions, body);
  rig_open(&r, source, NULL);
  expect_line(&r.image, line, control, values);
  rig_close(&r);
}

static void written_values_depend_on_what_they_are_computed_from(void **state) {
  (void)state;
  const char *body = "int v =\n x;\n int u =\n y;\n z = v * 2;\n z = u + v;";
  expect("", body, 5, "", "2");
  expect("", body, 6, "", "2 4");
  expect("", body, 4, "", ""); /* a read depends on no other one */
}

static void what_a_branch_decides_depends_on_its_condition(void **state) {
  (void)state;
  const char *body = "if (\n x) {\n z = 1;\n }\n y = 2;";
  expect("", body, 3, "2", "");
  expect("", body, 5, "", ""); /* both ways lead there */
  const char *both = "int v;\n if (\n x)\n v =\n y;\n else\n v =\n a[0];\n z = v;";
  expect("", both, 5, "3", "");
  expect("", both, 9, "", "3 5 8");
  expect("", "switch (\n x) {\n case 1:\n z = 1; break;\n default:\n y = 1; }\n a[1] = 1;", 6, "2", "");
}

static void conditions_may_be_nested_and_joined(void **state) {
  (void)state;
  const char *body = "if (\n x &&\n y) {\n if (\n z)\n a[0] = 1;\n a[1] = 1; }\n a[2] = 1;";
  expect("", body, 6, "2 3 5", "");
  expect("", body, 7, "2 3", "");
  expect("", body, 8, "", "");
}

static void a_choice_of_values_depends_on_what_chooses(void **state) {
  (void)state;
  expect("", "int v =\n x;\n int u =\n y;\n z = v ? u : 3;", 5, "", "2 4");
}

static void an_access_depends_on_its_address(void **state) {
  (void)state;
  const char *body = "int i =\n x;\n a[i] = 1;\n z = 1;";
  expect("", body, 3, "2", "");
  expect("", body, 4, "2", ""); /* the access before could have failed */
}

static void arguments_and_results_are_followed_into_functions(void **state) {
  (void)state;
  const char *functions =
      "__attribute__((noinline)) int first(int p, int q) {\n return p + 1; }\n"
      "__attribute__((noinline)) void put(int p) {\n z = p; }\n"
      "__attribute__((noinline)) int get(void) {\n return y; }\n";
  expect(functions, "int v =\n x; int u =\n a[1];\n z = first(v, u);", 10, "", "8");
  expect(functions, "int v =\n x;\n put(v);", 4, "", "8");
  expect(functions, "a[0] = get();", 7, "", "6");
  expect(functions, "int v =\n get();\n a[0] = v;", 9, "", "6");
}

static void what_is_called_depends_on_why_it_is(void **state) {
  (void)state;
  const char *functions = "__attribute__((noinline)) void put(void) {\n z = 1; }\n";
  expect(functions, "if (\n x)\n put();\n y = 1;", 2, "4", "");
  expect(functions, "if (\n x)\n put();\n y = 1;", 6, "", "");
  const char *table = "static void one(void) {\n z = 1; }\n void (*pointer[2])(void) = {one, one};\n";
  expect(table, "int i =\n x;\n pointer[i]();", 2, "5 6", "");
}

static void what_may_end_the_execution_decides_about_the_rest(void **state) {
  (void)state;
  expect("", "if (\n x) abort();\n z = 1;", 3, "2", "");
  const char *functions = "__attribute__((noinline)) void check(int p) {\n if (p) abort(); }\n";
  expect(functions, "check(\n x);\n z = 1;", 5, "4", "");
  expect("", "int v =\n x;\n z = 5 / v;\n y = 1;", 4, "2", "");
}

static void loops_decide_by_when_they_end(void **state) {
  (void)state;
  const char *counted = "for (int i = 0; i < 3; i++) {\n z =\n x; }\n y = 1;";
  expect("", counted, 2, "", "3");
  expect("", counted, 4, "", "");
  const char *asked = "while (\n x) {\n if (\n y) continue;\n z = 1; }\n a[1] = 1;";
  expect("", asked, 5, "2 4", "");
  expect("", asked, 6, "2", "");
  expect("", "int s = 0; for (int i = 0; i < 3; i++)\n s +=\n x;\n z = s;", 4, "", "3");
}

static void memory_carries_what_is_stored_there(void **state) {
  (void)state;
  const char *functions = "__attribute__((noinline)) int at(int *p, int i) {\n return p[i]; }\n";
  expect(functions, "int b[2], c[2]; b[1] =\n x; c[1] =\n y;\n z = at(b, 1);", 6, "", "2 4");
  expect("", "int *p = malloc(8), *q = malloc(8); p[0] =\n x; q[0] =\n y;\n z =\n p[0];", 4, "", "2 5");
  expect("", "struct s { int v, w; } s, t; s.v =\n x; s.w = 1;\n memcpy(&t, &s, sizeof t); z =\n t.w + t.v;", 3, "", "2");
}

static void an_atomic_read_is_seen_and_carries_nothing_further(void **state) {
  (void)state;
  expect("_Atomic int c;\n", "int v =\n x; c = v;\n int u =\n c;\n z = u;", 6, "", "5");
}

static void an_exchange_depends_on_what_it_expects(void **state) {
  (void)state;
  const char *body = "int e =\n x; int n =\n y;\n __atomic_compare_exchange_n(&z, &e, n, 0, 0, 0);";
  expect("", body, 4, "2", "3");
}

static void what_a_lock_is_depends_on_where_it_was_found(void **state) {
  (void)state;
  expect("pthread_mutex_t m[2];\n", "int i =\n x;\n pthread_mutex_lock(&m[i]);\n z = 1;", 4, "3", "");
  expect("pthread_mutex_t m[2];\n", "int i =\n x;\n pthread_mutex_lock(&m[i]);\n z = 1;", 5, "3", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(written_values_depend_on_what_they_are_computed_from),
      cmocka_unit_test(what_a_branch_decides_depends_on_its_condition),
      cmocka_unit_test(conditions_may_be_nested_and_joined),
      cmocka_unit_test(a_choice_of_values_depends_on_what_chooses),
      cmocka_unit_test(an_access_depends_on_its_address),
      cmocka_unit_test(arguments_and_results_are_followed_into_functions),
      cmocka_unit_test(what_is_called_depends_on_why_it_is),
      cmocka_unit_test(what_may_end_the_execution_decides_about_the_rest),
      cmocka_unit_test(loops_decide_by_when_they_end),
      cmocka_unit_test(memory_carries_what_is_stored_there),
      cmocka_unit_test(an_atomic_read_is_seen_and_carries_nothing_further),
      cmocka_unit_test(an_exchange_depends_on_what_it_expects),
      cmocka_unit_test(what_a_lock_is_depends_on_where_it_was_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
