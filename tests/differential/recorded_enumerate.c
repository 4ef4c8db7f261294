#include "recorded_enumerate.h"

#include <string.h>

#include "base/hash.h"

#define MOST_STATES 200000u
#define SLOTS       (1u << 19)

static VEC(struct run_state) found;
static VEC(uint32_t) used;    /* slots that are not empty */
static uint32_t slots[SLOTS]; /* state + 1 */

void truth_release(void) {
  vec_release(&found);
  vec_release(&used);
}

static void begin(void) {
  for (size_t i = 0; i < used.count; i++) slots[used.data[i]] = 0;
  vec_clear(&used);
  vec_clear(&found);
}

/* Adds a state that is new. */
static void visit(const struct run_state *s) {
  uint64_t h = hash_bytes(s, sizeof *s, 1);
  for (uint64_t i = h % SLOTS;; i = (i + 1) % SLOTS) {
    if (slots[i] == 0) {
      slots[i] = (uint32_t)found.count + 1;
      *vec_push(&found) = *s;
      *vec_push(&used) = (uint32_t)i;
      return;
    }
    if (memcmp(&found.data[slots[i] - 1], s, sizeof *s) == 0) return;
  }
}

static void visit_after(const struct run *r, const struct run_state *from, const struct event *e, uint32_t woken) {
  struct run_state s = *from;
  run_apply(r, &s, e, woken);
  visit(&s);
}

/* All states behind the event, if it can be executed. */
static void step(const struct run *r, const struct run_state *s, const struct event *e) {
  uint32_t waiters = run_waiters(s, e);
  if (!run_may(r, s, e)) return;
  if (e->op != EVENT_SIGNAL || !waiters) visit_after(r, s, e, waiters);
  for (uint32_t rest = e->op == EVENT_SIGNAL ? waiters : 0; rest; rest &= rest - 1) visit_after(r, s, e, rest & -rest);
}

/* Some orders only. */
struct rule {
  bool (*may)(const void *data, const struct run_state *s, const struct event *e);
  const void *data;
};

/* All states that can be reached from `first` by steps that the rule allows. */
static bool reach_by(const struct run *r, const struct run_state *first, struct rule rule) {
  struct run_state s;
  begin();
  visit(first);
  for (size_t i = 0; i < found.count && found.count < MOST_STATES; i++) {
    s = found.data[i];
    for (uint32_t t = 0; t < r->threads; t++) {
      const struct event *e = run_next(r, &s, t);
      if (e && rule.may(rule.data, &s, e)) step(r, &s, e);
    }
  }
  return found.count < MOST_STATES;
}

struct two {
  const struct run *r;
  uint32_t before, after;
};
static bool comes_after(const void *data, const struct run_state *s, const struct event *e) {
  const struct two *x = data;
  return x->after != (uint32_t)(e - x->r->trace) || s->position[x->r->trace[x->before].thread] > x->r->trace[x->before].index;
}

/* All states that can be reached if `after` (UINT32_MAX: no such thing) comes behind `before`. */
static bool reach(const struct run *r, const struct run_state *first, uint32_t before, uint32_t after) {
  struct two two = {r, before, after};
  return reach_by(r, first, (struct rule){comes_after, &two});
}

bool truth_reaches(const struct run *r, bool (*may)(const void *data, const struct run_state *s, const struct event *e),
                   bool (*is_goal)(const void *data, const struct run_state *s), const void *data, bool *complete) {
  struct run_state first;
  run_begin(r, &first);
  *complete = reach_by(r, &first, (struct rule){may, data});
  for (size_t i = 0; i < found.count; i++)
    if (is_goal(data, &found.data[i])) return true;
  return false;
}

/* --- what a state shows --- */

static uint32_t number(const struct run *r, const struct event *e) { return (uint32_t)(e - r->trace); }
static bool done(const struct run_state *s, const struct event *e) { return s->position[e->thread] > e->index; }

bool truth_races(const struct run *r, const struct run_state *s, const struct event *a, const struct event *b) {
  if (!run_is_judged(a) || !run_is_judged(b) || !run_overlap(a, b) || !(run_writes(a) || run_writes(b))) return false;
  if (a->op == EVENT_FREE || b->op == EVENT_FREE || (a->order != ORDER_PLAIN && b->order != ORDER_PLAIN)) return false;
  return !(run_decides(a) && !run_writes(b) && !run_may(r, s, a)) && !(run_decides(b) && !run_writes(a) && !run_may(r, s, b));
}

static void note_accesses(struct truth *x, const struct run *r, const struct run_state *s) {
  for (uint32_t t = 0; t < r->threads; t++) {
    const struct event *a = run_next(r, s, t);
    if (!a || !run_is_judged(a)) continue;
    for (uint32_t u = 0; u < r->threads; u++) {
      const struct event *b = run_next(r, s, u);
      if (u != t && b && truth_races(r, s, a, b)) x->race[number(r, a)][number(r, b)] = true;
    }
    for (uint32_t i = 0; i < r->n; i++) {
      const struct event *f = &r->trace[i];
      if (f->op == EVENT_FREE && f->thread != t && run_overlap(f, a) && done(s, f)) x->freed[i][number(r, a)] = true;
    }
  }
}

