/* The race detector against happens-before as the standard defines it: all edges, transitive closure, all pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "base/mem.h"
#include "execution/run.h"
#include "happens/race.h"
#include "random_program.h"

#define MOST 256u
static bool before[MOST][MOST];

static bool is_atomic(const struct event *e) { return e->order != ORDER_PLAIN && e->op != EVENT_FREE; }
static bool writes(const struct event *e) { return e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_FREE; }
static bool reads(const struct event *e) { return e->op == EVENT_READ || e->op == EVENT_RMW; }
static bool is_access(const struct event *e) { return writes(e) || reads(e); }
static bool acquires(const struct event *e) { return e->order == ORDER_ACQUIRE || e->order >= ORDER_ACQ_REL; }
static bool releases(const struct event *e) { return e->order == ORDER_RELEASE || e->order >= ORDER_ACQ_REL; }
static bool overlap(const struct event *a, const struct event *b) {
  return a->object < b->object + b->size && b->object < a->object + a->size;
}

static uint64_t lock_released(const struct event *e) {
  return e->op == EVENT_RELEASE ? e->object : e->op == EVENT_WAIT_ENTER ? e->value2 : 0;
}
static uint64_t lock_acquired(const struct event *e) {
  if (e->op == EVENT_WAIT_LEAVE) return e->flags & EVENT_TIMED_OUT ? 0 : e->value2;
  return e->op == EVENT_ACQUIRE ? e->object : 0;
}

static bool in_section(const struct event *e) { return e->op == EVENT_ATOMIC || (e->flags & EVENT_INTERNAL); }

/* Sections are steps: two of which one writes what the other touches are ordered as wholes, others are not. `i`, `j`: of different threads,
 * within the trace that ends at `end`. */
static bool section_edge(const struct event *begin, const struct event *end, const struct event *i, const struct event *j) {
  if (i->thread == j->thread || !in_section(i) || !in_section(j)) return false;
  while (i > begin && i->op != EVENT_ATOMIC) i--;
  while (j > begin && j->op != EVENT_ATOMIC) j--;
  for (const struct event *a = i + 1; a < end && a->thread == i->thread && (a->flags & EVENT_INTERNAL); a++) {
    for (const struct event *b = j + 1; b < end && b->thread == j->thread && (b->flags & EVENT_INTERNAL); b++) {
      if (is_access(a) && is_access(b) && overlap(a, b) && (writes(a) || writes(b))) return true;
    }
  }
  return false;
}

/* Does i, earlier in the trace, synchronise with j by an operation of the thread library? */
static bool library_edge(const struct event *i, const struct event *j) {
  if (lock_released(i) && lock_released(i) == lock_acquired(j)) return !(i->flags & j->flags & EVENT_SHARED_LOCK);
  if (i->op == EVENT_SEM_POST && j->op == EVENT_SEM_WAIT) return i->object == j->object;
  if ((i->op == EVENT_SIGNAL || i->op == EVENT_BROADCAST) && j->op == EVENT_WAIT_LEAVE)
    return i->object == j->object && !(j->flags & EVENT_TIMED_OUT);
  if (i->op == EVENT_BARRIER_ENTER && j->op == EVENT_BARRIER_LEAVE) return i->object == j->object && i->value == j->value;
  if (i->op == EVENT_FORK) return j->thread == i->object;
  return j->op == EVENT_JOIN && i->thread == j->object && !(j->flags & EVENT_TIMED_OUT);
}

static uint32_t write_before(const struct event *trace, uint32_t i) {
  uint32_t w = i;
  while (w-- > 0) {
    if (writes(&trace[w]) && overlap(&trace[w], &trace[i])) return w;
  }
  return UINT32_MAX;
}

