/* The explorer's loop on the toy machine: outcomes, verdicts, limits, restarts, livelocks, shortening. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "base/deadline.h"
#include "base/mem.h"
#include "execution/run.h"
#include "random_program.h"
#include "search/search.h"

static struct explore_options defaults(const struct strategy_type *type) {
  return (struct explore_options){.strategy = type, .strategy_options = {.bound = UINT32_MAX, .seed = 1}, .outcomes = true};
}

static struct explore_result result_of(const struct toy_program *p, const struct explore_options *o) {
  struct machine *m = toy_new(p);
  struct explore_result r = {0};
  struct diag d = {0};
  deadline_set(0); /* that of the exploration before may still come */
  assert_int_equal(explore(m, o, &r, &d), ERR_NONE);
  toy_free(m);
  return r;
}

static bool same_outcomes(const struct explore_result *a, const struct explore_result *b) {
  if (a->outcomes.count != b->outcomes.count) return false;
  for (size_t i = 0; i < a->outcomes.count; i++) {
    if (strcmp(text_str(&a->outcomes.data[i].text), text_str(&b->outcomes.data[i].text)) != 0) return false;
  }
  return true;
}

static bool same_findings(const struct explore_result *a, const struct explore_result *b) {
  if (a->findings.count != b->findings.count) return false;
  for (size_t i = 0; i < a->findings.count; i++) {
    bool there = false;
    for (size_t k = 0; k < b->findings.count; k++) there |= a->findings.data[i].key == b->findings.data[k].key;
    if (!there) return false;
  }
  return true;
}

static void exhaustive_strategies_agree_on_outcomes_and_findings(void **state) {
  (void)state;
  uint64_t programs = getenv("PROGRAMS") ? strtoull(getenv("PROGRAMS"), NULL, 10) : 150, compared = 0;
  for (uint64_t seed = 1; seed <= programs; seed++) {
    struct toy_program p;
    random_program(&p, seed, FEATURE_ALL, 2 + (unsigned)(seed % 2), 4);
    struct explore_options o = defaults(&strategy_naive);
    o.executions = 5000;
    struct explore_result naive = result_of(&p, &o);
    if (naive.counts.executions + naive.counts.assumed < 5000) {
      const struct strategy_type *const others[] = {&strategy_dpor, &strategy_icb};
      for (unsigned i = 0; i < 2; i++) {
        struct explore_options other = defaults(others[i]);
        struct explore_result r = result_of(&p, &other);
        if (!same_outcomes(&naive, &r) || !same_findings(&naive, &r) || naive.verdict != r.verdict) {
          print_program(&p);
          fail_msg("%s differs from naive, seed %llu", others[i]->name, (unsigned long long)seed);
        }
        explore_result_release(&r);
      }
      compared++;
    }
    explore_result_release(&naive);
  }
  assert_true(compared > programs / 2);
}

/* Two threads add 1 to a byte without atomicity; the main thread joins them and checks. */
static const struct toy_program lost_update = {
    .threads = 3,
    .length = {6, 2, 2},
    .ops = {{{.kind = TOY_FORK, .value = 1},
             {.kind = TOY_FORK, .value = 2},
             {.kind = TOY_JOIN, .value = 1},
             {.kind = TOY_JOIN, .value = 2},
             {.kind = TOY_READ, .size = 1},
             {.kind = TOY_ASSERT, .value = 1}},
            {{.kind = TOY_READ, .size = 1, .order = ORDER_RELAXED}, {.kind = TOY_WRITE_REG, .size = 1, .value = 1, .order = ORDER_RELAXED}},
            {{.kind = TOY_READ, .size = 1, .order = ORDER_RELAXED},
             {.kind = TOY_WRITE_REG, .size = 1, .value = 1, .order = ORDER_RELAXED}}},
};

static struct toy_program corrected(void) {
  struct toy_program p = lost_update;
  for (unsigned t = 1; t < 3; t++) {
    p.length[t] = 1;
    p.ops[t][0] = (struct toy_op){.kind = TOY_ADD, .size = 1, .value = 1, .order = ORDER_RELAXED};
  }
  return p;
}

