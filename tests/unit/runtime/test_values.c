/* Random traces of several threads in which reads see values, against all other orders that a program that did this trace can come to,
 * found by brute force. A thread does the same again as long as its reads see the same values; behind a read that sees another one anything
 * may come. Behind what it had done when something was predicted it gives its locks back, if it is let.
 *
 * What is predicted has to be feasible so. But for what no order of this kind sees, locks that are taken within each other: that is
 * counted, and so is what is feasible and not predicted, by what orders it.
 *
 *     test_values [TRACES [SEED [print]]] */
#include "analysis/access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/locked.h"
#include "analysis/violation.h"
#include "runtime.h"

struct options options;
bool runtime_on;

enum { EVENTS = 28, THREADS = 3, LOCKS = 2, WORDS = 4, NOBODY = -1, NO_EVENT = -1, COUNTED = 10 };
enum what { READ, WRITE, END, TAKE, GIVE };

struct event {
  enum what what;
  int thread, object; /* object: a word, or a lock */
  int value;          /* that is read or written */
};

static struct {
  uint64_t random;
  struct event events[EVENTS];
  int count;
  int of[THREADS][EVENTS], n[THREADS]; /* a thread's events */
  int values[WORDS], holder[LOCKS];
  bool ended[WORDS], tainted[WORDS], raced;
  int last[THREADS], given[LOCKS]; /* events */
  struct fast threads[THREADS];
  _Alignas(16) uint64_t memory[WORDS];
  _Alignas(16) char locks[LOCKS][16];
  struct prediction {
    int first, second, made; /* before that event */
  } predicted[EVENTS * EVENTS];
  unsigned npredicted;
  epoch epochs[EVENTS];
  /* At the later event: in this run, as the runtime knows and by definition; by what the runtime knows in the weak order; by sections
   * alone; by what was read, too. */
  bool happens[EVENTS][EVENTS], hb[EVENTS][EVENTS], ordered[EVENTS][EVENTS], by_sections[EVENTS][EVENTS], by_values[EVENTS][EVENTS];
} g;

static int nvalues; /* that are written, at random; 0: each write writes one of its own */
static struct { unsigned long predictions, by_locks, feasible, sections, values, clocks; } counted;
static bool verbose;

static unsigned pick(unsigned n) {
  g.random ^= g.random << 13, g.random ^= g.random >> 7, g.random ^= g.random << 17;
  return (unsigned)(g.random >> 33) % n;
}

/* An event's place is its number. */
static uintptr_t place(int event) { return 0x1000 + (uintptr_t)event; }
static int event_of(uint32_t site) { return (int)(context_at(site)->pc - 0x1000); }

void race_found(struct thread *t, const struct race *r) {
  (void)t;
  if (!r->predicted) {
    int a = event_of(r->theirs), b = event_of(r->mine);
    if (a == b || b != g.count - 1 || g.hb[a][b]) fail_msg("%d and %d do not race", a, b);
    g.raced = true;
    return;
  }
  g.predicted[g.npredicted++] = (struct prediction){event_of(r->theirs), event_of(r->mine), g.count};
}

/* --- the trace --- */

static void add(bool before[EVENTS][EVENTS], int a, int e) {
  before[a][e] = true;
  for (int i = 0; i < a; i++) before[i][e] |= before[i][a];
}

static int step(int thread, enum what what, int object, int value) {
  int e = g.count++;
  g.events[e] = (struct event){.what = what, .thread = thread, .object = object, .value = value};
  g.of[thread][g.n[thread]++] = e;
  if (g.last[thread] != NO_EVENT) add(g.hb, g.last[thread], e);
  if (what == TAKE && g.given[object] != NO_EVENT) add(g.hb, g.given[object], e);
  if (what == GIVE) g.given[object] = e;
  g.last[thread] = e, g.raced = false;
  g.epochs[e] = hd_fast.epoch;
  for (int a = 0; a < e; a++) {
    g.happens[a][e] = thread_knows(hd_fast.self, g.epochs[a]);
    g.ordered[a][e] = thread_orders(hd_fast.self, g.epochs[a]);
  }
  return e;
}

