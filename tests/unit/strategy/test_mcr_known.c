/* Prefixes that lead to where another one led. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "execution/run.h"
#include "strategy/mcr/known.h"
#include "toy.h"

/* Thread 1 stores to x and reads z twice; thread 2 stores to y and to z. */
static const struct toy_program program = {
    .threads = 3,
    .length = {4, 3, 3},
    .ops =
        {{{.kind = TOY_FORK, .value = 1}, {.kind = TOY_FORK, .value = 2}, {.kind = TOY_JOIN, .value = 1}, {.kind = TOY_JOIN, .value = 2}},
         {{.kind = TOY_WRITE, .at = 0, .size = 1, .value = 1},
          {.kind = TOY_READ, .at = 2, .size = 1},
          {.kind = TOY_READ, .at = 2, .size = 1}},
         {{.kind = TOY_WRITE, .at = 1, .size = 1, .value = 1},
          {.kind = TOY_WRITE, .at = 2, .size = 1, .value = 1},
          {.kind = TOY_WRITE, .at = 1, .size = 1, .value = 2}}},
};

struct rig {
  struct machine *m;
  struct run run;
  struct mcr_known known;
};

static void open_rig(struct rig *r) {
  *r = (struct rig){.m = toy_new(&program)};
  run_init(&r->run, r->m);
}

static void close_rig(struct rig *r) {
  mcr_known_release(&r->known);
  run_release(&r->run);
  toy_free(r->m);
}

/* A digit is the thread that takes the next step; the last of them is looked up. */
static bool find(struct rig *r, const char *threads, bool reads) {
  run_begin(&r->run);
  for (; threads[1]; threads++) run_step(&r->run, (struct step){.thread = (uint32_t)(*threads - '0')});
  struct execution x = run_view(&r->run);
  mcr_known_begin(&r->known);
  return mcr_known_find(&r->known, &x, &(struct step){.thread = (uint32_t)(*threads - '0')}, reads);
}

/* The same, when its last step was taken. */
static bool find_behind(struct rig *r, const char *threads) {
  run_begin(&r->run);
  for (; *threads; threads++) run_step(&r->run, (struct step){.thread = (uint32_t)(*threads - '0')});
  struct execution x = run_view(&r->run);
  mcr_known_begin(&r->known);
  return mcr_known_find(&r->known, &x, NULL, false);
}

static void ask(struct rig *r, const char *threads, bool reads) {
  assert_false(find(r, threads, reads));
  mcr_known_add(&r->known);
}

static void the_same_steps_in_another_order_are_known(void **state) {
  (void)state;
  struct rig r;
  open_rig(&r);
  ask(&r,
      "0012"
      "1",
      true);
  assert_true(find(&r,
                   "0021"
                   "1",
                   true));
  close_rig(&r);
}

static void what_was_looked_up_alone_is_not_known(void **state) {
  (void)state;
  struct rig r;
  open_rig(&r);
  assert_false(find(&r, "00121", true));
  assert_false(find(&r, "00211", true));
  close_rig(&r);
}

static void another_last_step_makes_another_prefix(void **state) {
  (void)state;
  struct rig r;
  open_rig(&r);
  ask(&r, "00121", true);
  assert_false(find(&r, "00122", true));
  assert_false(find(&r, "001", true));
  close_rig(&r);
}

static void behind_its_last_step_a_prefix_is_known_whoever_took_it(void **state) {
  (void)state;
  struct rig r;
  open_rig(&r);
  assert_false(find_behind(&r, "0012"));
  assert_false(find_behind(&r, "0021")); /* not added yet */
  mcr_known_add(&r.known);
  assert_true(find_behind(&r, "0012"));
  assert_false(find_behind(&r, "0011"));
  close_rig(&r);
}

static void a_new_execution_has_no_prefix_to_add(void **state) {
  (void)state;
  struct rig r;
  open_rig(&r);
  assert_false(find(&r, "00121", true));
  mcr_known_begin(&r.known);
  mcr_known_add(&r.known);
  assert_false(find(&r, "00211", true));
  close_rig(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_steps_in_another_order_are_known), cmocka_unit_test(what_was_looked_up_alone_is_not_known),
      cmocka_unit_test(another_last_step_makes_another_prefix),    cmocka_unit_test(behind_its_last_step_a_prefix_is_known_whoever_took_it),
      cmocka_unit_test(a_new_execution_has_no_prefix_to_add),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
