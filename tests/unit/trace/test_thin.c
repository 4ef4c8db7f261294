/* What is left out of a recorded run, and what is not. Random runs: tests/differential/recorded --thin. */
#include "../../differential/thinned.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static struct recorded run;

static void add(uint32_t thread, unsigned op, uint64_t object, uint64_t size, uint64_t value) {
  uint32_t place = (uint32_t)run.events.count;
  *vec_push(&run.events) = (struct event){
      .op = (uint8_t)op, .thread = thread, .index = place, .site = place + 1, .object = object, .size = size, .value = value};
}

/* Leaves out of the events that were added: those that stay, as digits. */
static const char *left(void) {
  static char text[64];
  size_t n = 0;
  assert_true(thinned(&run) != UINT64_MAX);
  for (size_t i = 0; i < run.events.count; i++) n += (size_t)snprintf(text + n, sizeof text - n, "%u", run.events.data[i].index);
  vec_release(&run.events);
  return n ? text : "";
}

static void memory_of_one_thread_is_left_out(void **unused) {
  (void)unused;
  add(0, EVENT_WRITE, 0x1000, 4, 1);
  add(0, EVENT_READ, 0x1000, 4, 1);
  add(0, RECORDED_BRANCH, 0, 0, 1);
  add(0, EVENT_WRITE, 0x1008, 8, 1);
  add(1, EVENT_READ, 0x1008, 8, 1);
  add(1, RECORDED_BRANCH, 0, 0, 1);
  add(1, RECORDED_BRANCH, 0, 0, 1);
  assert_string_equal(left(), "2345"); /* a thread may be created with what its first branch depends on */
}

static void memory_that_nobody_writes_is_left_out(void **unused) {
  (void)unused;
  add(0, EVENT_READ, 0x1000, 4, 1);
  add(1, EVENT_READ, 0x1000, 4, 1);
  assert_string_equal(left(), "");
}

static void who_frees_touches(void **unused) {
  (void)unused;
  add(0, EVENT_ALLOC, 0x1000, 0x3000, 0);
  add(0, EVENT_WRITE, 0x2000, 4, 1);
  add(0, EVENT_WRITE, 0x9000, 4, 1);
  add(1, EVENT_FREE, 0x1000, 0x3000, 0);
  assert_string_equal(left(), "013");
}

/* Or the read of both would not return what was written. */
static void granules_that_are_accessed_together_stay_together(void **unused) {
  (void)unused;
  add(0, EVENT_WRITE, 0x1000, 8, 0);
  add(0, EVENT_READ, 0x1004, 8, 0);
  add(0, EVENT_WRITE, 0x1000, 8, 1ull << 32);
  add(0, EVENT_READ, 0x1004, 8, 1);
  add(0, EVENT_WRITE, 0x1008, 8, 0);
  add(1, EVENT_WRITE, 0x1008, 8, 0);
  assert_string_equal(left(), "012345");
}

static void what_forks_and_joins_order_is_left_out(void **unused) {
  (void)unused;
  add(0, EVENT_ALLOC, 0x1000, 0x1000, 0);
  add(0, EVENT_WRITE, 0x1000, 8, 1);
  add(0, EVENT_FORK, 1, 0, 0);
  add(1, EVENT_BEGIN, 0, 0, 0);
  add(1, EVENT_READ, 0x1000, 8, 1);
  add(1, EVENT_WRITE, 0x1000, 8, 2);
  add(1, EVENT_END, 0, 0, 0);
  add(0, EVENT_JOIN, 1, 0, 0);
  add(0, EVENT_FREE, 0x1000, 0x1000, 0);
  assert_string_equal(left(), "023678");
}

/* It may depend on what was read elsewhere. */
static void what_they_hand_over_stays(void **unused) {
  (void)unused;
  add(0, EVENT_FORK, 1, 0, 0);
  add(1, EVENT_WRITE, 0x1000, 8, 2);
  add(1, EVENT_END, 0, 0, 0);
  add(0, EVENT_JOIN, 1, 0, 0);
  add(0, EVENT_READ, 0x1000, 8, 2);
  add(0, EVENT_WRITE, 0x2000, 8, 3);
  add(0, EVENT_FORK, 2, 0, 0);
  add(2, EVENT_READ, 0x2000, 8, 3);
  assert_string_equal(left(), "01234567");
}

/* The children are in no order, nor is the parent with one of them between its fork and its join. */
static void what_they_do_not_order_stays(void **unused) {
  (void)unused;
  add(0, EVENT_FORK, 1, 0, 0);
  add(0, EVENT_FORK, 2, 0, 0);
  add(0, EVENT_WRITE, 0x1000, 8, 1);
  add(1, EVENT_READ, 0x1000, 8, 1);
  add(1, EVENT_WRITE, 0x2000, 8, 1);
  add(2, EVENT_READ, 0x2000, 8, 1);
  add(0, EVENT_JOIN, 1, 0, 0);
  add(0, EVENT_JOIN, 2, 0, 0);
  assert_string_equal(left(), "01234567");
}

/* Through a thread between them; and not if the join gave up. */
static void orders_go_on_through_others(void **unused) {
  (void)unused;
  add(0, EVENT_WRITE, 0x1000, 8, 1);
  add(0, EVENT_FORK, 1, 0, 0);
  add(1, EVENT_FORK, 2, 0, 0);
  add(2, EVENT_WRITE, 0x1000, 8, 2);
  add(2, EVENT_WRITE, 0x2000, 8, 2);
  add(2, EVENT_END, 0, 0, 0);
  add(1, EVENT_JOIN, 2, 0, 0);
  add(1, EVENT_END, 0, 0, 0);
  run.events.data[run.events.count - 2].flags = EVENT_TIMED_OUT;
  add(0, EVENT_JOIN, 1, 0, 0);
  add(0, EVENT_READ, 0x2000, 8, 2);
  assert_string_equal(left(), "12456789");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_of_one_thread_is_left_out),
      cmocka_unit_test(memory_that_nobody_writes_is_left_out),
      cmocka_unit_test(who_frees_touches),
      cmocka_unit_test(granules_that_are_accessed_together_stay_together),
      cmocka_unit_test(what_forks_and_joins_order_is_left_out),
      cmocka_unit_test(what_they_hand_over_stays),
      cmocka_unit_test(what_they_do_not_order_stays),
      cmocka_unit_test(orders_go_on_through_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
