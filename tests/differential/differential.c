/* Random C programs through clang, the loader and the machine: every exhaustive strategy against naive enumeration.
 *
 * usage: differential [--memory=sc|tso|pso] [--features=LIST] [--loop-bound=N] [--programs=N] [--seed=N] [--most=EXECUTIONS] [--quick]
 * [--file=PROGRAM.c] [--show=SEED,INDEX] [--explain=SEED,INDEX[,BOUND]]
 *
 * --features: families of generate.h, "all" (if nothing is said) or "classic". --file: that program, optimised if the seed is odd.
 * --loop-bound: programs with loops, under that bound. --quick: maximal against dpor alone.
 *
 * What mcr and its kind find must be real, and they must never claim to have seen all; what they miss is counted (docs/mcr.md). For each
 * program: dpor has each of naive's Mazurkiewicz traces exactly once; under a bound it loses none within it; naive, dpor and icb have the
 * same outcomes and findings. Programs with too many executions are counted as skipped and not compared. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/toy/enumerate.h"
#include "batch.h"
#include "execution/run.h"
#include "search/search.h"

#define BATCH 100u

struct totals {
  uint64_t programs, skipped, refused, executions, traces, blocked, wrong;
  uint64_t unfolding_blocked, orders_blocked, cutoffs, cut_off; /* `cut_off`: programs with cutoffs */
  uint64_t maximal, maximal_blocked, maximal_more; /* `more`: programs that maximal needs more executions for than dpor */
  uint64_t outcomes, findings;                     /* of the programs that the published strategies were tried on */
};

/* Strategies as published, which lose executions; `losing`: programs of which something was missed. */
static struct published {
  const struct strategy_type *type;
  enum dependency dependency;
  uint64_t executions, outcomes, findings, losing;
} published[] = {
    {.type = &strategy_mcr},
    {.type = &strategy_mcr_s, .dependency = DEPENDENCY_STATIC},
    {.type = &strategy_mcr_s, .dependency = DEPENDENCY_DYNAMIC},
    {.type = &strategy_mcr_s_plus, .dependency = DEPENDENCY_STATIC},
    {.type = &strategy_mcr_s_plus, .dependency = DEPENDENCY_DYNAMIC},
    {.type = &strategy_se_mcr},
};
#define PUBLISHED (sizeof published / sizeof *published)

/* What one random execution shows by itself, and what is predicted from it. */
static uint64_t findings, findings_shown;
static struct prediction { uint64_t predicted, asked, possible, unknown; } prediction[2]; /* in one window; in small ones */

struct batch {
  uint64_t seed;
  struct image image;
  struct totals *totals;
};

static enum machine_memory memory = MEMORY_SC;
static uint32_t most_executions = 3000, loop_bound;

static unsigned families = GENERATE_ALL;

static unsigned features(void) { return families | (memory == MEMORY_SC ? 0 : GENERATE_STORES) | (loop_bound ? GENERATE_LOOPS : 0); }

static void complain(const struct batch *b, unsigned index, const char *what) {
  fprintf(stderr, "%s: --show=%llu,%u\n", what, (unsigned long long)b->seed, index);
  b->totals->wrong++;
}

/* Is what each thread does next a matter of what it did and saw? Not if others cancel it, send it signals, or have ended: a wait may end
 * otherwise then, and predictions need not come true (docs/testing.md). */
static bool of_its_own(const struct batch *b, unsigned index) {
  const unsigned others =
      1u << GENERATE_FAMILY_CANCELLATION | 1u << GENERATE_FAMILY_SIGNALS | 1u << GENERATE_FAMILY_THREADS | 1u << GENERATE_FAMILY_OBJECTS |
      1u << GENERATE_FAMILY_INTERRUPTS;
  return !(generate_families(b->seed, index, features()) & others);
}

static const char *file; /* explored instead of random programs; NULL: none */

static bool open_programs(struct batch *b, unsigned count) {
  return file ? batch_open_file(&b->image, file, b->seed, features()) : batch_open(&b->image, b->seed, count, features());
}