static void a_bug_is_found_once_and_its_fix_is_safe(void **state) {
  (void)state;
  struct explore_options o = defaults(&strategy_dpor);
  struct explore_result r = result_of(&lost_update, &o);
  assert_int_equal(r.verdict, VERDICT_BUG);
  assert_int_equal(r.findings.count, 1);
  assert_int_equal(r.findings.data[0].finding.kind, FINDING_ASSERTION);
  assert_true(r.counts.executions > 1);
  explore_result_release(&r);
  struct toy_program p = corrected();
  r = result_of(&p, &o);
  assert_int_equal(r.verdict, VERDICT_SAFE);
  assert_int_equal(r.counts.executions, 2);
  assert_int_equal(r.reasons, 0);
  explore_result_release(&r);
}

static bool because(const struct explore_result *r, enum explore_reason reason) { return r->reasons >> reason & 1; }

static void a_verdict_under_a_limit_names_it(void **state) {
  (void)state;
  struct toy_program p = corrected();
  struct explore_options o = defaults(&strategy_naive);
  o.executions = 3;
  struct explore_result r = result_of(&p, &o);
  assert_int_equal(r.verdict, VERDICT_BOUNDED);
  assert_int_equal(r.counts.executions, 3);
  assert_true(because(&r, EXPLORE_REASON_EXECUTIONS));
  explore_result_release(&r);

  o = defaults(&strategy_dpor);
  deadline_interrupt();
  r = result_of(&p, &o);
  deadline_renew(0);
  assert_int_equal(r.verdict, VERDICT_BOUNDED);
  assert_true(because(&r, EXPLORE_REASON_INTERRUPTED));
  explore_result_release(&r);

  o = defaults(&strategy_dpor);
  o.step_limit = 4;
  r = result_of(&p, &o);
  assert_int_equal(r.verdict, VERDICT_BOUNDED);
  assert_true(because(&r, EXPLORE_REASON_STEPS));
  assert_true(r.counts.limited > 0);
  explore_result_release(&r);

  o = defaults(&strategy_random);
  o.strategy_options.executions = 50;
  r = result_of(&p, &o);
  assert_int_equal(r.verdict, VERDICT_BOUNDED);
  assert_int_equal(r.counts.executions, 50);
  assert_true(because(&r, EXPLORE_REASON_STRATEGY));
  explore_result_release(&r);

  o = defaults(&strategy_icb);
  o.strategy_options.bound = 0;
  r = result_of(&p, &o);
  assert_int_equal(r.verdict, VERDICT_BOUNDED);
  assert_true(because(&r, EXPLORE_REASON_BOUND));
  explore_result_release(&r);

  o = defaults(&strategy_dpor);
  p.ops[0][5].kind = TOY_ASSUME;
  p.ops[0][5].value = 2; /* always */
  r = result_of(&p, &o);
  assert_int_equal(r.verdict, VERDICT_BOUNDED);
  assert_true(because(&r, EXPLORE_REASON_VACUOUS));
  explore_result_release(&r);
}

static void a_time_limit_ends_an_endless_exploration(void **state) {
  (void)state;
  struct explore_options o = defaults(&strategy_pct);
  o.seconds = 0.05;
  struct toy_program p = corrected();
  struct explore_result r = result_of(&p, &o);
  assert_int_equal(r.verdict, VERDICT_BOUNDED);
  assert_true(because(&r, EXPLORE_REASON_TIME));
  assert_true(r.seconds >= 0.05);
  explore_result_release(&r);
}

static void hidden_accesses_restart_the_exploration(void **state) {
  (void)state;
  struct explore_options o = defaults(&strategy_dpor);
  struct explore_result plain = result_of(&lost_update, &o);
  struct machine *m = toy_new(&lost_update);
  toy_hide(m, 0, 1);
  struct explore_result r = {0};
  struct diag d = {0};
  assert_int_equal(explore(m, &o, &r, &d), ERR_NONE);
  assert_int_equal(r.counts.restarts, 1);
  assert_int_equal(r.counts.executions, plain.counts.executions);
  assert_true(same_outcomes(&plain, &r));
  assert_true(same_findings(&plain, &r));
  toy_free(m);
  explore_result_release(&r);
  explore_result_release(&plain);
}

