/* What memory contains (src/trace/contents.h), against an array of bytes. */
#include "trace/contents.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES = 16384 };

static uint64_t seed = 1;
static uint64_t pick(uint64_t below) {
  seed += 0x9e3779b97f4a7c15u;
  return (hash_mix(seed) >> 20) % below;
}

struct naive {
  bool known[BYTES];
  uint8_t bytes[BYTES];
};

static void compare(struct contents *m, const struct naive *n, uint64_t at, unsigned size) {
  struct contents_word w = contents_read(m, at, size);
  for (unsigned i = 0; i < size; i++) {
    assert_int_equal(w.known >> i & 1, n->known[at + i]);
    assert_int_equal(w.value >> 8 * i & 0xff, n->known[at + i] ? n->bytes[at + i] : 0);
  }
}

static void change(struct contents *m, struct naive *n) {
  uint64_t kind = pick(6), at = pick(BYTES - 8), size = 1 + pick(kind < 2 ? BYTES - at : 8);
  if (kind < 2) {
    if (kind) contents_zero(m, at, size);
    if (!kind) contents_forget(m, at, size);
    memset(n->known + at, kind ? 1 : 0, size);
    memset(n->bytes + at, 0, size);
    return;
  }
  struct contents_word w = {.known = (uint8_t)((1u << size) - 1)};
  for (uint64_t i = 0; i < size; i++) {
    n->known[at + i] = true, n->bytes[at + i] = (uint8_t)pick(256);
    w.value |= (uint64_t)n->bytes[at + i] << 8 * i;
  }
  contents_write(m, at, (unsigned)size, w);
}

static void zeros_and_what_is_forgotten_and_written_are_told_apart(void **unused) {
  (void)unused;
  static struct naive n;
  for (unsigned round = 0; round < 200; round++) {
    struct contents m = {0};
    memset(&n, 0, sizeof n);
    for (unsigned i = 0; i < 60; i++) {
      change(&m, &n);
      for (unsigned k = 0; k < 40; k++) compare(&m, &n, pick(BYTES - 8), 1 + (unsigned)pick(8));
    }
    for (uint64_t at = 0; at + 8 <= BYTES; at += 8) compare(&m, &n, at, 8);
    contents_release(&m);
  }
}

static void large_zeros_take_no_memory(void **unused) {
  (void)unused;
  struct contents m = {0};
  contents_zero(&m, 4096 + 3, 1ull << 40);
  assert_true(m.store.count <= 2);
  assert_int_equal(contents_read(&m, 1ull << 39, 8).known, 0xff);
  contents_forget(&m, 1ull << 30, 1ull << 30);
  assert_int_equal(contents_read(&m, (1ull << 30) + 4096, 8).known, 0);
  assert_int_equal(contents_read(&m, (1ull << 31) + 4096, 8).known, 0xff);
  contents_release(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zeros_and_what_is_forgotten_and_written_are_told_apart),
      cmocka_unit_test(large_zeros_take_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
