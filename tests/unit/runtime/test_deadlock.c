/* Random threads, which one thread plays, that take, give back and wait for locks: a deadlock is reported when, and only when, the thread
 * that begins to wait closes a cycle, which is looked for by brute force; and the report's cycle is one. */
#include "analysis/deadlock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/cycle.h"
#include "analysis/held.h"
#include "analysis/race.h"
#include "runtime.h"

struct options options;
bool runtime_on;
void race_found(struct thread *t, const struct race *r) { (void)t, (void)r; }

enum { THREADS = 6, LOCKS = 6, STEPS = 300, TRACES = 3000, NOBODY = -1 };
enum mode { FREE, SHARED, EXCLUSIVE };

static struct {
  uint64_t random;
  struct fast threads[THREADS];
  uintptr_t locks[LOCKS * 2];
  enum mode held[THREADS][LOCKS];
  int waits[THREADS]; /* for that lock, or NOBODY */
  bool shared[THREADS];
  bool silent[THREADS]; /* a handler of a signal runs */
  bool known[THREADS];  /* to be in a cycle */
  struct waits paused[THREADS];
  int holder[LOCKS]; /* as the C library keeps it */
  unsigned reports, deadlocks;
} g;

static unsigned pick(unsigned n) {
  g.random ^= g.random << 13, g.random ^= g.random >> 7, g.random ^= g.random << 17;
  return (unsigned)(g.random >> 33) % n;
}

static struct thread *thread(unsigned t) { return g.threads[t].self; }
static struct sync *lock_at(unsigned l) { return sync_at((uintptr_t)&g.locks[l * 2], l % 2 ? SYNC_RWLOCK : SYNC_MUTEX); }

static bool blocks(unsigned t, unsigned by) {
  enum mode m = g.waits[t] == NOBODY || g.silent[t] ? FREE : g.held[by][g.waits[t]];
  return m == EXCLUSIVE || (m == SHARED && !g.shared[t]);
}

/* t waits for itself, through others. */
static bool in_cycle(unsigned t) {
  bool reached[THREADS] = {false};
  for (unsigned i = 0; i < THREADS; i++) reached[i] = blocks(t, i);
  for (unsigned round = 0; round < THREADS; round++)
    for (unsigned i = 0; i < THREADS; i++)
      for (unsigned k = 0; reached[i] && k < THREADS; k++) reached[k] |= blocks(i, k);
  return reached[t];
}

static unsigned index_of(uint32_t number) {
  unsigned t = 0;
  while (t < THREADS && thread(t)->info->number != number) t++;
  assert_true(t < THREADS);
  return t;
}

void cycle_possible(struct thread *t, const struct cycle *c) { (void)t, (void)c; }
void cycle_happened(struct thread *t, const struct cycle *c) {
  assert_int_equal(c->waiters[0].thread, t->info->number);
  for (unsigned i = 0; i < c->n; i++) {
    g.known[index_of(c->waiters[i].thread)] = true;
    const struct waiter *w = &c->waiters[i], *next = &c->waiters[(i + 1) % c->n];
    assert_int_equal(w->wants.lock, next->has.lock);
    assert_int_equal(lock_at((unsigned)g.waits[index_of(w->thread)])->id, w->wants.lock);
    assert_true(blocks(index_of(w->thread), index_of(next->thread)));
  }
  g.reports++;
}

static bool available(unsigned t, unsigned l, bool shared) {
  for (unsigned i = 0; i < THREADS; i++)
    if (g.held[i][l] == EXCLUSIVE || (g.held[i][l] == SHARED && !shared)) return false;
  return g.held[t][l] == FREE;
}

static void take(unsigned t, unsigned l, bool shared) {
  struct sync *s = lock_at(l);
  g.held[t][l] = shared ? SHARED : EXCLUSIVE;
  if (!shared) s->owner = thread(t)->info->number + 1, g.holder[l] = thread(t)->info->id;
  held_add(thread(t), s, shared, SITE_UNKNOWN);
}

static void give(unsigned t, unsigned l) {
  struct sync *s = lock_at(l);
  if (g.held[t][l] == EXCLUSIVE) s->owner = 0, g.holder[l] = 0;
  held_remove(thread(t), s);
  g.held[t][l] = FREE;
}

static void check(bool expected) {
  if (g.reports != expected) fail_msg("a deadlock is %s", expected ? "not reported" : "invented");
  g.deadlocks += expected;
}

static void wait_for(unsigned t, unsigned l, bool shared) {
  g.waits[t] = (int)l, g.shared[t] = shared, g.known[t] = false, g.reports = 0;
  deadlock_waits(thread(t), lock_at(l), shared, pick(2) ? &g.holder[l] : NULL, SITE_UNKNOWN);
  check(in_cycle(t));
}

/* A cycle that was reported is not reported again. */
static void interrupt(unsigned t) {
  g.reports = 0;
  if (g.silent[t]) {
    bool known = g.known[t];
    g.silent[t] = false;
    deadlock_resume(thread(t), &g.paused[t]);
    check(!known && in_cycle(t));
  } else {
    g.paused[t] = deadlock_pause(thread(t));
    g.silent[t] = true;
  }
}

static void act(unsigned t) {
  unsigned l = pick(LOCKS);
  bool shared = l % 2 && pick(2);
  hd_fast = g.threads[t];
  if (g.waits[t] != NOBODY && pick(4) == 0) {
    interrupt(t);
  } else if (g.waits[t] != NOBODY) {
    if (g.silent[t] || !available(t, (unsigned)g.waits[t], g.shared[t])) return;
    deadlock_over(thread(t));
    take(t, (unsigned)g.waits[t], g.shared[t]);
    g.waits[t] = NOBODY;
  } else if (g.held[t][l] != FREE && pick(5)) {
    give(t, l);
  } else if (available(t, l, shared)) {
    take(t, l, shared);
  } else if (!(g.held[t][l] == SHARED && shared) && pick(4) == 0) {
    wait_for(t, l, shared);
  }
}

static void one_trace(uint64_t seed) {
  g.random = seed * 0x9e3779b97f4a7c15ull + 1;
  for (unsigned i = 0; i < STEPS; i++) act(pick(THREADS));
  for (unsigned t = 0; t < THREADS; t++) {
    hd_fast = g.threads[t];
    if (g.waits[t] != NOBODY && !g.silent[t]) deadlock_over(thread(t));
    g.waits[t] = NOBODY, g.silent[t] = false;
    for (unsigned l = 0; l < LOCKS; l++)
      if (g.held[t][l] != FREE) give(t, l);
  }
}

static void deadlocks_are_reported_when_they_close_and_only_then(void **state) {
  (void)state;
  struct fast first = hd_fast;
  g.threads[0] = hd_fast;
  for (int i = 1; i < THREADS; i++) {
    hd_fast = first;
    struct thread *t = thread_new(hd_fast.self, SITE_UNKNOWN);
    assert_non_null(t);
    thread_begin(t);
    t->info->id = 1000 + i; /* the one that plays them has one for all */
    g.threads[i] = hd_fast;
  }
  for (int i = 0; i < THREADS; i++) g.waits[i] = NOBODY;
  for (uint64_t i = 0; i < TRACES; i++) one_trace(i + 1);
  hd_fast = first;
  assert_true(g.deadlocks > TRACES / 2);
}

int main(void) {
  shadow_start();
  context_start();
  sync_start();
  threads_start();
  const struct CMUnitTest tests[] = {cmocka_unit_test(deadlocks_are_reported_when_they_close_and_only_then)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