/* The store `head` (or a fence before it) synchronises with the read `j` (or a fence behind it). */
static void synchronise(const struct event *trace, uint32_t n, uint32_t head, uint32_t j) {
  for (uint32_t from = 0; from <= head; from++) {
    const struct event *f = &trace[from];
    if (f->thread != trace[head].thread || !releases(f) || (from != head && f->op != EVENT_FENCE)) continue;
    for (uint32_t to = j; to < n; to++) {
      const struct event *t = &trace[to];
      if (t->thread == trace[j].thread && acquires(t) && (to == j || t->op == EVENT_FENCE)) before[from][to] = true;
    }
  }
}

static void atomic_edges(const struct event *trace, uint32_t n, uint32_t j) {
  if (!reads(&trace[j]) || !is_atomic(&trace[j])) return;
  for (uint32_t w = write_before(trace, j); w != UINT32_MAX && is_atomic(&trace[w]); w = write_before(trace, w)) {
    synchronise(trace, n, w, j);
    if (trace[w].op != EVENT_RMW) return; /* the release sequence begins here */
  }
}

static void build(const struct event *trace, uint32_t n) {
  memset(before, 0, sizeof before);
  for (uint32_t j = 0; j < n; j++) {
    for (uint32_t i = 0; i < j; i++) {
      if (trace[i].thread == trace[j].thread || library_edge(&trace[i], &trace[j]) || section_edge(trace, trace + n, &trace[i], &trace[j]))
        before[i][j] = true;
    }
    atomic_edges(trace, n, j);
  }
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t i = 0; i < k; i++) {
      for (uint32_t j = k + 1; before[i][k] && j < n; j++) before[i][j] |= before[k][j];
    }
  }
}

static bool race(const struct event *trace, uint32_t i, uint32_t j) {
  const struct event *a = &trace[i], *b = &trace[j];
  return is_access(a) && is_access(b) && overlap(a, b) && (writes(a) || writes(b)) && !(is_atomic(a) && is_atomic(b)) && !before[i][j];
}

/* Every reported pair races, and whatever races with something before it is reported with something before it. */
static uint32_t check(struct races *r, const struct event *trace, uint32_t n) {
  assert_true(n <= MOST);
  build(trace, n);
  races_forget(r);
  races_find(r, trace, n);
  bool reported[MOST] = {0};
  for (size_t k = 0; k < r->found.count; k++) {
    struct race_pair p = r->found.data[k];
    assert_true(p.first < p.second && race(trace, p.first, p.second));
    reported[p.second] = true;
  }
  uint32_t racing = 0;
  for (uint32_t j = 0; j < n; j++) {
    bool races = false;
    for (uint32_t i = 0; i < j; i++) races |= race(trace, i, j);
    assert_int_equal(races, reported[j]);
    racing += races;
  }
  return racing;
}

/* The quick look says no only where nothing races; true if it says no. */
static bool ruled_out(struct locksets *l, const struct event *trace, uint32_t n, uint32_t racing) {
  l->in_vain = 0; /* look at every trace */
  bool may = locksets_may_race(l, trace, n);
  assert_true(may || racing == 0);
  return !may;
}

static void random_traces_match_the_definition(void **state) {
  (void)state;
  static const unsigned mixes[] = {
      FEATURE_ACCESS | FEATURE_ATOMIC | FEATURE_AWAIT,
      FEATURE_ACCESS | FEATURE_ATOMIC | FEATURE_LOCK | FEATURE_TRYLOCK | FEATURE_RWLOCK | FEATURE_COND,
      FEATURE_ACCESS | FEATURE_SEMAPHORE | FEATURE_BARRIER | FEATURE_JOIN | FEATURE_FREE,
      FEATURE_ACCESS | FEATURE_SECTION | FEATURE_BRANCH | FEATURE_LOCK,
      FEATURE_ALL & ~(unsigned)FEATURE_MIXED,
  };
  uint64_t programs = getenv("PROGRAMS") ? strtoull(getenv("PROGRAMS"), NULL, 10) : 300, racing = 0, quick = 0;
  struct races r = {0};
  struct locksets locksets = {0};
  for (uint64_t seed = 1; seed <= programs; seed++) {
    struct toy_program p;
    random_program(&p, seed, mixes[seed % 5], 2 + (unsigned)(seed % 3), 8);
    struct strategy_options options = {.seed = seed, .executions = 20};
    struct strategy *s = strategy_random.create(&options);
    struct machine *m = toy_new(&p);
    struct run run;
    run_init(&run, m);
    for (const struct schedule *prefix; (prefix = strategy_random.next(s));) {
      assert_true(run_with(&run, &strategy_random, s, prefix));
      uint32_t n;
      const struct event *trace = machine_trace(m, &n);
      uint32_t here = check(&r, trace, n);
      racing += here;
      quick += ruled_out(&locksets, trace, n, here);
    }
    run_release(&run);
    toy_free(m);
    strategy_random.destroy(s);
  }
  races_release(&r);
  locksets_release(&locksets);
  assert_true(racing > programs && quick > programs / 4); /* enough of both kinds to mean something */
}

