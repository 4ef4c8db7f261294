#include "order/record.h"

/* cmocka wants these first */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "problem.h"

static const char sample[] =
    "order 1\nchains 2\nevent 0\nevent 1\nevent 0\nvar\nphase x0\nedge 1 2\nclause 0<1 !x0\nknown 0<2\npush\nclause\nsolve no 0<1 x0 !x0 "
    "true\npop\n"
    "solve yes false 2<0\n";

static void text_comes_back_as_it_was(void **state) {
  (void)state;
  struct order_record r = {0};
  struct text out = {0};
  struct diag d = {0};
  assert_int_equal(order_load(&r, sample, &d), ERR_NONE);
  order_dump(&r, &out);
  assert_string_equal(text_str(&out), sample);
  order_record_release(&r);
  text_release(&out);
  diag_release(&d);
  assert_int_equal(mem_live(), 0);
}

static void wrong_text_is_refused_with_its_line(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "line 1: this is not a recorded problem: `order 1` was expected"},
      {"order 2\n", "line 1: this is not a recorded problem: `order 1` was expected"},
      {"order 1\nchains 1\nevents 0\n", "line 3: no such step"},
      {"order 1\nchains 1\nevent 1\n", "line 3: wrong operands"},
      {"order 1\nchains 1\nevent 0\nedge 0 1\n", "line 4: wrong operands"},
      {"order 1\nchains 1\nevent 0\nclause 0<0\n", "line 4: wrong literal"},
      {"order 1\nchains 1\nevent 0\nclause x0\n", "line 4: wrong literal"},
      {"order 1\nchains 1\npush\nvar\npop\nclause x0\n", "line 6: wrong literal"},
      {"order 1\nchains 1\npop\n", "line 3: wrong operands"},
      {"order 1\nchains 1\nsolve maybe\n", "line 3: wrong operands"},
      {"order 1\nchains 1\nvar\nphase x0 x0\n", "line 4: one literal was expected"},
      {"order 1\nchains 1 2\n", "line 2: more than was expected"},
      {"order 1\nchains 99999999999\n", "line 2: wrong operands"},
      {"order 1\nvar\n", "line 2: the first step must be `chains`"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct order_record r = {0};
    struct diag d = {0};
    assert_int_equal(order_load(&r, cases[i].text, &d), ERR_FORMAT);
    assert_string_equal(text_str(&d.message), cases[i].message);
    order_record_release(&r);
    diag_release(&d);
  }
}

static void the_checker_accepts_answers_only(void **state) {
  (void)state;
  struct order_record r = {0};
  struct diag d = {0};
  assert_int_equal(
      order_load(&r, "order 1\nchains 2\nevent 0\nevent 1\nevent 0\nvar\nedge 1 2\nclause 1<0 x0\npush\nclause !x0\nsolve yes 1<2\n", &d),
      ERR_NONE);
  size_t all = r.steps.count;
  bool no = false, yes = true;
  assert_true(order_check(&r, all, (uint32_t[]){1, 0, 2}, &no, NULL));
  assert_false(order_check(&r, all, (uint32_t[]){1, 2, 0}, &no, NULL));  /* not as the chain */
  assert_false(order_check(&r, all, (uint32_t[]){0, 2, 1}, &no, NULL));  /* not as the edge */
  assert_false(order_check(&r, all, (uint32_t[]){0, 1, 2}, &no, NULL));  /* not as the clause */
  assert_false(order_check(&r, all, (uint32_t[]){1, 0, 2}, &yes, NULL)); /* not as the clause of the level */
  assert_false(order_check(&r, all, (uint32_t[]){1, 0, 0}, &no, NULL));  /* an event is missing */
  assert_false(order_check(&r, all, (uint32_t[]){1, 0, 7}, &no, NULL));  /* an event that there is not */
  assert_true(order_check(&r, 8, (uint32_t[]){0, 1, 2}, &yes, NULL));

  struct order_record assumed = {0};
  assert_int_equal(order_load(&assumed, "order 1\nchains 2\nevent 0\nevent 1\nknown 0<1\nsolve yes 0<1\n", &d), ERR_NONE);
  assert_true(order_check(&assumed, 5, (uint32_t[]){0, 1}, NULL, NULL));
  assert_false(order_check(&assumed, 4, (uint32_t[]){1, 0}, NULL, NULL)); /* what was said to be known is not */
  assert_false(order_check(&assumed, 5, (uint32_t[]){1, 0}, NULL, NULL));
  order_record_release(&assumed);
  order_record_release(&r);
  diag_release(&d);
}

