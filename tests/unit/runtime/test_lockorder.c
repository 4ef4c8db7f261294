/* Random traces of locks, which one thread plays for several, against the definition in lockorder.h: after each taking, all cycles that it
 * completes are looked for among all takings there were, with the order of fork, join and barriers as the closure over all events. What is
 * reported must be just these, once for each set of wanted locks, and the reports must tell what happened. */
#include "analysis/lockorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/cycle.h"
#include "analysis/held.h"
#include "analysis/race.h"
#include "runtime.h"
#include "sync.h"

struct options options;
bool runtime_on;
void race_found(struct thread *t, const struct race *r) { (void)t, (void)r; }

enum { EVENTS = 200, THREADS = 5, LOCKS = 8, HOLDS = 4, CYCLES = 4096 };

struct taken {
  uint64_t lock;
  bool shared;
};

/* What one thread does: everything, or a taking with locks held and waiting. */
struct event {
  uint32_t thread; /* its number */
  bool acquires, taking;
  struct taken want, held[HOLDS];
  unsigned nheld;
};

static struct {
  uint64_t random;
  struct event events[EVENTS];
  unsigned count;
  bool before[EVENTS][EVENTS]; /* closed */
  unsigned nlocks;
  uintptr_t locks[LOCKS * 2]; /* two words each: addresses */
  int exclusive[LOCKS];       /* its holder, or -1 */
  unsigned shared[LOCKS];     /* how many */
  struct fast threads[THREADS];
  int last[THREADS];
  bool alive[THREADS], joinable[THREADS];
  struct hard ends[THREADS];
  struct {
    unsigned at; /* lock */
    struct taken lock;
    bool gone;
  } held[THREADS][HOLDS];
  unsigned nheld[THREADS];
  uint64_t expected[CYCLES], reported[CYCLES]; /* keys of sets of locks, ever */
  unsigned nexpected, nreported;
  unsigned cycles; /* in all traces */
} g;

static unsigned pick(unsigned n) {
  g.random ^= g.random << 13, g.random ^= g.random >> 7, g.random ^= g.random << 17;
  return (unsigned)(g.random >> 33) % n;
}

static uintptr_t place(unsigned event) { return 0x1000 + event; }
static const struct event *event_at(uint32_t site) {
  uintptr_t e = context_at(site)->pc - 0x1000;
  assert_true(e < g.count);
  return &g.events[e];
}

static bool conflict(struct taken a, struct taken b) { return a.lock == b.lock && !(a.shared && b.shared); }

/* Sets of locks are compared by a sum. */
static uint64_t term(uint64_t lock) {
  lock = (lock + 1) * 0x9e3779b97f4a7c15ull;
  return (lock ^ lock >> 31) * 0xbf58476d1ce4e5b9ull;
}
static bool add_key(uint64_t *keys, unsigned *n, uint64_t key) {
  for (unsigned i = 0; i < *n; i++)
    if (keys[i] == key) return false;
  assert_true(*n < CYCLES);
  keys[(*n)++] = key;
  return true;
}

void cycle_happened(struct thread *t, const struct cycle *c) { (void)t, (void)c; }
void cycle_possible(struct thread *t, const struct cycle *c) {
  uint64_t key = 0;
  (void)t;
  assert_in_range(c->n, 2, CYCLE);
  for (unsigned i = 0; i < c->n; i++) {
    const struct waiter *w = &c->waiters[i], *next = &c->waiters[(i + 1) % c->n];
    const struct event *asked = event_at(w->wants.site), *had = event_at(w->has.site);
    assert_int_equal(w->wants.lock, next->has.lock);
    assert_false(w->wants.shared && next->has.shared);
    assert_true(asked->taking && asked->thread == w->thread && asked->want.lock == w->wants.lock && asked->want.shared == w->wants.shared);
    assert_true(had->acquires && had->thread == w->thread && had->want.lock == w->has.lock);
    key += term(w->wants.lock);
  }
  if (!add_key(g.reported, &g.nreported, key)) fail_msg("the same locks are reported again");
}