static uint64_t state_memory; /* maximal's; 0: enough */
static bool failed;           /* has an exploration since this was last looked at? */

static struct explore_result explored_with(struct machine *m, const struct explore_options *o) {
  struct explore_result r = {0};
  struct diag d = {0};
  if (explore(m, o, &r, &d) != ERR_NONE) {
    fprintf(stderr, "%s: %s\n", o->strategy->name, text_str(&d.message));
    failed = true;
  }
  diag_release(&d);
  return r;
}

static struct explore_result explored_by(struct machine *m, const struct strategy_type *type, enum dependency dependency, bool outcomes) {
  struct explore_options o = {.strategy = type,
                              .strategy_options = {.bound = UINT32_MAX, .dependency = dependency, .memory = state_memory},
                              .outcomes = outcomes,
                              .loop_bound = loop_bound,
                              .executions = 10 * most_executions};
  return explored_with(m, &o);
}

static struct explore_result explored(struct machine *m, const struct strategy_type *type, bool outcomes) {
  return explored_by(m, type, DEPENDENCY_ALL, outcomes);
}

static bool has_key(const struct explore_result *r, uint64_t key) {
  for (size_t i = 0; i < r->findings.count; i++) {
    if (r->findings.data[i].key == key) return true;
  }
  return false;
}

/* A livelock ends the exploration: what had been seen by then is a matter of order. */
static bool found_livelock(const struct explore_result *r) { return r->reasons >> EXPLORE_REASON_LIVELOCK & 1; }

static void print_result(const char *label, const struct explore_result *r) {
  printf("%s: %llu executions, %llu blocked, verdict %d\n", label, (unsigned long long)r->counts.executions,
         (unsigned long long)r->counts.blocked, r->verdict);
  for (size_t i = 0; i < r->outcomes.count; i++) {
    const char *t = text_str(&r->outcomes.data[i].text);
    printf("  outcome %.*s %s\n", (int)strcspn(t, "\n"), t, t + strcspn(t, "\n") + 1);
  }
  for (size_t i = 0; i < r->findings.count; i++) {
    const struct finding *f = &r->findings.data[i].finding;
    printf("  finding %llx %s %s\n", (unsigned long long)r->findings.data[i].key, finding_kind_text(f->kind), text_str(&f->message));
  }
}

static bool same(const struct explore_result *a, const struct explore_result *b) {
  if (found_livelock(a) || found_livelock(b)) return found_livelock(a) && found_livelock(b);
  if (a->outcomes.count != b->outcomes.count || a->findings.count != b->findings.count || a->verdict != b->verdict) return false;
  for (size_t i = 0; i < a->outcomes.count; i++) {
    if (strcmp(text_str(&a->outcomes.data[i].text), text_str(&b->outcomes.data[i].text)) != 0) return false;
  }
  for (size_t i = 0; i < a->findings.count; i++) {
    if (!has_key(b, a->findings.data[i].key)) return false;
  }
  return true;
}

/* Complains if they are not. Of a program in a file, what they are is printed. */
static void expect_same(const struct batch *b, unsigned index, const struct explore_result *naive, const struct explore_result *r,
                        const char *what) {
  if (same(naive, r)) return;
  complain(b, index, what);
  if (file) print_result("naive", naive), print_result(what, r);
}

static uint64_t known_outcomes(const struct explore_result *all, const struct explore_result *r) {
  uint64_t known = 0;
  for (size_t i = 0; i < r->outcomes.count; i++) {
    bool found = false;
    for (size_t k = 0; k < all->outcomes.count && !found; k++)
      found = strcmp(text_str(&r->outcomes.data[i].text), text_str(&all->outcomes.data[k].text)) == 0;
    known += found;
  }
  return known;
}

