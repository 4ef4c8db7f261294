/* Random traces of threads that take locks, act on objects and access memory within their actions and outside, which one thread plays,
 * against the definitions of action.h: the closure of the rules over all events. Nothing may be reported that is none, and the first
 * violations on an object are. */
#include "analysis/action.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/locked.h"
#include "analysis/violation.h"
#include "base/spec.h"
#include "runtime.h"

struct options options;
bool runtime_on;

enum { EVENTS = 200, THREADS = 4, LOCKS = 3, OBJECTS = 2, VALUES = 2, WORDS = 2, NOWHERE = -1, DEEP = 2, TOUCHED = 2, NO_VALUE = -1 };

static const char text[] =
    "object thing\n"
    "  action begin(o) on new o\n"
    "  action change(o, x) on o: change(x)\n"
    "  action look(o, x) on o: look(x)\n"
    "  action size(o) on o: size\n"
    "  action move(o, x) on o: size, change(x)\n"
    "  action put(o, x) on o: put(x)\n"
    "  action get(o, x) on o: get(x)\n"
    "  action drop(o, x) on o: drop(x)\n"
    "  action end(o) on o: end\n"
    "  conflict change change, look, size\n"
    "  depends put put, get, size\n"
    "  ends drop look, get, drop\n"
    "  ends end change, look, size, put, get, drop, end\n";

/* The same once more. */
enum point { NEW, CHANGE, LOOK, SIZE, PUT, GET, DROP, END, POINTS };
enum relation { NONE, CONFLICT, DEPENDS, ENDS, ENDED };
static const struct {
  const char *name;
  enum point points[TOUCHED];
  unsigned count;
} actions[] = {{"begin", {NEW}, 1}, {"change", {CHANGE}, 1}, {"look", {LOOK}, 1}, {"size", {SIZE}, 1}, {"move", {SIZE, CHANGE}, 2},
               {"put", {PUT}, 1},   {"get", {GET}, 1},       {"drop", {DROP}, 1}, {"end", {END}, 1}};
enum { BEGIN = 0, ACTIONS = sizeof actions / sizeof actions[0] };

static bool has_value(enum point p) { return p != NEW && p != SIZE && p != END; }
static bool ends(enum point p, enum point q) { return p == END ? q != NEW : p == DROP && (q == LOOK || q == GET || q == DROP); }
static enum relation related(enum point p, enum point q) {
  enum point low = p < q ? p : q, high = p < q ? q : p;
  if (low == NEW) return DEPENDS;
  if (low == CHANGE && (high == CHANGE || high == LOOK || high == SIZE)) return CONFLICT;
  if ((low == PUT && (high == PUT || high == GET)) || (low == SIZE && high == PUT)) return DEPENDS;
  return ends(p, q) ? ENDS : ends(q, p) ? ENDED : NONE;
}

enum what { OTHER, READ, WRITE, ACTION };
struct event {
  int thread; /* its id */
  enum what what;
  unsigned at;            /* word or object */
  int action, value, end; /* end: event, NOWHERE if it is not over */
  bool inside;
  int forgotten; /* since that event the object is a new one; NOWHERE: it is not */
  bool ended[TOUCHED];
};
struct section {
  int lock, thread, acquire, release;
  bool shared;
};
struct pair_of_events {
  unsigned first, second;
  bool locks[LOCKS], expected;
};

static struct {
  uint64_t random;
  struct event events[EVENTS];
  unsigned count;
  bool before[EVENTS][EVENTS], happens[EVENTS][EVENTS]; /* closed */
  int released[LOCKS], shared_released[LOCKS][EVENTS], nshared[LOCKS];
  struct section sections[EVENTS];
  unsigned nsections;
  struct pair_of_events waiting[EVENTS * 4];
  unsigned nwaiting;
  struct fast threads[THREADS];
  int last[THREADS], id[THREADS], ids, doing[THREADS][DEEP]; /* doing: events */
  unsigned depth[THREADS];
  bool alive[THREADS], joinable[THREADS];
  struct vclock *thread_ends[THREADS];
  char marks[THREADS][DEEP];
  _Alignas(16) unsigned char memory[WORDS * 8];
  _Alignas(16) char locks[LOCKS][16], objects[OBJECTS][16];
  struct {
    int first, second;
    bool action;
  } reported[EVENTS];
  unsigned nreported;
} g;
static unsigned conflicts_seen, ends_seen, hidden_seen, races_seen;

