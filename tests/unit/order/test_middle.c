/* The engine against Z3 on problems too large to enumerate, as both see the very same steps. */
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

struct both {
  struct order *engine, *z3;
  struct order_record record;
  size_t done; /* steps that Z3 has had */
  unsigned yes, no;
};

static uint64_t rounds(uint64_t usual) {
  const char *more = getenv("ORDER_ROUNDS");
  return more ? strtoull(more, NULL, 10) : usual;
}

static void compare(void *to, const struct record_step *step, enum order_answer answer) {
  struct both *b = to;
  assert_int_equal(answer, step->a);
  b->yes += answer == ORDER_YES, b->no += answer == ORDER_NO;
}

/* The core of a no is no by itself; Z3 will be asked the same. */
static void check_core(struct both *b) {
  const struct order_lit *core;
  size_t n = order_core(b->engine, &core);
  VEC(struct order_lit) lits = {0};
  for (size_t i = 0; i < n; i++) *vec_push(&lits) = core[i];
  assert_int_equal(order_solve(b->engine, lits.data, n, ORDER_UNBOUNDED), ORDER_NO);
  vec_release(&lits);
}

struct scale {
  uint32_t chains, events, clauses, steps, booleans;
};

static void a_problem(struct both *b, uint64_t seed, struct scale scale) {
  struct problem p;
  order_record_clear(&b->record);
  problem_start(&p, b->engine, seed, scale.chains, scale.events, scale.booleans);
  p.shortest = 3;
  for (uint32_t i = 0; i < scale.clauses; i++) problem_clause(&p);
  p.shortest = 2;
  for (uint32_t step = 0; step < scale.steps; step++) {
    uint32_t what = rng_below(&p.rng, 8);
    if (what < 2 && p.depth < 6) {
      problem_push(&p);
    } else if (what == 2 && p.depth) {
      problem_pop(&p);
    } else if (what < 5) {
      problem_clause(&p);
    } else {
      struct order_lit assumed[3];
      for (uint32_t i = 0; i < 3; i++) assumed[i] = problem_lit(&p);
      enum order_answer answer = order_solve(b->engine, assumed, rng_below(&p.rng, 4), ORDER_UNBOUNDED);
      if (answer == ORDER_NO) check_core(b);
    }
  }
  while (p.depth) problem_pop(&p);
  order_replay(&b->record, b->z3, ORDER_UNBOUNDED, compare, b);
}

static void answers_agree_with_z3(enum order_kind kind, struct scale scale, uint64_t seeds, uint64_t conflicts) {
  struct diag d = {0};
  struct both b = {.engine = order_new(ORDER_ENGINE, &d), .z3 = order_new(kind, &d)};
  order_record_to(b.engine, &b.record);
  for (uint64_t seed = 1; seed <= seeds; seed++) a_problem(&b, seed, scale);
  assert_true(b.yes > seeds && b.no > seeds);
  assert_true(order_stats(b.engine).conflicts > conflicts);
  order_free(b.engine);
  order_free(b.z3);
  order_record_release(&b.record);
  diag_release(&d);
  assert_int_equal(mem_live(), 0);
}

static void small_problems_agree_with_z3(void **state) {
  (void)state;
  answers_agree_with_z3(ORDER_Z3, (struct scale){.chains = 3, .events = 16, .clauses = 40, .steps = 40, .booleans = 4}, rounds(200), 100);
}

static void middle_problems_agree_with_z3(void **state) {
  (void)state;
  answers_agree_with_z3(ORDER_Z3, (struct scale){.chains = 4, .events = 60, .clauses = 100, .steps = 60, .booleans = 12}, rounds(60), 100);
}

static void more_than_eight_chains_agree_with_z3(void **state) {
  (void)state;
  answers_agree_with_z3(ORDER_Z3_SPARSE, (struct scale){.chains = 19, .events = 120, .clauses = 480, .steps = 40, .booleans = 10},
                        rounds(6), 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_problems_agree_with_z3),
      cmocka_unit_test(middle_problems_agree_with_z3),
      cmocka_unit_test(more_than_eight_chains_agree_with_z3),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
