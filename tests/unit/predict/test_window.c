/* Windows of an execution: the model that has what is kept of the events before a window says the same as one that has all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "../leaks.h"
#include "execution/run.h"
#include "predict/window.h"
#include "random_program.h"
#include "strategy/mcr/trace.h"

struct rig {
  struct toy_program program;
  struct machine *m;
  struct run run;
  struct mcr_trace trace;
  struct window window;
  struct causal *whole, *part; /* with all that comes before the window, and with what is kept of it */
  uint64_t answers, yes, shorter;
  uint64_t seed;
  bool frees;
};

static bool at_start(void *machine, uint64_t address, uint32_t size, uint64_t *value) {
  return machine_initial(machine, address, size, value);
}

static bool before_window(void *data, uint64_t address, uint32_t size, uint64_t *value) {
  const struct rig *r = data;
  return window_initial(&r->window, address, size, at_start, r->m, value);
}

/* A random execution. */
static void execute(struct rig *r) {
  uint64_t x = r->seed;
  run_begin(&r->run);
  for (unsigned i = 0; i < 200 && run_going(&r->run); i++) {
    struct tset enabled = *machine_enabled(r->m);
    uint32_t skip = (uint32_t)((x = hash_mix(x)) >> 8) % tset_count(&enabled), t = tset_next(&enabled, 0);
    while (skip-- > 0) t = tset_next(&enabled, t + 1);
    run_step(&r->run, (struct step){.thread = t, .choice = (uint32_t)(x >> 40) % machine_alternatives(r->m, t)});
  }
  run_finish(&r->run);
  struct execution view = run_view(&r->run);
  mcr_trace_take(&r->trace, &view, view.depth, r->run.cut);
}

static void open_rig(struct rig *r, uint64_t seed, unsigned features) {
  *r = (struct rig){.seed = seed, .answers = r->answers, .yes = r->yes, .frees = features & FEATURE_FREE, .shorter = r->shorter};
  random_program(&r->program, seed, features, 2 + (unsigned)(seed % 3), 4 + (unsigned)(seed / 3 % 4));
  r->m = toy_new(&r->program);
  run_init(&r->run, r->m);
  struct causal_options o = {.initial = at_start, .data = r->m};
  r->whole = causal_new(&o);
  o.initial = before_window, o.data = r;
  r->part = causal_new(&o);
}

static void close_rig(struct rig *r) {
  causal_free(r->whole);
  causal_free(r->part);
  window_release(&r->window);
  mcr_trace_release(&r->trace);
  run_release(&r->run);
  toy_free(r->m);
}

static void compare(struct rig *r, const char *what, uint32_t event, uint64_t value, enum causal_answer whole, enum causal_answer part) {
  static const char *const texts[] = {[CAUSAL_NO] = "no", [CAUSAL_YES] = "yes", [CAUSAL_UNKNOWN] = "unknown"};
  r->answers++, r->yes += part == CAUSAL_YES;
  if (whole == part || whole == CAUSAL_UNKNOWN) return; /* less that comes before a window may be less that is not modelled */
  if (part == CAUSAL_UNKNOWN && r->frees) return;       /* what is in freed memory is not known; the toy machine lets it be read */
  print_program(&r->program);
  fail_msg("seed %llu, window [%u, %u), %s %u, %llu: %s with all that comes before it; else %s", (unsigned long long)r->seed,
           r->window.from, r->window.to, what, event, (unsigned long long)value, texts[whole], texts[part]);
}

static void ask_value(struct rig *r, uint32_t event, uint64_t value) {
  compare(r, "result of", event, value, causal_read(r->whole, event, value), causal_read(r->part, window_place(&r->window, event), value));
}

static void ask_values(struct rig *r, uint32_t event) {
  uint64_t values[16], was;
  if (!causal_is_read(&r->trace.events.data[event], &was)) return;
  uint32_t n = causal_values(r->whole, event, values, 16, NULL);
  for (uint32_t i = 0; i < n && i < 16; i++) ask_value(r, event, values[i]);
  n = causal_values(r->part, window_place(&r->window, event), values, 16, NULL);
  for (uint32_t i = 0; i < n && i < 16; i++) ask_value(r, event, values[i]);
  ask_value(r, event, was);
}

