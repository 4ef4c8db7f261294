#include "recorded_compare.h"

#include <stdio.h>
#include <string.h>

#include "predict/recorded/maximal.h"
#include "recorded_generate.h"

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

/* All events are at `sites` places. */
static void merge_sites(struct event *e, uint32_t sites) {
  e->site = 1 + (e->site - 1) % sites;
  if (e->op == RECORDED_BRANCH && e->value2) e->value2 = 1 + (e->value2 - 1) % sites;
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

uint64_t recorded_analyse_less(const struct run *r, uint32_t window, uint32_t sites, uint64_t (*less)(struct recorded *), struct truth *x,
                               struct truth *proven) {
  static struct recorded trace;
  struct maximal_options options = {.window = window, .region = is_region};
  recorded_copy(r, &trace);
  bool spoilt = less && less(&trace) == UINT64_MAX;
  for (size_t i = 0; sites && i < trace.events.count; i++) merge_sites(&trace.events.data[i], sites);
  struct memory_stream s = {.stream = {.next = next_events, .names = &trace.names}, .trace = &trace};
  struct maximal *m = maximal_new(&options);
  uint64_t undecided = (uint64_t)spoilt + (uint64_t)(maximal_run(m, &s.stream, NULL) != ERR_NONE);
  uint32_t n;
  const struct maximal_finding *f = maximal_findings(m, &n);
  memset(x, 0, sizeof *x);
  if (proven) memset(proven, 0, sizeof *proven);
  for (uint32_t i = 0; i < n; i++) {
    undecided += f[i].undecided;
    if (proven && !f[i].undecided && !f[i].claimed) enter_finding(proven, r, &f[i], maximal_events(m) + f[i].event);
    if (!f[i].undecided) enter_finding(x, r, &f[i], maximal_events(m) + f[i].event);
  }
  if (!sites) undecided += maximal_counts(m).left_out;
  maximal_free(m);
  recorded_free(&trace);
  return undecided;
}

uint64_t recorded_analyse(const struct run *r, uint32_t window, uint32_t sites, struct truth *x) {
  return recorded_analyse_less(r, window, sites, NULL, x, NULL);
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

uint64_t recorded_compare(const struct run *r, const struct truth *x, const struct truth *y, bool part) {
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

uint64_t recorded_compare_sites(const struct run *r, const struct truth *x, const struct truth *y, uint32_t sites) {
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

bool recorded_is_consistent(const struct run *r) {
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
