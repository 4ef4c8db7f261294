/* Control dependence on small graphs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "program/lower/analysis/control_flow.h"

/* `edges`: "0>1 0>2". The pairs are expected as "block<branch", in order, each once. */
static void expect(uint32_t n, const char *edges, const char *pairs, const char *loops) {
  struct control_graph g = {.n = n};
  struct control_flow c = {0};
  char text[512] = "", in_loop[64] = "";
  for (uint32_t b = 0; b < n; b++) {
    *vec_push(&g.first) = (uint32_t)g.succs.count;
    for (const char *at = edges; (at = strchr(at, '>')); at++)
      if ((uint32_t)(at[-1] - '0') == b) *vec_push(&g.succs) = (uint32_t)(at[1] - '0');
  }
  *vec_push(&g.first) = (uint32_t)g.succs.count;
  control_flow_find(&c, &g);
  for (uint32_t b = 0; b < n; b++) {
    for (uint32_t by = 0; by < n; by++) {
      bool there = false;
      for (size_t i = 0; i < c.pairs.count; i++) there |= c.pairs.data[i].block == b && c.pairs.data[i].branch == by;
      if (there) sprintf(text + strlen(text), "%s%u<%u", *text ? " " : "", b, by);
    }
    if (c.loops.data[b]) sprintf(in_loop + strlen(in_loop), "%u", b);
  }
  assert_string_equal(text, pairs);
  assert_string_equal(in_loop, loops);
  control_flow_release(&c);
  control_graph_release(&g);
}

static void both_ways_of_a_branch_depend_on_it_and_what_is_behind_does_not(void **state) {
  (void)state;
  expect(4, "0>1 0>2 1>3 2>3", "1<0 2<0", "");
  expect(3, "0>1 0>2 1>2", "1<0", "");
}

static void what_follows_an_early_end_depends_on_it(void **state) {
  (void)state;
  expect(4, "0>1 0>2 2>3", "1<0 2<0 3<0", ""); /* 1 ends */
}

static void a_loop_depends_on_its_condition(void **state) {
  (void)state;
  expect(4, "0>1 1>2 1>3 2>1", "1<1 2<1", "12");
  expect(3, "0>1 1>1 1>2", "1<1", "1");
  expect(5, "0>1 1>2 2>1 2>3 3>1 3>4", "1<2 1<3 2<2 2<3 3<3", "123");
}

static void branches_nest(void **state) {
  (void)state;
  expect(6, "0>1 0>5 1>2 1>3 2>4 3>4 4>5", "1<0 2<1 3<1 4<0", "");
}

static void a_loop_without_end_has_one(void **state) {
  (void)state;
  expect(4, "0>1 0>3 1>2 2>1", "1<0 1<2 2<0 2<2 3<0", "12"); /* as if it could end at 2 */
  expect(2, "0>1 1>0", "0<1 1<1", "01");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_ways_of_a_branch_depend_on_it_and_what_is_behind_does_not),
      cmocka_unit_test(what_follows_an_early_end_depends_on_it),
      cmocka_unit_test(a_loop_depends_on_its_condition),
      cmocka_unit_test(branches_nest),
      cmocka_unit_test(a_loop_without_end_has_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
