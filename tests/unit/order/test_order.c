#include "order/order.h"

/* cmocka wants these first */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "problem.h"

/* An engine that records. */
struct bed {
  struct order *order;
  struct order_record record;
};

static void bed_open(struct bed *b, enum order_kind kind) {
  struct diag d = {0};
  *b = (struct bed){.order = order_new(kind, &d)};
  assert_non_null(b->order);
  order_record_to(b->order, &b->record);
}

static void bed_close(struct bed *b) {
  order_free(b->order);
  order_record_release(&b->record);
  assert_int_equal(mem_live(), 0);
}

static struct order_lit less(struct bed *b, uint32_t x, uint32_t y) { return order_less(b->order, x, y); }

static enum order_answer ask(struct bed *b) { return order_solve(b->order, NULL, 0, ORDER_UNBOUNDED); }

static void chain_order_is_known(void **state) {
  (void)state;
  struct bed b;
  bed_open(&b, ORDER_ENGINE);
  order_clear(b.order, 2);
  uint32_t x = order_event(b.order, 0), y = order_event(b.order, 1), z = order_event(b.order, 0);
  assert_true(order_before(b.order, x, z));
  assert_false(order_before(b.order, z, x));
  assert_false(order_before(b.order, x, y));
  assert_int_equal(less(&b, x, z).code, ORDER_TRUE.code);
  assert_int_equal(less(&b, z, x).code, ORDER_FALSE.code);
  assert_int_equal(less(&b, x, y).code, order_not(less(&b, y, x)).code);
  assert_int_equal(ask(&b), ORDER_YES);
  bed_close(&b);
}

static void a_cycle_of_edges_has_no_answer_until_it_is_popped(void **state) {
  (void)state;
  struct bed b;
  bed_open(&b, ORDER_ENGINE);
  order_clear(b.order, 2);
  uint32_t x = order_event(b.order, 0), y = order_event(b.order, 1), x2 = order_event(b.order, 0), y2 = order_event(b.order, 1);
  order_edge(b.order, x2, y);
  assert_int_equal(ask(&b), ORDER_YES);
  order_push(b.order);
  order_edge(b.order, y2, x);
  assert_int_equal(ask(&b), ORDER_NO);
  order_push(b.order);
  assert_int_equal(ask(&b), ORDER_NO);
  order_pop(b.order);
  assert_int_equal(ask(&b), ORDER_NO);
  order_pop(b.order);
  assert_int_equal(ask(&b), ORDER_YES);
  order_push(b.order);
  order_edge(b.order, x, x);
  assert_int_equal(ask(&b), ORDER_NO);
  order_pop(b.order);
  assert_int_equal(ask(&b), ORDER_YES);
  order_clause(b.order, NULL, 0);
  assert_int_equal(ask(&b), ORDER_NO);
  bed_close(&b);
}

static void the_observed_order_is_found_without_a_decision(void **state) {
  (void)state;
  struct bed b;
  bed_open(&b, ORDER_ENGINE);
  order_clear(b.order, 4);
  for (uint32_t i = 0; i < 40; i++) (void)order_event(b.order, i * 7 % 4);
  for (uint32_t i = 0; i + 9 < 40; i++) {
    struct order_lit lits[] = {less(&b, i + 9, i), less(&b, i, i + 7)};
    order_clause(b.order, lits, 2);
  }
  assert_int_equal(ask(&b), ORDER_YES);
  assert_int_equal(order_stats(b.order).decisions, 0);
  bed_close(&b);
}

static void an_answer_stays_on_a_chain_while_it_can(void **state) {
  (void)state;
  struct bed b;
  uint32_t out[8];
  bed_open(&b, ORDER_ENGINE);
  order_clear(b.order, 2);
  for (uint32_t i = 0; i < 8; i++) (void)order_event(b.order, i % 2);
  order_edge(b.order, 1, 4);
  assert_int_equal(ask(&b), ORDER_YES);
  order_linear(b.order, out);
  uint32_t switches = 0;
  for (uint32_t i = 1; i < 8; i++) switches += out[i] % 2 != out[i - 1] % 2;
  assert_int_equal(switches, 2);
  bed_close(&b);
}

static void a_spent_budget_is_unknown(void **state) {
  (void)state;
  struct bed b;
  bed_open(&b, ORDER_ENGINE);
  /* Four events of different chains in no order: all 6 pairs in both directions of a Boolean's clauses take conflicts to refute. */
  order_clear(b.order, 4);
  struct order_lit v[3];
  for (uint32_t i = 0; i < 4; i++) (void)order_event(b.order, i);
  for (uint32_t i = 0; i < 3; i++) v[i] = order_var(b.order);
  for (uint32_t mask = 0; mask < 8; mask++) {
    struct order_lit lits[3];
    for (uint32_t i = 0; i < 3; i++) lits[i] = mask >> i & 1 ? v[i] : order_not(v[i]);
    order_clause(b.order, lits, 3);
  }
  assert_int_equal(order_solve(b.order, NULL, 0, 0), ORDER_UNKNOWN);
  assert_int_equal(ask(&b), ORDER_NO);
  bed_close(&b);
}

static void chains_that_are_too_long_are_unknown(void **state) {
  (void)state;
  struct bed b;
  bed_open(&b, ORDER_ENGINE);
  order_record_to(b.order, NULL);
  order_clear(b.order, 2);
  uint32_t other = order_event(b.order, 1), last = 0;
  for (uint32_t i = 0; i < ORDER_CHAIN_MOST; i++) last = order_event(b.order, 0);
  order_edge(b.order, last, other);
  assert_true(order_before(b.order, last - 31000, other));
  assert_int_equal(ask(&b), ORDER_YES);
  order_push(b.order);
  (void)order_event(b.order, 0);
  assert_int_equal(ask(&b), ORDER_UNKNOWN);
  order_pop(b.order);
  assert_int_equal(ask(&b), ORDER_YES);
  order_edge(b.order, other, 1);
  assert_int_equal(ask(&b), ORDER_NO);
  bed_close(&b);
}

