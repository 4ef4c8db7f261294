/* Findings that were told are known again, however many there are. */
#include "report/told.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MANY = 200000 };

static uint64_t key_of(uint64_t i) { return (i * 0x9e3779b97f4a7c15ull) & ~(uint64_t)TOLD_FLAGS; }

static void many_are_known_again(void **state) {
  (void)state;
  for (uint64_t i = 1; i <= MANY; i++) {
    assert_int_equal(told_find(key_of(i)), 0);
    assert_true(told_room());
    told_add(key_of(i), i % 3 ? 0 : TOLD_SUPPRESSED);
  }
  for (uint64_t i = 1; i <= MANY; i++) assert_int_equal(told_find(key_of(i)), key_of(i) | TOLD | (i % 3 ? 0 : TOLD_SUPPRESSED));
  assert_int_equal(told_find(key_of(MANY + 1)), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(many_are_known_again)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
