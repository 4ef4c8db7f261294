/* Every exhaustive strategy against the reference: naive enumeration of random programs on the toy machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "base/hash.h"
#include "enumerate.h"
#include "explore/session.h"
#include "random_program.h"
#include "search/search.h"

enum { MISSING = 1, UNKNOWN = 2, REPEATED = 4 };

/* Fails, showing the program, if what was found is wrong. */
static void compare(const struct toy_program *p, uint64_t seed, const struct enumeration *all, const struct enumeration *found,
                    unsigned wrong) {
  struct difference d = enumeration_compare(all, found);
  if (!((wrong & MISSING) && d.missing) && !((wrong & UNKNOWN) && d.unknown) && !((wrong & REPEATED) && d.repeated)) return;
  print_program(p);
  fail_msg("seed %llu: %zu traces, %zu found in %llu executions; %u missing, %u unknown, %u repeated", (unsigned long long)seed,
           all->traces.count, found->traces.count, (unsigned long long)found->complete, d.missing, d.unknown, d.repeated);
}

static void explore_all(const struct toy_program *p, const struct strategy_type *type, uint32_t bound, uint64_t limit,
                        struct enumeration *x) {
  struct machine *m = toy_new(p);
  assert_true(enumerate(m, type, bound, limit, x));
  toy_free(m);
}

static uint64_t programs = 12; /* of each kind; more by the environment */
static uint64_t first_seed = 1;

struct mix {
  const char *name;
  unsigned features;
};

/* Features that are alone in a program are met more often than in a mix of all. */
static const struct mix mixes[] = {
    {"accesses", FEATURE_ACCESS | FEATURE_BRANCH},
    {"overlapping accesses", FEATURE_MIXED | FEATURE_ACCESS},
    {"atomics", FEATURE_ATOMIC | FEATURE_ACCESS | FEATURE_BRANCH},
    {"locks", FEATURE_LOCK | FEATURE_ACCESS},
    {"try-locks", FEATURE_LOCK | FEATURE_TRYLOCK | FEATURE_ACCESS},
    {"conditions", FEATURE_COND},
    {"conditions and locks", FEATURE_COND | FEATURE_LOCK | FEATURE_TRYLOCK | FEATURE_ACCESS},
    {"semaphores", FEATURE_SEMAPHORE | FEATURE_ACCESS},
    {"barriers", FEATURE_BARRIER | FEATURE_ACCESS},
    {"rwlocks", FEATURE_RWLOCK | FEATURE_ACCESS},
    {"choices", FEATURE_CHOICE | FEATURE_ACCESS | FEATURE_ATOMIC},
    {"failures", FEATURE_FAIL | FEATURE_ACCESS | FEATURE_LOCK | FEATURE_BRANCH},
    {"awaits", FEATURE_AWAIT | FEATURE_ACCESS | FEATURE_ATOMIC},
    {"sections", FEATURE_SECTION | FEATURE_ACCESS | FEATURE_MIXED},
    {"frees and joins", FEATURE_FREE | FEATURE_JOIN | FEATURE_ACCESS | FEATURE_MIXED},
    {"everything", FEATURE_ALL},
};
#define MIXES (sizeof mixes / sizeof mixes[0])

#define MOST_EXECUTIONS 8000u
#define SMALL_MEMORY    2048u /* for states: has to forget some */

/* Of that kind and seed; with `less` fewer steps a thread. */
static struct toy_program program_of(size_t mix, uint64_t seed, unsigned less) {
  unsigned threads = 2 + (unsigned)(hash_mix(seed) % 3), size = threads == 2 ? 6 : threads == 3 ? 4 : 3;
  struct toy_program p;
  random_program(&p, seed * MIXES + mix, mixes[mix].features, threads, size - less);
  return p;
}

/* Those that make one complete execution of each trace. */
static void one_execution_a_trace(const struct strategy_type *type, enum unfolding_order order) {
  for (size_t mix = 0; mix < MIXES; mix++) {
    uint64_t compared = 0, traces = 0, blocked = 0;
    for (uint64_t seed = first_seed; seed < first_seed + programs; seed++) {
      struct toy_program p = program_of(mix, seed, 0);
      struct enumeration all = {.most_preemptions = UINT32_MAX}, found = all;
      found.order = order, found.seed = seed;
      explore_all(&p, &strategy_naive, 0, MOST_EXECUTIONS, &all);
      if (!all.stopped) {
        explore_all(&p, type, UINT32_MAX, MOST_EXECUTIONS * 2, &found);
        compare(&p, seed, &all, &found, MISSING | UNKNOWN | REPEATED);
        compared++, traces += found.complete, blocked += found.blocked;
      }
      enumeration_release(&all);
      enumeration_release(&found);
    }
    print_message("%-22s %llu programs, %llu traces, %llu blocked\n", mixes[mix].name, (unsigned long long)compared,
                  (unsigned long long)traces, (unsigned long long)blocked);
    assert_true(compared >= programs / 2);
  }
}