static void note_cycle(struct truth *x, const uint32_t cycle[RUN_THREADS]) {
  for (uint32_t i = 0; i < x->cycles; i++)
    if (memcmp(x->cycle[i], cycle, sizeof x->cycle[i]) == 0) return;
  if (x->cycles < TRUTH_CYCLES) memcpy(x->cycle[x->cycles++], cycle, sizeof x->cycle[0]);
}

/* Goes on from thread `t` to those that block it; `first`, the smallest, closes the cycle. */
static void extend_cycle(struct truth *x, const struct run *r, const struct run_state *s, uint32_t first, uint32_t t, uint32_t *cycle) {
  const struct event *e = run_next(r, s, t);
  if (!e || e->op != EVENT_ACQUIRE || (e->flags & EVENT_TRY)) return;
  uint32_t set = run_blockers(s, e);
  cycle[t] = number(r, e);
  for (uint32_t u = first; u < r->threads; u++) {
    if (!(set >> u & 1)) continue;
    if (u == first)
      note_cycle(x, cycle);
    else if (cycle[u] == UINT32_MAX)
      extend_cycle(x, r, s, first, u, cycle);
  }
  cycle[t] = UINT32_MAX;
}

static void note_cycles(struct truth *x, const struct run *r, const struct run_state *s) {
  for (uint32_t t = 0; t < r->threads; t++) {
    uint32_t cycle[RUN_THREADS];
    memset(cycle, 0xff, sizeof cycle);
    extend_cycle(x, r, s, t, t, cycle);
  }
}

/* Did the wait end otherwise than by its time being up? */
static bool is_notified(const struct run *r, const struct event *enter) {
  if (enter->index + 1u >= r->length[enter->thread]) return false;
  return !(r->trace[r->by_thread[enter->thread][enter->index + 1]].flags & EVENT_TIMED_OUT);
}

static void note_waits(struct truth *x, const struct run *r, const struct run_state *s) {
  for (uint32_t t = 0; t < r->threads; t++) {
    const struct event *e = run_next(r, s, t);
    bool left = !e || e->op != EVENT_WAIT_ENTER || !is_notified(r, e);
    if (left) continue;
    for (uint32_t i = 0; i < r->n; i++) {
      const struct event *n = &r->trace[i];
      left |= (n->op == EVENT_SIGNAL || n->op == EVENT_BROADCAST) && n->object == e->object && !done(s, n);
    }
    if (!left) x->lost[number(r, e)] = true;
  }
}

uint32_t truth_pointer(const struct run *r, uint32_t branch) {
  const struct event *b = &r->trace[branch];
  for (uint32_t i = b->index; b->value >= RUN_VALUE && b->object == b->value && i-- > 0;) {
    const struct event *e = &r->trace[r->by_thread[b->thread][i]];
    if (e->op == RECORDED_BRANCH) break;
    if (e->op == EVENT_READ && e->size == 8 && e->value == b->value && e->site == b->value2) return number(r, e);
  }
  return UINT32_MAX;
}

/* How many reads there are in the thread between its branch before `e` and `e`. */
static uint32_t reads_before(const struct run *r, const struct event *e) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < e->index; i++) {
    const struct event *x = &r->trace[r->by_thread[e->thread][i]];
    n = x->op == RECORDED_BRANCH ? 0 : n + (x->op == EVENT_READ || x->op == EVENT_RMW);
  }
  return n;
}

static void note_nulls(struct truth *x, const struct run *r, const struct run_state *s) {
  for (uint32_t t = 0; t < r->threads; t++) {
    const struct event *e = run_next(r, s, t);
    uint32_t pointer = e && e->op == RECORDED_BRANCH ? truth_pointer(r, number(r, e)) : UINT32_MAX;
    if (pointer == UINT32_MAX) continue;
    if (s->nulls[t] >> reads_before(r, &r->trace[pointer]) & 1) x->null[number(r, e)] = true;
  }
}

/* --- regions --- */

bool truth_one_region(const struct run *r, uint32_t a, uint32_t c) {
  uint32_t open = 0, calls = 0, t = r->trace[a].thread; /* sections, and calls, that are open since before `a` */
  for (uint32_t i = 0; i < r->trace[c].index; i++) {
    const struct event *e = &r->trace[r->by_thread[t][i]];
    bool early = i < r->trace[a].index;
    if (e->op == EVENT_ACQUIRE && early) open |= 1u << run_lock(e->object);
    if (e->op == EVENT_WAIT_LEAVE && !(e->flags & EVENT_TIMED_OUT) && early) open |= 1u << run_lock(e->value2);
    if (e->op == EVENT_RELEASE) open &= ~(1u << run_lock(e->object));
    if (e->op == EVENT_WAIT_ENTER) open = 0; /* who waits lets others in */
    if (e->op == RECORDED_CALL && early) calls = 1;
    if (e->op == RECORDED_RETURN) calls = 0;
  }
  return open || calls;
}

