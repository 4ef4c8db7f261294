/* The set of nodes that may have threads left, against a plain array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "strategy/maximal/open_nodes.h"

#define MOST 20000u

static uint32_t next_plain(const bool *open, uint32_t from, uint32_t count) {
  while (from < count && !open[from]) from++;
  return from;
}

static void nodes_are_found_as_by_looking_at_each(void **state) {
  (void)state;
  static bool open[MOST];
  struct open_nodes o = {0};
  uint32_t count = 0;
  srand(7);
  for (uint32_t i = 0; i < 200000; i++) {
    uint32_t what = (uint32_t)rand() % 100, index = count ? (uint32_t)rand() % count : 0;
    if (what < 60 && count < MOST) {
      open[count] = rand() % 50 == 0;
      open_nodes_put(&o, count, open[count]);
      count++;
    } else if (what < 80 && count) {
      open[index] = false;
      open_nodes_remove(&o, index);
    } else if (what == 80) {
      count = index; /* popped */
    } else {
      assert_int_equal(open_nodes_next(&o, index, count), next_plain(open, index, count));
    }
  }
  open_nodes_release(&o);
}

static void no_nodes_are_none(void **state) {
  (void)state;
  struct open_nodes o = {0};
  assert_int_equal(open_nodes_next(&o, 0, 0), 0);
  open_nodes_put(&o, 0, true);
  open_nodes_remove(&o, 0);
  assert_int_equal(open_nodes_next(&o, 0, 1), 1);
  open_nodes_put(&o, 0, true);
  assert_int_equal(open_nodes_next(&o, 0, 1), 0);
  open_nodes_release(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nodes_are_found_as_by_looking_at_each),
      cmocka_unit_test(no_nodes_are_none),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return failed ? failed : mem_live() != 0;
}
