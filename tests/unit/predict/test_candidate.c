/* What a causal model is worth asking: pairs of accesses, and whether locks may be waited for in a circle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "../leaks.h"
#include "predict/candidate.h"

enum { X = 0x1000, LOCK = 0x2000, LOCK2 = 0x2040, LOCK3 = 0x2080 };

#define FORK(t, child) \
  { .op = EVENT_FORK, .thread = t, .object = child }
#define JOIN(t, child) \
  { .op = EVENT_JOIN, .thread = t, .object = child }
#define READ(t, at) \
  { .op = EVENT_READ, .thread = t, .object = at, .size = 4, .site = t }
#define WRITE(t, at) \
  { .op = EVENT_WRITE, .thread = t, .object = at, .size = 4, .site = t }
#define FREE(t, at, n) \
  { .op = EVENT_FREE, .thread = t, .object = at, .size = n }
#define ACQUIRE(t, lock) \
  { .op = EVENT_ACQUIRE, .thread = t, .object = lock }
#define RELEASE(t, lock) \
  { .op = EVENT_RELEASE, .thread = t, .object = lock }
#define SHARED(t, lock) \
  { .op = EVENT_ACQUIRE, .thread = t, .object = lock, .flags = EVENT_SHARED_LOCK }

/* The pairs of the windows [0, middle) and [middle, n), as text: "r" and "f" behind those that may race and be frees. */
static void expect(const struct event *trace, uint32_t middle, uint32_t n, const char *expected) {
  struct candidates c = {0};
  char text[256] = "";
  size_t at = 0;
  candidates_begin(&c, trace, n);
  for (uint32_t from = 0, to = middle; from < n; from = to, to = n) {
    candidates_find(&c, trace, from, to, trace + n, 0);
    for (size_t i = 0; i < c.pairs.count && at < sizeof text; i++) {
      const struct candidate_pair *p = &c.pairs.data[i];
      at += (size_t)snprintf(text + at, sizeof text - at, " %u-%u%s%s", p->first, p->second, p->races ? "r" : "", p->frees ? "f" : "");
    }
  }
  assert_string_equal(text, expected);
  candidates_release(&c);
}

#define EXPECT(expected, ...)                           \
  do {                                                  \
    const struct event trace_[] = {__VA_ARGS__};        \
    const uint32_t n_ = sizeof trace_ / sizeof *trace_; \
    expect(trace_, n_, n_, expected);                   \
  } while (0)

static void accesses_that_conflict_may_race(void **state) {
  (void)state;
  EXPECT(" 1-2r", FORK(0, 1), WRITE(0, X), READ(1, X));
  EXPECT("", FORK(0, 1), READ(0, X), READ(1, X));
  EXPECT("", FORK(0, 1), WRITE(0, X), READ(1, X + 4));
  EXPECT(" 1-2r", FORK(0, 1), WRITE(0, X), READ(1, X + 2));
  EXPECT(" 1-2r", FORK(0, 1), WRITE(0, X + 6), READ(1, X + 4)); /* over a granule's edge */
  EXPECT("", FORK(0, 1), {.op = EVENT_WRITE, .order = ORDER_RELAXED, .object = X, .size = 4},
         {.op = EVENT_READ, .thread = 1, .order = ORDER_RELAXED, .object = X, .size = 4});
  EXPECT(" 1-2r", FORK(0, 1), {.op = EVENT_WRITE, .order = ORDER_RELAXED, .object = X, .size = 4}, READ(1, X));
}

static void forks_and_joins_order_them(void **state) {
  (void)state;
  EXPECT("", WRITE(0, X), FORK(0, 1), READ(1, X));
  EXPECT("", FORK(0, 1), READ(1, X), JOIN(0, 1), WRITE(0, X));
  EXPECT(" 2-4r", FORK(0, 1), FORK(0, 2), READ(1, X), JOIN(0, 1), WRITE(2, X));
  EXPECT("", FORK(0, 1), READ(1, X), JOIN(0, 1), FORK(0, 2), WRITE(2, X));
  EXPECT(" 1-3r", FORK(0, 1), READ(1, X), {.op = EVENT_JOIN, .object = 1, .flags = EVENT_TIMED_OUT}, WRITE(0, X));
}