static void dpor_has_one_execution_a_trace(void **state) {
  (void)state;
  one_execution_a_trace(&strategy_dpor, UNFOLDING_DEPTH);
}

static void unfolding_has_one_execution_a_trace(void **state) {
  (void)state;
  one_execution_a_trace(&strategy_unfolding, UNFOLDING_DEPTH);
}

static void unfolding_has_them_in_any_order(void **state) {
  (void)state;
  one_execution_a_trace(&strategy_unfolding, UNFOLDING_RANDOM);
  one_execution_a_trace(&strategy_unfolding, UNFOLDING_BREADTH);
}

static void parts_have_one_execution_a_trace(void **state) {
  (void)state;
  for (size_t mix = 0; mix < MIXES; mix++) {
    uint64_t compared = 0, traces = 0, blocked = 0, sequential = 0;
    for (uint64_t seed = first_seed; seed < first_seed + programs; seed++) {
      struct toy_program p = program_of(mix, seed, 0);
      struct enumeration all = {.most_preemptions = UINT32_MAX}, found = all;
      explore_all(&p, &strategy_dpor, UINT32_MAX, MOST_EXECUTIONS / 4, &all);
      if (!all.stopped) {
        struct machine *m = toy_new(&p);
        assert_true(enumerate_parts(m, seed * MIXES + mix, MOST_EXECUTIONS, &found));
        toy_free(m);
        assert_false(found.stopped);
        compare(&p, seed, &all, &found, MISSING | UNKNOWN | REPEATED);
        compared++, traces += found.complete, blocked += found.blocked, sequential += all.blocked;
      }
      enumeration_release(&all);
      enumeration_release(&found);
    }
    print_message("%-22s %llu programs, %llu traces, %llu blocked, %llu if sequential\n", mixes[mix].name, (unsigned long long)compared,
                  (unsigned long long)traces, (unsigned long long)blocked, (unsigned long long)sequential);
    assert_true(compared >= programs / 2);
  }
}

static void icb_makes_each_execution_once(void **state) {
  (void)state;
  for (size_t mix = 0; mix < MIXES; mix++) {
    for (uint64_t seed = first_seed; seed < first_seed + programs; seed++) {
      struct toy_program p = program_of(mix, seed, 1);
      for (uint32_t bound = 0; bound < 3; bound++) {
        struct enumeration all = {.most_preemptions = bound}, found = all;
        explore_all(&p, &strategy_naive, 0, 1000, &all);
        if (!all.stopped) {
          explore_all(&p, &strategy_icb, bound, 1000, &found);
          compare(&p, seed, &all, &found, MISSING | UNKNOWN);
          assert_int_equal(found.complete, found.within);
          assert_int_equal(found.complete, all.within);
          assert_int_equal(found.bounded, all.within < all.complete);
        }
        enumeration_release(&all);
        enumeration_release(&found);
      }
    }
  }
}

static void bounded_dpor_loses_nothing_within_the_bound(void **state) {
  (void)state;
  for (size_t mix = 0; mix < MIXES; mix++) {
    uint64_t naive = 0, bounded = 0;
    for (uint64_t seed = first_seed; seed < first_seed + programs; seed++) {
      struct toy_program p = program_of(mix, seed, 0);
      for (uint32_t bound = 0; bound < 3; bound++) {
        struct enumeration all = {.most_preemptions = bound}, found = all;
        explore_all(&p, &strategy_naive, 0, 2500, &all);
        if (!all.stopped) {
          explore_all(&p, &strategy_dpor, bound, 10000, &found);
          compare(&p, seed, &all, &found, MISSING | UNKNOWN);
          assert_int_equal(found.complete, found.within);
          assert_int_equal(found.blocked, 0);
          naive += all.within, bounded += found.complete;
        }
        enumeration_release(&all);
        enumeration_release(&found);
      }
    }
    print_message("%-22s %llu executions within the bounds, %llu made\n", mixes[mix].name, (unsigned long long)naive,
                  (unsigned long long)bounded);
  }
}

static struct explore_result explored(const struct toy_program *p, const struct strategy_type *type, uint64_t memory, bool outcomes,
                                      bool *ended) {
  struct machine *m = toy_new(p);
  struct explore_options o = {
      .strategy = type, .strategy_options = {.bound = UINT32_MAX}, .outcomes = outcomes, .executions = MOST_EXECUTIONS, .step_limit = 512};
  o.strategy_options.memory = memory;
  struct explore_result r = {0};
  struct diag d = {0};
  assert_int_equal(explore(m, &o, &r, &d), ERR_NONE);
  const uint32_t cut = 1u << EXPLORE_REASON_EXECUTIONS | 1u << EXPLORE_REASON_STEPS | 1u << EXPLORE_REASON_LIVELOCK;
  *ended = !(r.reasons & cut);
  diag_release(&d);
  toy_free(m);
  return r;
}

