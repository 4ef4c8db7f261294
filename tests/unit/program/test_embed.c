#include "program/embed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/text.h"

static const struct embed_record module = {.kind = EMBED_MODULE,
                                           .name = "a.c",
                                           .folder = "/src",
                                           .flags = "-O2\0-c\0a.c",
                                           .nflags = sizeof "-O2\0-c\0a.c",
                                           .note = "",
                                           .position = 3};

static void put(struct text *t, const char *raw) { embed_write(&module, raw, strlen(raw), t); }

/* Reads all records; counts them, or returns -1 at an error. */
static int count(const struct text *t, size_t n) {
  struct diag d = {0};
  struct embed_record r;
  bool found = true;
  int records = 0;
  for (size_t at = 0; found && records >= 0;) {
    struct text raw = {0};
    enum err e = embed_next("x", (const uint8_t *)t->data, n, &at, &r, &found, &d);
    if (e == ERR_NONE && found && r.kind == EMBED_MODULE) e = embed_unpack("x", &r, &raw, &d);
    if (e != ERR_NONE)
      records = (assert_true(d.message.count > 0), -1);
    else
      records += found;
    text_release(&raw);
  }
  diag_release(&d);
  return records;
}

static void a_record_comes_back_as_it_was(void **state) {
  (void)state;
  struct text t = {0}, raw = {0};
  struct diag d = {0};
  struct embed_record r;
  bool found;
  size_t at = 0;
  put(&t, "bitcode, bitcode, bitcode");
  assert_int_equal(embed_next("x", (const uint8_t *)t.data, t.count, &at, &r, &found, &d), ERR_NONE);
  assert_true(found);
  assert_int_equal(at, t.count);
  assert_int_equal(r.kind, EMBED_MODULE);
  assert_string_equal(r.name, "a.c");
  assert_string_equal(r.folder, "/src");
  assert_int_equal(r.position, 3);
  assert_int_equal(r.nflags, module.nflags);
  assert_memory_equal(r.flags, module.flags, r.nflags);
  assert_int_equal(embed_unpack("x", &r, &raw, &d), ERR_NONE);
  assert_string_equal(text_str(&raw), "bitcode, bitcode, bitcode");
  text_release(&t);
  text_release(&raw);
}

static void records_may_have_zeros_between_them(void **state) {
  (void)state;
  struct text t = {0};
  put(&t, "one");
  for (int i = 0; i < 24; i++) text_putc(&t, 0);
  put(&t, "two");
  for (int i = 0; i < 5; i++) text_putc(&t, 0);
  assert_int_equal(count(&t, t.count), 2);
  text_release(&t);
}

static void every_truncation_is_found(void **state) {
  (void)state;
  struct text t = {0};
  put(&t, "one");
  size_t first = t.count;
  put(&t, "two, which is longer");
  for (size_t n = 1; n < t.count; n++) assert_int_equal(count(&t, n), n == first ? 1 : -1);
  text_release(&t);
}

static void every_changed_byte_is_found(void **state) {
  (void)state;
  struct text t = {0};
  put(&t, "some bitcode that is compressed");
  for (size_t i = 0; i < t.count; i++) {
    for (int change = 1; change < 256; change <<= 1) {
      t.data[i] = (char)(t.data[i] ^ change);
      assert_int_equal(count(&t, t.count), -1);
      t.data[i] = (char)(t.data[i] ^ change);
    }
  }
  assert_int_equal(count(&t, t.count), 1);
  text_release(&t);
}

static void nothing_stays_allocated(void **state) {
  (void)state;
  assert_int_equal(mem_live(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_record_comes_back_as_it_was), cmocka_unit_test(records_may_have_zeros_between_them),
      cmocka_unit_test(every_truncation_is_found),     cmocka_unit_test(every_changed_byte_is_found),
      cmocka_unit_test(nothing_stays_allocated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