static void order(int a, unsigned b) {
  if (a < 0 || (unsigned)a == b) return;
  g.before[a][b] = true;
  for (int i = 0; i < a; i++) g.before[i][b] |= g.before[i][a];
}

static unsigned step(unsigned thread) {
  unsigned e = g.count++;
  g.events[e] = (struct event){.thread = hd_fast.self->info->number};
  order(g.last[thread], e);
  g.last[thread] = (int)e;
  return e;
}

/* The definition: takings path[0] .. path[n - 1] are a deadlock. */
static bool waits_for(const struct event *a, const struct event *b) {
  for (unsigned i = 0; i < b->nheld; i++)
    if (conflict(a->want, b->held[i])) return true;
  return false;
}
static bool share_lock(const struct event *a, const struct event *b) {
  for (unsigned i = 0; i < a->nheld; i++)
    for (unsigned k = 0; k < b->nheld; k++)
      if (conflict(a->held[i], b->held[k])) return true;
  return false;
}
static bool exclude(unsigned a, unsigned b) {
  return g.events[a].thread == g.events[b].thread || share_lock(&g.events[a], &g.events[b]) || g.before[a][b] || g.before[b][a];
}
static bool deadlock(const unsigned *path, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < n; k++) {
      if (i != k && exclude(path[i], path[k])) return false;
      if (waits_for(&g.events[path[i]], &g.events[path[k]]) != (k == (i + 1) % n)) return false; /* no other is shorter, too */
    }
  return true;
}
static void look(unsigned *path, unsigned n) {
  if (n > 1 && deadlock(path, n)) {
    uint64_t key = 0;
    for (unsigned i = 0; i < n; i++) key += term(g.events[path[i]].want.lock);
    g.cycles += add_key(g.expected, &g.nexpected, key);
  }
  for (unsigned e = 0; n < CYCLE && e < path[0]; e++) {
    bool possible = g.events[e].taking && waits_for(&g.events[path[n - 1]], &g.events[e]);
    for (unsigned i = 0; possible && i < n; i++) possible = !exclude(path[i], e);
    if (!possible) continue;
    path[n] = e;
    look(path, n + 1);
  }
}

static void check(unsigned e) {
  unsigned path[CYCLE] = {e};
  if (g.events[e].taking) look(path, 1);
  if (g.nexpected != g.nreported) fail_msg("event %u: %u sets of locks are reported, not %u", e, g.nreported, g.nexpected);
  for (unsigned i = 0; i < g.nreported; i++) assert_false(add_key(g.expected, &g.nexpected, g.reported[i]));
}

static struct sync *lock_at(unsigned lock) { return sync_at((uintptr_t)&g.locks[lock * 2], lock % 2 ? SYNC_RWLOCK : SYNC_MUTEX); }

static void take(unsigned thread, unsigned lock) {
  bool shared = lock % 2 && pick(2), waiting = pick(6) > 0, again = false;
  struct thread *t = hd_fast.self;
  if (g.nheld[thread] == HOLDS || g.exclusive[lock] >= 0 || (!shared && g.shared[lock])) return;
  struct sync *s = lock_at(lock);
  unsigned e = step(thread);
  struct event *x = &g.events[e];
  x->acquires = true, x->want = (struct taken){s->id, shared};
  for (unsigned i = 0; i < g.nheld[thread]; i++) {
    again |= g.held[thread][i].lock.lock == s->id;
    unsigned k = 0;
    while (k < x->nheld && x->held[k].lock != g.held[thread][i].lock.lock) k++;
    if (!g.held[thread][i].gone && k == x->nheld) x->held[x->nheld++] = g.held[thread][i].lock;
  }
  x->taking = waiting && !again && x->nheld > 0;
  g.held[thread][g.nheld[thread]].at = lock, g.held[thread][g.nheld[thread]].gone = false;
  g.held[thread][g.nheld[thread]++].lock = x->want;
  if (shared)
    g.shared[lock]++;
  else
    g.exclusive[lock] = (int)thread, s->owner = t->info->number + 1;
  uint32_t site = context_found(CONTEXT_NONE, site_what(place(e), SITE_LOCK, 0, 0));
  if (waiting) lockorder_takes(t, s, shared, site);
  held_add(t, s, shared, site);
  check(e);
}