static bool same_results(const struct explore_result *a, const struct explore_result *b) {
  if (a->outcomes.count != b->outcomes.count || a->findings.count != b->findings.count || a->verdict != b->verdict) return false;
  for (size_t i = 0; i < a->outcomes.count; i++) {
    if (strcmp(text_str(&a->outcomes.data[i].text), text_str(&b->outcomes.data[i].text)) != 0) return false;
  }
  for (size_t i = 0; i < a->findings.count; i++) {
    bool found = false;
    for (size_t k = 0; k < b->findings.count; k++) found |= a->findings.data[i].key == b->findings.data[k].key;
    if (!found) return false;
  }
  return true;
}

static void compare_results(const struct toy_program *p, uint64_t seed, const struct explore_result *all,
                            const struct explore_result *found) {
  if (same_results(all, found)) return;
  print_program(p);
  fail_msg("seed %llu: %zu outcomes and %zu findings, %zu and %zu found", (unsigned long long)seed, all->outcomes.count,
           all->findings.count, found->outcomes.count, found->findings.count);
}

/* `few` has not looked for outcomes. */
static void compare_findings(const struct toy_program *p, uint64_t seed, struct explore_result *all, const struct explore_result *few) {
  size_t outcomes = all->outcomes.count;
  all->outcomes.count = 0;
  compare_results(p, seed, all, few);
  all->outcomes.count = outcomes;
}

static uint64_t counted(const struct explore_result *r, const char *name) {
  uint64_t n = 0;
  for (size_t i = 0; i < r->counters.count; i++) {
    if (strcmp(r->counters.data[i].name, name) == 0) n = r->counters.data[i].number;
  }
  return n;
}

static uint64_t forgotten(const struct explore_result *r) { return counted(r, "forgotten"); }

/* The toy's outcome has what every thread read, and so has its state. */
static void maximal_loses_no_outcome_and_no_finding(void **state) {
  (void)state;
  for (size_t mix = 0; mix < MIXES; mix++) {
    uint64_t compared = 0, executions = 0, maximal = 0, states_forgotten = 0;
    for (uint64_t seed = first_seed; seed < first_seed + programs; seed++) {
      struct toy_program p = program_of(mix, seed, 0);
      bool all_ended, found_ended, small_ended, few_ended;
      struct explore_result all = explored(&p, &strategy_naive, 0, true, &all_ended),
                            found = explored(&p, &strategy_maximal, 0, true, &found_ended);
      struct explore_result small = explored(&p, &strategy_maximal, SMALL_MEMORY, true, &small_ended);
      struct explore_result few = explored(&p, &strategy_maximal, 0, false, &few_ended);
      if (all_ended) {
        assert_true(found_ended && small_ended && few_ended);
        compare_results(&p, seed, &all, &found);
        compare_results(&p, seed, &all, &small);
        compare_findings(&p, seed, &all, &few);
        assert_int_equal(forgotten(&found), 0);
        compared++, executions += all.counts.executions, maximal += found.counts.executions, states_forgotten += forgotten(&small);
      }
      explore_result_release(&all);
      explore_result_release(&found);
      explore_result_release(&small);
      explore_result_release(&few);
    }
    print_message("%-22s %llu programs, %llu executions, %llu by maximal\n", mixes[mix].name, (unsigned long long)compared,
                  (unsigned long long)executions, (unsigned long long)maximal);
    assert_true(compared >= programs / 2);
    assert_true(states_forgotten > 0);
  }
}

/* Some threads go back to an operation before, until they have a certain value or for ever. */
static void add_loops(struct toy_program *p, uint64_t seed) {
  for (uint32_t t = 0; t < p->threads; t++) {
    uint64_t r = hash_mix(seed * TOY_THREADS + t);
    uint32_t n = p->length[t], first = t == 0 ? p->threads - 1 : 0;
    if (r % 3 == 0 || n + 3 > TOY_OPS || n <= first) continue;
    for (uint32_t i = 0; i < n; i++) /* none may miss the step */
      if (p->ops[t][i].kind == TOY_SKIP_IF && i + 1 + p->ops[t][i].skip > n) p->ops[t][i].skip = (uint8_t)(n - i - 1);
    if (r % 5) p->ops[t][n++] = (struct toy_op){.kind = TOY_SKIP_IF, .value = (uint8_t)(r / 16 % 3), .skip = 2};
    p->ops[t][n++] = (struct toy_op){.kind = TOY_YIELD};
    p->ops[t][n++] = (struct toy_op){.kind = TOY_LOOP, .skip = (uint8_t)(first + r / 64 % (p->length[t] - first))};
    p->length[t] = n;
  }
}