static void a_lock_that_both_hold_keeps_them_apart(void **state) {
  (void)state;
  EXPECT("", FORK(0, 1), ACQUIRE(0, LOCK), WRITE(0, X), RELEASE(0, LOCK), ACQUIRE(1, LOCK), READ(1, X));
  EXPECT(" 2-5r", FORK(0, 1), ACQUIRE(0, LOCK), WRITE(0, X), RELEASE(0, LOCK), ACQUIRE(1, LOCK2), READ(1, X));
  EXPECT(" 3-5r", FORK(0, 1), ACQUIRE(0, LOCK), RELEASE(0, LOCK), WRITE(0, X), ACQUIRE(1, LOCK), READ(1, X));
  EXPECT(" 2-5r", FORK(0, 1), SHARED(0, LOCK), WRITE(0, X), RELEASE(0, LOCK), SHARED(1, LOCK), READ(1, X));
  EXPECT("", FORK(0, 1), SHARED(0, LOCK), WRITE(0, X), RELEASE(0, LOCK), ACQUIRE(1, LOCK), READ(1, X));
  EXPECT(" 3-6r", FORK(0, 1), ACQUIRE(0, LOCK), {.op = EVENT_WAIT_ENTER, .object = LOCK3, .value2 = LOCK}, /* not a use of the lock */
         WRITE(1, X), {.op = EVENT_SIGNAL, .thread = 1, .object = LOCK3}, ACQUIRE(1, LOCK), READ(0, X));
}

static void what_is_used_before_it_is_freed_may_be_used_behind_that(void **state) {
  (void)state;
  EXPECT(" 2-5f", FORK(0, 1), ACQUIRE(0, LOCK), READ(0, X + 8), RELEASE(0, LOCK), ACQUIRE(1, LOCK), FREE(1, X, 16));
  EXPECT(" 1-2rf", FORK(0, 1), READ(0, X + 8), FREE(1, X, 16));
  EXPECT("", READ(0, X + 8), FORK(0, 1), FREE(1, X, 16));
  EXPECT(" 1-2rf", FORK(0, 1), READ(0, X + 4000), FREE(1, X, 4096)); /* far more granules than are touched */
}

static void a_window_begins_with_the_locks_that_are_held(void **state) {
  (void)state;
  const struct event held[] = {FORK(0, 1), ACQUIRE(0, LOCK), WRITE(0, X), WRITE(0, X), RELEASE(0, LOCK), ACQUIRE(1, LOCK), READ(1, X)};
  expect(held, 3, 7, "");
}

static bool circle(const struct event *trace, uint32_t n, uint32_t waiting) {
  struct candidates c = {0};
  candidates_begin(&c, trace, n + waiting);
  candidates_find(&c, trace, 0, n, trace + n, waiting);
  candidates_release(&c);
  return c.circle;
}

static void locks_taken_in_opposite_orders_make_a_circle(void **state) {
  (void)state;
  const struct event opposite[] = {ACQUIRE(0, LOCK), ACQUIRE(0, LOCK2), RELEASE(0, LOCK2),
                                   RELEASE(0, LOCK), ACQUIRE(1, LOCK2), ACQUIRE(1, LOCK)};
  assert_true(circle(opposite, 6, 0));
  assert_false(circle(opposite, 5, 0));
  assert_true(circle(opposite, 5, 1)); /* it waits for the last one */
  const struct event same[] = {ACQUIRE(0, LOCK), ACQUIRE(0, LOCK2), RELEASE(0, LOCK2),
                               RELEASE(0, LOCK), ACQUIRE(1, LOCK),  ACQUIRE(1, LOCK2)};
  assert_false(circle(same, 6, 0));
  const struct event three[] = {ACQUIRE(0, LOCK),  ACQUIRE(0, LOCK2), RELEASE(0, LOCK2), RELEASE(0, LOCK),  ACQUIRE(1, LOCK2),
                                ACQUIRE(1, LOCK3), RELEASE(1, LOCK3), RELEASE(1, LOCK2), ACQUIRE(2, LOCK3), ACQUIRE(2, LOCK)};
  assert_true(circle(three, 10, 0));
  assert_false(circle(three, 9, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(accesses_that_conflict_may_race),
      TEST(forks_and_joins_order_them),
      TEST(a_lock_that_both_hold_keeps_them_apart),
      TEST(what_is_used_before_it_is_freed_may_be_used_behind_that),
      TEST(a_window_begins_with_the_locks_that_are_held),
      TEST(locks_taken_in_opposite_orders_make_a_circle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