static void give(unsigned thread, unsigned i) {
  unsigned lock = g.held[thread][i].at;
  if (g.held[thread][i].gone) return; /* nobody gives back what is gone: it is held for ever */
  step(thread);
  held_remove(hd_fast.self, lock_at(lock));
  if (g.held[thread][i].lock.shared)
    g.shared[lock]--;
  else
    g.exclusive[lock] = -1, lock_at(lock)->owner = 0;
  g.nheld[thread]--;
  for (; i < g.nheld[thread]; i++) g.held[thread][i] = g.held[thread][i + 1];
}

static bool was_held_in_taking(uint64_t lock) {
  for (unsigned e = 0; e < g.count; e++)
    for (unsigned i = 0; g.events[e].taking && i < g.events[e].nheld; i++)
      if (g.events[e].held[i].lock == lock) return true;
  return false;
}

/* The lock is another one from now on, whoever holds it; but the analysis does not notice that a thread takes the same locks again with one
 * of those that it holds gone meanwhile. */
static void renew(unsigned lock) {
  if ((g.exclusive[lock] >= 0 || g.shared[lock]) && was_held_in_taking(lock_at(lock)->id)) return;
  sync_remove((uintptr_t)&g.locks[lock * 2]);
  g.exclusive[lock] = -1, g.shared[lock] = 0;
  for (unsigned t = 0; t < THREADS; t++)
    for (unsigned i = 0; i < g.nheld[t]; i++)
      if (g.held[t][i].at == lock) g.held[t][i].gone = true;
}

static void fork_thread(unsigned thread) {
  for (unsigned n = 1; n < THREADS; n++) {
    if (g.alive[n] || g.joinable[n]) continue;
    unsigned e = step(thread);
    struct thread *t = thread_new(hd_fast.self, SITE_UNKNOWN);
    assert_non_null(t);
    thread_tick(hd_fast.self);
    struct fast parent = hd_fast;
    thread_begin(t);
    g.threads[n] = hd_fast;
    hd_fast = parent;
    g.alive[n] = true, g.last[n] = (int)e, g.nheld[n] = 0;
    return;
  }
}

static bool holds_any(unsigned thread) {
  for (unsigned i = 0; i < g.nheld[thread]; i++)
    if (!g.held[thread][i].gone) return true;
  return false;
}

static void end_or_join(unsigned thread) {
  if (thread != 0 && !holds_any(thread) && pick(3) == 0) {
    step(thread);
    g.ends[thread] = hd_fast.self->hard;
    thread_end(hd_fast.self, NULL);
    g.alive[thread] = false, g.joinable[thread] = true;
    return;
  }
  for (unsigned n = 1; n < THREADS; n++) {
    if (!g.joinable[n]) continue;
    unsigned e = step(thread);
    order(g.last[n], e);
    hard_join(&hd_fast.self->hard, &g.ends[n]);
    g.joinable[n] = false;
    return;
  }
}

/* All in `in` come, and then all leave. */
static void barrier(const bool *in) {
  struct fast now = hd_fast;
  struct hard all = {0};
  unsigned came[THREADS], n = 0;
  for (unsigned t = 0; t < THREADS; t++) {
    if (!in[t]) continue;
    hd_fast = g.threads[t];
    came[n++] = step(t);
    hard_join(&all, &hd_fast.self->hard);
  }
  for (unsigned t = 0; t < THREADS; t++) {
    if (!in[t]) continue;
    hd_fast = g.threads[t];
    unsigned e = step(t);
    for (unsigned i = 0; i < n; i++) order((int)came[i], e);
    hd_fast.self->hard = (struct hard){.segment = all.segment};
  }
  hd_fast = now;
}