static void compare_with(const struct batch *b, unsigned index, struct published *x, struct machine *m, const struct explore_result *all) {
  char what[80];
  const char *wrong = NULL;
  struct explore_result r = explored_by(m, x->type, x->dependency, true);
  if (known_outcomes(all, &r) != r.outcomes.count) wrong = "has an outcome that naive has not";
  for (size_t i = 0; i < r.findings.count; i++)
    if (!has_key(all, r.findings.data[i].key)) wrong = "has a finding that naive has not";
  if (r.verdict == VERDICT_SAFE) wrong = "says SAFE";
  snprintf(what, sizeof what, "%s %s", x->type->name, wrong ? wrong : "");
  if (wrong) complain(b, index, what);
  x->executions += r.counts.executions, x->outcomes += r.outcomes.count, x->findings += r.findings.count;
  x->losing += r.outcomes.count < all->outcomes.count || r.findings.count < all->findings.count;
  explore_result_release(&r);
}

static void compare_published(const struct batch *b, unsigned index, const struct explore_result *all) {
  if (found_livelock(all)) return;
  struct machine *m = batch_machine(&b->image, index, memory, true);
  if (!m) {
    complain(b, index, "machine");
    return;
  }
  b->totals->outcomes += all->outcomes.count, b->totals->findings += all->findings.count;
  for (size_t i = 0; i < PUBLISHED; i++) compare_with(b, index, &published[i], m, all);
  machine_free(m);
}

static uint64_t counter(const struct explore_result *r, const char *name) {
  for (size_t i = 0; i < r->counters.count; i++)
    if (strcmp(r->counters.data[i].name, name) == 0) return r->counters.data[i].number;
  return UINT64_MAX;
}

/* What is predicted can happen, and the machine can do what the model says it could; in one window, and in many that have but a few
 * events. */
static void compare_predicted(const struct batch *b, unsigned index, struct machine *m, const struct explore_result *all) {
  if (found_livelock(all)) return;
  struct explore_options o = {
      .strategy = &strategy_random, .strategy_options = {.seed = b->seed * BATCH + index, .executions = 1}, .loop_bound = loop_bound};
  struct explore_result shown = explored_with(m, &o);
  o.predict = true;
  for (unsigned windows = 0; windows < 2; windows++) {
    o.predict_window = windows ? 3 + index % 8 : 0;
    struct explore_result r = explored_with(m, &o);
    struct prediction *p = &prediction[windows];
    for (size_t i = 0; i < r.findings.count; i++)
      if (!has_key(all, r.findings.data[i].key)) complain(b, index, "a prediction that naive has not");
    for (size_t i = 0; i < shown.findings.count; i++)
      if (!has_key(&r, shown.findings.data[i].key)) complain(b, index, "prediction loses a finding");
    if (counter(&r, "unconfirmed") && of_its_own(b, index))
      complain(b, index, windows ? "a window's witness does not show what it should" : "a witness that does not show what it should");
    p->predicted += r.findings.count - shown.findings.count;
    p->asked += counter(&r, "asked"), p->possible += counter(&r, "possible"), p->unknown += counter(&r, "unknown");
    explore_result_release(&r);
  }
  findings += all->findings.count, findings_shown += shown.findings.count;
  explore_result_release(&shown);
}

/* With every outcome, and without: what was written is no part of the state then, and findings alone are compared. And with memory for few
 * states. */
static void compare_maximal(const struct batch *b, unsigned index, struct machine *m, struct explore_result *all, uint64_t traces) {
  struct explore_result each = explored(m, &strategy_maximal, true), few = explored(m, &strategy_maximal, false);
  expect_same(b, index, all, &each, "maximal's outcomes or findings differ");
  size_t outcomes = all->outcomes.count;
  all->outcomes.count = 0;
  expect_same(b, index, all, &few, "maximal's findings differ");
  all->outcomes.count = outcomes;
  b->totals->maximal += few.counts.executions;
  b->totals->maximal_blocked += few.counts.blocked;
  if (few.counts.executions > traces && !found_livelock(&few)) { /* which ends it early: what was seen by then is a matter of order */
    printf("maximal has %llu executions, dpor %llu: --show=%llu,%u\n", (unsigned long long)few.counts.executions,
           (unsigned long long)traces, (unsigned long long)b->seed, index);
    b->totals->maximal_more++;
  }
  explore_result_release(&each);
  explore_result_release(&few);
  state_memory = 3000;
  struct explore_result small = explored(m, &strategy_maximal, true);
  state_memory = 0;
  bool ended = !(small.reasons >> EXPLORE_REASON_EXECUTIONS & 1); /* it may take longer */
  if (ended) expect_same(b, index, all, &small, "maximal's outcomes or findings differ in little memory");
  explore_result_release(&small);
}

