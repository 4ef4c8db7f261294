/* Scenarios: all of a size, each once, the small ones first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/vec.h"
#include "objects/scenario.h"

static struct object_operation some[] = {{"get", 0}, {"put", 1}, {"swap", 2}};

static struct object object_of(size_t n) {
  struct object o = {0};
  o.operations.data = some, o.operations.count = n;
  return o;
}

/* The threads' texts in order: the same for scenarios that are equal up to names of threads. */
static uint64_t canonical(const struct object *o, const struct scenario *s) {
  uint64_t sum = 0;
  for (uint32_t t = 0; t < s->threads; t++) {
    struct scenario one = {.threads = 1, .count = {s->count[t]}};
    struct text text = {0};
    memcpy(one.calls[0], s->calls[t], sizeof one.calls[0]);
    scenario_text(o, &one, &text);
    sum += hash_mix(hash_bytes(text.data, text.count, 0));
    text_release(&text);
  }
  return sum;
}

/* The obvious way: every assignment of sequences, the empty one too, to every thread. */
static void enumerate(const struct object *o, struct scenario *s, uint32_t threads, uint32_t calls, uint64_t arguments, uint32_t t,
                      struct hashmap *all) {
  if (t == threads) {
    struct scenario packed = {0};
    for (uint32_t k = 0; k < threads; k++) {
      if (s->count[k] == 0) continue;
      packed.count[packed.threads] = s->count[k];
      memcpy(packed.calls[packed.threads++], s->calls[k], sizeof s->calls[k]);
    }
    if (packed.threads) hashmap_at(all, canonical(o, &packed), 1, NULL);
    return;
  }
  enumerate(o, s, threads, calls, arguments, t + 1, all);
  if (s->count[t] == calls) return;
  for (uint32_t i = 0; i < o->operations.count; i++) {
    uint64_t ways = 1;
    for (uint32_t k = 0; k < o->operations.data[i].parameters; k++) ways *= arguments;
    for (uint64_t way = 0; way < ways; way++) {
      struct scenario_call c = {.operation = i};
      uint64_t rest = way;
      for (uint32_t k = 0; k < o->operations.data[i].parameters; k++, rest /= arguments) c.arguments[k] = 1 + rest % arguments;
      s->calls[t][s->count[t]++] = c;
      enumerate(o, s, threads, calls, arguments, t, all);
      s->count[t]--;
    }
  }
}

static void all_scenarios_of_a_size_come_once_and_small_ones_first(void **state) {
  (void)state;
  static const struct {
    size_t operations;
    uint32_t threads, calls;
    uint64_t arguments;
  } sizes[] = {{1, 1, 1, 1}, {1, 3, 3, 2}, {2, 2, 2, 2}, {2, 3, 2, 1}, {2, 4, 1, 3}, {3, 2, 2, 2}, {2, 1, 4, 2}, {1, 8, 2, 1}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    struct object o = object_of(sizes[i].operations);
    struct hashmap expected = {0}, seen = {0};
    struct scenario s = {0};
    struct scenarios all;
    struct diag d = {0};
    uint32_t last = 0, n = 0;
    enumerate(&o, &s, sizes[i].threads, sizes[i].calls, sizes[i].arguments, 0, &expected);
    assert_int_equal(scenarios_begin(&all, &o, sizes[i].threads, sizes[i].calls, sizes[i].arguments, &d), ERR_NONE);
    while (scenarios_next(&all, &s)) {
      bool is_new;
      hashmap_at(&seen, canonical(&o, &s), 1, &is_new);
      assert_true(is_new);
      assert_non_null(hashmap_find(&expected, canonical(&o, &s)));
      assert_true(scenario_size(&s) >= last);
      last = scenario_size(&s);
      n++;
    }
    assert_int_equal(n, expected.count);
    assert_true(scenarios_count(&all) > n - 0.5 && scenarios_count(&all) < n + 0.5);
    hashmap_release(&expected);
    hashmap_release(&seen);
    diag_release(&d);
  }
}