static bool conflict(int a, int b) {
  const struct event *x = &g.events[a], *y = &g.events[b];
  return x->what < TAKE && y->what < TAKE && x->object == y->object && x->thread != y->thread && (x->what != READ || y->what != READ);
}

/* The first race of the run on each word is found. */
static void check_race(void) {
  int e = g.count - 1;
  bool races = false;
  for (int a = 0; a < e; a++) races |= conflict(a, e) && !g.hb[a][e];
  if (races && !g.raced && !g.tainted[g.events[e].object]) fail_msg("the race of %d is not found", e);
  g.tainted[g.events[e].object] |= races;
}

static void access_word(int thread) {
  int word = (int)pick(WORDS);
  if (g.ended[word]) return;
  uintptr_t at = (uintptr_t)&g.memory[word];
  if (word == 0 && pick(3) == 0) {
    int e = step(thread, END, word, 0);
    access_range(hd_fast.self, at, 8, SITE_FREE, place(e));
    access_forget(at, 8);
    g.ended[word] = true;
  } else if (pick(2)) {
    int e = step(thread, READ, word, g.values[word]);
    access_read(at, 8, place(e));
  } else {
    g.values[word] = nvalues ? (int)pick((unsigned)nvalues) : g.count + 1;
    int e = step(thread, WRITE, word, g.values[word]);
    access_write(at, 8, place(e));
  }
  check_race();
}

static void use_lock(int thread, int lock) {
  struct sync *s = sync_at((uintptr_t)g.locks[lock], SYNC_MUTEX);
  if (g.holder[lock] == thread) {
    step(thread, GIVE, lock, 0);
    section_end(hd_fast.self, s, false, true);
    violations_report(hd_fast.self);
    g.holder[lock] = NOBODY;
  } else if (g.holder[lock] == NOBODY) {
    step(thread, TAKE, lock, 0);
    section_begin(hd_fast.self, s, false, SITE_UNKNOWN);
    g.holder[lock] = thread;
  }
}

/* --- other orders of it --- */

struct state {
  uint8_t at[THREADS];
  int8_t holder[LOCKS], values[WORDS];
};

static struct {
  struct state *at;
  unsigned count, cap;
  int end;        /* events before this one are known */
  bool any_value; /* reads may see what they like: locks alone decide */
} search;

static bool is_new(const struct state *s) {
  for (unsigned i = 0; i < search.count; i++)
    if (memcmp(&search.at[i], s, sizeof *s) == 0) return false;
  if (search.count == search.cap) search.at = realloc(search.at, (search.cap = search.cap * 2 + 64) * sizeof *s);
  search.at[search.count++] = *s;
  return true;
}

static int next(const struct state *s, int thread) {
  int e = s->at[thread] < g.n[thread] ? g.of[thread][s->at[thread]] : NO_EVENT;
  return e < search.end ? e : NO_EVENT;
}

/* The thread has done all that is known of it, and gives a lock back. */
static bool finish(struct state *s, int thread) {
  for (int i = 0; i < LOCKS; i++)
    if (s->holder[i] == thread) return s->holder[i] = NOBODY, true;
  return false;
}

/* The thread does its next event of the trace; false: it cannot, or does another one. */
static bool advance(struct state *s, int thread) {
  int e = next(s, thread);
  if (e == NO_EVENT) return finish(s, thread);
  const struct event *x = &g.events[e];
  if (x->what == READ && s->values[x->object] != x->value && !search.any_value) return false;
  if (x->what == WRITE) s->values[x->object] = (int8_t)x->value;
  if (x->what == TAKE && s->holder[x->object] != NOBODY) return false;
  if (x->what == TAKE) s->holder[x->object] = (int8_t)thread;
  if (x->what == GIVE) s->holder[x->object] = NOBODY;
  s->at[thread]++;
  return true;
}

/* Both are next; or the second one, an end, has come before the first. */
static bool shows(const struct state *s, int first, int second) {
  int a = g.events[first].thread, b = g.events[second].thread;
  if (next(s, a) != first) return false;
  return next(s, b) == second || (g.events[second].what == END && s->at[b] > 0 && g.of[b][s->at[b] - 1] >= second);
}

