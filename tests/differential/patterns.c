/* Random patterns of properties on random recorded runs: what the analysis finds, against all orders of each run's events.
 *
 * usage: patterns [--runs=N] [--seed=N] [--print] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "patterns_generate.h"
#include "patterns_reference.h"
#include "predict/recorded/patterns.h"
#include "recorded_generate.h"

struct settings {
  uint64_t runs, seed;
  bool print;
};

struct counts {
  uint64_t runs, skipped, without, matches, questions, undecided, wrong;
};

/* --- properties at random --- */

static void put_source(struct pattern_maker *m) {
  static const char *const accesses[] = {"read *", "write *", "dereference *"}, *const locks[] = {"acquire", "release"},
                           *const names[] = {"x", "y", "*"};
  bool after = pattern_pick(m, 2);
  text_puts(&m->text, after ? " after " : " before ");
  if (pattern_pick(m, 5) == 0) {
    text_printf(&m->text, "%s %s", locks[pattern_pick(m, 2)], names[pattern_pick(m, 3)]);
    return;
  }
  uint32_t what = pattern_pick(m, 7) / 3;
  text_printf(&m->text, "%s of %s", accesses[what], names[pattern_pick(m, 3)]);
  if (what == 0 && !after) return;
  if (pattern_pick(m, 3) == 0) text_printf(&m->text, " value %u", RUN_VALUE * pattern_pick(m, 3));
  if (pattern_pick(m, 6) == 0) text_puts(&m->text, pattern_pick(m, 2) ? " value v" : " value *");
}

/* --- the analysis --- */

static bool has(const struct pattern_truth *list, size_t n, const struct pattern_truth *t) {
  for (size_t i = 0; i < n; i++)
    if (list[i].which == t->which && memcmp(list[i].points, t->points, sizeof t->points) == 0) return true;
  return false;
}

static void complain(const char *what, uint64_t seed, const char *text, const struct run *r, const struct pattern_truth *t) {
  printf("seed %llu: %s, case %u, points", (unsigned long long)seed, what, t->which);
  for (unsigned i = 0; i < PROPERTY_ATOMS && t->points[i] != UINT32_MAX; i++) printf(" %u", t->points[i]);
  printf("\n%s", text);
  recorded_print(r);
}

static bool copy_points(const struct property_points *points, struct run *with) {
  memset(with, 0, sizeof *with);
  for (size_t i = 0; i < points->events.count; i++) {
    const struct event *e = &points->events.data[i];
    if (with->n == RUN_EVENTS || with->length[e->thread] == RUN_LENGTH) return false;
    run_add(with, e);
  }
  return true;
}

static void compare(const struct settings *o, struct counts *n, uint64_t seed, const char *text, const struct property *property,
                    const struct recorded *whole) {
  static struct pattern_truths truths;
  struct run with;
  struct recorded_stream *s = recorded_stream_of(whole);
  struct patterns *p = patterns_new(&(struct patterns_options){.all = true});
  if (patterns_run(p, property, "F", s)) n->wrong++;
  if (copy_points(patterns_points(p), &with)) {
    uint32_t nfound, undecided = 0;
    const struct patterns_finding *findings = patterns_findings(p, &nfound);
    VEC(struct pattern_truth) found = {0};
    for (uint32_t i = 0; i < nfound; i++) {
      struct pattern_truth t = {.which = findings[i].which};
      memcpy(t.points, patterns_choices(p) + (size_t)i * PROPERTY_ATOMS, sizeof t.points);
      undecided += findings[i].undecided;
      if (!findings[i].undecided) *vec_push(&found) = t;
    }
    patterns_true(&truths, property, patterns_points(p), &with);
    n->runs++, n->skipped += !truths.complete;
    for (size_t i = 0; i < truths.list.count && truths.complete && !undecided; i++)
      if (!has(found.data, found.count, &truths.list.data[i])) n->wrong++, complain("missed", seed, text, &with, &truths.list.data[i]);
    for (size_t i = 0; i < found.count && truths.complete; i++)
      if (!has(truths.list.data, truths.list.count, &found.data[i])) n->wrong++, complain("false", seed, text, &with, &found.data[i]);
    n->matches += truths.list.count, n->without += truths.list.count == 0, n->undecided += undecided;
    n->questions += patterns_counts(p).questions;
    if (o->print) printf("%s%zu matches\n", text, truths.list.count), recorded_print(&with);
    vec_release(&found);
  }
  patterns_free(p);
  recorded_close(s);
}

static void check_run(const struct settings *o, struct counts *n, uint64_t seed) {
  struct pattern_maker m = {.seed = seed ^ 0x5bd1e995u};
  struct properties all = {0};
  struct recorded whole = {0};
  struct run r;
  recorded_generate(&r, seed, (unsigned)(hash_mix(seed) >> 20) % RECORDED_FEATURES & ~(unsigned)RECORDED_REGIONS, 6 + (uint32_t)(seed % 5));
  recorded_copy(&r, &whole);
  pattern_make(&m, put_source, &all);
  compare(o, n, seed, text_str(&m.text), &all.list.data[0], &whole);
  properties_release(&all);
  recorded_free(&whole);
  text_release(&m.text);
}

int main(int argc, char **argv) {
  struct settings o = {.runs = 2000, .seed = 1};
  struct counts n = {0};
  for (int i = 1; i < argc; i++) {
    const char *value = strchr(argv[i], '=');
    if (value && strncmp(argv[i], "--runs", 6) == 0) o.runs = strtoull(value + 1, NULL, 10);
    if (value && strncmp(argv[i], "--seed", 6) == 0) o.seed = strtoull(value + 1, NULL, 10);
    if (strcmp(argv[i], "--print") == 0) o.print = true;
  }
  for (uint64_t i = 0; i < o.runs; i++) check_run(&o, &n, o.seed + i);
  printf("%llu runs, %llu with too much to look at: %llu matches, %llu runs without; %llu questions, %llu undecided; %llu wrong\n",
         (unsigned long long)n.runs, (unsigned long long)n.skipped, (unsigned long long)n.matches, (unsigned long long)n.without,
         (unsigned long long)n.questions, (unsigned long long)n.undecided, (unsigned long long)n.wrong);
  truth_release();
  return n.wrong || n.skipped * 5 > n.runs || n.matches == 0;
}
