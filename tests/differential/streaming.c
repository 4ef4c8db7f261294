/* The streaming analyses on random recorded runs: each finds what its definition says (tests/unit/streaming/define.h), and of what is said
 * to be proven, everything is among what any program could have done that did the run. (What bounds of memory leave out may be missing.)
 *
 * usage: streaming [--traces=N] [--seed=N] [--features=BITS] [--events=N] [--displaced] [--print]
 *
 * --also=N: features of recorded_generate.h that any run may have besides. Of memory that is used again, whoever may know of both blocks
 * notices. --displaced: they get a wrong order of the run (displaced.h). What is proven holds all the same. */
#include "streaming/streaming.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/streaming/compare.h"
#include "displaced.h"
#include "recorded_enumerate.h"
#include "recorded_generate.h"

struct count {
  uint64_t found, proven, impossible; /* impossible: no reordering shows it */
  uint64_t first;                     /* of the first finding of a run */
  uint64_t odd;                       /* of these, in a run that papers leave out: see is_odd() */
};

enum { ANALYSES = 5 };

static struct {
  uint64_t traces, seed, skipped, wrong, truth, most[ANALYSES]; /* truth: races that can be; most: of these, found */
  long features;
  uint32_t events, also;
  uint64_t unexplained; /* reads of displaced runs */
  bool displaced, print;
  struct count of[ANALYSES];
} g = {.traces = 2000, .seed = 1, .features = -1, .events = 14};

/* What the papers' proofs leave out: sections that are not within each other, that have not ended, or of readers, and locks tried in vain. Or a
 * deadlock is possible. */
static bool is_odd(const struct run *r, const struct truth *x) {
  uint64_t held[RUN_THREADS][RUN_LENGTH];
  uint32_t n[RUN_THREADS] = {0};
  bool odd = x->cycles > 0;
  for (uint32_t i = 0; i < r->n; i++) {
    const struct event *e = &r->trace[i];
    uint32_t t = e->thread;
    bool takes = e->op == EVENT_ACQUIRE || (e->op == EVENT_WAIT_LEAVE && e->value2 && !(e->flags & EVENT_TIMED_OUT));
    odd |= e->op == EVENT_TRYFAIL || (e->op == EVENT_ACQUIRE && (e->flags & EVENT_SHARED_LOCK));
    if (takes) held[t][n[t]++] = e->op == EVENT_ACQUIRE ? e->object : e->value2;
    if (e->op != EVENT_RELEASE && e->op != EVENT_WAIT_ENTER) continue;
    uint64_t lock = e->op == EVENT_RELEASE ? e->object : e->value2;
    odd |= n[t] == 0 || held[t][n[t] - 1] != lock;
    for (uint32_t k = 0; k < n[t]; k++)
      if (held[t][k] == lock) {
        memmove(&held[t][k], &held[t][k + 1], (--n[t] - k) * sizeof held[t][0]);
        break;
      }
  }
  for (uint32_t t = 0; t < RUN_THREADS; t++) odd |= n[t] > 0;
  return odd;
}

/* A use of freed memory, or one before it in its thread: nobody comes to the second one. */
static bool can_be_freed(const struct truth *x, const struct run *r, uint32_t use, uint32_t free) {
  bool any = false;
  for (uint32_t i = 0; i <= use; i++) any |= r->trace[i].thread == r->trace[use].thread && x->freed[free][i];
  return any;
}

static bool can_be(const struct truth *x, const struct run *r, uint32_t a, uint32_t b) {
  if (r->trace[a].op == EVENT_FREE) return can_be_freed(x, r, b, a);
  if (r->trace[b].op == EVENT_FREE) return can_be_freed(x, r, a, b);
  return x->race[a][b];
}

/* A read-modify-write that would write nothing beside the read: the papers have none. */
static bool may_only_read(const struct event *a, const struct event *b) {
  return (run_decides(a) && b->op == EVENT_READ) || (run_decides(b) && a->op == EVENT_READ);
}

