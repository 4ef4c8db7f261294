/* Random traces of several threads in which reads see values, and which wait and notify, against all other orders of them (orders.h).
 *
 * What ovp predicts has to be feasible so. But for what no order of this kind sees, locks that are taken within each other: that is
 * counted, and so is what is feasible and not predicted, by what orders it. Of a lost wake-up the notification has to be able to come
 * before the wait, and it is counted how many can then wait for ever. What wdc predicts need not be feasible, as it has fewer rules; but in
 * some order each thread goes on only behind writes of what it has read.
 *
 * Of a potential deadlock, too, both threads have to be able to stand before the locks that the other one holds.
 *
 *     test_values [TRACES [SEED [print]]] */
#include "analysis/access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/cycle.h"
#include "analysis/locked.h"
#include "analysis/lockorder.h"
#include "analysis/seen.h"
#include "analysis/violation.h"
#include "closures.h"
#include "runtime.h"

struct options options;
bool runtime_on;

enum { COUNTED = 10 };

static struct {
  uint64_t random;
  struct trace trace;
  int values[WORDS], holder[LOCKS];
  unsigned readers[LOCKS]; /* a bit for each thread */
  enum { RUNS, WAITS, NOTIFIED } waits[THREADS];
  bool ended[WORDS], tainted[WORDS], raced;
  int last[THREADS]; /* events */
  struct fast threads[THREADS];
  _Alignas(16) uint64_t memory[WORDS];
  _Alignas(16) char locks[LOCKS][16], condition[16];
  struct prediction {
    int first, second, made; /* before that event */
  } predicted[EVENTS * EVENTS];
  unsigned npredicted;
  epoch epochs[EVENTS];
  /* At the later event: in this run, as the runtime knows and by definition; by what the runtime knows in the weak order; by sections
   * alone; by what was read, too. */
  bool happens[EVENTS][EVENTS], hb[EVENTS][EVENTS], ordered[EVENTS][EVENTS], by_sections[EVENTS][EVENTS], by_values[EVENTS][EVENTS];
} g;

static int nvalues;     /* that are written, at random; 0: each write writes one of its own */
static bool conditions; /* threads wait and notify */
static bool tries;      /* locks are of readers and writers, and tried in vain */
static struct { unsigned long predictions, by_locks, by_values, by_both, lost, for_ever, feasible, sections, values, clocks; } counted;
static struct { unsigned long told, by_locks, by_both, feasible, missed; } cycles;
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
    if (a == b || b != g.trace.count - 1 || g.hb[a][b]) fail_msg("%d and %d do not race", a, b);
    g.raced = true;
    return;
  }
  g.predicted[g.npredicted++] = (struct prediction){event_of(r->theirs), event_of(r->mine), g.trace.count};
}

void cycle_happened(struct thread *t, const struct cycle *c) { (void)t, (void)c; }
void cycle_possible(struct thread *t, const struct cycle *c) {
  (void)t;
  assert_int_equal(c->n, 2);
  g.predicted[g.npredicted++] = (struct prediction){event_of(c->waiters[1].wants.site), event_of(c->waiters[0].wants.site), g.trace.count};
}

/* --- the trace --- */

static int step(int thread, enum what what, int object, int value) {
  int e = g.trace.count++;
  g.trace.events[e] = (struct event){.what = what, .thread = thread, .object = object, .value = value};
  g.trace.of[thread][g.trace.n[thread]++] = e;
  if (g.last[thread] != NO_EVENT) closure_add(g.hb, g.last[thread], e);
  g.last[thread] = e, g.raced = false;
  g.epochs[e] = hd_fast.epoch;
  for (int a = 0; a < e; a++) {
    g.happens[a][e] = thread_knows(hd_fast.self, g.epochs[a]);
    g.ordered[a][e] = thread_orders(hd_fast.self, g.epochs[a]);
  }
  return e;
}

/* The same of a lock. What gives it to a reader comes before who writes, and the other way round. */
static void step_lock(int thread, enum what what, int lock, bool shared) {
  int e = g.trace.count;
  for (int a = 0; what == TAKE && a < e; a++) {
    const struct event *before = &g.trace.events[a];
    if (before->what == GIVE && before->object == lock && !(before->shared && shared)) closure_add(g.hb, a, e);
  }
  step(thread, what, lock, 0);
  g.trace.events[e].shared = shared;
}