static size_t nos, yeses, core_sizes;

/* The core's literals as they were recorded. */
static size_t core_of(struct bed *b, const struct order_lit *assumed, size_t n, struct record_lit *out) {
  const struct order_lit *core;
  const struct record_step *s = &vec_last(&b->record.steps);
  size_t count = order_core(b->order, &core), found = 0;
  for (size_t i = 0; i < count; i++) {
    size_t j = 0;
    while (j < n && assumed[j].code != core[i].code) j++;
    assert_true(j < n);
    out[found++] = b->record.lits.data[s->lits + j];
  }
  return found;
}

/* Asks, and compares with all orders. The engine has checked a yes itself, for it records. */
static void ask_and_compare(struct bed *b, struct problem *p) {
  struct order_lit assumed[5];
  struct record_lit core[5];
  size_t n = rng_below(&p->rng, 5);
  for (size_t i = 0; i < n; i++) assumed[i] = problem_lit(p);
  enum order_answer answer = order_solve(b->order, assumed, n, ORDER_UNBOUNDED);
  const struct record_step *s = &vec_last(&b->record.steps);
  bool expected = brute_force(&b->record, b->record.steps.count, b->record.lits.data + s->lits, s->count);
  assert_int_equal(answer, expected ? ORDER_YES : ORDER_NO);
  yeses += answer == ORDER_YES, nos += answer == ORDER_NO;
  if (answer != ORDER_NO) return;
  size_t used = core_of(b, assumed, n, core);
  core_sizes += used;
  assert_false(brute_force(&b->record, b->record.steps.count, core, used));
}

static void a_random_problem(struct bed *b, uint64_t seed) {
  struct problem p;
  struct rng rng = {seed + 77};
  order_record_clear(&b->record);
  problem_start(&p, b->order, seed, 2 + rng_below(&rng, 3), 3 + rng_below(&rng, 5), rng_below(&rng, 3));
  for (uint32_t i = 0, n = rng_below(&p.rng, 12); i < n; i++) problem_clause(&p);
  for (uint32_t step = 0; step < 25; step++) {
    switch (rng_below(&p.rng, 6)) {
      case 0:
        if (p.depth < 4) problem_push(&p);
        break;
      case 1:
        if (p.depth) problem_pop(&p);
        break;
      case 2:
        problem_clause(&p);
        break;
      case 3:
        if (rng_below(&p.rng, 3) == 0) problem_edge(&p);
        break;
      default:
        ask_and_compare(b, &p);
    }
  }
}

/* Levels full of clauses that are hard to satisfy, and questions after they have gone: what was learnt from them must have gone, too. */
static void a_problem_of_levels(struct bed *b, uint64_t seed) {
  struct problem p;
  order_record_clear(&b->record);
  problem_start(&p, b->order, seed, 3, 6, 5);
  p.shortest = 4;
  for (uint32_t i = 0; i < 5; i++) problem_clause(&p);
  for (uint32_t round = 0; round < 12; round++) {
    while (p.depth && rng_below(&p.rng, 2)) problem_pop(&p);
    ask_and_compare(b, &p);
    problem_push(&p);
    for (uint32_t i = 0; i < 30; i++) problem_clause(&p);
    struct order_lit fact = problem_lit(&p);
    if (rng_below(&p.rng, 2)) order_clause(b->order, &fact, 1);
    if (rng_below(&p.rng, 8) == 0) problem_edge(&p);
    ask_and_compare(b, &p);
  }
}

static void what_was_learnt_goes_with_its_level(void **state) {
  (void)state;
  struct bed b;
  bed_open(&b, ORDER_ENGINE);
  for (uint64_t seed = 1; seed <= 300; seed++) a_problem_of_levels(&b, seed);
  assert_true(order_stats(b.order).conflicts > 500);
  bed_close(&b);
}

static void answers_agree_with_all_orders(void **state) {
  const char *more = getenv("ORDER_ROUNDS");
  uint64_t rounds = more ? strtoull(more, NULL, 10) : 3000;
  struct bed b;
  bed_open(&b, (enum order_kind)(uintptr_t)*state);
  nos = yeses = core_sizes = 0;
  if (*state) rounds /= 10;
  for (uint64_t seed = 1; seed <= rounds; seed++) a_random_problem(&b, seed);
  /* The random problems must be worth their name. */
  assert_true(yeses > rounds && nos > rounds && core_sizes > rounds / 2);
  bed_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chain_order_is_known),
      cmocka_unit_test(a_cycle_of_edges_has_no_answer_until_it_is_popped),
      cmocka_unit_test(the_observed_order_is_found_without_a_decision),
      cmocka_unit_test(an_answer_stays_on_a_chain_while_it_can),
      cmocka_unit_test(a_spent_budget_is_unknown),
      cmocka_unit_test(what_was_learnt_goes_with_its_level),
      cmocka_unit_test(chains_that_are_too_long_are_unknown),
      cmocka_unit_test_prestate(answers_agree_with_all_orders, (void *)(uintptr_t)ORDER_ENGINE),
      cmocka_unit_test_prestate(answers_agree_with_all_orders, (void *)(uintptr_t)ORDER_Z3),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