/* One execution a trace, in this order. */
static void compare_unfolding(const struct batch *b, unsigned index, struct machine *m, const struct enumeration *all,
                              enum unfolding_order order) {
  struct enumeration found = {.most_preemptions = UINT32_MAX, .loop_bound = loop_bound, .order = order, .seed = index};
  if (machine_has_interrupts(m)) return; /* it says itself that it misses some (unfolding_limit()) */
  if (!enumerate(m, &strategy_unfolding, UINT32_MAX, 2 * most_executions, &found)) complain(b, index, "unfolding cannot follow its prefix");
  struct difference d = enumeration_compare(all, &found);
  if (all->cut_deadlock) d = (struct difference){0}; /* see enumerate.h */
  if (d.missing) complain(b, index, "unfolding misses traces");
  if (d.unknown) complain(b, index, "unfolding has traces that naive has not");
  if (d.repeated && !all->sections) complain(b, index, "unfolding repeats traces");
  *(order == UNFOLDING_DEPTH ? &b->totals->unfolding_blocked : &b->totals->orders_blocked) += found.blocked;
  enumeration_release(&found);
}

/* With cutoffs livelocks are not seen, and all else is: also where executions have no end. */
static void compare_cutoffs(const struct batch *b, unsigned index, struct machine *m) {
  struct explore_options o = {.strategy = &strategy_naive,
                              .strategy_options = {.bound = UINT32_MAX},
                              .outcomes = true,
                              .step_limit = 5000,
                              .executions = 10 * most_executions,
                              .ignored = 1u << FINDING_LIVELOCK};
  if (loop_bound || machine_has_interrupts(m)) return;
  struct explore_result all = explored_with(m, &o);
  o.strategy = &strategy_unfolding, o.strategy_options.cutoffs = true;
  struct explore_result found = explored_with(m, &o);
  o.outcomes = false, o.strategy_options.order = UNFOLDING_RANDOM, o.strategy_options.seed = index;
  struct explore_result few = explored_with(m, &o);
  if (!found_livelock(&all) && !(all.reasons >> EXPLORE_REASON_EXECUTIONS & 1)) {
    expect_same(b, index, &all, &found, "unfolding's outcomes or findings differ with cutoffs");
    all.outcomes.count = 0;
    expect_same(b, index, &all, &few, "unfolding's findings differ with cutoffs");
  }
  b->totals->cutoffs += counter(&found, "cutoffs"), b->totals->cut_off += counter(&found, "cutoffs") > 0;
  explore_result_release(&all);
  explore_result_release(&found);
  explore_result_release(&few);
}

/* Into `*naive`: what all executions show. */
static void compare_outcomes(const struct batch *b, unsigned index, struct machine *m, struct explore_result *naive) {
  *naive = explored(m, &strategy_naive, true);
  struct explore_result dpor = explored(m, &strategy_dpor, true), icb = explored(m, &strategy_icb, true);
  struct explore_result unfolding = explored(m, &strategy_unfolding, true);
  expect_same(b, index, naive, &dpor, "dpor's outcomes or findings differ");
  expect_same(b, index, naive, &icb, "icb's outcomes or findings differ");
  if (!machine_has_interrupts(m)) expect_same(b, index, naive, &unfolding, "unfolding's outcomes or findings differ");
  compare_cutoffs(b, index, m);
  compare_maximal(b, index, m, naive, dpor.counts.executions);
  compare_predicted(b, index, m, naive);
  explore_result_release(&dpor);
  explore_result_release(&icb);
  explore_result_release(&unfolding);
}

