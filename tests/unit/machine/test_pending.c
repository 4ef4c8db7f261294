/* Inputs that are pending: whatever explorations come to, their inputs are disjoint and complete. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../leaks.h"
#include "machine/symbolic/pending.h"

enum { SYMBOLS = 2, BITS = 3, VALUES = 1 << (SYMBOLS * BITS) };

static struct value_pool *p;
static struct value_solver *solver;
static struct pending_inputs pending;
static struct value_model model;
static struct expr symbols[SYMBOLS];
static VEC(struct decision) decisions;
static uint64_t random_state;

static unsigned below(unsigned n) {
  random_state = hash_mix(random_state);
  return (unsigned)((random_state >> 20) % n);
}

static void begin(void) {
  p = value_pool_new();
  solver = value_solver_new(p, &(struct value_options){0}, NULL);
  for (unsigned i = 0; i < SYMBOLS; i++) symbols[i] = expr_symbol(p, (struct symbol_name){"0", 1, i}, BITS);
}

static void end(void) {
  pending_release(&pending);
  vec_release(&decisions);
  value_model_release(&model);
  value_solver_free(solver);
  value_pool_free(p);
  memset(&pending, 0, sizeof pending), memset(&decisions, 0, sizeof decisions), memset(&model, 0, sizeof model);
}

/* The condition has decided, or its inverse. Returns which. */
static bool decide(struct expr condition, uint64_t place) {
  bits128 constant;
  if (expr_is_constant(p, condition, &constant)) return constant;
  bool holds = expr_eval(p, condition, &model);
  if (!holds) condition = expr_not(p, condition);
  *vec_push(&decisions) = (struct decision){condition, pending_way((const void *)(uintptr_t)place, holds),
                                            pending_way((const void *)(uintptr_t)place, !holds), false};
  return holds;
}

static struct expr some_condition(void) {
  static const enum expr_op compare[] = {EXPR_EQ, EXPR_ULT, EXPR_ULE, EXPR_SLT}, combine[] = {EXPR_ADD, EXPR_MUL, EXPR_XOR, EXPR_AND};
  struct expr x = symbols[below(SYMBOLS)], y = below(2) ? symbols[below(SYMBOLS)] : expr_constant(p, BITS, below(1 << BITS));
  struct expr z = expr_binary(p, combine[below(4)], x, below(2) ? y : expr_constant(p, BITS, below(1 << BITS)));
  return expr_binary(p, compare[below(4)], z, below(2) ? symbols[below(SYMBOLS)] : expr_constant(p, BITS, below(1 << BITS)));
}

/* A program: what it decides next follows from what was decided. `moody`: and from how often it was run. */
static void run(uint64_t seed, bool moody, unsigned nth) {
  uint64_t history = seed;
  vec_clear(&decisions);
  for (unsigned i = 0; i < 2 + seed % 5; i++) {
    random_state = history;
    struct expr condition = some_condition();
    history = hash_pair(history, decide(condition, history));
    if (moody && i == 0) history ^= nth;
  }
}

/* All inputs that satisfy the decisions, and what was asked for. */
static unsigned cover(const struct path *within, uint8_t *covered) {
  unsigned count = 0;
  for (unsigned v = 0; v < VALUES; v++) {
    struct value_model m = {0};
    for (unsigned i = 0; i < SYMBOLS; i++) value_model_set(&m, expr_the_symbol(p, symbols[i]), v >> (i * BITS) & ((1u << BITS) - 1));
    bool all = true;
    for (const struct path *at = within; at && all; at = at->before) all = expr_eval(p, at->condition, &m);
    for (size_t i = 0; i < decisions.count && all; i++) all = expr_eval(p, decisions.data[i].condition, &m);
    if (all) covered[v]++, count++;
    value_model_release(&m);
  }
  return count;
}

static void explore(uint64_t seed, bool moody) {
  uint8_t covered[VALUES] = {0};
  unsigned runs = 0;
  begin();
  enum value_answer answer = VALUE_YES;
  while (answer == VALUE_YES) {
    run(seed, moody, runs++);
    assert_true(cover(pending.within, covered) > 0);
    pending_explored(&pending, p, decisions.data, decisions.count);
    answer = pending_next(&pending, p, solver, &model);
    assert_true(runs <= VALUES);
  }
  assert_int_equal(answer, VALUE_NO);
  assert_int_equal(pending.found, runs - 1);
  for (unsigned v = 0; v < VALUES; v++) assert_int_equal(covered[v], 1);
  end();
}

static void inputs_are_disjoint_and_complete(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 400; seed++) explore(hash_mix(seed), false);
}

static void so_they_are_when_programs_do_not_repeat_themselves(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 200; seed++) explore(hash_mix(seed), true);
}

/* Workers with pools of their own, who hand to each other what is pending: all of it, a half, or an input that they do not explore. */
enum { WORKERS = 3 };

static struct worker {
  struct value_pool *p;
  struct value_solver *solver;
  struct pending_inputs pending;
  struct value_model model;
  struct expr symbols[SYMBOLS];
} workers[WORKERS];

static void leave(struct worker *w) {
  *w = (struct worker){p, solver, pending, model, {symbols[0], symbols[1]}};
  memset(&pending, 0, sizeof pending), memset(&model, 0, sizeof model);
}