/* Thread 1's accesses go unseen at first; thread 2 overwrites what it wrote before the main thread looks. */
static void a_finding_survives_the_restart_that_it_causes(void **state) {
  (void)state;
  static const struct toy_program p = {
      .threads = 2,
      .length = {4, 3},
      .ops = {{{.kind = TOY_FORK, .value = 1},
               {.kind = TOY_READ, .at = 8, .size = 1, .order = ORDER_RELAXED},
               {.kind = TOY_READ, .size = 1, .order = ORDER_PLAIN},
               {.kind = TOY_ASSERT, .value = 1}},
              {{.kind = TOY_WRITE, .size = 1, .value = 1, .order = ORDER_PLAIN},
               {.kind = TOY_YIELD},
               {.kind = TOY_WRITE, .at = 8, .size = 1, .value = 1, .order = ORDER_RELAXED}}},
  };
  struct machine *m = toy_new(&p);
  toy_hide(m, 0, 1);
  struct explore_options o = defaults(&strategy_random);
  o.strategy_options.executions = 1; /* which restarts: one more follows */
  o.no_races = true;
  struct explore_result r = {0};
  struct diag d = {0};
  assert_int_equal(explore(m, &o, &r, &d), ERR_NONE);
  assert_int_equal(r.counts.restarts, 1);
  assert_int_equal(r.findings.count, 1);
  assert_int_equal(r.findings.data[0].finding.kind, FINDING_ASSERTION);
  /* Its schedule is one of the machine as it is now. */
  machine_reset(m);
  const struct schedule *s = &r.findings.data[0].schedule;
  for (size_t i = 0; i < s->steps.count; i++) {
    assert_true(tset_has(machine_enabled(m), s->steps.data[i].thread));
    machine_step(m, s->steps.data[i].thread, s->steps.data[i].choice);
  }
  assert_int_equal(machine_status(m), MACHINE_FAILED);
  toy_free(m);
  explore_result_release(&r);
}

static void a_state_that_recurs_fairly_is_a_livelock(void **state) {
  (void)state;
  struct toy_program p = {
      .threads = 2,
      .length = {3, 2},
      .ops = {{{.kind = TOY_FORK, .value = 1},
               {.kind = TOY_ADD, .size = 1, .value = 1, .order = ORDER_RELAXED},
               {.kind = TOY_LOOP, .skip = 1}},
              {{.kind = TOY_ADD, .at = 8, .size = 1, .value = 1, .order = ORDER_RELAXED}, {.kind = TOY_LOOP, .skip = 0}}},
  };
  struct explore_options o = defaults(&strategy_random);
  o.strategy_options.executions = 2;
  o.outcomes = false;
  o.step_limit = 5000000;
  struct explore_result r = result_of(&p, &o);
  assert_int_equal(r.findings.count, 1);
  assert_int_equal(r.findings.data[0].finding.kind, FINDING_LIVELOCK);
  assert_int_equal(r.findings.data[0].finding.sites.count, 2);
  explore_result_release(&r);
  /* One thread alone goes round while the other could go on: not fair, no finding. */
  o = defaults(&strategy_icb);
  o.strategy_options.bound = 0;
  o.executions = 1;
  o.step_limit = 3000;
  r = result_of(&p, &o);
  assert_int_equal(r.findings.count, 0);
  assert_int_equal(r.counts.blocked, 1); /* a circle of one thread */
  assert_true(r.counts.longest < 3000);
  explore_result_release(&r);
}

/* Main and a thread, each of which goes round for ever; they take the steps that `with` says of it in a loop. */
static struct toy_program endless(struct toy_op with) {
  struct toy_op own = {.kind = TOY_ADD, .at = 8, .size = 1, .value = 1, .order = ORDER_RELAXED};
  return (struct toy_program){.threads = 2,
                              .length = {3, 2},
                              .ops = {{{.kind = TOY_FORK, .value = 1}, with, {.kind = TOY_LOOP, .skip = 1}}, {own, {.kind = TOY_LOOP}}}};
}

static struct explore_result bounded(const struct toy_program *p, const struct strategy_type *type, uint32_t bound) {
  struct explore_options o = defaults(type);
  o.loop_bound = bound;
  o.strategy_options.executions = 10;
  struct explore_result r = result_of(p, &o);
  assert_int_equal(r.findings.count, 0);
  assert_int_equal(r.verdict, VERDICT_BOUNDED);
  assert_true(because(&r, EXPLORE_REASON_LOOPS));
  assert_false(because(&r, EXPLORE_REASON_STEPS));
  assert_int_equal(r.counts.executions, 0);
  return r;
}

