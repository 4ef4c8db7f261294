/* Random traces of several threads, which one thread plays, against the weak order and order violations by definition (section.h,
 * violation.h): the closure of the rules over all events. Nothing may be reported that is none, and every first one is. */
#include "analysis/access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/locked.h"
#include "analysis/violation.h"
#include "runtime.h"

struct options options;
bool runtime_on;

enum { EVENTS = 320, THREADS = 7, LOCKS = 3, ATOMICS = 2, WORDS = 3, BYTES = WORDS * 8, NOWHERE = -1 };
enum order { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

int __tsan_atomic32_load(const volatile int *p, int order);
void __tsan_atomic32_store(volatile int *p, int v, int order);
int __tsan_atomic32_fetch_add(volatile int *p, int v, int order);

/* All that the definition has is found: nothing falls out. */
#ifdef KEEP_ALL
#define EXACT true
#elif defined(ALONE)
#define EXACT  false /* and atomics are used several times in a row */
#define AGAIN  4
#define TRACES 5000
#else
#define EXACT (SECTIONS_MAX >= 64)
#endif
#ifndef AGAIN
#define AGAIN  1
#define TRACES 1500
#endif

enum what { OTHER, READ, WRITE, END };
struct event {
  int thread; /* its id */
  enum what what;
  unsigned at, size; /* bytes of memory[], or atomics behind it */
  bool forgotten;    /* its memory ended */
  bool run;          /* of several words, one after another, at one place: the first event's */
};
struct section {
  int lock, thread, acquire, release; /* thread: its id. release: NOWHERE as long as it goes on */
  bool shared;
};
/* A pair whose sections may still turn out to be ordered. */
struct pair_of_events {
  unsigned first, second;
  bool locks[LOCKS], expected;
};

static struct {
  uint64_t random;
  struct event events[EVENTS];
  unsigned count;
  /* Both closed: events come in the order of the trace. */
  bool before[EVENTS][EVENTS];                                         /* in the weak order */
  bool happens[EVENTS][EVENTS];                                        /* before, in this run */
  int released[LOCKS], shared_released[LOCKS][EVENTS], nshared[LOCKS]; /* event; those since then */
  struct section sections[EVENTS];
  unsigned nsections;
  struct pair_of_events waiting[EVENTS * 4];
  unsigned nwaiting;
  struct fast threads[THREADS];
  int last[THREADS], ticked[THREADS]; /* event, NOWHERE: none; the last one that began a new epoch */
  int id[THREADS], ids;               /* no other thread of the trace has or had it */
  bool alive[THREADS], joinable[THREADS];
  struct vclock *ends[THREADS];
  int written[ATOMICS];              /* event */
  bool read_before[ATOMICS][EVENTS]; /* what later writes come behind */
  bool tainted[BYTES];
  _Alignas(16) unsigned char memory[BYTES];
  _Alignas(16) char locks[LOCKS][16];
  _Alignas(16) int atomics[ATOMICS][4];
  struct {
    int first, second;
  } reported[EVENTS];
  unsigned nreported, found;
} g;

static unsigned pick(unsigned n) {
  g.random ^= g.random << 13, g.random ^= g.random >> 7, g.random ^= g.random << 17;
  return (unsigned)(g.random >> 33) % n;
}

/* An event's place is its number. */
static uintptr_t place(unsigned event) { return 0x1000 + event; }
static int event_of(uint32_t site, uintptr_t address) {
  int e = (int)(context_at(site)->pc - 0x1000);
  return g.events[e].run ? e + (int)((address - (uintptr_t)g.memory) / 8 - g.events[e].at / 8) : e;
}

void race_found(struct thread *t, const struct race *r) {
  (void)t;
  g.found++;
  if (r->theirs == SITE_UNKNOWN) return; /* the runtime keeps only so many combinations of places */
  if (g.nreported == EVENTS) return;
  g.reported[g.nreported].first = event_of(r->theirs, r->address), g.reported[g.nreported++].second = event_of(r->mine, r->address);
}

static void add(bool relation[EVENTS][EVENTS], int a, unsigned b) {
  if (a < 0 || (unsigned)a == b) return;
  relation[a][b] = true;
  for (int i = 0; i < a; i++) relation[i][b] |= relation[i][a];
}
static void order(int a, unsigned b) { add(g.before, a, b); }
static void order_hard(int a, unsigned b) { add(g.before, a, b), add(g.happens, a, b); }

static unsigned step(int thread) {
  unsigned e = g.count++;
  g.events[e] = (struct event){.thread = g.id[thread]};
  order_hard(g.last[thread], e);
  g.last[thread] = (int)e;
  return e;
}

static bool overlap(const struct event *x, const struct event *y) { return x->at < y->at + y->size && y->at < x->at + x->size; }
static bool touches(const struct section *s, unsigned e) {
  return g.events[e].thread == s->thread && (int)e > s->acquire && (s->release == NOWHERE || (int)e < s->release);
}
static bool accesses(unsigned e) {
  enum what w = g.events[e].what;
  return w == READ || w == WRITE || (w == END && analysis == ANALYSIS_WDC);
}
static bool may_change(unsigned a, unsigned b) { return g.events[a].what == READ && g.events[b].what == READ; }

/* Ended sections of the lock, not both shared, of other threads. */
static bool excludes(const struct section *s, const struct section *open) {
  return s->lock == open->lock && s->thread != open->thread && s->release != NOWHERE && !(s->shared && open->shared);
}

/* The end of a section comes before conflicting accesses in later ones. */
static void order_by_conflicts(unsigned e) {
  for (unsigned i = 0; i < g.nsections; i++) {
    const struct section *open = &g.sections[i];
    if (open->release != NOWHERE || open->thread != g.events[e].thread) continue;
    for (unsigned k = 0; k < g.nsections; k++) {
      if (!excludes(&g.sections[k], open)) continue;
      for (unsigned a = 0; a < e; a++)
        if (touches(&g.sections[k], a) && accesses(a) && !g.events[a].forgotten && overlap(&g.events[a], &g.events[e]) && !may_change(a, e))
          order(g.sections[k].release, e);
    }
  }
}

/* Who knows a part of a section knows its end. */
static void complete(const struct section *open, unsigned e) {
  if (analysis != ANALYSIS_OVP) return;
  for (unsigned times = 0; times < g.nsections; times++)
    for (unsigned k = 0; k < g.nsections; k++)
      if (excludes(&g.sections[k], open) && g.before[g.sections[k].acquire][e]) order(g.sections[k].release, e);
}

static bool unordered(unsigned a, unsigned e, unsigned byte) {
  const struct event *x = &g.events[a], *y = &g.events[e];
  return x->what != OTHER && !x->forgotten && !may_change(a, e) && !(g.before[a][e] && g.happens[a][e]) && byte - x->at < x->size &&
         byte - y->at < y->size;
}

static void check_reported(unsigned first, unsigned end) {
  for (unsigned i = 0; i < g.nreported; i++)
    if ((unsigned)g.reported[i].second - first >= end - first) fail_msg("event %u: a race of %d", first, g.reported[i].second);
}

/* `found`: a race of it was reported. */
static void check_access(unsigned e, bool found) {
  bool expected = false, shown = false /* by the run */, racy[BYTES] = {false};
  for (unsigned byte = 0; byte < BYTES; byte++) {
    for (unsigned a = 0; a < e; a++) {
      racy[byte] |= unordered(a, e, byte);
      shown |= unordered(a, e, byte) && !g.happens[a][e] && !g.tainted[byte];
    }
    expected |= racy[byte] && !g.tainted[byte];
  }
  for (unsigned i = 0; i < g.nreported; i++) {
    bool real = false;
    if (g.reported[i].second != (int)e) continue;
    for (unsigned byte = 0; byte < BYTES; byte++) real |= unordered((unsigned)g.reported[i].first, e, byte);
    if (!real) fail_msg("event %u: no race with %d", e, g.reported[i].first);
  }
  if ((EXACT ? expected : shown) && !found) fail_msg("event %u of thread %d: its race is not found", e, g.events[e].thread);
  for (unsigned byte = 0; byte < BYTES; byte++) g.tainted[byte] |= racy[byte];
}

static bool common_locks(unsigned a, unsigned e, bool locks[LOCKS]) {
  bool any = false;
  for (unsigned i = 0; i < g.nsections; i++)
    for (unsigned k = 0; k < g.nsections; k++)
      if (g.sections[i].release == NOWHERE && g.sections[i].thread == g.events[e].thread && excludes(&g.sections[k], &g.sections[i]) &&
          touches(&g.sections[k], a))
        locks[g.sections[i].lock] = any = true;
  return any;
}

static bool is_newest(unsigned a, unsigned e, unsigned byte) {
  for (unsigned b = a + 1; b < e; b++)
    if (unordered(b, e, byte) && g.before[a][b] && g.happens[a][b]) return false;
  return true;
}

/* Uses that the end of their memory is not ordered behind. */
static void check_end(unsigned e) {
  bool expected = false;
  for (unsigned a = 0; a < e; a++) {
    bool here = false, clean = true, newest = false;
    for (unsigned byte = 0; byte < BYTES; byte++) {
      if (!unordered(a, e, byte)) continue;
      here = true, clean &= !g.tainted[byte];
      newest |= is_newest(a, e, byte);
    }
    struct pair_of_events p = {.first = a, .second = e, .expected = clean && newest};
    if (here && common_locks(a, e, p.locks))
      g.waiting[g.nwaiting++] = p;
    else
      expected |= here && p.expected;
  }
  for (unsigned i = 0; i < g.nreported; i++) {
    bool real = false, locks[LOCKS] = {false};
    for (unsigned byte = 0; byte < BYTES; byte++) real |= unordered((unsigned)g.reported[i].first, e, byte);
    if (!real || common_locks((unsigned)g.reported[i].first, e, locks)) fail_msg("end %u: no violation with %d", e, g.reported[i].first);
  }
  if (EXACT && expected && g.found == 0) fail_msg("end %u: its violation is not found", e);
}

/* The section ended with event e. */
static void check_section(int lock, unsigned e) {
  unsigned kept = 0;
  bool expected = false, possible[EVENTS][EVENTS] = {{false}};
  for (unsigned i = 0; i < g.nwaiting; i++) {
    struct pair_of_events p = g.waiting[i];
    if (g.events[p.second].thread != g.events[e].thread || !p.locks[lock]) {
      g.waiting[kept++] = p;
      continue;
    }
    p.locks[lock] = false;
    bool more = false;
    for (int k = 0; k < LOCKS; k++) more |= p.locks[k];
    if (g.before[p.first][e] && g.happens[p.first][e]) continue;
    if (more) {
      g.waiting[kept++] = p;
      continue;
    }
    possible[p.first][p.second] = true, expected |= p.expected;
  }
  g.nwaiting = kept;
  for (unsigned i = 0; i < g.nreported; i++)
    if (!possible[g.reported[i].first][g.reported[i].second])
      fail_msg("release %u: no violation of %d by %d", e, g.reported[i].first, g.reported[i].second);
  if (EXACT && expected && g.found == 0) fail_msg("release %u: a violation is not found", e);
}

static void access_memory(int thread, enum what what) {
  static const unsigned sizes[] = {1, 4, 8, 8};
  unsigned e = step(thread);
  struct event *x = &g.events[e];
  x->what = what, x->size = what == END ? 8 : sizes[pick(4)], x->at = pick(BYTES / x->size) * x->size;
  uintptr_t at = (uintptr_t)g.memory + x->at;
  if (accesses(e)) order_by_conflicts(e);
  g.nreported = g.found = 0;
  if (what == READ)
    access_read(at, x->size, place(e));
  else if (what == WRITE)
    access_write(at, x->size, place(e));
  else
    access_range(hd_fast.self, at, x->size, SITE_FREE, place(e));
  if (what == END && analysis == ANALYSIS_OVP)
    check_end(e);
  else
    check_reported(e, e + 1), check_access(e, g.found > 0);
  if (what != END) return;
  access_forget(at, x->size);
  for (unsigned a = 0; a <= e; a++) g.events[a].forgotten |= g.events[a].what != OTHER && overlap(&g.events[a], x);
  for (unsigned byte = 0; byte < x->size; byte++) g.tainted[x->at + byte] = false;
}

/* Some words at once. */
static void access_words(int thread, enum what what) {
  unsigned n = 2 + pick(WORDS - 1), from = pick(WORDS - n + 1), first = g.count;
  for (unsigned i = 0; i < n; i++) {
    unsigned e = step(thread);
    g.events[e] = (struct event){.thread = g.id[thread], .what = what, .at = (from + i) * 8, .size = 8, .run = true};
    order_by_conflicts(e);
  }
  g.nreported = g.found = 0;
  access_range(hd_fast.self, (uintptr_t)g.memory + from * 8, n * 8, what == READ ? SITE_READ : SITE_WRITE, place(first));
  check_reported(first, g.count);
  for (unsigned e = first; e < g.count; e++) {
    bool found = g.found > g.nreported;
    for (unsigned i = 0; i < g.nreported; i++) found |= g.reported[i].second == (int)e;
    check_access(e, found);
  }
}

static struct section *held(int thread, int lock) {
  for (unsigned i = 0; i < g.nsections; i++)
    if (g.sections[i].lock == lock && g.sections[i].release == NOWHERE && g.sections[i].thread == g.id[thread]) return &g.sections[i];
  return NULL;
}

static bool can_take(int lock, bool shared) {
  for (unsigned i = 0; i < g.nsections; i++)
    if (g.sections[i].lock == lock && g.sections[i].release == NOWHERE && !(g.sections[i].shared && shared)) return false;
  return true;
}

static void lock_or_unlock(int thread, int lock) {
  struct sync *s = sync_at((uintptr_t)g.locks[lock], SYNC_RWLOCK);
  struct section *mine = held(thread, lock);
  bool shared = lock == 0 && pick(2);
  if (mine) {
    unsigned e = step(thread);
    complete(mine, e);
    g.nreported = g.found = 0;
    section_end(hd_fast.self, s, mine->shared, true);
    violations_report(hd_fast.self);
    if (analysis == ANALYSIS_OVP) check_section(lock, e);
    mine->release = (int)e, g.ticked[thread] = (int)e;
    if (mine->shared)
      g.shared_released[lock][g.nshared[lock]++] = (int)e;
    else
      g.released[lock] = (int)e, g.nshared[lock] = 0;
  } else if (can_take(lock, shared)) {
    unsigned e = step(thread);
    struct section new = {.lock = lock, .thread = g.id[thread], .acquire = (int)e, .release = NOWHERE, .shared = shared};
    section_begin(hd_fast.self, s, shared, SITE_UNKNOWN);
    add(g.happens, g.released[lock], e);
    for (int i = 0; i < g.nshared[lock] && !shared; i++) add(g.happens, g.shared_released[lock][i], e);
    complete(&new, e);
    g.sections[g.nsections++] = new, g.ticked[thread] = (int)e;
  }
}

static bool holds_any(int thread) {
  for (int i = 0; i < LOCKS; i++)
    if (held(thread, i)) return true;
  return false;
}

static void use_atomic(int thread, unsigned object) {
  unsigned e = step(thread), what = pick(3);
  int o = object == 0 ? RELAXED : SEQ_CST;
  g.events[e].what = what == 0 ? READ : WRITE, g.events[e].at = BYTES + 8 * object, g.events[e].size = 4;
  if (what != 1) order(g.written[object], e);
  if (what != 1 && o != RELAXED) order_hard(g.written[object], e);
  if (what != 0 && analysis == ANALYSIS_OVP)
    for (unsigned a = 0; a < e; a++)
      if (g.read_before[object][a]) order((int)a, e);
  for (int a = 0; what != 1 && holds_any(thread) && a < (int)e; a++)
    g.read_before[object][a] |= g.before[a][e] && (g.events[a].thread != g.id[thread] || a <= g.ticked[thread]);
  order_by_conflicts(e);
  if (what == 0)
    __tsan_atomic32_load(g.atomics[object], o);
  else if (what == 1)
    __tsan_atomic32_store(g.atomics[object], 1, o);
  else
    __tsan_atomic32_fetch_add(g.atomics[object], 1, o);
  if (what != 0) g.written[object] = g.ticked[thread] = (int)e;
}

static void fork_thread(int thread) {
  for (int n = 1; n < THREADS; n++) {
    if (g.alive[n] || g.joinable[n]) continue;
    unsigned e = step(thread);
    struct thread *t = thread_new(hd_fast.self, SITE_UNKNOWN);
    assert_non_null(t);
    thread_tick(hd_fast.self);
    struct fast parent = hd_fast;
    thread_begin(t);
    g.threads[n] = hd_fast;
    hd_fast = parent;
    g.alive[n] = true, g.id[n] = ++g.ids, g.last[n] = (int)e, g.ticked[thread] = (int)e, g.ticked[n] = (int)e;
    return;
  }
}

static void end_or_join(int thread) {
  if (thread != 0 && !holds_any(thread) && pick(3) == 0) {
    step(thread);
    thread_end(hd_fast.self, &g.ends[thread]);
    g.alive[thread] = false, g.joinable[thread] = true;
    return;
  }
  for (int n = 1; n < THREADS; n++) {
    if (!g.joinable[n]) continue;
    unsigned e = step(thread);
    order_hard(g.last[n], e);
    thread_acquire(hd_fast.self, g.ends[n]);
    vclock_free(g.ends[n]);
    g.ends[n] = NULL, g.joinable[n] = false;
    return;
  }
}

/* A thread that becomes known by itself: of what was done so far it is taken to know all, in both orders. */
static void attach_thread(void) {
  for (int n = 1; n < THREADS; n++) {
    if (g.alive[n] || g.joinable[n]) continue;
    unsigned e = g.count++;
    g.id[n] = ++g.ids;
    g.events[e] = (struct event){.thread = g.id[n]};
    for (int k = 0; k < THREADS; k++)
      if (g.alive[k]) {
        order_hard(g.last[k], e);
        for (int i = 0; g.last[k] >= 0 && i < g.last[k]; i++)
          if (g.happens[i][g.last[k]]) order(i, e);
      }
    hd_fast = (struct fast){0};
    assert_non_null(thread_self_slow());
    g.threads[n] = hd_fast;
    for (int k = 0; k < THREADS; k++) /* what they do later is not known to it */
      if (g.alive[k]) hd_fast = g.threads[k], thread_tick(hd_fast.self), g.threads[k] = hd_fast, g.ticked[k] = g.last[k];
    g.alive[n] = true, g.last[n] = (int)e, g.ticked[n] = NOWHERE;
    return;
  }
}

static void barrier(void) {
  struct vclock *c = NULL;
  bool in[THREADS];
  int from[THREADS];
  for (int k = 0; k < THREADS; k++) {
    in[k] = g.alive[k] && pick(5);
    if (!in[k]) continue;
    hd_fast = g.threads[k];
    unsigned e = step(k);
    from[k] = (int)e, g.ticked[k] = (int)e;
    thread_release_join(hd_fast.self, &c);
    g.threads[k] = hd_fast;
  }
  for (int k = 0; k < THREADS; k++) {
    if (!in[k]) continue;
    hd_fast = g.threads[k];
    unsigned e = step(k);
    for (int i = 0; i < THREADS; i++)
      if (in[i]) order_hard(from[i], e);
    thread_acquire(hd_fast.self, c);
    g.threads[k] = hd_fast;
  }
  vclock_free(c);
  threads_settle();
}

static void one_trace(uint64_t seed) {
  struct fast main_thread = g.threads[0];
  memset(&g, 0, sizeof g);
  g.random = seed * 0x9e3779b97f4a7c15ull + 1;
  g.threads[0] = main_thread, g.alive[0] = true;
  for (int i = 0; i < THREADS; i++) g.last[i] = g.ticked[i] = NOWHERE;
  for (int i = 0; i < ATOMICS; i++) g.written[i] = NOWHERE, sync_remove((uintptr_t)g.atomics[i]), access_forget((uintptr_t)g.atomics[i], 8);
  access_forget((uintptr_t)g.memory, BYTES);
  for (int i = 0; i < LOCKS; i++) sync_remove((uintptr_t)g.locks[i]), g.released[i] = NOWHERE;
  while (g.count < EVENTS - AGAIN * WORDS - 2 * LOCKS * THREADS - 2 * THREADS) {
    int thread = (int)pick(THREADS);
    if (!g.alive[thread]) continue;
    if (pick(20) == 0) {
      (pick(3) ? barrier : attach_thread)();
      continue;
    }
    hd_fast = g.threads[thread];
    unsigned what = pick(40);
    if (pick(4) == 0) threads_settle();
    if (what < 16 && pick(8) == 0)
      access_words(thread, pick(2) ? READ : WRITE);
    else if (what < 16)
      access_memory(thread, pick(3) ? READ : WRITE);
    else if (what < 17)
      access_memory(thread, END);
    else if (what < 32)
      lock_or_unlock(thread, (int)pick(LOCKS));
    else if (what < 35)
      for (unsigned object = pick(ATOMICS), times = pick(AGAIN) + 1; times > 0; times--) use_atomic(thread, object);
    else if (what < 39)
      fork_thread(thread);
    else
      end_or_join(thread);
    g.threads[thread] = hd_fast;
  }
  for (int n = THREADS - 1; n >= 0; n--) {
    if (!g.alive[n]) continue;
    hd_fast = g.threads[n];
    for (int i = 0; i < LOCKS; i++)
      if (held(n, i)) lock_or_unlock(n, i);
    if (n > 0) thread_end(hd_fast.self, &g.ends[n]);
  }
  for (int n = 1; n < THREADS; n++) {
    thread_acquire(hd_fast.self, g.ends[n]); /* so that their slots can be used again */
    vclock_free(g.ends[n]);
  }
  g.threads[0] = hd_fast;
}

static uint64_t first_seed = 1;
static unsigned traces = TRACES;

static void all_traces(enum analysis which) {
  analysis = which;
  for (unsigned i = 0; i < traces; i++) one_trace(first_seed + i);
}
static void wdc_is_as_defined(void **state) {
  (void)state;
  all_traces(ANALYSIS_WDC);
}
static void ovp_is_as_defined(void **state) {
  (void)state;
  all_traces(ANALYSIS_OVP);
}

int main(int argc, char **argv) {
  if (argc > 1) traces = (unsigned)strtoul(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  shadow_start();
  context_start();
  sync_start();
  threads_start();
  locked_start();
  threads_weaken();
#ifdef KEEP_ALL
  keep_all = true;
#endif
  runtime_on = true;
  g.threads[0] = hd_fast;
  const struct CMUnitTest tests[] = {cmocka_unit_test(wdc_is_as_defined), cmocka_unit_test(ovp_is_as_defined)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
