/* Executions as the causal model takes them, and its witnesses as steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "execution/run.h"
#include "strategy/mcr/trace.h"
#include "toy.h"

/* Thread 1 stores 1 to x and reads y; thread 2 stores 1 to y and reads x; main waits for both. */
static const struct toy_program buffering = {
    .threads = 3,
    .length = {4, 2, 2},
    .ops =
        {{{.kind = TOY_FORK, .value = 1}, {.kind = TOY_FORK, .value = 2}, {.kind = TOY_JOIN, .value = 1}, {.kind = TOY_JOIN, .value = 2}},
         {{.kind = TOY_WRITE, .at = 0, .size = 1, .value = 1}, {.kind = TOY_READ, .at = 1, .size = 1}},
         {{.kind = TOY_WRITE, .at = 1, .size = 1, .value = 1}, {.kind = TOY_READ, .at = 0, .size = 1}}},
};

struct rig {
  struct machine *m;
  struct run run;
  struct mcr_trace trace;
};

static void open_rig(struct rig *r, const struct toy_program *p) {
  *r = (struct rig){.m = toy_new(p)};
  run_init(&r->run, r->m);
  run_begin(&r->run);
}

static void close_rig(struct rig *r) {
  mcr_trace_release(&r->trace);
  run_release(&r->run);
  toy_free(r->m);
}

/* A digit is the thread that takes the next step. */
static void steps(struct rig *r, const char *threads) {
  for (; *threads; threads++) run_step(&r->run, (struct step){.thread = (uint32_t)(*threads - '0')});
}

static void take(struct rig *r, uint32_t fixed, bool cut) {
  struct execution x = run_view(&r->run);
  mcr_trace_take(&r->trace, &x, fixed, cut);
}

static uint64_t state_of(const struct toy_program *p, const char *threads) {
  struct rig r;
  open_rig(&r, p);
  steps(&r, threads);
  take(&r, 0, false);
  uint64_t state = mcr_trace_state(&r.trace);
  close_rig(&r);
  return state;
}

static void has_the_events_of_all_steps_and_where_live_threads_stand(void **state) {
  (void)state;
  struct rig r;
  open_rig(&r, &buffering);
  steps(&r, "001");
  take(&r, 0, false);
  assert_int_equal(r.trace.prefix, 0);
  assert_int_equal(r.trace.pending, 3);
  assert_int_equal(r.trace.events.count, r.trace.n + 3);
  assert_int_equal(r.trace.events.data[r.trace.n - 1].op, EVENT_WRITE);
  assert_int_equal(r.trace.steps.data[r.trace.n - 1], 2);
  const struct event *pending = r.trace.events.data + r.trace.n;
  assert_int_equal(pending[0].op, EVENT_JOIN);
  assert_int_equal(pending[1].op, EVENT_READ);
  assert_int_equal(pending[2].op, EVENT_WRITE);
  close_rig(&r);
}

static void pending_events_are_steps_of_their_own(void **state) {
  (void)state;
  struct rig r;
  open_rig(&r, &buffering);
  steps(&r, "00");
  take(&r, 0, false);
  for (uint32_t i = r.trace.n; i + 1 < r.trace.events.count; i++) {
    assert_true(r.trace.steps.data[i] > 1);
    assert_int_not_equal(r.trace.steps.data[i], r.trace.steps.data[i + 1]);
  }
  close_rig(&r);
}

static void prefix_is_all_events_of_the_fixed_steps(void **state) {
  (void)state;
  struct rig r;
  open_rig(&r, &buffering);
  steps(&r, "001122");
  take(&r, 4, false); /* the last of them ends thread 1: two events */
  assert_int_equal(r.run.ends.data[3], r.trace.prefix);
  assert_int_equal(r.trace.prefix, 5);
  assert_int_equal(r.trace.events.data[4].op, EVENT_END);
  assert_true(r.trace.n > r.trace.prefix);
  close_rig(&r);
}

static void who_ended_the_execution_stands_nowhere(void **state) {
  (void)state;
  struct toy_program p = buffering;
  p.ops[1][1] = (struct toy_op){.kind = TOY_CHOOSE, .value = 2};
  p.ops[1][2] = (struct toy_op){.kind = TOY_ASSERT, .value = 0};
  p.length[1] = 3;
  struct rig r;
  open_rig(&r, &p);
  steps(&r, "0011");
  assert_int_equal(machine_status(r.m), MACHINE_FAILED);
  take(&r, 0, true);
  assert_int_equal(r.trace.pending, 2);
  for (uint32_t i = r.trace.n; i < r.trace.events.count; i++) assert_int_not_equal(r.trace.events.data[i].thread, 1);
  close_rig(&r);
}

/* All of the program, its first two steps fixed. */
static void run_buffering(struct rig *r) {
  open_rig(r, &buffering);
  steps(r, "001122");
  take(r, 2, false);
}