/* The first race of the run on each word is found. */
static void check_race(void) {
  int e = g.trace.count - 1;
  bool races = false;
  for (int a = 0; a < e; a++) races |= trace_conflict(&g.trace, a, e) && !g.hb[a][e];
  if (races && !g.raced && !g.tainted[g.trace.events[e].object]) fail_msg("the race of %d is not found", e);
  g.tainted[g.trace.events[e].object] |= races;
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
    g.values[word] = nvalues ? (int)pick((unsigned)nvalues) : g.trace.count + 1;
    int e = step(thread, WRITE, word, g.values[word]);
    access_write(at, 8, place(e));
  }
  check_race();
}

static struct sync *sync_of_lock(int lock) { return sync_at((uintptr_t)g.locks[lock], tries ? SYNC_RWLOCK : SYNC_MUTEX); }

static void take_lock(int thread, int lock, bool shared) {
  struct sync *s = sync_of_lock(lock);
  step_lock(thread, TAKE, lock, shared);
  uint32_t site = context_found(CONTEXT_NONE, site_what(place(g.trace.count - 1), SITE_LOCK, 0, 0));
  if (!shared) s->owner = hd_fast.self->info->number + 1;
  lockorder_takes(hd_fast.self, s, shared, site);
  section_begin(hd_fast.self, s, shared, site);
  if (shared)
    g.readers[lock] |= 1u << thread;
  else
    g.holder[lock] = thread;
}

static void try_lock(int thread, int lock, bool shared) {
  seen_tries(hd_fast.self, sync_of_lock(lock));
  step_lock(thread, TRY, lock, shared);
  seen_refused(hd_fast.self, sync_of_lock(lock));
}

/* The runtime has noted that the lock is given back, and the C library has it still. */
static void try_others(int thread, int lock, bool shared) {
  struct fast self = hd_fast;
  int other = (int)pick(THREADS);
  if (!tries || pick(2) || other == thread || g.readers[lock] >> other & 1 || g.trace.count > EVENTS - THREADS * (LOCKS + 1)) return;
  hd_fast = g.threads[other];
  try_lock(other, lock, !shared && pick(2));
  g.threads[other] = hd_fast;
  hd_fast = self;
}

static void give_lock(int thread, int lock, bool shared) {
  struct sync *s = sync_of_lock(lock);
  section_end(hd_fast.self, s, shared, true);
  if (!shared) s->owner = 0;
  violations_report(hd_fast.self);
  try_others(thread, lock, shared);
  step_lock(thread, GIVE, lock, shared);
  if (shared)
    g.readers[lock] &= ~(1u << thread);
  else
    g.holder[lock] = NOBODY;
}

static void take(int thread, int lock) { take_lock(thread, lock, false); }
static void give(int thread, int lock) { give_lock(thread, lock, false); }

static void use_lock(int thread, int lock) {
  bool shared = tries && pick(2);
  if (g.holder[lock] == thread)
    give(thread, lock);
  else if (g.readers[lock] >> thread & 1)
    give_lock(thread, lock, true);
  else if (g.holder[lock] == NOBODY && (shared || !g.readers[lock]))
    take_lock(thread, lock, shared);
  else if (tries)
    try_lock(thread, lock, shared);
}

/* As pthread_cond_wait() does (intercept/sync.c). */
static void begin_wait(int thread) {
  struct thread *t = hd_fast.self;
  struct sync *c = sync_at((uintptr_t)g.condition, SYNC_COND), *mutex = sync_at((uintptr_t)g.locks[0], SYNC_MUTEX);
  if (analysis == ANALYSIS_OVP) {
    sync_lock(t, c);
    violation_wait(t, c, mutex, thread_site(t, place(g.trace.count), SITE_WAIT, 0));
    sync_unlock(t, c);
  }
  t->in_wait = true;
  give(thread, 0);
  g.trace.events[g.trace.count - 1].waits = true;
  g.waits[thread] = WAITS;
}

static void end_wait(int thread) {
  struct thread *t = hd_fast.self;
  struct sync *c = sync_at((uintptr_t)g.condition, SYNC_COND);
  t->in_wait = false;
  sync_lock(t, c);
  thread_acquire_weak(t, c->notified);
  sync_unlock(t, c);
  take(thread, 0);
  g.trace.events[g.trace.count - 1].waits = true;
  g.waits[thread] = RUNS;
}

static void notify(int thread) {
  struct thread *t = hd_fast.self;
  struct sync *c = sync_at((uintptr_t)g.condition, SYNC_COND);
  int e = step(thread, NOTIFY, 0, 0);
  sync_lock(t, c);
  if (analysis == ANALYSIS_OVP) violation_notify(t, c, thread_site(t, place(e), SITE_NOTIFY, 0));
  thread_release_weak(t, &c->notified, true);
  sync_unlock(t, c);
  for (int i = 0; i < THREADS; i++)
    if (g.waits[i] == WAITS) g.waits[i] = NOTIFIED;
}

