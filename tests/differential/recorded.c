/* Recorded runs at random: what the maximal analysis finds, against everything that any program could have done that did them.
 *
 * usage: recorded [--traces=N] [--seed=N] [--features=BITS] [--also=BITS] [--events=N] [--windows[=N]] [--print]
 *
 * --also: of these features (recorded_generate.h) each run has some at random, besides those that all have. --windows: the analysis takes
 * the run in windows of N events, or at random; what it has to find is what any of the windows shows (truth_add_window()), and that has to
 * be part of what the whole run shows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predict/recorded/maximal.h"
#include "recorded_enumerate.h"
#include "recorded_generate.h"

struct settings {
  uint64_t traces, seed;
  long features;
  unsigned also;
  uint32_t events, window;
  uint32_t sites; /* not 0: so few sites have the events */
  bool windows, print;
};

struct counts {
  uint64_t traces, skipped, states, races, freed, violations, nulls, lost, cycles, undecided;
};

/* --- what the analysis finds, as the truth has it --- */

struct memory_stream {
  struct recorded_stream stream;
  const struct recorded *trace;
  size_t at;
};

static size_t next_events(struct recorded_stream *s, struct event *out, size_t most) {
  struct memory_stream *m = (struct memory_stream *)s;
  size_t n = m->trace->events.count - m->at;
  if (n > most) n = most;
  for (size_t i = 0; i < n; i++) out[i] = m->trace->events.data[m->at + i];
  m->at += n;
  return n;
}

static bool is_region(void *data, uint64_t method) {
  (void)data;
  return method == 0;
}

static void enter_finding(struct truth *x, const struct run *r, const struct maximal_finding *f, const struct recorded_step *e) {
  uint32_t at[RUN_THREADS];
  for (uint32_t i = 0; i < f->events; i++) at[i] = r->by_thread[e[i].thread][e[i].index];
  if (f->kind == FINDING_DATA_RACE) x->race[at[0]][at[1]] = x->race[at[1]][at[0]] = true;
  if (f->kind == FINDING_USE_AFTER_FREE) x->freed[at[1]][at[0]] = true;
  if (f->kind == FINDING_ATOMICITY_VIOLATION) x->violation[at[0]][at[2]][at[1]] = true;
  if (f->kind == FINDING_NULL_DEREFERENCE) x->null[at[0]] = true;
  if (f->kind == FINDING_LOST_WAKEUP) x->lost[at[0]] = true;
  if (f->kind != FINDING_DEADLOCK || x->cycles == TRUTH_CYCLES) return;
  memset(x->cycle[x->cycles], 0xff, sizeof x->cycle[0]);
  for (uint32_t i = 0; i < f->events; i++) x->cycle[x->cycles][e[i].thread] = at[i];
  x->cycles++;
}

static uint64_t analyse(const struct run *r, uint32_t window, uint32_t sites, struct truth *x) {
  static struct recorded trace;
  struct maximal_options options = {.window = window, .region = is_region};
  recorded_copy(r, &trace);
  for (size_t i = 0; sites && i < trace.events.count; i++) trace.events.data[i].site = 1 + (uint32_t)i % sites;
  struct memory_stream s = {.stream = {.next = next_events, .names = &trace.names}, .trace = &trace};
  struct maximal *m = maximal_new(&options);
  uint64_t undecided = maximal_run(m, &s.stream, NULL) != ERR_NONE;
  uint32_t n;
  const struct maximal_finding *f = maximal_findings(m, &n);
  memset(x, 0, sizeof *x);
  for (uint32_t i = 0; i < n; i++) {
    undecided += f[i].undecided;
    if (!f[i].undecided) enter_finding(x, r, &f[i], maximal_events(m) + f[i].event);
  }
  if (!sites) undecided += maximal_counts(m).left_out;
  maximal_free(m);
  recorded_free(&trace);
  return undecided;
}

static bool has_cycle(const struct truth *x, const uint32_t *cycle) {
  for (uint32_t i = 0; i < x->cycles; i++)
    if (memcmp(x->cycle[i], cycle, sizeof x->cycle[i]) == 0) return true;
  return false;
}

static uint64_t differ(bool truth, bool found, const char *what, uint32_t a, uint32_t b, uint32_t c) {
  if (truth != found) printf("%s %u, %u, %u: %s\n", what, a, b, c, found ? "found, but impossible" : "missed");
  return truth != found;
}