static void check_truth(const struct run *r, const struct truth *x, const struct streaming *s, struct count *n, uint64_t seed) {
  bool first = true;
  for (size_t i = 0; i < s->findings.count; i++) {
    const struct streaming_finding *f = &s->findings.data[i];
    if (f->kind == FINDING_LOST_WAKEUP) continue;
    bool real = can_be(x, r, f->first.site - 1, f->second.site - 1);
    n->found++, n->proven += f->proof == PROOF_WHOLE, n->impossible += !real;
    bool reads = may_only_read(&r->trace[f->first.site - 1], &r->trace[f->second.site - 1]);
    n->first += first && !real, n->odd += first && !real && (reads || is_odd(r, x));
    first = false;
    if (real || f->proof != PROOF_WHOLE) continue;
    g.wrong++;
    printf("seed %llu, %s: %u and %u are said to be proven\n", (unsigned long long)seed, s->type->name, f->first.site - 1, f->second.site - 1);
  }
}

static void check_trace(uint64_t seed) {
  static struct truth truth;
  struct run r;
  unsigned features = g.features >= 0 ? (unsigned)g.features : (unsigned)(seed * 0x9e3779b97f4a7c15u >> 40) % RECORDED_FEATURES;
  recorded_generate(&r, seed, features | ((unsigned)(seed * 0x9e3779b97f4a7c15u >> 20) & g.also), 6 + (uint32_t)(seed % (g.events - 5)));
  if (r.reuses) run_find_knowers(&r);
  truth_find(&truth, &r);
  if (g.print) recorded_print(&r);
  g.skipped += !truth.complete;
  for (uint32_t a = 0; a < r.n && truth.complete; a++)
    for (uint32_t b = 0; b < a; b++) g.truth += truth.race[a][b];
  static struct recorded copy;
  recorded_copy(&r, &copy);
  if (g.displaced) g.unexplained += displaced(&copy, seed * 0x9e3779b97f4a7c15u >> 20);
  size_t n;
  const struct streaming_type *const *types = streaming_types(&n);
  for (size_t k = 0; k < n; k++) {
    char why[200];
    struct streaming *s = streaming_new(types[k]);
    streaming_feed(s, copy.events.data, copy.events.count);
    streaming_end(s);
    if (!g.displaced && !compare_defined(s, copy.events.data, r.n, s->coarse > 0, why, sizeof why)) {
      g.wrong++;
      printf("seed %llu, %s: %s\n", (unsigned long long)seed, types[k]->name, why);
    }
    if (truth.complete) check_truth(&r, &truth, s, &g.of[k], seed);
    streaming_free(s);
  }
  recorded_free(&copy);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *value = strchr(argv[i], '=');
    if (value && strncmp(argv[i], "--traces", 8) == 0) g.traces = strtoull(value + 1, NULL, 10);
    if (value && strncmp(argv[i], "--seed", 6) == 0) g.seed = strtoull(value + 1, NULL, 10);
    if (value && strncmp(argv[i], "--features", 10) == 0) g.features = strtol(value + 1, NULL, 0);
    if (value && strncmp(argv[i], "--events", 8) == 0) g.events = (uint32_t)strtoul(value + 1, NULL, 10);
    if (value && strncmp(argv[i], "--also", 6) == 0) g.also = (uint32_t)strtoul(value + 1, NULL, 0);
    if (strcmp(argv[i], "--displaced") == 0) g.displaced = true;
    if (strcmp(argv[i], "--print") == 0) g.print = true;
  }
  if (g.events < 6 || g.events > 24) return 2;
  for (uint64_t i = 0; i < g.traces; i++) check_trace(g.seed + i);
  size_t n;
  const struct streaming_type *const *types = streaming_types(&n);
  printf("%llu traces, %llu with too many states; %llu races can be\n", (unsigned long long)g.traces, (unsigned long long)g.skipped,
         (unsigned long long)g.truth);
  for (size_t k = 0; k < n; k++) {
    const struct count *c = &g.of[k];
    printf("%-4s %llu found, %llu proven; %llu cannot be, %llu of them first in their run, %llu of these in odd runs\n", types[k]->name,
           (unsigned long long)c->found, (unsigned long long)c->proven, (unsigned long long)c->impossible, (unsigned long long)c->first,
           (unsigned long long)c->odd);
    /* The first race of wcp, where its proof holds, and so of hb; in the order of the run. */
    bool holds = !g.displaced && !g.also && (strcmp(types[k]->name, "wcp") == 0 || strcmp(types[k]->name, "hb") == 0);
    g.wrong += holds ? c->first - c->odd : 0;
  }
  printf("%llu wrong\n", (unsigned long long)g.wrong);
  truth_release();
  if (g.displaced) printf("%llu reads that nothing explains\n", (unsigned long long)g.unexplained);
  return g.wrong || g.skipped * 20 > g.traces;
}