static bool reaches(const struct state *s, int first, int second) {
  if (shows(s, first, second)) return true;
  for (int t = 0; t < THREADS; t++) {
    struct state after = *s;
    if (advance(&after, t) && is_new(&after) && reaches(&after, first, second)) return true;
  }
  return false;
}

static bool feasible(int first, int second, int end, bool any_value) {
  struct state s;
  memset(&s, 0, sizeof s);
  for (int i = 0; i < LOCKS; i++) s.holder[i] = NOBODY;
  search.count = 0, search.end = end, search.any_value = any_value;
  return reaches(&s, first, second);
}

static void print_trace(void) {
  static const char *const names[] = {"read", "write", "end", "take", "give"};
  for (int i = 0; i < g.count; i++)
    printf("%2d  %*sT%d %s %d = %d\n", i, g.events[i].thread * 16, "", g.events[i].thread, names[g.events[i].what], g.events[i].object,
           g.events[i].value);
}

static void check_predictions(uint64_t seed) {
  for (unsigned i = 0; i < g.npredicted; i++) {
    const struct prediction *p = &g.predicted[i];
    counted.predictions++;
    if (feasible(p->first, p->second, p->made, false)) continue;
    bool by_locks = !feasible(p->first, p->second, p->made, true);
    counted.by_locks += by_locks;
    if (verbose || !by_locks) print_trace();
    if (!by_locks) fail_msg("seed %llu: %d and %d cannot be, by what is read", (unsigned long long)seed, p->first, p->second);
    if (verbose) printf("seed %llu: %d and %d cannot be, by locks\n\n", (unsigned long long)seed, p->first, p->second);
  }
}

/* --- what is missed --- */

/* Where the lock that was taken there was given back. */
static int end_of(int take) {
  for (int e = take + 1; e < g.count; e++)
    if (g.events[e].what == GIVE && g.events[e].object == g.events[take].object) return e;
  return g.count;
}
static bool is_within(int e, int take) {
  return g.events[take].what == TAKE && g.events[take].thread == g.events[e].thread && take < e && e <= end_of(take);
}

/* A section of another thread that has ended, s, and what e finds in its own of the same lock. */
static bool section_before(bool before[EVENTS][EVENTS], int s, int e, int own) {
  if (before[s][e] && (g.events[e].what == GIVE || g.events[e].what == TAKE) && g.events[e].object == g.events[own].object) return true;
  for (int a = s + 1; a < end_of(s); a++)
    if (is_within(a, s) && conflict(a, e) && g.events[a].what != END && g.events[e].what != END) return true;
  return false;
}

static void order_sections(bool before[EVENTS][EVENTS], int e) {
  for (int s = 0; s < e; s++)
    for (int own = s + 1; own <= e; own++)
      if (g.events[s].what == TAKE && g.events[own].what == TAKE && g.events[s].object == g.events[own].object &&
          g.events[s].thread != g.events[own].thread && (own == e || is_within(e, own)) && end_of(s) < e &&
          section_before(before, s, e, own))
        add(before, end_of(s), e);
}

/* What was read before, and what a section read before this write. */
static void order_values(bool before[EVENTS][EVENTS], int e) {
  int written = NO_EVENT;
  for (int a = 0; a < e; a++) {
    if (!conflict(a, e) || g.events[a].what == END) continue;
    if (g.events[a].what == WRITE && g.events[e].what == READ) written = a;
    for (int take = 0; take < a && g.events[a].what == READ && g.events[e].what == WRITE; take++)
      if (is_within(a, take)) add(before, take, e);
  }
  for (int a = written; a != NO_EVENT && a < e; a++)
    if (g.events[a].what == WRITE && g.events[a].object == g.events[e].object) written = a; /* its own may be the last one */
  if (written != NO_EVENT && g.events[written].thread != g.events[e].thread) add(before, written, e);
}

static void close_order(bool before[EVENTS][EVENTS], bool values) {
  int last[THREADS] = {NO_EVENT, NO_EVENT, NO_EVENT};
  for (int e = 0; e < g.count; e++) {
    int t = g.events[e].thread;
    if (last[t] != NO_EVENT) add(before, last[t], e);
    last[t] = e;
    if (values) order_values(before, e);
    for (int times = 0; times < EVENTS; times++) order_sections(before, e);
  }
}

