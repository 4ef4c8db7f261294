/* Recorded runs at random, against everything that any program could have done that did them.
 *
 * usage: recorded [--traces=N] [--seed=N] [--features=BITS] [--events=N] [--print] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorded_enumerate.h"
#include "recorded_generate.h"

struct settings {
  uint64_t traces, seed;
  long features;
  uint32_t events;
  bool print;
};

struct counts {
  uint64_t traces, skipped, states, races, freed, violations, nulls, lost, cycles;
};

/* The run itself must be one of those that could have been. */
static bool is_consistent(const struct run *r) {
  struct run_state s[2];
  run_begin(r, &s[0]);
  for (uint32_t i = 0; i < r->n; i++) {
    const struct event *e = &r->trace[i];
    bool wakes = e->op == EVENT_SIGNAL || e->op == EVENT_BROADCAST; /* whom, the run does not say */
    if (run_next(r, &s[0], e->thread) != e || (e->op != EVENT_WAIT_LEAVE && !run_may(r, &s[0], e))) return false;
    run_apply(r, &s[0], e, wakes && e->op == EVENT_BROADCAST ? run_waiters(&s[0], e) : 0);
    if (s[0].changed) return false;
  }
  return true;
}

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

static bool check_trace(const struct settings *o, struct counts *n, uint64_t seed) {
  static struct truth truth;
  struct run r;
  unsigned features = o->features >= 0 ? (unsigned)o->features : (unsigned)(seed * 0x9e3779b97f4a7c15u >> 40) % RECORDED_FEATURES;
  recorded_generate(&r, seed, features, 6 + (uint32_t)(seed % (o->events - 5)));
  truth_find(&truth, &r);
  n->traces++;
  if (o->print) recorded_print(&r);
  bool consistent = is_consistent(&r);
  if (!consistent) printf("seed %llu: the trace is not consistent\n", (unsigned long long)seed);
  if (!truth.complete) n->skipped++;
  if (truth.complete) count(n, &r, &truth);
  return consistent;
}

int main(int argc, char **argv) {
  struct settings o = {.traces = 2000, .seed = 1, .features = -1, .events = 14};
  struct counts n = {0};
  for (int i = 1; i < argc; i++) {
    const char *value = strchr(argv[i], '=');
    if (value && strncmp(argv[i], "--traces", 8) == 0) o.traces = strtoull(value + 1, NULL, 10);
    if (value && strncmp(argv[i], "--seed", 6) == 0) o.seed = strtoull(value + 1, NULL, 10);
    if (value && strncmp(argv[i], "--features", 10) == 0) o.features = strtol(value + 1, NULL, 0);
    if (value && strncmp(argv[i], "--events", 8) == 0) o.events = (uint32_t)strtoul(value + 1, NULL, 10);
    if (strcmp(argv[i], "--print") == 0) o.print = true;
  }
  if (o.events < 6 || o.events > 24) return 2;
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < o.traces; i++) wrong += !check_trace(&o, &n, o.seed + i);
  printf("%llu traces, %llu with too many states, %.0f states each: %llu races, %llu uses after frees, %llu atomicity violations, "
         "%llu null pointers, %llu lost notifications, %llu cycles of locks; %llu wrong\n",
         (unsigned long long)n.traces, (unsigned long long)n.skipped, (double)n.states / (double)(n.traces - n.skipped + 1),
         (unsigned long long)n.races, (unsigned long long)n.freed, (unsigned long long)n.violations, (unsigned long long)n.nulls,
         (unsigned long long)n.lost, (unsigned long long)n.cycles, (unsigned long long)wrong);
  truth_release();
  return wrong || n.skipped * 20 > n.traces;
}