static void a_bound_on_loops_stops_one_thread_and_lets_the_others_go_on(void **state) {
  (void)state;
  struct toy_program p = endless((struct toy_op){.kind = TOY_ADD, .size = 1, .value = 1, .order = ORDER_RELAXED});
  /* The fork, and all orders of three steps and three. */
  struct explore_result r = bounded(&p, &strategy_naive, 3);
  assert_int_equal(r.counts.limited, 20);
  assert_int_equal(r.counts.longest, 7);
  explore_result_release(&r);
  const struct strategy_type *const reducing[] = {&strategy_dpor, &strategy_maximal, &strategy_mcr};
  for (unsigned i = 0; i < 3; i++) { /* they touch different memory */
    r = bounded(&p, reducing[i], 3);
    assert_int_equal(r.counts.limited, 1);
    assert_int_equal(r.counts.longest, 7);
    explore_result_release(&r);
  }
  r = bounded(&p, &strategy_random, 5);
  assert_int_equal(r.counts.limited, 10);
  assert_int_equal(r.counts.steps, 10 * 11);
  explore_result_release(&r);
}

/* The fewest preemptions with which naive shows a finding. */
static uint32_t fewest_by_naive(const struct toy_program *p, uint64_t key) {
  for (uint32_t bound = 0;; bound++) {
    struct explore_options o = defaults(&strategy_icb);
    o.strategy_options.bound = bound;
    struct explore_result r = result_of(p, &o);
    bool there = false;
    for (size_t i = 0; i < r.findings.count; i++) there |= r.findings.data[i].key == key;
    explore_result_release(&r);
    if (there) return bound;
  }
}

static uint32_t preemptions_of(struct machine *m, const struct schedule *s) {
  uint32_t n = 0;
  machine_reset(m);
  for (size_t i = 0; i < s->steps.count; i++) {
    if (i > 0) n += s->steps.data[i].thread != s->steps.data[i - 1].thread && tset_has(machine_enabled(m), s->steps.data[i - 1].thread);
    machine_step(m, s->steps.data[i].thread, s->steps.data[i].choice);
  }
  return n;
}

static void shortened_schedules_have_the_fewest_preemptions(void **state) {
  (void)state;
  uint64_t shortened = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    struct toy_program p;
    random_program(&p, seed, FEATURE_ACCESS | FEATURE_LOCK | FEATURE_FAIL | FEATURE_COND | FEATURE_CHOICE, 3, 4);
    struct explore_options o = defaults(&strategy_random);
    o.strategy_options.executions = 40;
    o.strategy_options.seed = seed;
    o.shorten_runs = 20000;
    struct machine *m = toy_new(&p);
    struct explore_result r = {0};
    struct diag d = {0};
    assert_int_equal(explore(m, &o, &r, &d), ERR_NONE);
    for (size_t i = 0; i < r.findings.count; i++) {
      const struct explore_finding *f = &r.findings.data[i];
      assert_true(f->fewest_preemptions);
      assert_int_equal(preemptions_of(m, &f->schedule), fewest_by_naive(&p, f->key));
      assert_int_equal(f->switches, schedule_switches(m, f->schedule.steps.data, f->schedule.steps.count));
      shortened++;
    }
    toy_free(m);
    explore_result_release(&r);
  }
  assert_true(shortened > 20);
}

static bool has_livelock(const struct explore_result *r) {
  for (size_t i = 0; i < r->findings.count; i++) {
    if (r->findings.data[i].finding.kind == FINDING_LIVELOCK) return true;
  }
  return r->counts.limited > 0;
}

/* What shortening relies on: context bounding that makes equivalent executions once loses no finding within any bound. */
static void equivalent_executions_show_the_same_within_a_bound(void **state) {
  (void)state;
  uint64_t programs = getenv("PROGRAMS") ? strtoull(getenv("PROGRAMS"), NULL, 10) : 150, compared = 0, all = 0, completed = 0, made = 0;
  for (uint64_t seed = 1; seed <= programs; seed++) {
    struct toy_program p;
    random_program(&p, seed, FEATURE_ALL, 2 + (unsigned)(seed % 2), 4);
    for (uint32_t bound = 0; bound < 3; bound++) {
      struct explore_options o = defaults(&strategy_icb);
      o.outcomes = false;
      o.executions = 5000;
      o.strategy_options.bound = bound;
      struct explore_result plain = result_of(&p, &o);
      o.strategy_options.once = true;
      struct explore_result once = result_of(&p, &o);
      if (plain.counts.executions + plain.counts.assumed < 5000 && !has_livelock(&plain)) {
        assert_true(same_findings(&plain, &once));
        assert_true(once.counts.executions <= plain.counts.executions);
        assert_true(once.counts.executions + once.counts.blocked <= plain.counts.executions + plain.counts.blocked);
        compared++, all += plain.counts.executions, completed += once.counts.executions;
        made += once.counts.executions + once.counts.blocked;
      }
      explore_result_release(&plain);
      explore_result_release(&once);
    }
  }
  print_message("%llu explorations: %llu executions, %llu of them once, %llu begun\n", (unsigned long long)compared,
                (unsigned long long)all, (unsigned long long)completed, (unsigned long long)made);
  assert_true(compared > programs);
  assert_true(completed * 2 < all);
}

