/* Every exhaustive strategy against the reference: naive enumeration of random programs on the toy machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "base/hash.h"
#include "explore/history.h"
#include "explore/run.h"
#include "random_program.h"

/* The Mazurkiewicz trace of a finished execution as a hash: its steps with what they did, and the order of each dependent pair. Pair by
 * pair, straight from the definition. */
static uint64_t trace_hash(const struct run *r) {
  static uint64_t id[4096];
  struct execution x = run_view(r);
  uint32_t position[THREADS_MAX] = {0};
  uint64_t sum = hash_pair(r->end, x.depth);
  for (uint32_t i = 0; i < x.depth; i++) {
    uint32_t from = i ? x.ends[i - 1] : 0, t = x.steps[i].thread;
    uint64_t h = hash_pair(hash_pair(t, position[t]++), x.steps[i].choice);
    for (uint32_t k = from; k < x.ends[i]; k++) {
      const struct event *e = &x.trace[k];
      h = hash_pair(hash_pair(hash_pair(h, e->op), e->flags), hash_pair(e->object, e->size));
      if (e->op != EVENT_SEM_POST) h = hash_pair(h, hash_pair(e->value, e->value2)); /* posts commute, but not their counts */
    }
    id[i] = h;
    sum += hash_mix(h);
    for (uint32_t j = 0; j < i; j++) {
      uint32_t start = j ? x.ends[j - 1] : 0;
      bool last = r->cut && i + 1 == x.depth;
      bool dependent =
          last || t == x.steps[j].thread || history_dependent(x.trace + start, x.ends[j] - start, x.trace + from, x.ends[i] - from);
      if (dependent) sum += hash_pair(id[j], h);
    }
  }
  return sum;
}

struct exploration {
  struct hashmap traces; /* hash -> times seen */
  uint64_t complete, blocked;
  bool stopped; /* too many executions */
  bool bounded;
  uint64_t within;           /* executions with at most `most_preemptions` */
  uint32_t most_preemptions; /* only those are looked at */
};

/* Takes a step and counts whether it preempts. */
static bool take(struct run *r, struct step step, uint32_t *preemptions) {
  if (!run_going(r) || !run_possible(r, step)) return false;
  if (r->steps.steps.count > 0) {
    uint32_t before = r->steps.steps.data[r->steps.steps.count - 1].thread;
    *preemptions += before != step.thread && tset_has(machine_enabled(r->machine), before);
  }
  run_step(r, step);
  return true;
}

/* run_with(), counting preemptions. */
static uint32_t execute(struct run *r, const struct strategy_type *type, struct strategy *s, const struct schedule *prefix) {
  uint32_t preemptions = 0;
  run_begin(r);
  for (size_t i = 0; i < prefix->steps.count; i++) assert_true(take(r, prefix->steps.data[i], &preemptions));
  while (run_going(r)) {
    struct execution x = run_view(r);
    struct step step;
    r->given_up = !type->pick(s, &x, &step);
    if (r->given_up) break;
    assert_true(take(r, step, &preemptions));
  }
  run_finish(r);
  return preemptions;
}

static void explore_all(const struct toy_program *p, const struct strategy_type *type, uint32_t bound, uint64_t limit,
                        struct exploration *x) {
  struct strategy_options options = {.bound = bound};
  struct strategy *s = type->create(&options);
  struct machine *m = toy_new(p);
  struct run r;
  run_init(&r, m);
  for (const struct schedule *prefix; (prefix = type->next(s)) && !(x->stopped = x->complete + x->blocked >= limit);) {
    uint32_t preemptions = execute(&r, type, s, prefix);
    struct execution view = run_view(&r);
    type->done(s, &view, r.end, r.cut, r.given_up);
    if (r.given_up) {
      x->blocked++;
      continue;
    }
    x->complete++;
    if (preemptions > x->most_preemptions) continue;
    x->within++;
    ++*hashmap_at(&x->traces, trace_hash(&r), 0, NULL);
  }
  x->bounded = type->bounded(s);
  type->destroy(s);
  run_release(&r);
  toy_free(m);
}

enum { MISSING = 1, UNKNOWN = 2, REPEATED = 4 };