/* With cutoffs, livelocks are not seen. */
static void drop_livelocks(struct explore_result *r) {
  size_t kept = 0;
  for (size_t i = 0; i < r->findings.count; i++) {
    if (r->findings.data[i].finding.kind == FINDING_LIVELOCK)
      explore_finding_release(&r->findings.data[i]);
    else
      r->findings.data[kept++] = r->findings.data[i];
  }
  r->findings.count = kept;
  r->verdict = kept ? VERDICT_BUG : VERDICT_SAFE;
}

static struct explore_result forgetful(const struct toy_program *p, const struct strategy_type *type, bool cutoffs, bool outcomes,
                                       bool loops, bool *ended) {
  struct machine *m = toy_new(p);
  toy_forget(m);
  struct explore_options o = {.strategy = type,
                              .strategy_options = {.bound = UINT32_MAX, .cutoffs = cutoffs},
                              .outcomes = outcomes,
                              .executions = loops ? 2000 : 4 * MOST_EXECUTIONS,
                              .step_limit = 512};
  struct explore_result r = {0};
  struct diag d = {0};
  assert_int_equal(explore(m, &o, &r, &d), ERR_NONE);
  const uint32_t cut = 1u << EXPLORE_REASON_EXECUTIONS | 1u << EXPLORE_REASON_STEPS | 1u << EXPLORE_REASON_LIVELOCK;
  drop_livelocks(&r);
  *ended = !(r.reasons & cut);
  diag_release(&d);
  toy_free(m);
  return r;
}

/* Also of programs without an end, which naive enumeration does not come to. */
static void cutoffs_lose_no_outcome_and_no_finding(const struct strategy_type *reference, bool loops) {
  uint64_t all_cutoffs = 0;
  for (size_t mix = 0; mix < MIXES; mix++) {
    uint64_t compared = 0, longer = 0, executions = 0, unfolding = 0, cutoffs = 0;
    for (uint64_t seed = first_seed; seed < first_seed + programs; seed++) {
      struct toy_program p = program_of(mix, seed, loops);
      bool all_ended, found_ended, few_ended;
      if (loops) add_loops(&p, seed * MIXES + mix);
      struct explore_result all = forgetful(&p, reference, false, true, loops, &all_ended);
      if (all_ended) {
        struct explore_result found = forgetful(&p, &strategy_unfolding, true, true, loops, &found_ended),
                              few = forgetful(&p, &strategy_unfolding, true, false, loops, &few_ended);
        if (found_ended) compare_results(&p, seed, &all, &found);
        if (few_ended) compare_findings(&p, seed, &all, &few);
        compared += found_ended && few_ended, longer += !found_ended || !few_ended,
            executions += all.counts.executions + all.counts.blocked;
        unfolding += found.counts.executions + found.counts.blocked, cutoffs += counted(&found, "cutoffs");
        explore_result_release(&found);
        explore_result_release(&few);
      }
      explore_result_release(&all);
    }
    print_message("%-22s %llu programs, %llu executions, %llu with %llu cutoffs; %llu ended with the reference alone\n", mixes[mix].name,
                  (unsigned long long)compared, (unsigned long long)executions, (unsigned long long)unfolding, (unsigned long long)cutoffs,
                  (unsigned long long)longer);
    assert_true(compared >= programs / 2);
    all_cutoffs += cutoffs;
  }
  assert_true(all_cutoffs > 0);
}

static void cutoffs_lose_nothing(void **state) {
  (void)state;
  cutoffs_lose_no_outcome_and_no_finding(&strategy_naive, false);
}

static void cutoffs_lose_nothing_of_programs_without_an_end(void **state) {
  (void)state;
  cutoffs_lose_no_outcome_and_no_finding(&strategy_maximal, true);
}

int main(void) {
  if (getenv("PROGRAMS")) programs = strtoull(getenv("PROGRAMS"), NULL, 10);
  if (getenv("ONLY")) cmocka_set_test_filter(getenv("ONLY"));
  if (getenv("SEED")) first_seed = strtoull(getenv("SEED"), NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dpor_has_one_execution_a_trace),
      cmocka_unit_test(unfolding_has_one_execution_a_trace),
      cmocka_unit_test(unfolding_has_them_in_any_order),
      cmocka_unit_test(parts_have_one_execution_a_trace),
      cmocka_unit_test(maximal_loses_no_outcome_and_no_finding),
      cmocka_unit_test(cutoffs_lose_nothing),
      cmocka_unit_test(cutoffs_lose_nothing_of_programs_without_an_end),
      cmocka_unit_test(icb_makes_each_execution_once),
      cmocka_unit_test(bounded_dpor_loses_nothing_within_the_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