static void a_scenario_is_read_as_it_is_written(void **state) {
  (void)state;
  struct object o = object_of(3);
  struct scenarios all;
  struct scenario s, again;
  struct diag d = {0};
  assert_int_equal(scenarios_begin(&all, &o, 2, 2, 2, &d), ERR_NONE);
  while (scenarios_next(&all, &s)) {
    struct text text = {0};
    scenario_text(&o, &s, &text);
    assert_int_equal(scenario_parse(&again, &o, text_str(&text), &d), ERR_NONE);
    assert_memory_equal(&s, &again, sizeof s);
    text_release(&text);
  }
  assert_int_equal(scenario_parse(&s, &o, "  put( 7 )get()|swap(1 ,2)  ", &d), ERR_NONE);
  assert_int_equal(s.threads, 2);
  assert_int_equal(s.calls[0][0].arguments[0], 7);
  assert_int_equal(s.calls[1][0].arguments[1], 2);
  diag_release(&d);
}

static void what_is_no_scenario_is_refused_with_its_column(void **state) {
  (void)state;
  struct object o = object_of(3);
  static const struct {
    const char *text, *column;
  } wrong[] = {{"", "column 1"},
               {"got()", "column 1"},
               {"get", "column 4"},
               {"get() |", "column 8"},
               {"put()", "column 5"},
               {"put(1", "column 6"},
               {"put(1, 2)", "column 6"},
               {"swap(1)", "column 7"},
               {"get() | get(1)", "column 13"},
               {"get() get() get() get() get() get() get() get() get()", "column 49"},
               {"get()|get()|get()|get()|get()|get()|get()|get()|get()", "column 49"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct scenario s;
    struct diag d = {0};
    assert_int_equal(scenario_parse(&s, &o, wrong[i].text, &d), ERR_USAGE);
    if (!strstr(text_str(&d.message), wrong[i].column)) fail_msg("%s: %s", wrong[i].text, text_str(&d.message));
    diag_release(&d);
  }
}

static void sizes_that_nobody_can_explore_are_refused(void **state) {
  (void)state;
  struct object o = object_of(3);
  struct scenarios all;
  static const uint64_t sizes[][3] = {{0, 1, 1}, {9, 1, 1}, {1, 0, 1}, {1, 9, 1}, {1, 1, 0}, {1, 8, 1000000}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    struct diag d = {0};
    assert_int_equal(scenarios_begin(&all, &o, sizes[i][0], sizes[i][1], sizes[i][2], &d), ERR_USAGE);
    diag_release(&d);
  }
}

static void a_crash_is_read_as_it_is_written(void **state) {
  (void)state;
  struct object o = object_of(3);
  struct scenario s, other;
  struct text text = {0};
  struct diag d = {0};
  assert_int_equal(scenario_parse(&s, &o, "put(1) get() | get();thread 2 crashes after 1 steps", &d), ERR_NONE);
  assert_true(s.crashes && s.crash_thread == 1 && s.crash_after == 1);
  scenario_text(&o, &s, &text);
  assert_string_equal(text_str(&text), "put(1) get() | get(); thread 2 crashes after 1 step");
  assert_int_equal(scenario_parse(&other, &o, text_str(&text), &d), ERR_NONE);
  assert_memory_equal(&s, &other, sizeof s);
  static const char *const wrong[] = {"get(); thread 2 crashes after 1 step", "get(); thread 0 crashes after 1 step", "get(); crashes",
                                      "get(); thread 1 crashes after 1 step now", "get();"};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) assert_int_equal(scenario_parse(&other, &o, wrong[i], &d), ERR_USAGE);
  text_release(&text);
  diag_release(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_scenarios_of_a_size_come_once_and_small_ones_first),
      cmocka_unit_test(a_scenario_is_read_as_it_is_written),
      cmocka_unit_test(what_is_no_scenario_is_refused_with_its_column),
      cmocka_unit_test(a_crash_is_read_as_it_is_written),
      cmocka_unit_test(sizes_that_nobody_can_explore_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