static void expect_same(void *to, const struct record_step *step, enum order_answer answer) {
  assert_int_equal(answer, step->a);
  ++*(unsigned *)to;
}

struct chosen {
  struct order_record record;
  unsigned problems;
};

static struct order_record *every_second(void *data) {
  struct chosen *c = data;
  return c->problems++ % 2 ? NULL : &c->record;
}

static void problems_of_any_object_can_be_recorded(void **state) {
  (void)state;
  struct diag d = {0};
  struct chosen c = {0};
  struct order_record own = {0};
  order_record_each(every_second, &c);
  struct order *o = order_new(ORDER_ENGINE, &d); /* which clears it: the first problem */
  for (uint32_t chains = 1; chains < 4; chains++) order_clear(o, chains);
  order_record_to(o, &own);
  order_clear(o, 4);
  order_record_each(NULL, NULL);
  order_record_to(o, NULL);
  order_clear(o, 5);
  assert_int_equal(c.problems, 4);
  assert_int_equal(c.record.steps.count, 2);
  assert_int_equal(c.record.steps.data[1].a, 2);
  assert_int_equal(own.steps.count, 1);
  order_free(o);
  order_record_release(&c.record);
  order_record_release(&own);
}

static void a_recorded_run_replays_with_the_same_answers(void **state) {
  (void)state;
  struct diag d = {0};
  struct order *o = order_new(ORDER_ENGINE, &d), *again = order_new(ORDER_ENGINE, &d);
  struct order_record r = {0}, loaded = {0}, twice = {0};
  struct text text = {0}, text2 = {0};
  unsigned asked = 0, replayed = 0;
  order_record_to(o, &r);
  order_record_to(again, &twice);
  for (uint64_t seed = 1; seed <= 200; seed++) {
    struct problem p;
    problem_start(&p, o, seed, 3, 20, 3);
    for (uint32_t step = 0; step < 60; step++) {
      uint32_t what = rng_below(&p.rng, 8);
      if (what == 0 && p.depth < 4)
        problem_push(&p);
      else if (what == 1 && p.depth)
        problem_pop(&p);
      else if (what < 6)
        problem_clause(&p);
      else
        (void)order_solve(o, (struct order_lit[]){problem_lit(&p)}, 1, ORDER_UNBOUNDED), asked++;
    }
    while (p.depth) problem_pop(&p);
  }
  order_dump(&r, &text);
  assert_int_equal(order_load(&loaded, text_str(&text), &d), ERR_NONE);
  order_replay(&loaded, again, ORDER_UNBOUNDED, expect_same, &replayed);
  assert_int_equal(asked, replayed);
  assert_true(asked > 1000);
  order_dump(&loaded, &text2);
  assert_string_equal(text_str(&text), text_str(&text2));
  order_free(o);
  order_free(again);
  order_record_release(&r);
  order_record_release(&loaded);
  order_record_release(&twice);
  text_release(&text);
  text_release(&text2);
  diag_release(&d);
  assert_int_equal(mem_live(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_comes_back_as_it_was),
      cmocka_unit_test(wrong_text_is_refused_with_its_line),
      cmocka_unit_test(the_checker_accepts_answers_only),
      cmocka_unit_test(problems_of_any_object_can_be_recorded),
      cmocka_unit_test(a_recorded_run_replays_with_the_same_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