/* Fails, showing the program, if `found` lacks a trace of `all`, has one that `all` lacks, or has one twice; as far as `wrong` says. */
static void compare(const struct toy_program *p, uint64_t seed, const struct exploration *all, const struct exploration *found,
                    unsigned wrong) {
  unsigned missing = 0, unknown = 0, repeated = 0;
  for (size_t i = 0; i < all->traces.cap; i++) {
    if (all->traces.used[i] && !hashmap_find(&found->traces, all->traces.keys[i])) missing++;
  }
  for (size_t i = 0; i < found->traces.cap; i++) {
    if (!found->traces.used[i]) continue;
    if (!hashmap_find(&all->traces, found->traces.keys[i])) unknown++;
    if (found->traces.values[i] > 1) repeated++;
  }
  if (!((wrong & MISSING) && missing) && !((wrong & UNKNOWN) && unknown) && !((wrong & REPEATED) && repeated)) return;
  print_program(p);
  fail_msg("seed %llu: %zu traces, %zu found in %llu executions; %u missing, %u unknown, %u repeated", (unsigned long long)seed,
           all->traces.count, found->traces.count, (unsigned long long)found->complete, missing, unknown, repeated);
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

static void shape(uint64_t seed, unsigned *threads, unsigned *size) {
  *threads = 2 + (unsigned)(hash_mix(seed) % 3);
  *size = *threads == 2 ? 6 : *threads == 3 ? 4 : 3;
}

static void dpor_has_one_execution_a_trace(void **state) {
  (void)state;
  for (size_t mix = 0; mix < MIXES; mix++) {
    uint64_t compared = 0, traces = 0, blocked = 0;
    for (uint64_t seed = first_seed; seed < first_seed + programs; seed++) {
      struct toy_program p;
      unsigned threads, size;
      shape(seed, &threads, &size);
      random_program(&p, seed * MIXES + mix, mixes[mix].features, threads, size);
      struct exploration all = {.most_preemptions = UINT32_MAX}, found = all;
      explore_all(&p, &strategy_naive, 0, MOST_EXECUTIONS, &all);
      if (!all.stopped) {
        explore_all(&p, &strategy_dpor, UINT32_MAX, MOST_EXECUTIONS * 2, &found);
        compare(&p, seed, &all, &found, MISSING | UNKNOWN | REPEATED);
        compared++, traces += found.complete, blocked += found.blocked;
      }
      hashmap_release(&all.traces);
      hashmap_release(&found.traces);
    }
    print_message("%-22s %llu programs, %llu traces, %llu blocked\n", mixes[mix].name, (unsigned long long)compared,
                  (unsigned long long)traces, (unsigned long long)blocked);
    assert_true(compared >= programs / 2);
  }
}

static void icb_makes_each_execution_once(void **state) {
  (void)state;
  for (size_t mix = 0; mix < MIXES; mix++) {
    for (uint64_t seed = first_seed; seed < first_seed + programs; seed++) {
      struct toy_program p;
      unsigned threads, size;
      shape(seed, &threads, &size);
      random_program(&p, seed * MIXES + mix, mixes[mix].features, threads, size - 1);
      for (uint32_t bound = 0; bound < 3; bound++) {
        struct exploration all = {.most_preemptions = bound}, found = all;
        explore_all(&p, &strategy_naive, 0, 1000, &all);
        if (!all.stopped) {
          explore_all(&p, &strategy_icb, bound, 1000, &found);
          compare(&p, seed, &all, &found, MISSING | UNKNOWN);
          assert_int_equal(found.complete, found.within);
          assert_int_equal(found.complete, all.within);
          assert_int_equal(found.bounded, all.within < all.complete);
        }
        hashmap_release(&all.traces);
        hashmap_release(&found.traces);
      }
    }
  }
}

static void bounded_dpor_loses_nothing_within_the_bound(void **state) {
  (void)state;
  for (size_t mix = 0; mix < MIXES; mix++) {
    uint64_t naive = 0, bounded = 0;
    for (uint64_t seed = first_seed; seed < first_seed + programs; seed++) {
      struct toy_program p;
      unsigned threads, size;
      shape(seed, &threads, &size);
      random_program(&p, seed * MIXES + mix, mixes[mix].features, threads, size);
      for (uint32_t bound = 0; bound < 3; bound++) {
        struct exploration all = {.most_preemptions = bound}, found = all;
        explore_all(&p, &strategy_naive, 0, 2500, &all);
        if (!all.stopped) {
          explore_all(&p, &strategy_dpor, bound, 10000, &found);
          compare(&p, seed, &all, &found, MISSING | UNKNOWN);
          assert_int_equal(found.complete, found.within);
          assert_int_equal(found.blocked, 0);
          naive += all.within, bounded += found.complete;
        }
        hashmap_release(&all.traces);
        hashmap_release(&found.traces);
      }
    }
    print_message("%-22s %llu executions within the bounds, %llu made\n", mixes[mix].name, (unsigned long long)naive,
                  (unsigned long long)bounded);
  }
}

int main(void) {
  if (getenv("PROGRAMS")) programs = strtoull(getenv("PROGRAMS"), NULL, 10);
  if (getenv("SEED")) first_seed = strtoull(getenv("SEED"), NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dpor_has_one_execution_a_trace),
      cmocka_unit_test(icb_makes_each_execution_once),
      cmocka_unit_test(bounded_dpor_loses_nothing_within_the_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