/* Without a bound, each trace and each outcome is there. */
static void equivalent_executions_once_leave_every_trace(void **state) {
  (void)state;
  uint64_t compared = 0, made = 0, traces = 0;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    struct toy_program p;
    random_program(&p, seed, FEATURE_ALL, 2 + (unsigned)(seed % 2), 5);
    struct explore_options o = defaults(&strategy_dpor);
    o.executions = 2000;
    struct explore_result dpor = result_of(&p, &o);
    o = defaults(&strategy_icb);
    o.strategy_options.once = true;
    struct explore_result once = result_of(&p, &o);
    if (dpor.counts.executions + dpor.counts.assumed < 2000 && !has_livelock(&dpor)) {
      assert_true(once.counts.executions >= dpor.counts.executions);
      assert_true(same_outcomes(&dpor, &once));
      compared++, made += once.counts.executions, traces += dpor.counts.executions;
    }
    explore_result_release(&dpor);
    explore_result_release(&once);
  }
  print_message("%llu explorations: %llu traces, %llu executions\n", (unsigned long long)compared, (unsigned long long)traces,
                (unsigned long long)made);
  assert_true(compared > 100);
}

/* Thread 2 fails if it reads 1, 2 and 3 behind each of thread 1's writes: four preemptions. There are very many executions with fewer. */
#define PUT(n, v) \
  { .kind = TOY_WRITE, .at = n, .size = 1, .value = v, .order = ORDER_RELAXED }
#define GET(n) \
  { .kind = TOY_READ, .at = n, .size = 1, .order = ORDER_RELAXED }
#define UNLESS_GO_TO(v, op) \
  {.kind = TOY_SKIP_IF, .value = v, .skip = 1}, { .kind = TOY_LOOP, .skip = op }
static const struct toy_program handed_over = {
    .threads = 4,
    .length = {12, 11, 10, 12},
    .ops = {{{.kind = TOY_FORK, .value = 1},
             {.kind = TOY_FORK, .value = 2},
             {.kind = TOY_FORK, .value = 3},
             PUT(4, 1),
             PUT(4, 2),
             PUT(4, 3),
             PUT(4, 4),
             PUT(4, 5),
             PUT(4, 6),
             {.kind = TOY_JOIN, .value = 1},
             {.kind = TOY_JOIN, .value = 2},
             {.kind = TOY_JOIN, .value = 3}},
            {PUT(4, 1), PUT(4, 2), PUT(0, 1), PUT(4, 3), PUT(4, 4), PUT(0, 2), PUT(4, 5), PUT(4, 6), PUT(0, 3), PUT(4, 7), PUT(4, 8)},
            {PUT(4, 1), PUT(4, 2), GET(0), UNLESS_GO_TO(1, 10), GET(0), UNLESS_GO_TO(2, 10), GET(0), {.kind = TOY_ASSERT, .value = 3}},
            {PUT(4, 1), PUT(4, 2), PUT(4, 3), PUT(4, 4), PUT(4, 5), PUT(4, 6), PUT(4, 7), PUT(4, 8), PUT(4, 9), PUT(4, 1), PUT(4, 2),
             PUT(4, 3)}}};

static void interrupt(int signal) {
  (void)signal;
  deadline_interrupt();
}

/* The schedule shows the finding, and all that it has is of one execution. */
static void expect_shown(struct machine *m, const struct explore_finding *f) {
  uint32_t n;
  (void)preemptions_of(m, &f->schedule);
  assert_int_equal(machine_status(m), MACHINE_FAILED);
  assert_int_equal(finding_key(machine_finding(m)), f->key);
  const struct event *trace = machine_trace(m, &n);
  assert_int_equal(f->ends.count, f->schedule.steps.count);
  assert_int_equal(f->trace.count, n);
  for (uint32_t i = 0; i < n; i++) assert_true(trace[i].op == f->trace.data[i].op && trace[i].thread == f->trace.data[i].thread);
}