static bool common_lock(int a, int b) {
  for (int s = 0; s < a; s++)
    for (int own = 0; own < b; own++)
      if (is_within(a, s) && is_within(b, own) && g.events[s].object == g.events[own].object) return true;
  return false;
}

/* Of pairs that this run orders, and that no lock excludes. */
static void count_missed(void) {
  close_order(g.by_sections, false), close_order(g.by_values, true);
  for (int b = 0; b < g.count; b++)
    for (int a = 0; a < b; a++) {
      if (!conflict(a, b) || !g.happens[a][b] || common_lock(a, b) || !feasible(a, b, b + 1, false)) continue;
      counted.feasible++;
      if (!g.ordered[a][b]) continue;
      counted.sections += g.by_sections[a][b];
      counted.values += !g.by_sections[a][b] && g.by_values[a][b];
      counted.clocks += !g.by_sections[a][b] && !g.by_values[a][b];
    }
}

static void one_trace(uint64_t seed) {
  struct fast main_thread = g.threads[0];
  memset(&g, 0, sizeof g);
  g.random = seed * 0x9e3779b97f4a7c15ull + 1;
  for (int i = 0; i < 8; i++) pick(2);
  for (int i = 0; i < LOCKS; i++) sync_remove((uintptr_t)g.locks[i]), g.holder[i] = NOBODY, g.given[i] = NO_EVENT;
  for (int i = 0; i < THREADS; i++) g.last[i] = NO_EVENT;
  access_forget((uintptr_t)g.memory, sizeof g.memory);
  hd_fast = g.threads[0] = main_thread;
  for (int n = 1; n < THREADS; n++) {
    struct thread *t = thread_new(hd_fast.self, SITE_UNKNOWN);
    assert_non_null(t);
    thread_tick(hd_fast.self);
    struct fast parent = hd_fast;
    thread_begin(t);
    g.threads[n] = hd_fast;
    hd_fast = parent;
  }
  g.threads[0] = hd_fast;
  while (g.count < EVENTS - THREADS * LOCKS) {
    int thread = (int)pick(THREADS);
    hd_fast = g.threads[thread];
    if (pick(5) < 2)
      use_lock(thread, (int)pick(LOCKS));
    else
      access_word(thread);
    g.threads[thread] = hd_fast;
  }
  for (int i = 0; i < LOCKS; i++)
    for (int n = 0; n < THREADS; n++) {
      hd_fast = g.threads[n];
      if (g.holder[i] == n) use_lock(n, i);
      g.threads[n] = hd_fast;
    }
  check_predictions(seed);
  if (seed % COUNTED == 0) count_missed();
  struct vclock *ends[THREADS] = {NULL};
  for (int n = THREADS - 1; n >= 0; n--) {
    hd_fast = g.threads[n];
    if (n > 0) thread_end(hd_fast.self, &ends[n]);
  }
  for (int n = 1; n < THREADS; n++) thread_acquire(hd_fast.self, ends[n]), vclock_free(ends[n]);
  g.threads[0] = hd_fast;
}

static uint64_t first_seed = 1;
static unsigned traces = 20000;

static void predictions_are_feasible(void **state) {
  (void)state;
  analysis = ANALYSIS_OVP;
  for (nvalues = 0; nvalues <= 2; nvalues += 2) {
    memset(&counted, 0, sizeof counted);
    for (unsigned i = 0; i < traces; i++) one_trace(first_seed + i);
    printf(
        "%lu predictions, %lu of them cannot be, by locks; of %lu pairs in one of %d traces that can be %lu are missed by sections, %lu by "
        "what "
        "was read, %lu by clocks\n",
        counted.predictions, counted.by_locks, counted.feasible, COUNTED, counted.sections, counted.values, counted.clocks);
    assert_true(counted.predictions > 0 && counted.by_locks * 100 < counted.predictions);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) traces = (unsigned)strtoul(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  verbose = argc > 3;
  shadow_start();
  context_start();
  sync_start();
  threads_start();
  locked_start();
  threads_weaken();
  runtime_on = true;
  g.threads[0] = hd_fast;
  const struct CMUnitTest tests[] = {cmocka_unit_test(predictions_are_feasible)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
