/* The encoding of events: what is written is read again, and usual events take few bytes. */
#include "trace/encoding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t state = 1;

static uint64_t next_random(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33 ^ state << 31;
}

static uint64_t some_number(void) { return next_random() >> (next_random() % 64); }

static void numbers_of_all_lengths_are_read_again(void **unused) {
  (void)unused;
  for (unsigned i = 0; i < 200000; i++) {
    unsigned char bytes[32];
    uint64_t v = i < 64 ? 1ull << i : i < 128 ? (1ull << (i - 64)) - 1 : some_number(), w = 0;
    const unsigned char *end = trace_put_number(bytes, v);
    assert_ptr_equal(trace_get_number(bytes, &w), end);
    assert_int_equal(v, w);
    assert_int_equal(trace_unfolded(trace_folded(v)), v);
  }
}

static struct trace_event some_event(void) {
  struct trace_event e = {.op = (uint8_t)(1 + next_random() % (TRACE_OPS - 1)), .site = (uint32_t)some_number()};
  if (next_random() % 2) e.site = (uint32_t)(next_random() % 300);
  e.object = next_random() % 2 ? some_number() : 0x7f0000001000 + next_random() % 64 * 4;
  e.size = next_random() % 4 ? 1u << next_random() % 4 : some_number();
  e.value = trace_masked(some_number(), e.size <= 8 ? (unsigned)e.size : 8);
  if (e.op == TRACE_RECORDED_BRANCH && next_random() % 4) e.object = e.size = 0;
  if (e.op == TRACE_RECORDED_BRANCH && next_random() % 2)
    return (struct trace_event){
        .op = e.op, .site = e.site, .object = e.value, .value = e.value, .value2 = e.site + next_random() % 64 - 32};
  if (next_random() % 4 == 0) e.flags = (uint8_t)next_random();
  if (next_random() % 4 == 0) e.order = (uint8_t)(next_random() % 6);
  if (next_random() % 4 == 0) e.value2 = some_number();
  if (next_random() % 4 == 0) e.sequence = some_number();
  if (next_random() % 4 == 0) e.sequence2 = some_number();
  if (next_random() % 4 == 0) e.value = e.size = 0;
  return e;
}

static void any_events_are_read_again(void **unused) {
  (void)unused;
  static struct trace_coder writer, reader;
  for (unsigned i = 0; i < 500000; i++) {
    unsigned char bytes[TRACE_EVENT_MOST] = {0};
    const unsigned char *at = bytes, *end;
    struct trace_event e = some_event(), f;
    uint64_t time = i * 1000ull + next_random() % 1000;
    if (i % 5000 == 0) memset(&writer, 0, sizeof writer), memset(&reader, 0, sizeof reader);
    end = trace_put_event(&writer, bytes, &e);
    assert_true(end - bytes <= TRACE_EVENT_MOST - 9);
    memset(bytes + (end - bytes), 0xff, (size_t)(bytes + sizeof bytes - end));
    assert_int_equal(trace_get(&reader, &at, &f), TRACE_RECORD_EVENT);
    assert_ptr_equal(at, end);
    assert_memory_equal(&e, &f, sizeof e);
    at = bytes;
    end = trace_put_time(&writer, bytes, time);
    assert_int_equal(trace_get(&reader, &at, &f), TRACE_RECORD_TIME);
    assert_ptr_equal(at, end);
    assert_int_equal(reader.time, time);
  }
}

/* A loop over an array with a counter in memory, its branch, and a lock around a sum at each tenth element. */
static void a_usual_loop_takes_few_bytes(void **unused) {
  (void)unused;
  static struct trace_coder c;
  unsigned char bytes[TRACE_EVENT_MOST];
  uint64_t total = 0, events = 0, sum = 0, number = 0, lock = 0x5555555550a0, counter = 0x7fffffffe010, array = 0x55555556a010;
  memset(&c, 0, sizeof c);
#define PUT(call) (total += (uint64_t)((call)-bytes))
  for (uint64_t i = 0; i < 10000; i++) {
    uint64_t element = next_random() % 1000;
    PUT(trace_put_access(&c, bytes, false, 100, counter, i, 4));
    PUT(trace_put_branch(&c, bytes, 101, 1));
    PUT(trace_put_access(&c, bytes, false, 102, array + 4 * i, element, 4));
    PUT(trace_put_access(&c, bytes, true, 110, counter, i + 1, 4));
    events += 4;
    if (i % 10 == 0) {
      struct trace_event acquire = {.op = TRACE_EVENT_ACQUIRE, .site = 103, .object = lock, .sequence = number += 1 + next_random() % 4};
      struct trace_event release = {.op = TRACE_EVENT_RELEASE, .site = 106, .object = lock, .sequence = ++number};
      PUT(trace_put_time(&c, bytes, i * 2000));
      PUT(trace_put_event(&c, bytes, &acquire));
      PUT(trace_put_access(&c, bytes, false, 104, lock + 64, sum, 8));
      PUT(trace_put_access(&c, bytes, true, 105, lock + 64, sum += element, 8));
      PUT(trace_put_time(&c, bytes, i * 2000 + 300));
      PUT(trace_put_event(&c, bytes, &release));
      events += 4;
    }
  }
#undef PUT
  assert_true(total < 3 * events);
}

/* Zeros and other bytes that nobody writes are no records; whatever is read stays within its bounds. */
static void any_bytes_are_decoded_or_refused(void **unused) {
  (void)unused;
  static struct trace_coder c;
  struct trace_event e;
  unsigned char bytes[TRACE_EVENT_MOST] = {0};
  const unsigned char *at = bytes;
  assert_int_equal(trace_get(&c, &at, &e), TRACE_RECORD_BAD);
  for (unsigned i = 0; i < 500000; i++) {
    for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (unsigned char)(next_random() % 4 ? next_random() : 0);
    at = bytes;
    if (trace_get(&c, &at, &e) != TRACE_RECORD_BAD) assert_true(at > bytes && at <= bytes + sizeof bytes - 9);
  }
}

static void each_flipped_bit_changes_the_sum(void **unused) {
  (void)unused;
  unsigned char bytes[61];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)next_random();
  uint64_t sum = trace_check(0, bytes, sizeof bytes);
  for (unsigned bit = 0; bit < 8 * sizeof bytes; bit++) {
    bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    assert_true(trace_check(0, bytes, sizeof bytes) != sum);
    bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
  }
  assert_true(trace_check(0, bytes, 60) != sum);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_of_all_lengths_are_read_again), cmocka_unit_test(any_events_are_read_again),
      cmocka_unit_test(a_usual_loop_takes_few_bytes),          cmocka_unit_test(any_bytes_are_decoded_or_refused),
      cmocka_unit_test(each_flipped_bit_changes_the_sum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
