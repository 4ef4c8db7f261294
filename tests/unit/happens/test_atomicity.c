/* Which accesses violate the atomicity of a section: three accesses in all ways, against the definition; and what a section is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "../leaks.h"
#include "happens/atomicity.h"

enum { LOCK = 0x100, OTHER = 0x200, X = 0x1000 };

/* Sites are counted from 1 on, so all of them differ. */
static uint32_t found(const struct event *events, uint32_t n, struct atomicity_triple *first) {
  struct event trace[16];
  struct atomicity a = {0};
  assert_true(n <= 16);
  for (uint32_t i = 0; i < n; i++) trace[i] = events[i], trace[i].site = i + 1;
  atomicity_find(&a, trace, n);
  atomicity_find(&a, trace, n); /* nothing is left of an earlier trace */
  uint32_t count = (uint32_t)a.found.count;
  if (count && first) *first = a.found.data[0];
  atomicity_release(&a);
  return count;
}

#define TAKE(t, l) \
  { .op = EVENT_ACQUIRE, .thread = t, .object = l }
#define GIVE(t, l) \
  { .op = EVENT_RELEASE, .thread = t, .object = l }
#define ACCESS(t, o, at, bytes) \
  { .op = o, .thread = t, .object = at, .size = bytes }
#define N(events) (sizeof(events) / sizeof *(events))

/* Three accesses of one word: with the second before both others (1) or behind them (2), are all reads and the last write as they were? */
static bool is_serial(const uint8_t *ops, unsigned place) {
  static const unsigned orders[3][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}};
  unsigned last[2] = {3, 3}, from[2][3] = {{3, 3, 3}, {3, 3, 3}}; /* who wrote what is there, and what is read; 3: it was there */
  for (unsigned k = 0; k < 2; k++)
    for (unsigned i = 0; i < 3; i++) {
      unsigned e = orders[k ? place : 0][i];
      if (ops[e] != EVENT_WRITE) from[k][e] = last[k];
      if (ops[e] != EVENT_READ) last[k] = e;
    }
  return last[0] == last[1] && memcmp(from[0], from[1], sizeof from[0]) == 0;
}

static void what_no_serial_order_explains_is_found(void **state) {
  static const uint8_t kinds[3] = {EVENT_READ, EVENT_WRITE, EVENT_RMW};
  uint32_t violations = 0;
  (void)state;
  for (unsigned i = 0; i < 27; i++) {
    const uint8_t ops[3] = {kinds[i % 3], kinds[i / 3 % 3], kinds[i / 9]};
    const struct event e[] = {TAKE(1, LOCK), ACCESS(1, ops[0], X, 4), ACCESS(2, ops[1], X, 4), ACCESS(1, ops[2], X, 4)};
    struct atomicity_triple t = {0};
    bool serial = is_serial(ops, 1) || is_serial(ops, 2);
    assert_int_equal(found(e, N(e), &t), !serial);
    violations += !serial;
    if (!serial) assert_true(t.first == 1 && t.between == 2 && t.last == 3);
  }
  assert_true(violations > 0 && violations < 27);
}

static void a_section_holds_one_lock_all_the_time(void **state) {
  (void)state;
  const struct event none[] = {ACCESS(1, EVENT_READ, X, 4), ACCESS(2, EVENT_WRITE, X, 4), ACCESS(1, EVENT_WRITE, X, 4)};
  const struct event late[] = {ACCESS(1, EVENT_READ, X, 4), TAKE(1, LOCK), ACCESS(2, EVENT_WRITE, X, 4), ACCESS(1, EVENT_WRITE, X, 4)};
  const struct event two[] = {TAKE(1, LOCK), ACCESS(1, EVENT_READ, X, 4),  GIVE(1, LOCK),
                              TAKE(1, LOCK), ACCESS(2, EVENT_WRITE, X, 4), ACCESS(1, EVENT_WRITE, X, 4)};
  const struct event nested[] = {TAKE(1, LOCK),
                                 TAKE(1, OTHER),
                                 ACCESS(1, EVENT_READ, X, 4),
                                 GIVE(1, OTHER),
                                 ACCESS(2, EVENT_WRITE, X, 4),
                                 ACCESS(1, EVENT_WRITE, X, 4)};
  const struct event waits[] = {TAKE(1, LOCK),
                                ACCESS(1, EVENT_READ, X, 4),
                                {.op = EVENT_WAIT_ENTER, .thread = 1, .object = OTHER, .value2 = LOCK},
                                ACCESS(2, EVENT_WRITE, X, 4),
                                {.op = EVENT_WAIT_LEAVE, .thread = 1, .object = OTHER, .value2 = LOCK},
                                ACCESS(1, EVENT_WRITE, X, 4)};
  assert_int_equal(found(none, N(none), NULL), 0);
  assert_int_equal(found(late, N(late), NULL), 0);
  assert_int_equal(found(two, N(two), NULL), 0);
  assert_int_equal(found(nested, N(nested), NULL), 1);
  assert_int_equal(found(waits, N(waits), NULL), 0);
}

static void all_three_have_bytes_in_common(void **state) {
  (void)state;
  const struct event beside[] = {TAKE(1, LOCK), ACCESS(1, EVENT_READ, X, 4), ACCESS(2, EVENT_WRITE, X + 4, 4), ACCESS(1, EVENT_READ, X, 4)};
  const struct event across[] = {TAKE(1, LOCK), ACCESS(1, EVENT_READ, X + 6, 4), ACCESS(2, EVENT_WRITE, X + 4, 8),
                                 ACCESS(1, EVENT_READ, X + 8, 2)};
  assert_int_equal(found(beside, N(beside), NULL), 0);
  assert_int_equal(found(across, N(across), NULL), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(what_no_serial_order_explains_is_found), TEST(a_section_holds_one_lock_all_the_time),
                                     TEST(all_three_have_bytes_in_common)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