static unsigned pick(unsigned n) {
  g.random ^= g.random << 13, g.random ^= g.random >> 7, g.random ^= g.random << 17;
  return (unsigned)(g.random >> 33) % n;
}

static uintptr_t place(unsigned event) { return 0x1000 + event; }
static int event_of(uint32_t site) { return (int)(context_at(site)->pc - 0x1000); }

void race_found(struct thread *t, const struct race *r) {
  (void)t;
  if (r->theirs == SITE_UNKNOWN || g.nreported == EVENTS) return;
  g.reported[g.nreported].action = r->calls[0].action != NULL;
  g.reported[g.nreported].first = event_of(r->theirs), g.reported[g.nreported++].second = event_of(r->mine);
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
  g.events[e] = (struct event){.thread = g.id[thread], .inside = g.depth[thread] > 0, .end = NOWHERE, .forgotten = NOWHERE};
  order_hard(g.last[thread], e);
  g.last[thread] = (int)e;
  return e;
}

static bool excludes(const struct section *s, const struct section *open) {
  return s->lock == open->lock && s->thread != open->thread && s->release != NOWHERE && !(s->shared && open->shared);
}
static bool within(const struct section *s, unsigned e) {
  return g.events[e].thread == s->thread && (int)e > s->acquire && (s->release == NOWHERE || (int)e < s->release);
}
static bool judged_by_both(unsigned a, unsigned e) { return !g.events[a].inside && !g.events[e].inside; }
static bool ordered(unsigned a, unsigned e) { return g.happens[a][e] && (g.before[a][e] || !judged_by_both(a, e)); }

/* Calls found for each pair of points of the two that meet. */
static bool meet_even_if_forgotten(unsigned a, unsigned e, bool (*found)(unsigned a, unsigned i, unsigned e, unsigned k)) {
  const struct event *x = &g.events[a], *y = &g.events[e];
  bool any = false;
  if (x->what != ACTION || y->what != ACTION || x->at != y->at) return false;
  for (unsigned i = 0; i < actions[x->action].count; i++)
    for (unsigned k = 0; k < actions[y->action].count; k++) {
      enum point p = actions[x->action].points[i], q = actions[y->action].points[k];
      if (!(has_value(p) && has_value(q) && x->value != y->value)) any |= found(a, i, e, k);
    }
  return any;
}
static bool meet(unsigned a, unsigned e, bool (*found)(unsigned a, unsigned i, unsigned e, unsigned k)) {
  return g.events[a].forgotten == NOWHERE && meet_even_if_forgotten(a, e, found);
}
static enum relation relation_of(unsigned a, unsigned i, unsigned e, unsigned k) {
  return related(actions[g.events[e].action].points[k], actions[g.events[a].action].points[i]);
}
static bool does_not_commute(unsigned a, unsigned i, unsigned e, unsigned k) {
  enum relation r = relation_of(a, i, e, k);
  return r == CONFLICT || r == DEPENDS;
}
static bool is_conflict(unsigned a, unsigned i, unsigned e, unsigned k) { return relation_of(a, i, e, k) == CONFLICT; }
static bool is_end(unsigned a, unsigned i, unsigned e, unsigned k) { return relation_of(a, i, e, k) == ENDS; }
static bool is_ended(unsigned a, unsigned i, unsigned e, unsigned k) { return relation_of(a, i, e, k) == ENDED; }
static bool is_end_of_known(unsigned a, unsigned i, unsigned e, unsigned k) { return is_end(a, i, e, k) && !g.events[a].ended[i]; }
static bool is_ended_by_known(unsigned a, unsigned i, unsigned e, unsigned k) { return is_ended(a, i, e, k) && !g.events[a].ended[i]; }
static bool is_known_conflict(unsigned a, unsigned i, unsigned e, unsigned k) { return is_conflict(a, i, e, k) && !g.events[a].ended[i]; }
static bool set_ended(unsigned a, unsigned i, unsigned e, unsigned k) {
  if (is_end(a, i, e, k)) g.events[a].ended[i] = true;
  return false;
}

