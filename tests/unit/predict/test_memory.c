/* What memory holds, against bytes that are looked at one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "predict/recorded/memory.h"

enum { BYTES = 1 << 15, BASE = 4096, UNKNOWN = -1 };

static uint64_t state = 88172645463325252ull;
static uint64_t pick(uint64_t n) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state % n;
}

static int bytes[BYTES];

static void set(uint64_t from, uint64_t size, uint64_t value, bool known) {
  for (uint64_t i = 0; i < size; i++) bytes[from + i] = known ? (int)(i < 8 ? value >> 8 * i & 0xff : 0) : UNKNOWN;
}

/* Whole words are forgotten. */
static void forget(struct recorded_memory *m, uint64_t from, uint64_t size) {
  recorded_memory_forget(m, BASE + from, size);
  uint64_t first = from & ~7ull, end = (from + size + 7) & ~7ull;
  set(first, end - first, 0, false);
}

static void check(const struct recorded_memory *m, uint64_t from, uint32_t size) {
  uint64_t expected = 0, value;
  bool known = true;
  for (uint32_t i = 0; i < size; i++) {
    known &= bytes[from + i] != UNKNOWN;
    expected |= (uint64_t)(bytes[from + i] & 0xff) << 8 * i;
  }
  assert_int_equal(recorded_memory_read(m, BASE + from, size, &value), known);
  if (known) assert_int_equal(value, expected);
}

static void test_random(void **unused) {
  (void)unused;
  static const uint32_t sizes[] = {1, 2, 4, 8, 3, 5};
  for (unsigned round = 0; round < 60; round++) {
    struct recorded_memory m = {0};
    memset(bytes, 0xff, sizeof bytes);
    for (unsigned i = 0; i < 600; i++) {
      uint32_t size = sizes[pick(6)];
      uint64_t large = 1 + pick(pick(3) ? 200 : BYTES / 2), from = pick(BYTES - 8 - large);
      struct event e = {.object = BASE + from, .size = large};
      switch (pick(5)) {
        case 0:
          recorded_memory_initial(&m, &e);
          set(from, large, 0, true);
          break;
        case 1:
          forget(&m, from, large);
          break;
        default:
          recorded_memory_store(&m, BASE + from, size, 0x1122334455667788ull + i);
          set(from, size, 0x1122334455667788ull + i, true);
      }
      for (unsigned k = 0; k < 8; k++) check(&m, k < 4 ? pick(BYTES - 8) : from + pick(8), sizes[pick(6)]);
    }
    for (uint64_t at = 0; at + 8 <= BYTES; at += 8) check(&m, at, 8);
    recorded_memory_release(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
