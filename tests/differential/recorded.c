/* Recorded runs at random: what the maximal analysis finds, against everything that any program could have done that did them.
 *
 * usage: recorded [--traces=N] [--seed=N] [--features=BITS] [--also=BITS] [--events=N] [--windows[=N]] [--thin] [--displaced] [--print]
 *
 * --also: of these features (recorded_generate.h) each run has some at random, besides those that all have. --windows: the analysis takes
 * the run in windows of N events, or at random; what it has to find is what any of the windows shows (truth_add_window()), and that has to
 * be part of what the whole run shows. --thin: it takes what a file of the run has (thinned.h), and has to find the same. --displaced: it
 * takes a wrong order of the run (displaced.h), in windows, and has to find nothing that the run has not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "displaced.h"
#include "recorded_compare.h"
#include "recorded_generate.h"
#include "thinned.h"

struct settings {
  uint64_t traces, seed;
  long features;
  unsigned also;
  uint32_t events, window;
  uint32_t sites; /* not 0: so few sites have the events */
  bool windows, thin, displaced, print;
};

struct counts {
  uint64_t traces, skipped, states, races, freed, violations, nulls, lost, cycles, undecided, proven;
};

static void count(struct counts *n, const struct run *r, const struct truth *x) {
  n->states += x->states;
  n->cycles += x->cycles;
  for (uint32_t a = 0; a < r->n; a++) {
    n->nulls += x->null[a], n->lost += x->lost[a];
    for (uint32_t b = 0; b < r->n; b++) {
      n->races += a < b && x->race[a][b], n->freed += x->freed[a][b];
      for (uint32_t c = 0; c < r->n; c++) n->violations += x->violation[a][b][c];
    }
  }
}

/* What the windows show, each with a quarter in common with the next one. */
static void find_in_windows(struct truth *x, const struct run *r, uint32_t window) {
  memset(x, 0, sizeof *x);
  x->complete = true;
  for (uint32_t from = 0, n; from < r->n; from += n < window ? n : n - n / 4) {
    n = r->n - from < window ? r->n - from : window;
    truth_add_window(x, r, from, from + n);
  }
}

/* The whole run, and then its windows if that is wanted. */
static uint64_t find_truth(const struct settings *o, const struct run *r, uint32_t window, struct truth *x) {
  static struct truth whole;
  truth_find(x, r);
  if (!o->windows || !x->complete) return 0;
  whole = *x;
  find_in_windows(x, r, window);
  if (r->reuses) return 0; /* of a pointer that comes from nowhere each window has its own view */
  return recorded_compare(r, &whole, x, true);
}

static uint64_t chosen, unexplained;
static uint64_t displace(struct recorded *r) {
  uint64_t n = displaced(r, chosen);
  unexplained += n;
  return n;
}

/* Of a run in which memory is used again: what is said to be proven can be, whoever may know of both blocks. */
static uint64_t check_proven(const struct run *r, const struct truth *proven, uint64_t *checked) {
  static struct truth truth;
  struct run cautious = *r;
  run_find_knowers(&cautious);
  truth_find(&truth, &cautious);
  *checked += truth.complete;
  return truth.complete ? recorded_compare(r, &truth, proven, true) : 0;
}

/* What functions that are not recorded look at, and decide by it, may be nothing: then more is possible. What is said to be proven does not
 * rest on that. */
static uint64_t check_trust(const struct settings *o, const struct run *r, uint32_t window, const struct truth *strict,
                            const struct truth *found, const struct truth *proven, bool part) {
  static struct truth truth;
  struct run trusting = *r;
  if (o->displaced) return recorded_compare(r, strict, proven, true);
  if (!run_trust(&trusting)) return recorded_compare(r, strict, found, part);
  uint64_t wrong = find_truth(o, &trusting, window, &truth);
  if (!truth.complete) return 0;
  return wrong + recorded_compare(r, &truth, found, part) + recorded_compare(r, strict, proven, part || r->reuses);
}