static void compare_bounded(const struct batch *b, unsigned index, struct machine *m) {
  for (uint32_t bound = 0; bound < 2; bound++) {
    struct enumeration all = {.most_preemptions = bound, .loop_bound = loop_bound}, found = all;
    enumerate(m, &strategy_naive, 0, most_executions, &all);
    enumerate(m, &strategy_dpor, bound, 2 * most_executions, &found);
    if (!all.cut_deadlock && enumeration_compare(&all, &found).missing) complain(b, index, "bounded dpor misses traces");
    enumeration_release(&all);
    enumeration_release(&found);
  }
}

static void compare_program(const struct batch *b, unsigned index) {
  struct machine *m = batch_machine(&b->image, index, memory, false);
  struct explore_result naive = {0};
  struct enumeration all = {.most_preemptions = UINT32_MAX, .loop_bound = loop_bound, .watch = true}, found = all;
  found.watch = false;
  b->totals->programs++;
  if (!m) {
    complain(b, index, "machine");
    return;
  }
  bool possible = enumerate(m, &strategy_naive, 0, most_executions, &all), refused = machine_status(m) == MACHINE_UNSUPPORTED;
  if (!possible && !refused) complain(b, index, text_str(&machine_diag(m)->message));
  if (all.erratic && of_its_own(b, index)) complain(b, index, "what a thread does depends on more than its history");
  if (all.stopped || refused) {
    b->totals->skipped += !refused, b->totals->refused += refused;
  } else {
    if (!enumerate(m, &strategy_dpor, UINT32_MAX, 2 * most_executions, &found)) complain(b, index, "dpor cannot follow its prefix");
    struct difference d = enumeration_compare(&all, &found);
    if (all.cut_deadlock) d = (struct difference){0}; /* see enumerate.h */
    if (d.missing) complain(b, index, "dpor misses traces");
    if (d.unknown) complain(b, index, "dpor has traces that naive has not");
    if (d.repeated && !all.sections) complain(b, index, "dpor repeats traces");
    for (enum unfolding_order order = UNFOLDING_DEPTH; order <= UNFOLDING_RANDOM; order++) compare_unfolding(b, index, m, &all, order);
    compare_outcomes(b, index, m, &naive);
    if (all.complete < most_executions / 3) compare_bounded(b, index, m);
    b->totals->executions += all.complete;
    b->totals->traces += found.complete;
    b->totals->blocked += found.blocked;
  }
  machine_free(m);
  if (!all.stopped && !refused) compare_published(b, index, &naive); /* on a machine of its own: there is one at a time */
  explore_result_release(&naive);
  enumeration_release(&all);
  enumeration_release(&found);
}

/* Maximal against dpor alone: much faster, and larger programs. */
static void compare_quickly(const struct batch *b, unsigned index) {
  struct machine *m = batch_machine(&b->image, index, memory, false);
  b->totals->programs++;
  if (!m) {
    complain(b, index, "machine");
    return;
  }
  struct explore_result dpor = explored(m, &strategy_dpor, true);
  if (dpor.reasons >> EXPLORE_REASON_EXECUTIONS & 1)
    b->totals->skipped++;
  else
    compare_maximal(b, index, m, &dpor, dpor.counts.executions);
  b->totals->traces += dpor.counts.executions;
  b->totals->blocked += dpor.counts.blocked;
  explore_result_release(&dpor);
  machine_free(m);
}

static int show(const char *which) {
  char *rest;
  uint64_t seed = strtoull(which, &rest, 10);
  struct text source = {0};
  generate_one(seed, *rest ? (unsigned)strtoul(rest + 1, NULL, 10) : 0, features(), &source);
  fputs(text_str(&source), stdout);
  text_release(&source);
  return 0;
}

/* --- explaining a difference --- */