/* Two accesses, or two actions, that sections are ordered by. */
static bool orders_sections(unsigned a, unsigned e) {
  const struct event *x = &g.events[a], *y = &g.events[e];
  if (x->inside && y->inside) return false;
  if (y->what == ACTION) return meet(a, e, does_not_commute);
  return (x->what == WRITE && (y->what == WRITE || y->what == READ) && x->at == y->at) ||
         (x->what == READ && y->what == WRITE && x->at == y->at);
}

static void order_by_conflicts(unsigned e) {
  for (unsigned i = 0; i < g.nsections; i++) {
    const struct section *open = &g.sections[i];
    if (open->release != NOWHERE || open->thread != g.events[e].thread) continue;
    for (unsigned k = 0; k < g.nsections; k++)
      for (unsigned a = 0; a < e && excludes(&g.sections[k], open); a++)
        if (within(&g.sections[k], a) && orders_sections(a, e)) order(g.sections[k].release, e);
  }
}

/* The ends of actions that do not commute with `begun` come before event e of it. */
static void order_by_ends(unsigned begun, unsigned e) {
  for (unsigned a = 0; a < begun || a < e; a++) {
    const struct event *x = &g.events[a];
    if (x->what == ACTION && a != begun && x->end != NOWHERE && x->end < (int)e && !(x->inside && g.events[begun].inside) &&
        (x->forgotten == NOWHERE || x->forgotten < x->end) && meet_even_if_forgotten(a, begun, does_not_commute))
      order(x->end, e);
  }
}

static void complete(const struct section *open, unsigned e) {
  if (analysis != ANALYSIS_OVP) return;
  for (unsigned times = 0; times < g.nsections; times++)
    for (unsigned k = 0; k < g.nsections; k++)
      if (excludes(&g.sections[k], open) && g.before[g.sections[k].acquire][e]) order(g.sections[k].release, e);
}

static bool common_locks(unsigned a, unsigned e, bool locks[LOCKS]) {
  bool any = false;
  for (unsigned i = 0; i < g.nsections; i++)
    for (unsigned k = 0; k < g.nsections; k++)
      if (g.sections[i].release == NOWHERE && g.sections[i].thread == g.events[e].thread && excludes(&g.sections[k], &g.sections[i]) &&
          within(&g.sections[k], a))
        locks[g.sections[i].lock] = any = true;
  return any;
}

/* A later action that touches the same point, and that the first one is ordered before, takes its place. */
static bool is_newest(unsigned a, unsigned i, unsigned e, unsigned k) {
  const struct event *x = &g.events[a];
  enum point p = actions[x->action].points[i];
  if (!is_end_of_known(a, i, e, k)) return false;
  for (unsigned b = a + 1; b < e; b++) {
    const struct event *y = &g.events[b];
    if (y->what != ACTION || y->at != x->at || y->inside != x->inside || (has_value(p) && y->value != x->value)) continue;
    for (unsigned n = 0; n < actions[y->action].count; n++)
      if (actions[y->action].points[n] == p && g.before[a][b] && g.happens[a][b]) return false;
  }
  return true;
}

