/* NAMES payloads (src/trace/names.h): what is written is read again, and forged numbers cost no memory. */
#include "trace/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void make(struct recorded_names *names, struct text *payload) {
  recorded_names_init(names);
  uint32_t file = recorded_add_string(names, "a.c", 3), function = recorded_add_string(names, "f", 1);
  *vec_push(&names->sites) = (struct recorded_site){file, function, 7, 2};
  *vec_push(&names->methods) = function;
  trace_names_write(payload, names, 1, 2, 0, 1);
}

static void places_and_methods_are_read_again(void **unused) {
  (void)unused;
  struct recorded_names names = {0}, again = {0};
  struct text payload = {0};
  make(&names, &payload);
  recorded_names_init(&again);
  assert_true(trace_names_read(&again, payload.data, payload.count, 5, 0, 6));
  assert_int_equal(again.sites.count, 6);
  assert_string_equal(recorded_text(&again, again.sites.data[5].file), "a.c");
  assert_string_equal(recorded_text(&again, again.methods.data[0]), "f");
  recorded_names_release(&names), recorded_names_release(&again), text_release(&payload);
}

static void numbers_beyond_the_most_are_refused_before_memory_is_taken(void **unused) {
  (void)unused;
  struct recorded_names names = {0}, again = {0};
  struct text payload = {0};
  make(&names, &payload);
  recorded_names_init(&again);
  assert_false(trace_names_read(&again, payload.data, payload.count, 6, 0, 6));
  assert_false(trace_names_read(&again, payload.data, payload.count, TRACE_SITES_MOST - 1, 0, 4096));
  assert_false(trace_names_read(&again, payload.data, payload.count, 1, 6, 6));
  assert_false(trace_names_read(&again, payload.data, payload.count, UINT64_MAX, 0, 4096));
  assert_int_equal(again.sites.count, 1);
  assert_int_equal(again.methods.count, 0);
  recorded_names_release(&names), recorded_names_release(&again), text_release(&payload);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places_and_methods_are_read_again),
      cmocka_unit_test(numbers_beyond_the_most_are_refused_before_memory_is_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