static struct event at(uint32_t thread, enum event_op op, uint64_t object, uint64_t size, enum event_order order, uint32_t site) {
  return (struct event){.op = (uint8_t)op, .order = (uint8_t)order, .thread = thread, .object = object, .size = size, .site = site};
}

static size_t races_in(const struct event *trace, uint32_t n) {
  struct races r = {0};
  races_find(&r, trace, n);
  size_t found = r.found.count;
  races_release(&r);
  return found;
}

static void bytes_side_by_side_do_not_race(void **state) {
  (void)state;
  struct event trace[] = {at(0, EVENT_FORK, 1, 0, ORDER_PLAIN, 1), at(0, EVENT_WRITE, 0x1003, 1, ORDER_PLAIN, 2),
                          at(1, EVENT_WRITE, 0x1004, 4, ORDER_PLAIN, 3)};
  assert_int_equal(races_in(trace, 3), 0);
  trace[2].object = 0x1000; /* now the last of its bytes is shared */
  assert_int_equal(races_in(trace, 3), 1);
  trace[1].object = 0xfff, trace[1].size = 2; /* across two granules */
  assert_int_equal(races_in(trace, 3), 1);
}

static void freeing_a_large_block_races_with_its_use(void **state) {
  (void)state;
  struct event trace[] = {at(0, EVENT_FORK, 1, 0, ORDER_PLAIN, 1), at(1, EVENT_READ, 0x208000, 8, ORDER_RELAXED, 2),
                          at(1, EVENT_READ, 0x308000, 8, ORDER_PLAIN, 3), at(0, EVENT_FREE, 0x200000, 1 << 20, ORDER_PLAIN, 4)};
  assert_int_equal(races_in(trace, 4), 1);
  trace[3] = at(0, EVENT_FREE, 0x300000, 1 << 20, ORDER_PLAIN, 4);
  assert_int_equal(races_in(trace, 4), 1);
  trace[3] = at(0, EVENT_FREE, 0x400000, 1 << 20, ORDER_PLAIN, 4);
  assert_int_equal(races_in(trace, 4), 0);
}

static void many_threads_and_a_pair_of_sites_once(void **state) {
  (void)state;
  struct event trace[128];
  uint32_t n = 0;
  for (uint32_t t = 1; t < 40; t++) trace[n++] = at(0, EVENT_FORK, t, 0, ORDER_PLAIN, 1);
  for (uint32_t t = 1; t < 40; t++) trace[n++] = at(t, EVENT_WRITE, 0x1000, 4, ORDER_PLAIN, 2);
  assert_int_equal(races_in(trace, n), 1);
}

static void nothing_leaks(void **state) {
  (void)state;
  assert_int_equal(mem_live(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_traces_match_the_definition),
      cmocka_unit_test(bytes_side_by_side_do_not_race),
      cmocka_unit_test(freeing_a_large_block_races_with_its_use),
      cmocka_unit_test(many_threads_and_a_pair_of_sites_once),
      cmocka_unit_test(nothing_leaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
