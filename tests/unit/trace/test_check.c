/* Rules of recorded runs (src/trace/check.h): a run that keeps them all, and changes of it of which each breaks one. */
#include "trace/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LOCK = 0x2000, COND = 0x3000, SEMAPHORE = 0x4000, WORD = 0x1000 };
#define E(o, t, ...) \
  { .op = (o), .thread = (t), __VA_ARGS__ }

static const struct event good[] = {
    E(EVENT_BEGIN, 0),                                                   /* 0 */
    E(RECORDED_INITIAL, 0, .object = WORD, .size = 8, .value = 7),       /* 1 */
    E(EVENT_FORK, 0, .object = 1),                                       /* 2 */
    E(EVENT_BEGIN, 1),                                                   /* 3 */
    E(EVENT_ACQUIRE, 0, .object = LOCK),                                 /* 4 */
    E(EVENT_TRYFAIL, 1, .object = LOCK),                                 /* 5 */
    E(EVENT_READ, 0, .object = WORD, .size = 4, .value = 7),             /* 6 */
    E(EVENT_WRITE, 0, .object = WORD, .size = 4, .value = 9),            /* 7 */
    E(EVENT_WAIT_ENTER, 0, .object = COND, .value2 = LOCK),              /* 8 */
    E(EVENT_ACQUIRE, 1, .object = LOCK),                                 /* 9 */
    E(RECORDED_BRANCH, 1, .object = WORD, .value = WORD),                /* 10 */
    E(EVENT_RMW, 1, .object = WORD, .size = 8, .value = 9, .value2 = 1), /* 11 */
    E(EVENT_SIGNAL, 1, .object = COND),                                  /* 12 */
    E(EVENT_RELEASE, 1, .object = LOCK),                                 /* 13 */
    E(EVENT_WAIT_LEAVE, 0, .object = COND, .value2 = LOCK),              /* 14 */
    E(EVENT_RELEASE, 0, .object = LOCK),                                 /* 15 */
    E(RECORDED_CALL, 1, .object = 0),                                    /* 16 */
    E(RECORDED_ARGUMENT, 1, .value = 5),                                 /* 17 */
    E(EVENT_END, 1, .object = 1),                                        /* 18 */
    E(EVENT_JOIN, 0, .object = 1),                                       /* 19 */
    E(EVENT_TRYFAIL, 0, .object = SEMAPHORE, .flags = RECORDED_COUNT),   /* 20: nobody holds a count */
    E(EVENT_END, 0),                                                     /* 21 */
};
enum { N = sizeof good / sizeof good[0] };

/* The run with event `from` moved to where `to` is, and what `change` does; checked. */
static struct check_result checked(unsigned from, unsigned to, void (*change)(struct event *e)) {
  struct recorded run = {0};
  struct check_result r;
  uint32_t next[2] = {0, 0};
  recorded_names_init(&run.names);
  for (unsigned i = 0; i < N; i++) {
    unsigned k = i;
    if (from < to && i >= from && i <= to) k = i == to ? from : i + 1;
    if (from > to && i >= to && i <= from) k = i == to ? from : i - 1;
    *vec_push(&run.events) = good[k];
  }
  if (change) change(run.events.data);
  for (size_t i = 0; i < run.events.count; i++)
    if (run.events.data[i].index == 0) run.events.data[i].index = next[run.events.data[i].thread % 2]++;
  struct recorded_stream *s = recorded_stream_of(&run);
  assert_int_equal(check_run(s, &r), ERR_NONE);
  recorded_close(s);
  recorded_release(&run);
  return r;
}

static void expect(struct check_result r, enum check_rule rule, uint8_t op) {
  for (enum check_rule i = 0; i < CHECK_COUNT; i++)
    if (i != rule && r.broken[i]) fail_msg("%s, too", check_rule_text(i));
  assert_int_equal(r.broken[rule], 1);
  assert_int_equal(r.first[rule].op, op);
}

static void a_good_run_breaks_no_rule(void **unused) {
  (void)unused;
  struct check_result r = checked(0, 0, NULL);
  for (enum check_rule i = 0; i < CHECK_COUNT; i++) assert_int_equal(r.broken[i], 0);
  assert_int_equal(r.events, N);
}

static void set_value(struct event *e) { e[11].value = 8; }
static void set_marked(struct event *e) { e[11].value = 8, e[11].flags = RECORDED_UNORDERED; }
static void set_index(struct event *e) { e[N - 1].index = 77; }
static void set_operation(struct event *e) { e[12].op = 250; }
static void set_address(struct event *e) { e[7].object = UINT64_MAX - 2, e[11].value = 7; }
static void set_twice(struct event *e) { e[12].op = EVENT_ACQUIRE, e[12].object = LOCK; }
static void set_not_held(struct event *e) { e[12].op = EVENT_RELEASE, e[12].object = LOCK + 64; }
static void set_tried(struct event *e) { e[5].object = LOCK + 64; }
static void set_wait(struct event *e) { e[12].op = EVENT_WAIT_LEAVE, e[12].value2 = 0; }
static void set_pointer(struct event *e) { e[10].object = WORD + 64; }
static void set_argument(struct event *e) { e[16].op = EVENT_FENCE; }
static void set_site(struct event *e) { e[12].site = 3; }
static void set_fork(struct event *e) { e[12].op = EVENT_FORK, e[12].object = 0; }
static void set_begin(struct event *e) { e[12].op = EVENT_BEGIN; }

static void each_change_breaks_its_rule(void **unused) {
  (void)unused;
  expect(checked(0, 0, set_value), CHECK_VALUE, EVENT_RMW);
  expect(checked(0, 0, set_index), CHECK_INDEX, EVENT_END);
  expect(checked(0, 0, set_operation), CHECK_OPERATION, 250);
  expect(checked(0, 0, set_address), CHECK_ADDRESS, EVENT_WRITE);
  expect(checked(0, 0, set_twice), CHECK_TWICE, EVENT_ACQUIRE);
  expect(checked(0, 0, set_not_held), CHECK_NOT_HELD, EVENT_RELEASE);
  expect(checked(0, 0, set_tried), CHECK_TRIED, EVENT_TRYFAIL);
  expect(checked(0, 0, set_wait), CHECK_WAIT, EVENT_WAIT_LEAVE);
  expect(checked(0, 0, set_pointer), CHECK_POINTER, RECORDED_BRANCH);
  expect(checked(0, 0, set_argument), CHECK_ARGUMENT, RECORDED_ARGUMENT);
  expect(checked(0, 0, set_site), CHECK_SITE, EVENT_SIGNAL);
  expect(checked(0, 0, set_fork), CHECK_BEFORE_FORK, EVENT_FORK);
  expect(checked(0, 0, set_begin), CHECK_BEFORE_BEGIN, EVENT_BEGIN);
  expect(checked(2, 3, NULL), CHECK_BEFORE_FORK, EVENT_FORK);
  expect(checked(12, 18, NULL), CHECK_AFTER_END, EVENT_SIGNAL);
  expect(checked(19, 18, NULL), CHECK_JOIN, EVENT_END);
  expect(checked(14, 13, NULL), CHECK_HELD, EVENT_WAIT_LEAVE);
  struct check_result r = checked(0, 0, set_marked);
  assert_int_equal(r.broken[CHECK_VALUE], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_good_run_breaks_no_rule),
      cmocka_unit_test(each_change_breaks_its_rule),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