/* The violations of action e with earlier ones; those that a lock hides wait for its section's end. */
static void check_action(unsigned e) {
  enum { MANY = 4 }; /* so many are told of at once */
  bool real[EVENTS] = {false}, expected = false;
  unsigned pairs = 0;
  for (unsigned a = 0; a < e; a++) {
    if (g.events[a].thread == g.events[e].thread) continue;
    struct pair_of_events p = {.first = a, .second = e};
    if (!ordered(a, e) && meet(a, e, is_conflict)) real[a] = true, expected |= meet(a, e, is_known_conflict), conflicts_seen++;
    if (!g.happens[a][e] && meet(a, e, is_ended)) real[a] = true, expected |= meet(a, e, is_ended_by_known);
    pairs += real[a];
    if (ordered(a, e) || !meet(a, e, is_end)) continue;
    pairs++;
    p.expected = meet(a, e, is_newest);
    if (g.happens[a][e] && common_locks(a, e, p.locks)) {
      if (analysis == ANALYSIS_OVP) g.waiting[g.nwaiting++] = p;
    } else {
      real[a] = true, expected |= p.expected, ends_seen++;
    }
  }
  for (unsigned i = 0; i < g.nwaiting; i++) g.waiting[i].expected &= pairs <= MANY || g.waiting[i].second != e;
  for (unsigned i = 0; i < g.nreported; i++)
    if (!real[g.reported[i].first] || g.reported[i].second != (int)e || !g.reported[i].action)
      fail_msg("action %u (%s): no violation with %d", e, actions[g.events[e].action].name, g.reported[i].first);
  if (SECTIONS_MAX >= 64 && expected && g.nreported == 0)
    fail_msg("action %u (%s of thread %d): its violation is not found", e, actions[g.events[e].action].name, g.events[e].thread);
}

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
    if (more)
      g.waiting[kept++] = p;
    else
      possible[p.first][p.second] = true, expected |= p.expected, hidden_seen++;
  }
  g.nwaiting = kept;
  for (unsigned i = 0; i < g.nreported; i++)
    if (!possible[g.reported[i].first][g.reported[i].second])
      fail_msg("release %u: no violation of %d by %d", e, g.reported[i].first, g.reported[i].second);
  if (SECTIONS_MAX >= 64 && expected && g.nreported == 0) fail_msg("release %u: a violation is not found", e);
}

static void access_memory(int thread, enum what what) {
  unsigned e = step(thread);
  struct event *x = &g.events[e];
  x->what = what, x->at = pick(WORDS);
  uintptr_t at = (uintptr_t)g.memory + 8 * x->at;
  order_by_conflicts(e);
  g.nreported = 0;
  if (what == READ)
    access_read(at, 8, place(e));
  else
    access_write(at, 8, place(e));
  for (unsigned i = 0; i < g.nreported; i++) {
    unsigned a = (unsigned)g.reported[i].first;
    bool real =
        !g.reported[i].action && g.events[a].at == x->at && (g.events[a].what == WRITE || (what == WRITE && g.events[a].what == READ));
    if (!real || ordered(a, e)) fail_msg("access %u: no race with %u", e, a);
    races_seen++;
  }
}

static void begin_action(int thread) {
  if (g.depth[thread] == DEEP) return;
  unsigned e = step(thread), depth = g.depth[thread];
  struct event *x = &g.events[e];
  x->what = ACTION, x->at = pick(OBJECTS), x->action = (int)pick(ACTIONS), x->value = (int)pick(VALUES);
  if ((x->action == BEGIN || x->action == ACTIONS - 1) && pick(3)) x->action = 1;
  order_by_conflicts(e);
  g.nreported = 0;
  uint64_t arguments[SPEC_PARAMETERS] = {(uintptr_t)g.objects[x->at], (uint64_t)x->value};
  action_begin(hd_fast.self, action_named(actions[x->action].name), arguments, &g.marks[thread][depth], place(e));
  check_action(e);
  order_by_ends(e, e);
  for (unsigned a = 0; a < e; a++) {
    meet(a, e, set_ended);
    if (x->action == BEGIN && g.events[a].what == ACTION && g.events[a].at == x->at) g.events[a].forgotten = (int)e;
  }
  g.doing[thread][g.depth[thread]++] = (int)e;
}

