#include "program/columns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"

/* Bitcode of lower_sample.c, and its columns. */
static struct text bitcode, columns;

static const uint8_t *bytes_of(const struct text *t) { return (const uint8_t *)t->data; }

static void bitcode_comes_back_as_it_was(void **state) {
  (void)state;
  struct text again = {0};
  text_puts(&again, "before");
  assert_true(columns_join(bytes_of(&columns), columns.count, bitcode.count, &again));
  assert_int_equal(again.count, strlen("before") + bitcode.count);
  assert_memory_equal(again.data + strlen("before"), bitcode.data, bitcode.count);
  text_release(&again);
}

static void what_is_no_bitcode_has_no_columns(void **state) {
  (void)state;
  struct text out = {0};
  text_puts(&out, "before");
  assert_false(columns_split(NULL, 0, &out));
  assert_false(columns_split((const uint8_t *)"BC", 2, &out));
  assert_false(columns_split((const uint8_t *)"some other file, which is longer than a word", 44, &out));
  assert_false(columns_split(bytes_of(&bitcode), bitcode.count - 4, &out));
  assert_string_equal(text_str(&out), "before");
  text_release(&out);
}

/* Whatever bits a stream has: it comes back, or is refused. */
static void other_bits_come_back_or_are_refused(void **state) {
  (void)state;
  unsigned kept = 0, seed = 1;
  for (unsigned i = 0; i < 2000; i++) {
    struct text changed = {0}, out = {0}, again = {0};
    text_append(&changed, bitcode.data, bitcode.count);
    for (unsigned k = 0; k <= i % 3; k++) seed = seed * 1103515245 + 12345, changed.data[seed / 8 % changed.count] ^= (char)(1 << seed % 8);
    if (columns_split(bytes_of(&changed), changed.count, &out)) {
      kept++;
      assert_true(columns_join(bytes_of(&out), out.count, changed.count, &again));
      assert_memory_equal(again.data, changed.data, changed.count);
    }
    text_release(&changed);
    text_release(&out);
    text_release(&again);
  }
  assert_true(kept > 0);
}

/* Damaged columns make other bitcode, of the same length, or nothing. */
static void damaged_columns_do_no_harm(void **state) {
  (void)state;
  unsigned refused = 0, seed = 7;
  for (unsigned i = 0; i < 2000; i++) {
    struct text changed = {0}, out = {0};
    seed = seed * 1103515245 + 12345;
    text_append(&changed, columns.data, i % 2 ? columns.count : seed / 4 % columns.count);
    if (i % 2) changed.data[seed / 8 % changed.count] ^= (char)(1 << seed % 8);
    bool joined = columns_join(bytes_of(&changed), changed.count, bitcode.count, &out);
    assert_int_equal(out.count, joined ? bitcode.count : 0);
    refused += !joined;
    text_release(&changed);
    text_release(&out);
  }
  assert_true(refused >= 1000); /* all that are cut off, at least */
  struct text out = {0};
  assert_false(columns_join(bytes_of(&columns), columns.count, bitcode.count - 4, &out));
  assert_false(columns_join(bytes_of(&columns), columns.count, bitcode.count + 4, &out));
  text_release(&out);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(bitcode_comes_back_as_it_was),
      cmocka_unit_test(what_is_no_bitcode_has_no_columns),
      cmocka_unit_test(other_bits_come_back_or_are_refused),
      cmocka_unit_test(damaged_columns_do_no_harm),
  };
  struct diag d = {0};
  if (file_read(LOWER_SAMPLE, FILE_PROGRAM, &bitcode, &d) != ERR_NONE || !columns_split(bytes_of(&bitcode), bitcode.count, &columns))
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  text_release(&bitcode);
  text_release(&columns);
  return failed || mem_live() != 0;
}