static void enter(const struct worker *w) {
  p = w->p, solver = w->solver, pending = w->pending, model = w->model;
  memcpy(symbols, w->symbols, sizeof symbols);
}

static void add(struct worker *to, const struct text *bytes) {
  struct wire from = {bytes->data, bytes->data + bytes->count, false};
  assert_true(pending_read(&to->pending, to->p, &from));
  assert_ptr_equal(from.at, from.end);
}

/* Between two inputs, the present one of which was found and not explored. Returns whether it still is to be. */
static bool hand_over(struct worker *to) {
  struct text bytes = {0};
  size_t before = pending_count(&pending), there = pending_count(&to->pending);
  bool stays = below(2);
  if (stays) {
    pending_give(&pending, p, &bytes);
    assert_true(pending_count(&pending) <= before / 2);
  } else {
    pending_write(&pending, p, true, &bytes);
    pending_drop(&pending);
  }
  add(to, &bytes);
  assert_int_equal(pending_count(&pending) + pending_count(&to->pending), before + there + !stays);
  text_release(&bytes);
  return stays;
}

/* The present one is explored by somebody else, as the very input that it is. */
static void present_goes_over(struct worker *to) {
  struct text bytes = {0};
  pending_write_present(&pending, p, &model, &bytes);
  struct wire from = {bytes.data, bytes.data + bytes.count, false};
  assert_true(pending_read_present(&to->pending, to->p, &to->model, &from));
  for (unsigned i = 0; i < SYMBOLS; i++)
    assert_true(value_model_get(&model, expr_the_symbol(p, symbols[i])) ==
                value_model_get(&to->model, expr_the_symbol(to->p, to->symbols[i])));
  assert_int_equal(path_length(pending.within), path_length(to->pending.within));
  text_release(&bytes);
}

static void explore_by_several(uint64_t seed) {
  uint8_t covered[VALUES] = {0};
  unsigned runs = 0, by = 0, idle = 0;
  uint64_t random = seed;
  for (unsigned i = 0; i < WORKERS; i++) {
    begin();
    for (unsigned k = 0; k < i; k++) (void)expr_symbol(p, (struct symbol_name){"0", 9, k}, 5); /* other ids in each pool */
    leave(&workers[i]);
  }
  bool explores = true;
  while (idle < WORKERS) {
    enter(&workers[by]);
    if (explores) {
      run(seed, false, 0);
      assert_true(cover(pending.within, covered) > 0);
      pending_explored(&pending, p, decisions.data, decisions.count);
      assert_true(++runs <= VALUES);
    }
    explores = pending_next(&pending, p, solver, &model) == VALUE_YES;
    idle = explores ? 0 : idle + 1;
    random_state = random = hash_mix(random);
    unsigned next = (by + 1 + below(WORKERS - 1)) % WORKERS;
    if (explores && below(3) == 0) explores = hand_over(&workers[next]);
    bool goes = explores && below(4) == 0;
    if (goes) present_goes_over(&workers[next]);
    leave(&workers[by]);
    if (goes)
      by = next;
    else if (!explores)
      by = (by + 1) % WORKERS;
  }
  for (unsigned v = 0; v < VALUES; v++) assert_int_equal(covered[v], 1);
  for (unsigned i = 0; i < WORKERS; i++) enter(&workers[i]), end();
}

static void several_workers_cover_each_input_once(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 200; seed++) explore_by_several(hash_mix(seed));
}

/* 500 turns of a loop, and a branch behind it that only the first two have: it does not wait for all others. */
static void small_numbers_of_turns_come_soon(void **state) {
  (void)state;
  begin();
  struct expr n = expr_symbol(p, (struct symbol_name){"0", 2, 0}, 32);
  unsigned runs = 0;
  value_model_set(&model, expr_the_symbol(p, n), 100000);
  for (bool found = false; !found; runs++) {
    assert_true(runs < 40);
    vec_clear(&decisions);
    bits128 turns = value_model_get(&model, expr_the_symbol(p, n));
    for (unsigned i = 0; i < 500 && decide(expr_binary(p, EXPR_ULT, expr_constant(p, 32, i), n), 1); i++) {
    }
    found = turns == 1;
    pending_explored(&pending, p, decisions.data, decisions.count);
    assert_int_equal(pending_next(&pending, p, solver, &model), VALUE_YES);
  }
  end();
}

static void all_can_be_asked_again(void **state) {
  (void)state;
  begin();
  for (unsigned round = 0; round < 2; round++) {
    vec_clear(&decisions);
    decide(expr_binary(p, EXPR_ULT, symbols[0], expr_constant(p, BITS, 4)), 1);
    pending_explored(&pending, p, decisions.data, decisions.count);
    assert_int_equal(pending_next(&pending, p, solver, &model), VALUE_YES);
    pending_clear(&pending);
    value_model_clear(&model);
    assert_null(pending.within);
    assert_int_equal(pending.count, 0);
  }
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(inputs_are_disjoint_and_complete),
      TEST(so_they_are_when_programs_do_not_repeat_themselves),
      TEST(several_workers_cover_each_input_once),
      TEST(small_numbers_of_turns_come_soon),
      TEST(all_can_be_asked_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