static void end_action(int thread) {
  if (g.depth[thread] == 0) return;
  unsigned e = step(thread), begun = (unsigned)g.doing[thread][--g.depth[thread]];
  order_by_ends(begun, e);
  action_end(hd_fast.self, &g.marks[thread][g.depth[thread]]);
  g.events[begun].end = (int)e;
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
    g.nreported = 0;
    section_end(hd_fast.self, s, mine->shared, true);
    violations_report(hd_fast.self);
    check_section(lock, e);
    mine->release = (int)e;
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
    g.sections[g.nsections++] = new;
  }
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
    g.alive[n] = true, g.id[n] = ++g.ids, g.last[n] = (int)e, g.depth[n] = 0;
    return;
  }
}

static bool is_busy(int thread) {
  for (int i = 0; i < LOCKS; i++)
    if (held(thread, i)) return true;
  return g.depth[thread] > 0;
}

static void end_or_join(int thread) {
  if (thread != 0 && !is_busy(thread) && pick(3) == 0) {
    step(thread);
    thread_end(hd_fast.self, &g.thread_ends[thread]);
    g.alive[thread] = false, g.joinable[thread] = true;
    return;
  }
  for (int n = 1; n < THREADS; n++) {
    if (!g.joinable[n]) continue;
    unsigned e = step(thread);
    order_hard(g.last[n], e);
    thread_acquire(hd_fast.self, g.thread_ends[n]);
    vclock_free(g.thread_ends[n]);
    g.thread_ends[n] = NULL, g.joinable[n] = false;
    return;
  }
}

static void start_trace(uint64_t seed) {
  struct fast main_thread = g.threads[0];
  memset(&g, 0, sizeof g);
  g.random = seed * 0x9e3779b97f4a7c15ull + 1;
  g.threads[0] = main_thread, g.alive[0] = true;
  for (int i = 0; i < THREADS; i++) g.last[i] = NOWHERE;
  access_forget((uintptr_t)g.memory, sizeof g.memory);
  actions_forget((uintptr_t)g.objects, sizeof g.objects, false);
  for (int i = 0; i < LOCKS; i++) sync_remove((uintptr_t)g.locks[i]), g.released[i] = NOWHERE;
}

static void finish_trace(void) {
  for (int n = THREADS - 1; n >= 0; n--) {
    if (!g.alive[n]) continue;
    hd_fast = g.threads[n];
    while (g.depth[n] > 0) end_action(n);
    for (int i = 0; i < LOCKS; i++)
      if (held(n, i)) lock_or_unlock(n, i);
    if (n > 0) thread_end(hd_fast.self, &g.thread_ends[n]);
  }
  for (int n = 1; n < THREADS; n++) {
    thread_acquire(hd_fast.self, g.thread_ends[n]);
    vclock_free(g.thread_ends[n]);
  }
  g.threads[0] = hd_fast;
}

static void one_trace(uint64_t seed) {
  start_trace(seed);
  while (g.count < EVENTS - (LOCKS + DEEP) * THREADS) {
    int thread = (int)pick(THREADS);
    if (!g.alive[thread]) continue;
    hd_fast = g.threads[thread];
    unsigned what = pick(40);
    if (what < 6)
      access_memory(thread, pick(3) ? READ : WRITE);
    else if (what < 14)
      begin_action(thread);
    else if (what < 22)
      end_action(thread);
    else if (what < 35)
      lock_or_unlock(thread, (int)pick(LOCKS));
    else if (what < 39)
      fork_thread(thread);
    else
      end_or_join(thread);
    g.threads[thread] = hd_fast;
  }
  finish_trace();
}

static uint64_t first_seed = 1;
static unsigned traces = 1500;

static void all_traces(enum analysis which) {
  analysis = which;
  conflicts_seen = ends_seen = hidden_seen = races_seen = 0;
  for (unsigned i = 0; i < traces; i++) one_trace(first_seed + i);
  if (traces < 100) return;
  assert_true(conflicts_seen > 0 && ends_seen > 0 && races_seen > 0);
  assert_true(hidden_seen > 0 || which != ANALYSIS_OVP);
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
  actions_specify(text, "things");
  runtime_on = true;
  g.threads[0] = hd_fast;
  const struct CMUnitTest tests[] = {cmocka_unit_test(wdc_is_as_defined), cmocka_unit_test(ovp_is_as_defined)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
