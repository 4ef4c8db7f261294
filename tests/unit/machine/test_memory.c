#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above */
#include <cmocka.h>
#include <string.h>

#include "machine/memory/memory.h"

static struct memory memory;

static int set_up(void **state) {
  (void)state;
  if (!memory_init(&memory)) return -1;
  memory.globals_end = GLOBALS_BASE + 256;
  memset(shadow_at(GLOBALS_BASE), SHADOW_OK, 256);
  static const uint8_t tls[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  region_begin(&memory, 0, tls, sizeof tls, 8);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  memory_release(&memory);
  return mem_live() == 0 ? 0 : -1;
}

static void write_byte(uint64_t address, uint8_t value) {
  memory_log(&memory, address, 1);
  *(uint8_t *)host_at(address) = value;
}

static uint8_t read_byte(uint64_t address) { return *(uint8_t *)host_at(address); }

static void rollback_restores_globals_and_stack_of_the_mark(void **state) {
  (void)state;
  uint64_t local = stack_alloc(&memory, 0, 40, 8);
  write_byte(GLOBALS_BASE + 3, 7);
  write_byte(local + 39, 9);
  memory_mark(&memory);
  write_byte(GLOBALS_BASE + 3, 70);
  write_byte(GLOBALS_BASE + 3, 71);
  write_byte(local + 39, 90);
  memory_rollback(&memory, 0);
  assert_int_equal(read_byte(GLOBALS_BASE + 3), 7);
  assert_int_equal(read_byte(local + 39), 9);
}

static void rollback_makes_later_stack_unaddressable(void **state) {
  (void)state;
  memory_mark(&memory);
  uint64_t local = stack_alloc(&memory, 0, 100, 64);
  assert_int_equal(local % 64, 0);
  assert_true(*shadow_at(local) & SHADOW_OK);
  assert_false(*shadow_at(local + 100) & SHADOW_OK);
  memory_rollback(&memory, 0);
  assert_false(*shadow_at(local) & SHADOW_OK);
  assert_int_equal(stack_alloc(&memory, 0, 100, 64), local);
  assert_int_equal(read_byte(local), 0);
}

static void a_frame_popped_below_the_mark_comes_back(void **state) {
  (void)state;
  uint64_t before = memory.regions[0].sp, local = stack_alloc(&memory, 0, 16, 8);
  write_byte(local, 5);
  memory_mark(&memory);
  stack_restore(&memory, 0, before);
  assert_int_equal(*shadow_at(local) & 7, POISON_DEAD_STACK);
  uint64_t again = stack_alloc(&memory, 0, 16, 8);
  assert_int_equal(again, local);
  write_byte(again, 6);
  memory_rollback(&memory, 0);
  assert_int_equal(read_byte(local), 5);
  assert_true(*shadow_at(local) & SHADOW_OK);
  assert_int_equal(memory.regions[0].sp, before + 32);
}

static void marks_are_a_stack_that_can_be_cut_anywhere(void **state) {
  (void)state;
  uint64_t before = memory.regions[0].sp, outer = stack_alloc(&memory, 0, 16, 8);
  write_byte(GLOBALS_BASE, 1), write_byte(outer, 1);
  assert_int_equal(memory_mark(&memory), 0);
  write_byte(GLOBALS_BASE, 2);
  uint64_t inner = stack_alloc(&memory, 0, 16, 8);
  write_byte(inner, 2);
  assert_int_equal(memory_mark(&memory), 1);
  uint64_t sp = memory.regions[0].sp;
  write_byte(GLOBALS_BASE, 3), write_byte(inner, 3);
  stack_restore(&memory, 0, before);
  assert_int_equal(memory_mark(&memory), 2);
  write_byte(GLOBALS_BASE, 4);
  assert_int_equal(stack_alloc(&memory, 0, 64, 8), outer);
  write_byte(outer, 4), write_byte(outer + 40, 4);
  assert_int_equal(memory_mark(&memory), 3);
  write_byte(outer + 40, 5);
  memory_rollback(&memory, 2);
  assert_int_equal(read_byte(GLOBALS_BASE), 3);
  assert_int_equal(*shadow_at(inner) & 7, POISON_DEAD_STACK);
  assert_int_equal(memory.regions[0].sp, before);
  stack_alloc(&memory, 0, 64, 8);
  write_byte(outer, 6);
  memory_rollback(&memory, 1);
  assert_int_equal(read_byte(GLOBALS_BASE), 2);
  assert_int_equal(read_byte(inner), 2);
  assert_int_equal(memory.regions[0].sp, sp);
  assert_true(*shadow_at(inner) & SHADOW_OK);
  write_byte(inner, 7);
  memory_rollback(&memory, 0);
  assert_int_equal(read_byte(GLOBALS_BASE), 1);
  assert_int_equal(read_byte(outer), 1);
  assert_false(*shadow_at(inner) & SHADOW_OK);
}

static void a_region_that_begins_behind_a_mark_is_gone_before_it(void **state) {
  (void)state;
  memory_mark(&memory);
  region_begin(&memory, 1, NULL, 0, 8);
  uint64_t local = stack_alloc(&memory, 1, 16, 8);
  write_byte(local, 1);
  memory_mark(&memory);
  write_byte(local, 2);
  memory_rollback(&memory, 1);
  assert_int_equal(read_byte(local), 1);
  assert_true(*shadow_at(local) & SHADOW_OK);
  memory_rollback(&memory, 0);
  assert_false(*shadow_at(local) & SHADOW_OK);
  assert_int_equal(memory.nactive, 1);
  region_begin(&memory, 1, NULL, 0, 8);
  assert_int_equal(stack_alloc(&memory, 1, 16, 8), local);
  assert_int_equal(read_byte(local), 0);
}

static void the_fingerprint_does_not_depend_on_marks(void **state) {
  (void)state;
  struct fingerprint prints[2];
  memory_mark(&memory);
  for (unsigned marks = 0; marks < 2; marks++) {
    memory_rollback(&memory, 0);
    write_byte(GLOBALS_BASE + 8, 1);
    uint64_t local = stack_alloc(&memory, 0, 16, 8);
    write_byte(local, 1);
    if (marks) memory_mark(&memory);
    write_byte(GLOBALS_BASE + 8, 2);
    write_byte(local, 2);
    if (marks) memory_mark(&memory);
    write_byte(GLOBALS_BASE + 8, 3);
    if (marks) memory_rollback(&memory, 2), write_byte(GLOBALS_BASE + 8, 3);
    prints[marks] = memory_fingerprint(&memory);
  }
  assert_true(fingerprint_equal(prints[0], prints[1]));
}

static void the_fingerprint_depends_on_content_not_on_history(void **state) {
  (void)state;
  memory_mark(&memory);
  struct fingerprint start = memory_fingerprint(&memory);
  assert_true(fingerprint_equal(start, (struct fingerprint){0, 0}));
  write_byte(GLOBALS_BASE + 8, 1);
  write_byte(GLOBALS_BASE + 16, 2);
  struct fingerprint one = memory_fingerprint(&memory);
  assert_false(fingerprint_equal(start, one));
  memory_rollback(&memory, 0);
  write_byte(GLOBALS_BASE + 16, 3);
  write_byte(GLOBALS_BASE + 16, 2);
  write_byte(GLOBALS_BASE + 8, 1);
  assert_true(fingerprint_equal(memory_fingerprint(&memory), one));
  write_byte(GLOBALS_BASE + 8, 0);
  write_byte(GLOBALS_BASE + 16, 0);
  assert_true(fingerprint_equal(memory_fingerprint(&memory), start));
}

/* Where states are asked for as well, it is kept up to date; else it is found anew from the log. */
static void the_fingerprint_is_kept_through_marks_and_rollbacks(void **state) {
  (void)state;
  uint64_t random = 1;
  memory_mark(&memory);
  for (unsigned i = 0; i < 20000; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    uint64_t what = random >> 33 & 63, where = random >> 40 & 31;
    if (what == 0)
      memory_rollback(&memory, where % memory.marks.count);
    else if (what == 1)
      memory_mark(&memory);
    else if (what == 2)
      memory_shadow_set(&memory, GLOBALS_BASE + 64 + where, 1, random >> 50 & 1 ? SHADOW_OK : POISON_FREED);
    else if (what < 8)
      memory_state(&memory);
    else if (what < 20) {
      struct fingerprint kept = memory_fingerprint(&memory);
      memory.print_log = 0;
      assert_true(fingerprint_equal(kept, memory_fingerprint(&memory)));
    } else
      write_byte(GLOBALS_BASE + 8 + where, (uint8_t)(random >> 50 & 3));
  }
}

static void shared_memory_stays_shared_after_rollback(void **state) {
  (void)state;
  memory_mark(&memory);
  memory_share(&memory, GLOBALS_BASE + 32, 4);
  assert_true(memory.sharing_changed);
  memory_rollback(&memory, 0);
  assert_false(memory.sharing_changed);
  assert_true(*shadow_at(GLOBALS_BASE + 32) & SHADOW_SHARED);
  assert_false(*shadow_at(GLOBALS_BASE + 40) & SHADOW_SHARED);
  uint64_t local = stack_alloc(&memory, 0, 8, 8);
  memory_share(&memory, local, 8);
  memory_rollback(&memory, 0);
  assert_int_equal(stack_alloc(&memory, 0, 8, 8), local);
  assert_true(*shadow_at(local) & SHADOW_SHARED);
}

static void a_global_is_shared_when_a_second_thread_writes_it(void **state) {
  (void)state;
  memory_mark(&memory);
  assert_false(memory_touch_global(&memory, 0, GLOBALS_BASE, 8, true));
  assert_false(memory_touch_global(&memory, 0, GLOBALS_BASE, 8, false));
  assert_true(memory_touch_global(&memory, 1, GLOBALS_BASE, 4, false));
  assert_false(memory_touch_global(&memory, 0, GLOBALS_BASE + 64, 8, false));
  assert_false(memory_touch_global(&memory, 1, GLOBALS_BASE + 64, 8, false));
  assert_false(memory_touch_global(&memory, 2, GLOBALS_BASE + 64, 8, false));
  assert_true(memory_touch_global(&memory, 2, GLOBALS_BASE + 64, 8, true));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(rollback_restores_globals_and_stack_of_the_mark),
                                     TEST(rollback_makes_later_stack_unaddressable),
                                     TEST(a_frame_popped_below_the_mark_comes_back),
                                     TEST(marks_are_a_stack_that_can_be_cut_anywhere),
                                     TEST(a_region_that_begins_behind_a_mark_is_gone_before_it),
                                     TEST(the_fingerprint_does_not_depend_on_marks),
                                     TEST(the_fingerprint_depends_on_content_not_on_history),
                                     TEST(the_fingerprint_is_kept_through_marks_and_rollbacks),
                                     TEST(shared_memory_stays_shared_after_rollback),
                                     TEST(a_global_is_shared_when_a_second_thread_writes_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