static bool reads(const struct event *e) { return e->op == EVENT_READ || e->op == EVENT_RMW; }
static bool writes(const struct event *e) { return e->op == EVENT_WRITE || e->op == EVENT_RMW; }

bool truth_unserialisable(const struct event *a, const struct event *b, const struct event *c) {
  if (a->op == EVENT_FREE || b->op == EVENT_FREE || c->op == EVENT_FREE) return false;
  bool plain = a->order == ORDER_PLAIN || b->order == ORDER_PLAIN || c->order == ORDER_PLAIN, stale = a->op == EVENT_READ && c->op == EVENT_WRITE;
  if (!plain && !stale) return false;
  return (writes(b) && (reads(c) || (reads(a) && writes(c)))) || (reads(b) && writes(a) && writes(c));
}

/* Do all three touch the same byte? (Ranges of which each two overlap have one in common.) */
static bool meet(const struct event *a, const struct event *b, const struct event *c) {
  return run_overlap(a, b) && run_overlap(a, c) && run_overlap(b, c);
}

static void find_violations(struct truth *x, const struct run *r, const struct run_state *begin, uint32_t a, uint32_t b) {
  bool any = false;
  const struct event *first = &r->trace[a], *other = &r->trace[b];
  for (uint32_t i = first->index + 1; i < r->length[first->thread]; i++) {
    uint32_t c = r->by_thread[first->thread][i];
    const struct event *last = &r->trace[c];
    any |= run_is_judged(last) && meet(first, other, last) && truth_unserialisable(first, other, last) && truth_one_region(r, a, c);
  }
  if (!any) return;
  x->complete &= reach(r, begin, a, b);
  for (size_t i = 0; i < found.count; i++) {
    const struct run_state *s = &found.data[i];
    const struct event *e = run_next(r, s, first->thread);
    if (!e || !done(s, other) || !run_is_judged(e) || !meet(first, other, e)) continue;
    if (run_decides(e) && !run_writes(other) && !run_may(r, s, e)) continue;
    if (truth_unserialisable(first, other, e) && truth_one_region(r, a, number(r, e))) x->violation[a][b][number(r, e)] = true;
  }
}

/* All that states behind `begin`, which is behind `from` events, show. */
static void add_truth(struct truth *x, const struct run *r, const struct run_state *begin, uint32_t from, bool notified_later) {
  x->complete &= reach(r, begin, UINT32_MAX, UINT32_MAX);
  x->states += (uint32_t)found.count;
  for (size_t i = 0; i < found.count; i++) {
    note_accesses(x, r, &found.data[i]);
    note_cycles(x, r, &found.data[i]);
    if (!notified_later) note_waits(x, r, &found.data[i]);
    note_nulls(x, r, &found.data[i]);
  }
  for (uint32_t a = from; a < r->n; a++) {
    for (uint32_t b = from; b < r->n; b++) {
      const struct event *first = &r->trace[a], *other = &r->trace[b];
      if (!run_is_judged(first) || !run_is_judged(other) || first->thread == other->thread || !run_overlap(first, other)) continue;
      find_violations(x, r, begin, a, b);
    }
  }
}

void truth_find(struct truth *x, const struct run *r) {
  struct run_state begin;
  memset(x, 0, sizeof *x);
  x->complete = true;
  run_begin(r, &begin);
  add_truth(x, r, &begin, 0, false);
}

/* --- windows --- */

/* Whom a signal of the run woke: who leaves first behind it, else one that never does; as a set. */
static uint32_t woken_by(const struct run *r, const struct run_state *s, uint32_t signal) {
  uint32_t waiters = run_waiters(s, &r->trace[signal]), staying = waiters;
  for (uint32_t i = signal + 1; i < r->n; i++) {
    const struct event *e = &r->trace[i];
    if (e->op != EVENT_WAIT_LEAVE || !(staying >> e->thread & 1)) continue;
    if (!(e->flags & EVENT_TIMED_OUT)) return 1u << e->thread;
    staying &= ~(1u << e->thread);
  }
  return staying & -staying;
}

void truth_add_window(struct truth *x, const struct run *r, uint32_t from, uint32_t to) {
  struct run cut = {.round = r->round};
  struct run_state s;
  bool later = false;
  for (uint32_t i = 0; i < to; i++) run_add(&cut, &r->trace[i]);
  for (uint32_t i = to; i < r->n; i++) later |= r->trace[i].op == EVENT_SIGNAL || r->trace[i].op == EVENT_BROADCAST;
  cut.threads = r->threads, cut.forks = r->forks, cut.trusts = r->trusts;
  if (r->lives) run_find_pointers(&cut, from);
  run_hide_units(&cut);
  run_begin(&cut, &s);
  for (uint32_t i = 0; i < from; i++) {
    const struct event *e = &r->trace[i];
    run_apply(&cut, &s, e, e->op == EVENT_SIGNAL ? woken_by(r, &s, i) : run_waiters(&s, e));
  }
  add_truth(x, &cut, &s, from, later);
}