static void print_execution(const struct run *r, const char *label) {
  struct execution x = run_view(r);
  printf("%s:", label);
  for (uint32_t i = 0; i < x.depth; i++) {
    printf(" %s", machine_thread_name(r->machine, x.steps[i].thread));
    if (x.steps[i].choice) printf("/%u", x.steps[i].choice);
    for (uint32_t k = i ? x.ends[i - 1] : 0; k < x.ends[i]; k++) {
      const struct event *e = &x.trace[k];
      printf(":%s(%llx", event_op_text((enum event_op)e->op), (unsigned long long)e->object & 0xffffff);
      if (e->flags) printf(" flags %x", e->flags);
      printf(")=%llx", (unsigned long long)e->value);
    }
  }
  const struct finding *f = r->end == EXECUTION_FAILED ? machine_finding(r->machine) : NULL;
  printf(" [end %d%s%s%s]\n", r->end, r->cut ? " cut " : "", f ? " " : "", f ? text_str(&f->message) : "");
}

struct explanation {
  const struct enumeration *other;
  unsigned shown, most;
  const char *label;
};

static void print_unless_in_other(const struct run *r, uint64_t trace, void *data) {
  struct explanation *e = data;
  if ((e->other && hashmap_find(&e->other->traces, trace)) || e->shown++ >= e->most) return;
  print_execution(r, e->label);
}

static void explain_result(struct machine *m, const struct strategy_type *type, bool outcomes) {
  struct explore_result r = explored(m, type, outcomes);
  print_result(outcomes ? type->name : "without outcomes", &r);
  explore_result_release(&r);
}

static int explain(const char *which) {
  char *rest;
  struct totals totals = {0};
  struct batch b = {.seed = strtoull(which, &rest, 10), .totals = &totals};
  unsigned index = *rest ? (unsigned)strtoul(rest + 1, &rest, 10) : 0;
  uint32_t bound = *rest ? (uint32_t)strtoul(rest + 1, NULL, 10) : UINT32_MAX;
  if (!open_programs(&b, BATCH)) return 1;
  struct machine *m = batch_machine(&b.image, index, memory, false);
  struct explanation all = {.most = 30, .label = "dpor"}, missing = {.most = 3, .label = "missing"};
  struct enumeration found = {.most_preemptions = bound, .loop_bound = loop_bound, .each = print_unless_in_other, .data = &all};
  struct enumeration naive = found;
  enumerate(m, &strategy_dpor, bound, 2 * most_executions, &found);
  naive.data = &missing;
  missing.other = &found;
  enumerate(m, &strategy_naive, 0, most_executions, &naive);
  struct explanation maximal = {.most = 30, .label = "maximal"};
  struct enumeration cut = {.most_preemptions = UINT32_MAX, .loop_bound = loop_bound, .each = print_unless_in_other, .data = &maximal};
  enumerate(m, &strategy_maximal, UINT32_MAX, 2 * most_executions, &cut);
  enumeration_release(&cut);
  struct explanation missed = {.most = 30, .label = "unfolding misses"};
  struct enumeration unfolded = {.most_preemptions = UINT32_MAX, .loop_bound = loop_bound};
  enumerate(m, &strategy_unfolding, UINT32_MAX, 2 * most_executions, &unfolded);
  cut.each = print_unless_in_other, cut.data = &missed, missed.other = &unfolded;
  enumerate(m, &strategy_dpor, bound, 2 * most_executions, &cut);
  enumeration_release(&cut);
  enumeration_release(&unfolded);
  explain_result(m, &strategy_naive, true);
  explain_result(m, &strategy_dpor, true);
  explain_result(m, &strategy_maximal, true);
  explain_result(m, &strategy_maximal, false);
  explain_result(m, &strategy_unfolding, true);
  enumeration_release(&found);
  enumeration_release(&naive);
  machine_free(m);
  image_close(&b.image);
  return 0;
}

static bool read_memory(const char *name) {
  if (!batch_memory(name, &memory)) return false;
  if (memory != MEMORY_SC) most_executions = 20000; /* flushes are steps */
  return true;
}