static bool is_access(const struct event *e) { return e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW; }

static void ask_pairs(struct rig *r, uint32_t a) {
  const struct event *x = &r->trace.events.data[a];
  for (uint32_t b = r->window.from; b < r->window.to; b++) {
    const struct event *y = &r->trace.events.data[b];
    if (x->thread == y->thread || !is_access(x) || x->object + x->size <= y->object || y->object + y->size <= x->object) continue;
    uint32_t first = window_place(&r->window, a), second = window_place(&r->window, b);
    if (is_access(y)) compare(r, "race", a, b, causal_race(r->whole, a, b), causal_race(r->part, first, second));
    if (y->op == EVENT_FREE)
      compare(r, "use after free", a, b, causal_use_after_free(r->whole, b, a), causal_use_after_free(r->part, second, first));
  }
}

static void ask_window(struct rig *r) {
  bool last = r->window.to == r->trace.n;
  struct causal_trace whole = {.events = r->trace.events.data, .n = r->window.to, .prefix = r->window.from},
                      part = window_model(&r->window, r->run.cut);
  if (last) whole.pending = r->trace.pending, whole.cut = r->run.cut;
  assert_int_equal(part.pending, whole.pending);
  assert_true(part.n <= whole.n);
  r->shorter += part.n < whole.n;
  causal_build(r->whole, &whole);
  causal_build(r->part, &part);
  for (uint32_t i = r->window.from; i < r->window.to; i++) {
    ask_values(r, i);
    ask_pairs(r, i);
  }
}

static void ask_windows(struct rig *r) {
  execute(r);
  window_begin(&r->window, &r->trace);
  while (r->window.to < r->trace.n) {
    uint32_t to = r->window.to + 1 + (uint32_t)(hash_pair(r->seed, r->window.to) % 8);
    while (to < r->trace.n && !window_may_begin(&r->trace, to)) to++;
    window_move(&r->window, to < r->trace.n ? to : r->trace.n);
    ask_window(r);
  }
}

static void compare_with(unsigned features, uint64_t from) {
  uint64_t programs = getenv("PROGRAMS") ? strtoull(getenv("PROGRAMS"), NULL, 10) : 6000;
  struct rig r = {0};
  for (uint64_t seed = from; seed < from + programs; seed++) {
    open_rig(&r, seed, features);
    ask_windows(&r);
    close_rig(&r);
  }
  assert_true(r.shorter > programs);
  assert_true(r.answers > programs && r.yes > programs / 2);
}

static void a_window_of_accesses_and_locks_has_what_it_needs_of_the_past(void **state) {
  (void)state;
  compare_with(FEATURE_ACCESS | FEATURE_MIXED | FEATURE_ATOMIC | FEATURE_LOCK | FEATURE_TRYLOCK | FEATURE_RWLOCK | FEATURE_JOIN, 1);
}

static void a_window_of_waits_has_what_it_needs_of_the_past(void **state) {
  (void)state;
  compare_with(FEATURE_ATOMIC | FEATURE_LOCK | FEATURE_COND | FEATURE_JOIN, 10001);
}

static void a_window_of_semaphores_and_barriers_has_what_it_needs_of_the_past(void **state) {
  (void)state;
  compare_with(FEATURE_ATOMIC | FEATURE_SEMAPHORE | FEATURE_BARRIER | FEATURE_JOIN, 20001);
}

static void a_window_of_frees_has_what_it_needs_of_the_past(void **state) {
  (void)state;
  compare_with(FEATURE_ACCESS | FEATURE_MIXED | FEATURE_LOCK | FEATURE_FREE | FEATURE_JOIN, 30001);
}

static void a_window_of_anything_else_has_what_it_needs_of_the_past(void **state) {
  (void)state;
  compare_with(FEATURE_ALL & ~FEATURE_FREE, 40001);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_window_of_accesses_and_locks_has_what_it_needs_of_the_past),      TEST(a_window_of_waits_has_what_it_needs_of_the_past),
      TEST(a_window_of_semaphores_and_barriers_has_what_it_needs_of_the_past), TEST(a_window_of_frees_has_what_it_needs_of_the_past),
      TEST(a_window_of_anything_else_has_what_it_needs_of_the_past),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
