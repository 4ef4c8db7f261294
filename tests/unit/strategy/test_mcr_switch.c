/* Switch equivalence, on traces written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "strategy/mcr/switch.h"

enum { X = 100, Y = 200, Z = 300, LOCK = 400 };

struct rig {
  struct mcr_trace trace;
  struct mcr_switch w;
  uint32_t indices[4];
};

static bool zero(void *data, uint64_t address, uint32_t size, uint64_t *value) {
  (void)data, (void)size;
  *value = 0;
  return address != Z; /* of which nobody knows */
}

static void open_rig(struct rig *r) {
  *r = (struct rig){0};
  r->w.initial = zero;
}

static void close_rig(struct rig *r) {
  mcr_trace_release(&r->trace);
  mcr_switch_release(&r->w);
}

static uint32_t event(struct rig *r, uint32_t thread, enum event_op op, uint64_t object, uint64_t value) {
  struct event e = {.op = (uint8_t)op, .thread = thread, .index = r->indices[thread]++, .object = object, .size = 4, .value = value};
  *vec_push(&r->trace.events) = e;
  *vec_push(&r->trace.steps) = r->trace.n;
  return r->trace.n++;
}

/* A prefix was found that is made of these events and whose last one returns `value`. Is it left out? */
static bool found(struct rig *r, uint64_t value, const uint32_t *events, uint32_t n) {
  struct causal_step witness[8];
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &r->trace.events.data[events[i]];
    witness[i] = (struct causal_step){.event = events[i], .thread = e->thread, .index = e->index};
  }
  return mcr_switch_found(&r->w, &r->trace, witness, n, value);
}
#define FOUND(r, value, ...) found(r, value, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* How many of the later ones the i-th one leaves out below it. */
static size_t left_out(struct rig *r, uint32_t i) {
  size_t before = r->w.later.count;
  mcr_switch_compare(&r->w, &r->trace, i);
  return r->w.later.count - before;
}

/* Threads 1 and 2 read x and y, thread 3 writes both. */
static void two_reads(struct rig *r, uint32_t *p, uint32_t *q, uint32_t *x, uint32_t *y) {
  open_rig(r);
  *p = event(r, 1, EVENT_READ, X, 0);
  *q = event(r, 2, EVENT_READ, Y, 0);
  *x = event(r, 3, EVENT_WRITE, X, 1);
  *y = event(r, 3, EVENT_WRITE, Y, 1);
  mcr_switch_begin(&r->w, &r->trace, 0);
}

static void the_elder_of_two_independent_prefixes_leaves_the_others_rest_out(void **state) {
  (void)state;
  struct rig r;
  uint32_t p, q, x, y;
  two_reads(&r, &p, &q, &x, &y);
  assert_false(FOUND(&r, 1, x, p));
  assert_false(FOUND(&r, 1, x, y, q));
  assert_int_equal(left_out(&r, 0), 1);
  assert_int_equal(left_out(&r, 1), 0); /* the younger makes both */
  close_rig(&r);
}

static void a_rest_is_recognised_below_whatever_its_order(void **state) {
  (void)state;
  struct rig r, below;
  uint32_t p, q, x, y;
  two_reads(&r, &p, &q, &x, &y);
  FOUND(&r, 1, x, p);
  FOUND(&r, 1, x, y, q);
  left_out(&r, 0);
  mcr_switch_take(&r.w, 0);
  assert_int_equal(r.w.later.count, 0);
  /* The execution that begins with x, p. */
  two_reads(&below, &p, &q, &x, &y);
  below.trace.events.data[p].value = 1;
  *vec_push(&below.w.skip) = r.w.skip.data[0];
  struct event first = below.trace.events.data[x], second = below.trace.events.data[p];
  below.trace.events.data[0] = first, below.trace.events.data[2] = below.trace.events.data[1], below.trace.events.data[1] = second;
  below.trace.prefix = 2;
  mcr_switch_begin(&below.w, &below.trace, 0);
  assert_false(FOUND(&below, 2, y, 2)); /* another value */
  assert_true(FOUND(&below, 1, y, 2));
  close_rig(&r);
  close_rig(&below);
}