int main(int argc, char **argv) {
  uint64_t programs = 2000, seed = 1;
  bool quick = false;
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--memory=", 9) == 0 && read_memory(argv[i] + 9)) continue;
    if (strncmp(argv[i], "--features=", 11) == 0 && generate_features(argv[i] + 11, &families)) continue;
    if (strncmp(argv[i], "--file=", 7) == 0) {
      file = argv[i] + 7, programs = 1;
      continue;
    }
    if (strncmp(argv[i], "--show=", 7) == 0) return show(argv[i] + 7);
    if (strncmp(argv[i], "--explain=", 10) == 0) return explain(argv[i] + 10);
    if (strcmp(argv[i], "--quick") == 0) {
      quick = true;
    } else if (strncmp(argv[i], "--programs=", 11) == 0) {
      programs = strtoull(argv[i] + 11, NULL, 10);
    } else if (strncmp(argv[i], "--most=", 7) == 0) {
      most_executions = (uint32_t)strtoul(argv[i] + 7, NULL, 10);
    } else if (strncmp(argv[i], "--loop-bound=", 13) == 0) {
      loop_bound = (uint32_t)strtoul(argv[i] + 13, NULL, 10);
    } else if (strncmp(argv[i], "--seed=", 7) == 0) {
      seed = strtoull(argv[i] + 7, NULL, 10);
    } else {
      fprintf(stderr,
              "usage: %s [--memory=sc|tso|pso] [--features=LIST] [--loop-bound=N] [--programs=N] [--seed=N] [--most=EXECUTIONS] [--quick] "
              "[--file=PROGRAM.c] [--show=SEED,INDEX] [--explain=SEED,INDEX[,BOUND]]\n",
              argv[0]);
      return 2;
    }
  }
  struct totals totals = {0};
  void (*compare)(const struct batch *b, unsigned index) = quick ? compare_quickly : compare_program;
  for (; totals.programs < programs; seed++) {
    uint64_t left = programs - totals.programs;
    unsigned count = left < BATCH ? (unsigned)left : BATCH;
    struct batch b = {.seed = seed, .totals = &totals};
    if (!open_programs(&b, count)) return 1;
    for (unsigned i = 0; i < count; i++) {
      compare(&b, i);
      if (failed) complain(&b, i, "an exploration failed");
      failed = false;
    }
    image_close(&b.image);
  }
  printf("%llu programs, %llu of them too large, %llu refused; %llu executions, %llu traces, %llu blocked, %llu differences\n",
         (unsigned long long)totals.programs, (unsigned long long)totals.skipped, (unsigned long long)totals.refused,
         (unsigned long long)totals.executions, (unsigned long long)totals.traces, (unsigned long long)totals.blocked,
         (unsigned long long)totals.wrong);
  printf("unfolding: %llu blocked, breadth-first and random %llu; %llu cutoffs in %llu programs\n",
         (unsigned long long)totals.unfolding_blocked, (unsigned long long)totals.orders_blocked, (unsigned long long)totals.cutoffs, (unsigned long long)totals.cut_off);
  printf("maximal: %llu executions, %llu blocked; %llu programs with more than dpor\n", (unsigned long long)totals.maximal,
         (unsigned long long)totals.maximal_blocked, (unsigned long long)totals.maximal_more);
  for (size_t i = 0; i < PUBLISHED; i++) {
    const struct published *x = &published[i];
    static const char *const settings[] = {"", " dynamic", " static"};
    printf("%s%s: %llu executions; %llu of %llu outcomes, %llu of %llu findings; %llu programs of which it missed something\n",
           x->type->name, settings[x->dependency], (unsigned long long)x->executions, (unsigned long long)x->outcomes,
           (unsigned long long)totals.outcomes, (unsigned long long)x->findings, (unsigned long long)totals.findings,
           (unsigned long long)x->losing);
  }
  printf("one random execution shows %llu of %llu findings\n", (unsigned long long)findings_shown, (unsigned long long)findings);
  for (unsigned i = 0; i < 2; i++)
    printf("%llu are predicted from it %s; %llu questions, %llu yes, %llu unknown\n", (unsigned long long)prediction[i].predicted,
           i ? "in windows of a few events" : "as a whole", (unsigned long long)prediction[i].asked,
           (unsigned long long)prediction[i].possible, (unsigned long long)prediction[i].unknown);
  return totals.wrong || totals.skipped * 2 > totals.programs;
}