/* Somebody can notify. */
static bool others_run(int thread) {
  for (int i = 0; i < THREADS; i++)
    if (i != thread && g.waits[i] == RUNS) return true;
  return false;
}

static void use_condition(int thread) {
  if (g.waits[thread] == NOTIFIED && g.holder[0] == NOBODY)
    end_wait(thread);
  else if (g.waits[thread] == RUNS && g.holder[0] == thread && others_run(thread) && pick(2))
    begin_wait(thread);
  else if (g.waits[thread] == RUNS)
    notify(thread);
}

static void any_step(int thread) {
  if (g.waits[thread] != RUNS || (conditions && pick(6) == 0))
    use_condition(thread);
  else if (pick(5) < 2)
    use_lock(thread, (int)pick(LOCKS));
  else
    access_word(thread);
}

static void fail_prediction(uint64_t seed, const struct prediction *p, const char *what) {
  trace_print(&g.trace);
  fail_msg("seed %llu: %d and %d cannot be, by %s", (unsigned long long)seed, p->first, p->second, what);
}

/* That two threads can wait for each other's locks. Locks within each other may exclude that: no rule sees that. */
static void check_cycle(uint64_t seed, const struct prediction *p) {
  bool locks = orders_show(&g.trace, p->first, p->second, p->made, OBEY_LOCKS);
  bool values = orders_show(&g.trace, p->first, p->second, p->made, OBEY_VALUES);
  bool both = locks && values && orders_show(&g.trace, p->first, p->second, p->made, OBEY_LOCKS | OBEY_VALUES);
  cycles.told++, cycles.by_locks += !locks, cycles.by_both += locks && !both;
  if (!values) fail_prediction(seed, p, "what is read");
  if (verbose && !both)
    trace_print(&g.trace), printf("seed %llu: %d and %d cannot deadlock\n\n", (unsigned long long)seed, p->first, p->second);
}

/* With waits, what is read and locks may exclude together what neither excludes alone: no rule sees that. */
static void check_prediction(uint64_t seed, const struct prediction *p) {
  if (g.trace.events[p->first].what == TAKE) return check_cycle(seed, p);
  bool locks = orders_show(&g.trace, p->first, p->second, p->made, OBEY_LOCKS);
  bool values = orders_show(&g.trace, p->first, p->second, p->made, OBEY_VALUES);
  bool both = locks && values && orders_show(&g.trace, p->first, p->second, p->made, OBEY_LOCKS | OBEY_VALUES);
  counted.predictions++, counted.by_locks += !locks, counted.by_values += !values, counted.by_both += locks && values && !both;
  if (analysis == ANALYSIS_OVP && (!values || (locks && !both && !conditions))) fail_prediction(seed, p, "what is read");
  if (!orders_show(&g.trace, p->first, p->second, p->made, OBEY_WRITERS)) fail_prediction(seed, p, "what had to be written");
  if (verbose && !both) trace_print(&g.trace), printf("seed %llu: %d and %d cannot be\n\n", (unsigned long long)seed, p->first, p->second);
  if (g.trace.events[p->second].what != NOTIFY || !both) return;
  counted.lost++, counted.for_ever += orders_lose(&g.trace, p->first);
}

static void check_predictions(uint64_t seed) {
  for (unsigned i = 0; i < g.npredicted; i++) check_prediction(seed, &g.predicted[i]);
}

/* --- what is missed --- */

/* Traces that can deadlock, and of which none was predicted. */
static void count_missed_cycles(void) {
  bool told = false, can = false;
  for (unsigned i = 0; i < g.npredicted; i++) told |= g.trace.events[g.predicted[i].first].what == TAKE;
  for (int b = 0; b < g.trace.count && !can; b++)
    for (int a = 0; a < b && !can; a++) can = trace_crosses(&g.trace, a, b) && orders_show(&g.trace, a, b, b + 1, OBEY_LOCKS | OBEY_VALUES);
  cycles.feasible += can, cycles.missed += can && !told;
}

/* Of pairs that this run orders, and that no lock excludes. */
static void count_missed(void) {
  closure_make(&g.trace, g.by_sections, false), closure_make(&g.trace, g.by_values, true);
  for (int b = 0; b < g.trace.count; b++)
    for (int a = 0; a < b; a++) {
      if (!trace_conflict(&g.trace, a, b) || !g.happens[a][b] || trace_common_lock(&g.trace, a, b) ||
          !orders_show(&g.trace, a, b, b + 1, OBEY_LOCKS | OBEY_VALUES))
        continue;
      counted.feasible++;
      if (!g.ordered[a][b]) continue;
      counted.sections += g.by_sections[a][b];
      counted.values += !g.by_sections[a][b] && g.by_values[a][b];
      counted.clocks += !g.by_sections[a][b] && !g.by_values[a][b];
    }
}