static void a_witness_takes_one_step_for_all_events_of_a_step(void **state) {
  (void)state;
  struct rig r;
  struct schedule out = {0};
  struct mcr_sites sites = {0};
  run_buffering(&r);
  struct causal_step witness[8];
  uint32_t n = 0;
  for (uint32_t i = r.trace.prefix; i < r.trace.n; i++)
    witness[n++] = (struct causal_step){.event = i, .thread = r.trace.events.data[i].thread, .index = r.trace.events.data[i].index};
  assert_int_equal(n, 6); /* each thread ends with its second step */
  mcr_trace_steps(&r.trace, witness, n, &out, &sites);
  assert_int_equal(out.steps.count, 4);
  for (uint32_t i = 0; i < 4; i++) assert_int_equal(out.steps.data[i].thread, 1 + i / 2);
  assert_int_equal(sites.sites.count, out.steps.count);
  vec_release(&out.steps);
  vec_release(&sites.sites);
  close_rig(&r);
}

static void a_threads_end_is_no_step_of_its_own_wherever_the_witness_has_it(void **state) {
  (void)state;
  struct rig r;
  struct schedule out = {0};
  struct mcr_sites sites = {0};
  open_rig(&r, &buffering);
  steps(&r, "001122");
  take(&r, 2, false);
  /* Thread 1's end, event 4, after thread 2's write. */
  const struct causal_step witness[] = {{.event = 2, .thread = 1},
                                        {.event = 3, .thread = 1},
                                        {.event = 5, .thread = 2},
                                        {.event = 4, .thread = 1},
                                        {.event = 6, .thread = 2}};
  mcr_trace_steps(&r.trace, witness, 5, &out, &sites);
  assert_int_equal(out.steps.count, 4);
  for (uint32_t i = 0; i < 4; i++) assert_int_equal(out.steps.data[i].thread, 1 + i / 2);
  vec_release(&out.steps);
  vec_release(&sites.sites);
  close_rig(&r);
}

static void a_flush_names_the_store_and_parts_the_steps_around_it(void **state) {
  (void)state;
  struct rig r;
  struct schedule out = {0};
  struct mcr_sites sites = {0};
  run_buffering(&r);
  const struct causal_step witness[] = {{.event = 3, .thread = 1, .index = 1, .choice = 3},
                                        {.event = 2, .thread = 1, .index = 0, .flush = true},
                                        {.event = 3, .thread = 1, .index = 2, .choice = 4}};
  mcr_trace_steps(&r.trace, witness, 3, &out, &sites);
  assert_int_equal(out.steps.count, 3);
  assert_int_equal(out.steps.data[1].thread, THREADS_MAX + 1);
  assert_int_equal(out.steps.data[1].choice, 0);
  assert_int_equal(out.steps.data[0].choice, 3);
  assert_int_equal(out.steps.data[2].choice, 4);
  assert_int_equal(sites.sites.count, out.steps.count);
  vec_release(&out.steps);
  vec_release(&sites.sites);
  close_rig(&r);
}

static void only_what_is_possible_now_is_resolved(void **state) {
  (void)state;
  struct toy_program p = buffering;
  p.ops[1][0] = (struct toy_op){.kind = TOY_CHOOSE, .value = 2};
  struct rig r;
  open_rig(&r, &p);
  steps(&r, "00");
  struct execution x = run_view(&r.run);
  struct step choice = {.thread = 1, .choice = 1}, none = {.thread = 1, .choice = 2}, join = {.thread = 0},
              flush = {.thread = THREADS_MAX + 2};
  assert_true(mcr_trace_resolve(&x, &choice));
  assert_int_equal(choice.choice, 1);
  assert_false(mcr_trace_resolve(&x, &none));
  assert_false(mcr_trace_resolve(&x, &join)); /* thread 1 runs */
  assert_false(mcr_trace_resolve(&x, &flush));
  close_rig(&r);
}

static void state_is_what_each_thread_read(void **state) {
  (void)state;
  uint64_t both = state_of(&buffering, "001212");
  assert_true(both == state_of(&buffering, "002121"));
  assert_true(both == state_of(&buffering, "001221"));
  assert_true(both != state_of(&buffering, "001122"));
  assert_true(state_of(&buffering, "002211") != state_of(&buffering, "001122")); /* the other thread read 0 */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(has_the_events_of_all_steps_and_where_live_threads_stand),
      cmocka_unit_test(pending_events_are_steps_of_their_own),
      cmocka_unit_test(prefix_is_all_events_of_the_fixed_steps),
      cmocka_unit_test(who_ended_the_execution_stands_nowhere),
      cmocka_unit_test(a_witness_takes_one_step_for_all_events_of_a_step),
      cmocka_unit_test(a_threads_end_is_no_step_of_its_own_wherever_the_witness_has_it),
      cmocka_unit_test(a_flush_names_the_store_and_parts_the_steps_around_it),
      cmocka_unit_test(only_what_is_possible_now_is_resolved),
      cmocka_unit_test(state_is_what_each_thread_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
