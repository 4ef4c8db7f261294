#include "execution/livelock.h"

#include <stdio.h>
#include <string.h>

#include "base/deadline.h"
#include "base/hash.h"
#include "states/visited.h"
#include "strategy/tree.h"

/* So many states behind a circle are looked at: one that is left at all is left by some thread that runs alone for a while, so soon. But
 * the end may be far from there: further steps are taken by chance. */
#define STATES_MOST 20000u
#define CHANCE_MOST (1u << 18)

struct search {
  struct run *run;
  struct schedule from; /* leads to where it begins */
  struct tree tree;     /* of the steps behind that */
  struct visited seen;
};

static bool enter(struct search *h) {
  struct execution x = run_view(h->run);
  struct fingerprint state = execution_fingerprint(&x);
  state.lo += x.loops, state.hi += x.loops;
  if (tset_empty(x.enabled) || visited_find(&h->seen, state) != NOT_VISITED) return false;
  visited_add(&h->seen, state, 0);
  tree_enter(&h->tree, &x);
  return true;
}

/* Goes back to the deepest state that has a step left. False: none has. */
static bool back(struct search *h) {
  struct run *r = h->run;
  while (h->tree.nodes.count && !tree_turn(&h->tree)) continue;
  if (h->tree.nodes.count == 0) return false;
  size_t n = h->from.steps.count + h->tree.path.steps.count - 1;
  struct schedule to = {0};
  schedule_add(&to, h->from.steps.data, h->from.steps.count);
  schedule_add(&to, h->tree.path.steps.data, h->tree.path.steps.count - 1);
  run_return(r, to.steps.data, n);
  size_t known = r->steps.steps.count;
  bool followed = run_follow(r, to.steps.data + known, n - known);
  vec_release(&to.steps);
  return followed;
}

static void take(struct search *h) {
  struct run *r = h->run;
  struct execution x = run_view(r);
  struct step step = tree_take(&h->tree, &x);
  if (x.depth >= r->mark_next) run_keep(r);
  run_step(r, step);
}

static bool is_cut_short(const struct search *h) { return deadline_passed || machine_sharing_changed(h->run->machine); }

static bool is_out(const struct search *h) {
  enum machine_status status = machine_status(h->run->machine);
  return status != MACHINE_RUNNING && status != MACHINE_LIMIT;
}

static uint32_t nth_of(const struct tset *threads, uint64_t n) {
  uint32_t thread = tset_next(threads, 0);
  for (n %= tset_count(threads); n > 0; n--) thread = tset_next(threads, thread + 1);
  return thread;
}

/* Lets one thread go on, and then another, to an end if that is not too far. */
static enum way_out try_chance(struct search *h) {
  struct machine *m = h->run->machine;
  uint64_t chance = 0;
  for (uint32_t i = 0; i < CHANCE_MOST && machine_status(m) == MACHINE_RUNNING && !is_cut_short(h); i++) {
    chance = hash_mix(chance + i);
    uint32_t thread = nth_of(machine_enabled(m), chance >> 32);
    run_step(h->run, (struct step){thread, (uint32_t)chance % machine_alternatives(m, thread)});
  }
  return is_out(h) ? WAY_OUT : WAY_UNKNOWN;
}

static enum way_out search(struct search *h) {
  while (!is_cut_short(h)) {
    if (is_out(h)) return WAY_OUT;
    bool is_new = machine_status(h->run->machine) == MACHINE_RUNNING && enter(h);
    if (h->seen.count > STATES_MOST) return try_chance(h);
    if (!is_new && !back(h)) return WAY_NONE;
    if (!is_cut_short(h)) take(h);
  }
  return WAY_UNKNOWN;
}

bool livelock_search(struct run *r, enum way_out *way) {
  struct search h = {.run = r};
  const struct livelock livelock = r->livelock;
  schedule_add(&h.from, r->steps.steps.data, r->steps.steps.count);
  run_keep(r);
  uint64_t draws = machine_draws(r->machine);
  *way = search(&h);
  if (*way == WAY_NONE && machine_draws(r->machine) != draws) *way = WAY_INPUT;
  bool done = !is_cut_short(&h);
  if (done) {
    run_return(r, h.from.steps.data, h.from.steps.count);
    r->livelock = livelock;
  } else {
    r->livelock.found = false;
    r->circle.found = true; /* it has been here before */
  }
  run_finish(r);
  tree_release(&h.tree);
  visited_release(&h.seen);
  vec_release(&h.from.steps);
  return done;
}

/* Flushes are steps of others, of a thread that takes part. */
static const struct event *first_place(const struct event *trace, uint32_t from, uint32_t n, uint32_t thread) {
  const struct event *first = NULL;
  for (uint32_t i = from; i < n; i++) {
    const struct event *e = &trace[i];
    if (e->thread == thread && e->op != EVENT_FLUSH && (!first || e->site < first->site)) first = e;
  }
  return first;
}

void livelock_sites(const struct machine *m, uint32_t from, struct finding *f) {
  uint32_t n;
  const struct event *trace = machine_trace(m, &n);
  struct tset threads = {0};
  for (uint32_t i = from; i < n; i++)
    if (trace[i].op != EVENT_FLUSH) tset_add(&threads, trace[i].thread);
  for (uint32_t t = tset_next(&threads, 0); t < THREADS_MAX; t = tset_next(&threads, t + 1)) {
    const struct event *e = first_place(trace, from, n, t);
    struct finding_site *site = vec_push(&f->sites);
    *site = (struct finding_site){.thread = t, .site = e->site, .event = (uint32_t)(e - trace)};
    snprintf(site->role, sizeof site->role, "repeats");
  }
}