/* The analysis keeps a number of takings for each pair of locks only: traces end there. */
static bool full(void) {
  unsigned n = 0;
  for (unsigned e = 0; e < g.count; e++) n += g.events[e].taking;
  if (n < EDGES || !g.events[g.count - 1].taking) return false;
  for (unsigned e = 0; e < g.count; e++)
    for (unsigned h = 0; g.events[e].taking && h < g.events[e].nheld; h++) {
      n = 0;
      for (unsigned o = 0; o < g.count; o++)
        for (unsigned i = 0; g.events[o].taking && i < g.events[o].nheld; i++)
          n += g.events[o].want.lock == g.events[e].want.lock && g.events[o].held[i].lock == g.events[e].held[h].lock;
      if (n >= EDGES) return true;
    }
  return false;
}

static void act(unsigned thread, unsigned room) {
  unsigned what = pick(40), lock = pick(g.nlocks);
  if (what < 20)
    take(thread, lock);
  else if (what < 32) {
    if (g.nheld[thread]) give(thread, pick(g.nheld[thread]));
  } else if (what < 34)
    fork_thread(thread);
  else if (what < 37)
    end_or_join(thread);
  else if (what < 38 && pick(3) == 0 && room > 2 * THREADS) {
    bool in[THREADS];
    for (unsigned t = 0; t < THREADS; t++) in[t] = g.alive[t] && (t == thread || pick(3) == 0);
    barrier(in);
  } else if (what < 39 && pick(4) == 0)
    renew(lock);
}

static void one_trace(uint64_t seed) {
  struct fast main_thread = g.threads[0];
  unsigned cycles = g.cycles;
  memset(&g, 0, sizeof g);
  g.random = seed * 0x9e3779b97f4a7c15ull + 1, g.cycles = cycles;
  g.threads[0] = main_thread, g.alive[0] = true;
  g.nlocks = pick(3) ? 2 + pick(4) : LOCKS;
  for (unsigned i = 0; i < THREADS; i++) g.last[i] = -1;
  for (unsigned i = 0; i < LOCKS; i++) g.exclusive[i] = -1, sync_remove((uintptr_t)&g.locks[i * 2]);
  while (g.count < EVENTS - 2 * THREADS - 2 && !full()) {
    unsigned thread = pick(THREADS);
    if (!g.alive[thread]) continue;
    hd_fast = g.threads[thread];
    act(thread, EVENTS - g.count);
    g.threads[thread] = hd_fast;
  }
  for (unsigned n = 1; n < THREADS; n++) {
    if (!g.alive[n]) continue;
    hd_fast = g.threads[n];
    thread_end(hd_fast.self, NULL);
  }
  hd_fast = g.threads[0];
  hd_fast.self->nheld = 0;
}

static uint64_t first_seed = 1;
static unsigned traces = 4000;

static void cycles_are_those_of_the_definition(void **state) {
  (void)state;
  for (unsigned i = 0; i < traces; i++) {
    one_trace(first_seed + i);
    if (i % 64) continue;
    lockorder_before_fork(); /* what was reported is forgotten, too: there is a limit to that */
    lockorder_after_fork(true);
  }
  printf("%u cycles in %u traces\n", g.cycles, traces);
  assert_true(g.cycles > traces / 10);
}

int main(int argc, char **argv) {
  if (argc > 1) traces = (unsigned)strtoul(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  shadow_start();
  context_start();
  sync_start();
  threads_start();
  g.threads[0] = hd_fast;
  const struct CMUnitTest tests[] = {cmocka_unit_test(cycles_are_those_of_the_definition)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