static bool check_trace(const struct settings *o, struct counts *n, uint64_t seed) {
  static struct truth truth, found, proven;
  struct run r;
  uint64_t random = seed * 0x9e3779b97f4a7c15u >> 20;
  unsigned features = o->features >= 0 ? (unsigned)o->features : (unsigned)(seed * 0x9e3779b97f4a7c15u >> 40) % RECORDED_FEATURES;
  recorded_generate(&r, seed, features | ((unsigned)random & o->also), 6 + (uint32_t)(seed % (o->events - 5)));
  uint32_t window = !o->windows && !o->displaced ? 0 : o->window ? o->window : 3 + (uint32_t)(random % (r.n + 1));
  uint64_t wrong = find_truth(o, &r, window, &truth);
  n->traces++;
  if (o->print) recorded_print(&r);
  bool consistent = recorded_is_consistent(&r);
  if (!consistent) printf("seed %llu: the trace is not consistent\n", (unsigned long long)seed);
  if (!truth.complete) n->skipped++;
  if (!truth.complete) return consistent;
  count(n, &r, &truth);
  chosen = random;
  uint64_t undecided = recorded_analyse_less(&r, window, o->sites, o->thin ? thinned : o->displaced ? displace : NULL, &found, &proven);
  bool part = r.round < r.threads || o->displaced;
  wrong += o->sites ? recorded_compare_sites(&r, &truth, &found, o->sites) : check_trust(o, &r, window, &truth, &found, &proven, part);
  if (r.reuses && !o->sites) wrong += check_proven(&r, &proven, &n->proven);
  if (part) undecided = 0; /* a barrier that more threads use than a round takes keeps the order of the run */
  n->undecided += undecided;
  if (wrong || undecided)
    printf("seed %llu: %llu differ, %llu undecided\n", (unsigned long long)seed, (unsigned long long)wrong, (unsigned long long)undecided);
  return consistent && wrong == 0 && undecided == 0;
}

int main(int argc, char **argv) {
  struct settings o = {.traces = 2000, .seed = 1, .features = -1, .events = 14};
  struct counts n = {0};
  for (int i = 1; i < argc; i++) {
    const char *value = strchr(argv[i], '=');
    if (value && strncmp(argv[i], "--traces", 8) == 0) o.traces = strtoull(value + 1, NULL, 10);
    if (value && strncmp(argv[i], "--seed", 6) == 0) o.seed = strtoull(value + 1, NULL, 10);
    if (value && strncmp(argv[i], "--features", 10) == 0) o.features = strtol(value + 1, NULL, 0);
    if (value && strncmp(argv[i], "--also", 6) == 0) o.also = (unsigned)strtoul(value + 1, NULL, 0);
    if (strncmp(argv[i], "--windows", 9) == 0) o.windows = true;
    if (value && strncmp(argv[i], "--windows", 9) == 0) o.window = (uint32_t)strtoul(value + 1, NULL, 10);
    if (value && strncmp(argv[i], "--events", 8) == 0) o.events = (uint32_t)strtoul(value + 1, NULL, 10);
    if (value && strncmp(argv[i], "--sites", 7) == 0) o.sites = (uint32_t)strtoul(value + 1, NULL, 10);
    if (strcmp(argv[i], "--thin") == 0) o.thin = true;
    if (strcmp(argv[i], "--displaced") == 0) o.displaced = true;
    if (strcmp(argv[i], "--print") == 0) o.print = true;
  }
  if (o.thin && o.windows) return 2; /* its windows are others */
  if (o.events < 6 || o.events > 24) return 2;
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < o.traces; i++) wrong += !check_trace(&o, &n, o.seed + i);
  printf(
      "%llu traces, %llu with too many states, %.0f states each: %llu races, %llu uses after frees, %llu atomicity violations, "
      "%llu null pointers, %llu lost notifications, %llu cycles of locks; %llu wrong\n",
      (unsigned long long)n.traces, (unsigned long long)n.skipped, (double)n.states / (double)(n.traces - n.skipped + 1),
      (unsigned long long)n.races, (unsigned long long)n.freed, (unsigned long long)n.violations, (unsigned long long)n.nulls,
      (unsigned long long)n.lost, (unsigned long long)n.cycles, (unsigned long long)wrong);
  if (o.displaced) printf("%llu reads that nothing explains\n", (unsigned long long)unexplained);
  truth_release();
  return wrong || n.skipped * 20 > n.traces;
}