static void a_prefix_that_has_the_others_read_is_not_equivalent(void **state) {
  (void)state;
  struct rig r;
  uint32_t p, q, x, y;
  two_reads(&r, &p, &q, &x, &y);
  FOUND(&r, 1, x, p);
  FOUND(&r, 1, p, x, y, q); /* it fixes what p returned */
  assert_int_equal(left_out(&r, 0), 0);
  close_rig(&r);
}

static void a_prefix_that_writes_what_the_other_reads_is_not_equivalent(void **state) {
  (void)state;
  struct rig r;
  open_rig(&r);
  uint32_t x = event(&r, 1, EVENT_WRITE, X, 1), p = event(&r, 1, EVENT_READ, Y, 0);
  uint32_t q = event(&r, 2, EVENT_READ, X, 1), y = event(&r, 3, EVENT_WRITE, Y, 1);
  mcr_switch_begin(&r.w, &r.trace, 0);
  FOUND(&r, 1, y, x, p);
  FOUND(&r, 0, q); /* before x = 1, which the first one has */
  assert_int_equal(left_out(&r, 0), 0);
  close_rig(&r);
}

static void a_value_that_is_not_known_is_not_kept(void **state) {
  (void)state;
  struct rig r;
  open_rig(&r);
  uint32_t x = event(&r, 3, EVENT_WRITE, X, 1), p = event(&r, 1, EVENT_READ, X, 1), z = event(&r, 3, EVENT_WRITE, Z, 1);
  uint32_t q = event(&r, 2, EVENT_READ, Z, 1);
  (void)z;
  mcr_switch_begin(&r.w, &r.trace, 0);
  FOUND(&r, 1, x, p);
  FOUND(&r, 0, q);
  assert_int_equal(left_out(&r, 0), 0);
  close_rig(&r);
}

/* With the rest of its section, the first prefix writes what the second one reads. */
static void prefixes_are_compared_up_to_the_end_of_their_sections(void **state) {
  (void)state;
  for (unsigned locked = 0; locked < 2; locked++) {
    struct rig r;
    open_rig(&r);
    uint32_t x = event(&r, 3, EVENT_WRITE, X, 1);
    uint32_t lock = event(&r, 1, locked ? EVENT_ACQUIRE : EVENT_YIELD, LOCK, 0), p = event(&r, 1, EVENT_READ, X, 1);
    event(&r, 1, EVENT_WRITE, Y, 7);
    event(&r, 1, locked ? EVENT_RELEASE : EVENT_YIELD, LOCK, 0);
    uint32_t q = event(&r, 2, EVENT_READ, Y, 7);
    mcr_switch_begin(&r.w, &r.trace, 0);
    FOUND(&r, 0, lock, p);
    FOUND(&r, 0, q);
    (void)x;
    assert_int_equal(left_out(&r, 0), !locked);
    close_rig(&r);
  }
}

static void nothing_is_equivalent_with_store_buffers(void **state) {
  (void)state;
  struct rig r;
  uint32_t p, q, x, y;
  two_reads(&r, &p, &q, &x, &y);
  r.trace.buffers = true;
  FOUND(&r, 1, x, p);
  FOUND(&r, 1, x, y, q);
  assert_int_equal(left_out(&r, 0), 0);
  close_rig(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_elder_of_two_independent_prefixes_leaves_the_others_rest_out),
      cmocka_unit_test(a_rest_is_recognised_below_whatever_its_order),
      cmocka_unit_test(a_prefix_that_has_the_others_read_is_not_equivalent),
      cmocka_unit_test(a_prefix_that_writes_what_the_other_reads_is_not_equivalent),
      cmocka_unit_test(a_value_that_is_not_known_is_not_kept),
      cmocka_unit_test(prefixes_are_compared_up_to_the_end_of_their_sections),
      cmocka_unit_test(nothing_is_equivalent_with_store_buffers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
