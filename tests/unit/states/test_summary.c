/* What maximal remembers: summaries and closed states, and both in little memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "base/mem.h"
#include "states/summary.h"
#include "states/visited.h"

static struct fingerprint key_of(uint64_t i) { return fingerprint_of(i + 1, i); }

static void the_table_grows_and_finds_everything(void **state) {
  (void)state;
  struct visited v = {0};
  for (uint32_t i = 0; i < 20000; i++) visited_add(&v, key_of(i), i);
  for (uint32_t i = 0; i < 20000; i++) assert_int_equal(visited_find(&v, key_of(i)), i);
  assert_int_equal(visited_find(&v, key_of(20000)), NOT_VISITED);
  assert_int_equal(v.count, 20000);
  assert_int_equal(v.forgotten, 0);
  visited_release(&v);
  assert_int_equal(mem_live(), 0);
}

/* Of `n` states in so many bytes. */
static void fill(size_t most, uint32_t n) {
  struct visited v = {.most = most};
  uint32_t found = 0;
  for (uint32_t i = 0; i < n; i++) {
    visited_add(&v, key_of(i), i);
    assert_true(mem_live() <= (most < 80 ? 80 : most));
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t summary = visited_find(&v, key_of(i));
    assert_true(summary == i || summary == NOT_VISITED);
    found += summary == i;
  }
  assert_int_equal(found, v.count);
  assert_int_equal(found + v.forgotten, n);
  assert_true(v.forgotten > 0 && found > 0);
  visited_clear(&v);
  assert_int_equal(v.forgotten, n);
  assert_int_equal(visited_find(&v, key_of(n - 1)), NOT_VISITED);
  visited_release(&v);
}

static void a_full_table_forgets_states_and_finds_the_others(void **state) {
  (void)state;
  fill(1, 100);
  fill(1000, 500);
  fill(50000, 10000);
}

static uint32_t set_of(struct summaries *s, uint64_t object) {
  struct event e = {.op = EVENT_WRITE, .thread = 1, .object = object, .size = 4};
  return summary_of_step(s, &e, 1, false);
}

static uint32_t members(const struct summaries *s, uint32_t set, uint64_t *objects) {
  uint32_t n = 0;
  *objects = 0;
  for (uint32_t i = summary_next(s, set, 0); i != UINT32_MAX; i = summary_next(s, set, i + 1), n++)
    *objects += s->operations.data[i].event.object;
  return n;
}

struct owner {
  struct summaries *s;
  uint32_t sets[3];
};

static void each(void *data, summaries_visit *visit) {
  struct owner *o = data;
  for (unsigned i = 0; i < 3; i++) visit(o->s, &o->sets[i]);
}

static void a_sweep_keeps_what_is_needed(void **state) {
  (void)state;
  struct summaries s = {0};
  uint32_t all = 0;
  uint64_t objects;
  for (uint64_t i = 1; i <= 300; i++) all = summary_union(&s, all, set_of(&s, 16 * i));
  struct owner o = {&s, {0, set_of(&s, 16 * 7), all}};
  size_t before = summaries_size(&s), sets = s.sets.count;
  summaries_sweep(&s, each, &o);
  assert_true(summaries_size(&s) < before / 4);
  assert_true(sets > 300 && s.sets.count == 3);
  assert_int_equal(members(&s, o.sets[0], &objects), 0);
  assert_int_equal(members(&s, o.sets[1], &objects), 1);
  assert_int_equal(objects, 16 * 7);
  assert_int_equal(members(&s, o.sets[2], &objects), 300);
  assert_int_equal(objects, 16 * 300 * 301 / 2);
  assert_int_equal(set_of(&s, 16 * 7), o.sets[1]);
  assert_int_equal(summary_union(&s, o.sets[1], set_of(&s, 16 * 8)), summary_union(&s, set_of(&s, 16 * 8), o.sets[1]));
  assert_int_equal(summary_union(&s, o.sets[2], set_of(&s, 16 * 8)), o.sets[2]);
  summaries_release(&s);
  assert_int_equal(mem_live(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_grows_and_finds_everything),
      cmocka_unit_test(a_full_table_forgets_states_and_finds_the_others),
      cmocka_unit_test(a_sweep_keeps_what_is_needed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