static void notify_last(int thread) {
  bool waits = false;
  for (int i = 0; i < THREADS; i++) waits |= g.waits[i] == WAITS;
  if (waits && g.waits[thread] == RUNS) notify(thread);
}
static void give_all(int thread) {
  for (int i = 0; i < LOCKS; i++)
    if (g.holder[i] == thread && g.waits[thread] == RUNS)
      give(thread, i);
    else if (g.readers[i] >> thread & 1)
      give_lock(thread, i, true);
}
static void leave_wait(int thread) {
  if (g.waits[thread] == NOTIFIED) end_wait(thread);
  give_all(thread);
}
static void each_thread(void (*f)(int thread)) {
  for (int n = 0; n < THREADS; n++) {
    hd_fast = g.threads[n];
    f(n);
    g.threads[n] = hd_fast;
  }
}

static void one_trace(uint64_t seed) {
  struct fast main_thread = g.threads[0];
  memset(&g, 0, sizeof g);
  g.random = seed * 0x9e3779b97f4a7c15ull + 1;
  for (int i = 0; i < 8; i++) pick(2);
  for (int i = 0; i < LOCKS; i++) sync_remove((uintptr_t)g.locks[i]), g.holder[i] = NOBODY;
  lockorder_before_fork(), lockorder_after_fork(true); /* what was reported is forgotten, too: there is a limit to that */
  for (int i = 0; i < THREADS; i++) g.last[i] = NO_EVENT;
  access_forget((uintptr_t)g.memory, sizeof g.memory);
  hd_fast = g.threads[0] = main_thread;
  sync_remove((uintptr_t)g.condition); /* its waits are over, and told once more */
  violations_finish(hd_fast.self);
  g.npredicted = 0;
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
  while (g.trace.count < EVENTS - THREADS * (LOCKS + 1)) {
    int thread = (int)pick(THREADS);
    hd_fast = g.threads[thread];
    any_step(thread);
    g.threads[thread] = hd_fast;
  }
  each_thread(notify_last);
  each_thread(give_all);
  each_thread(leave_wait);
  violations_finish(hd_fast.self);
  check_predictions(seed);
  if (seed % COUNTED == 0 && !tries) count_missed();
  count_missed_cycles();
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

static void play(void) {
  memset(&counted, 0, sizeof counted), memset(&cycles, 0, sizeof cycles);
  for (unsigned i = 0; i < traces; i++) one_trace(first_seed + i);
  printf("%s%s: %lu predictions, of which cannot be: %lu by locks, %lu by what is read, %lu by both\n",
         analysis == ANALYSIS_OVP ? "ovp" : "wdc",
         conditions ? ", conditions"
         : tries    ? ", locks that are tried in vain"
                    : "",
         counted.predictions, counted.by_locks, counted.by_values, counted.by_both);
  printf("  %lu lost wake-ups that can be, %lu of them for ever\n", counted.lost, counted.for_ever);
  printf("  of %lu pairs in one of %d traces that can be: missed are %lu by sections, %lu by what was read, %lu by clocks\n",
         counted.feasible, COUNTED, counted.sections, counted.values, counted.clocks);
  printf("  %lu deadlocks, of which cannot be: %lu by locks, %lu by both; of %lu traces that can deadlock %lu are missed\n", cycles.told,
         cycles.by_locks, cycles.by_both, cycles.feasible, cycles.missed);
  assert_true(cycles.told > 0 && (cycles.by_locks + cycles.by_both) * 20 < cycles.told + 20);
  assert_true(counted.predictions > 0);
}

static void predictions_are_feasible(void **state) {
  (void)state;
  analysis = ANALYSIS_OVP;
  for (int i = 0; i < 6; i++) {
    nvalues = i / 3 * 2, conditions = i % 3 == 1, tries = i % 3 == 2;
    play();
    assert_true((counted.by_locks + counted.by_both) * 100 < counted.predictions + 100); /* one of few is no rate */
    assert_true(!conditions || (counted.lost > 0 && counted.for_ever * 10 > counted.lost * 9));
  }
}

static void predictions_of_wdc_come_behind_what_was_read(void **state) {
  (void)state;
  analysis = ANALYSIS_WDC;
  for (int i = 0; i < 6; i++) {
    nvalues = i / 3 * 2, conditions = i % 3 == 1, tries = i % 3 == 2;
    play();
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(predictions_are_feasible),
                                     cmocka_unit_test(predictions_of_wdc_come_behind_what_was_read)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