static void shortening_ends_with_the_time_and_at_an_interruption(void **state) {
  (void)state;
  for (unsigned interrupts = 0; interrupts < 2; interrupts++) {
    struct explore_options o = defaults(&strategy_random);
    struct itimerval timer = {.it_value = {.tv_usec = 200000}};
    o.strategy_options.seed = 1;
    o.findings = 1;
    o.shorten_runs = UINT32_MAX;
    o.seconds = interrupts ? 0 : 0.2;
    void (*handler)(int) = interrupts ? signal(SIGALRM, interrupt) : SIG_DFL;
    if (interrupts) setitimer(ITIMER_REAL, &timer, NULL);
    struct machine *m = toy_new(&handed_over);
    struct explore_result r = {0};
    struct diag d = {0};
    assert_int_equal(explore(m, &o, &r, &d), ERR_NONE);
    assert_int_equal(r.findings.count, 1);
    assert_false(because(&r, EXPLORE_REASON_TIME));
    assert_false(because(&r, EXPLORE_REASON_INTERRUPTED));
    if (interrupts) signal(SIGALRM, handler);
    deadline_renew(0);
    assert_true(r.seconds > 0.15 && r.seconds < 1);
    assert_false(r.findings.data[0].fewest_preemptions); /* it was not at the end of part 1 */
    expect_shown(m, &r.findings.data[0]);
    toy_free(m);
    explore_result_release(&r);
  }
}

/* Of a time limit that ends the exploration a part is left: schedules are not as long as they were found. */
/* How far that comes in the time is a matter of the computer and what else it does, so it gets more until that is enough. */
static void time_is_kept_for_shortening(void **state) {
  (void)state;
  struct explore_options o = defaults(&strategy_random);
  o.strategy_options.seed = 1;
  o.seconds = 0.3;
  struct toy_program p = handed_over;
  p.length[0] = 9, p.length[3] = 2; /* the joins are left out, and there are few executions with few preemptions */
  struct explore_result found = result_of(&p, &o);
  assert_int_equal(found.findings.count, 1);
  assert_true(because(&found, EXPLORE_REASON_TIME));
  bool shorter = false;
  o.shorten_runs = 2000;
  for (; !shorter && o.seconds < 30; o.seconds *= 2) {
    struct explore_result shortened = result_of(&p, &o);
    assert_int_equal(shortened.findings.count, 1);
    assert_true(because(&shortened, EXPLORE_REASON_TIME));
    shorter = shortened.findings.data[0].switches < found.findings.data[0].switches;
    explore_result_release(&shortened);
  }
  assert_true(shorter);
  explore_result_release(&found);
}

static void it_stops_after_so_many_findings(void **state) {
  (void)state;
  struct toy_program p = lost_update;
  for (unsigned t = 1; t < 3; t++) {
    for (unsigned i = 0; i < 2; i++) p.ops[t][i].order = ORDER_PLAIN;
  }
  struct explore_options o = defaults(&strategy_dpor);
  struct explore_result r = result_of(&p, &o);
  assert_true(r.findings.count > 2); /* the assertion, and races */
  explore_result_release(&r);
  o.findings = 1;
  r = result_of(&p, &o);
  assert_true(r.findings.count >= 1 && r.counts.executions == 1);
  assert_true(because(&r, EXPLORE_REASON_FINDINGS));
  explore_result_release(&r);
}

static void nothing_leaks(void **state) {
  (void)state;
  assert_int_equal(mem_live(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exhaustive_strategies_agree_on_outcomes_and_findings),
      cmocka_unit_test(a_bug_is_found_once_and_its_fix_is_safe),
      cmocka_unit_test(a_verdict_under_a_limit_names_it),
      cmocka_unit_test(a_time_limit_ends_an_endless_exploration),
      cmocka_unit_test(a_bound_on_loops_stops_one_thread_and_lets_the_others_go_on),
      cmocka_unit_test(hidden_accesses_restart_the_exploration),
      cmocka_unit_test(a_finding_survives_the_restart_that_it_causes),
      cmocka_unit_test(a_state_that_recurs_fairly_is_a_livelock),
      cmocka_unit_test(shortened_schedules_have_the_fewest_preemptions),
      cmocka_unit_test(equivalent_executions_show_the_same_within_a_bound),
      cmocka_unit_test(equivalent_executions_once_leave_every_trace),
      cmocka_unit_test(shortening_ends_with_the_time_and_at_an_interruption),
      cmocka_unit_test(time_is_kept_for_shortening),
      cmocka_unit_test(it_stops_after_so_many_findings),
      cmocka_unit_test(nothing_leaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