/* Differences between what can be, `x`, and what is said, `y`; `part`: `y` needs not say all. */
static uint64_t compare(const struct run *r, const struct truth *x, const struct truth *y, bool part) {
  uint64_t wrong = 0;
  for (uint32_t a = 0; a < r->n; a++) {
    wrong += differ(x->null[a] && !(part && !y->null[a]), y->null[a], "null pointer", a, 0, 0);
    wrong += differ(x->lost[a] && !(part && !y->lost[a]), y->lost[a], "lost notification", a, 0, 0);
    for (uint32_t b = 0; b < r->n; b++) {
      if (a < b) wrong += differ(x->race[a][b] && !(part && !y->race[a][b]), y->race[a][b], "race", a, b, 0);
      wrong += differ(x->freed[a][b] && !(part && !y->freed[a][b]), y->freed[a][b], "use after free", a, b, 0);
      for (uint32_t c = 0; c < r->n; c++)
        wrong += differ(x->violation[a][b][c] && !(part && !y->violation[a][b][c]), y->violation[a][b][c], "atomicity violation", a, b, c);
    }
  }
  for (uint32_t i = 0; i < x->cycles && !part; i++)
    wrong += differ(true, has_cycle(y, x->cycle[i]), "cycle", x->cycle[i][0], x->cycle[i][1], x->cycle[i][2]);
  for (uint32_t i = 0; i < y->cycles; i++)
    wrong += differ(has_cycle(x, y->cycle[i]), true, "cycle", y->cycle[i][0], y->cycle[i][1], y->cycle[i][2]);
  return wrong;
}

/* Of races and uses after frees one at each two sites is enough. */
static uint64_t compare_sites(const struct run *r, const struct truth *x, const struct truth *y, uint32_t sites) {
  uint64_t wrong = 0;
  for (uint32_t i = 0; i < sites * sites; i++) {
    bool race[2] = {false, false}, freed[2] = {false, false};
    for (uint32_t a = 0; a < r->n; a++) {
      for (uint32_t b = 0; b < r->n; b++) {
        if (a % sites != i / sites || b % sites != i % sites) continue;
        race[0] |= x->race[a][b], race[1] |= y->race[a][b];
        freed[0] |= x->freed[a][b] || x->freed[b][a], freed[1] |= y->freed[a][b] || y->freed[b][a];
        wrong += differ(y->race[a][b] && !x->race[a][b], false, "race", a, b, 0);
      }
    }
    wrong += differ(race[0], race[1], "race of sites", i / sites, i % sites, 0);
    wrong += differ(freed[0], freed[1], "use after free of sites", i / sites, i % sites, 0);
  }
  return wrong;
}

/* --- traces --- */

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
  return compare(r, &whole, x, true);
}

static bool check_trace(const struct settings *o, struct counts *n, uint64_t seed) {
  static struct truth truth, found;
  struct run r;
  uint64_t random = seed * 0x9e3779b97f4a7c15u >> 20;
  unsigned features = o->features >= 0 ? (unsigned)o->features : (unsigned)(seed * 0x9e3779b97f4a7c15u >> 40) % RECORDED_FEATURES;
  recorded_generate(&r, seed, features | ((unsigned)random & o->also), 6 + (uint32_t)(seed % (o->events - 5)));
  uint32_t window = !o->windows ? 0 : o->window ? o->window : 3 + (uint32_t)(random % (r.n + 1));
  uint64_t wrong = find_truth(o, &r, window, &truth);
  n->traces++;
  if (o->print) recorded_print(&r);
  bool consistent = is_consistent(&r);
  if (!consistent) printf("seed %llu: the trace is not consistent\n", (unsigned long long)seed);
  if (!truth.complete) n->skipped++;
  if (!truth.complete) return consistent;
  count(n, &r, &truth);
  uint64_t undecided = analyse(&r, window, o->sites, &found);
  wrong += o->sites ? compare_sites(&r, &truth, &found, o->sites) : compare(&r, &truth, &found, r.round < r.threads);
  if (r.round < r.threads) undecided = 0; /* a barrier that more threads use than a round takes keeps the order of the run */
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
    if (strcmp(argv[i], "--print") == 0) o.print = true;
  }
  if (o.events < 6 || o.events > 24) return 2;
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < o.traces; i++) wrong += !check_trace(&o, &n, o.seed + i);
  printf(
      "%llu traces, %llu with too many states, %.0f states each: %llu races, %llu uses after frees, %llu atomicity violations, "
      "%llu null pointers, %llu lost notifications, %llu cycles of locks; %llu wrong\n",
      (unsigned long long)n.traces, (unsigned long long)n.skipped, (double)n.states / (double)(n.traces - n.skipped + 1),
      (unsigned long long)n.races, (unsigned long long)n.freed, (unsigned long long)n.violations, (unsigned long long)n.nulls,
      (unsigned long long)n.lost, (unsigned long long)n.cycles, (unsigned long long)wrong);
  truth_release();
  return wrong || n.skipped * 20 > n.traces;
}
