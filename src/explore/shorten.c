/* Shortening: schedules with fewer context switches that show the same findings (finding_key()).
 *
 * 1. Context bounding, for all findings at once: all schedules without a preemption, then with one, up to as many as a finding's known one
 *    has. What shows it first has the fewest preemptions there are, and if nothing does the known one has; unless the executions to spend
 *    run out: then nothing is claimed.
 * 2. Moving blocks: as long as it helps, a block of steps of one thread is moved next to the thread's block before or behind it. What
 *    is left cannot be improved by a single such move.
 * Preemptions come first, then switches, then steps. That a store leaves its buffer is no preemption here. The context bounding of part 1
 * takes it for one, so with buffers nothing is claimed.
 *
 * When the time is over, or at an interruption, it ends where it is, be that in the midst of an execution. */
#include <string.h>

#include "base/deadline.h"
#include "explore/session.h"

struct cost {
  uint32_t preemptions, switches;
  size_t steps;
};

static bool cheaper(struct cost a, struct cost b) {
  if (a.preemptions != b.preemptions) return a.preemptions < b.preemptions;
  if (a.switches != b.switches) return a.switches < b.switches;
  return a.steps < b.steps;
}

struct shortening {
  struct session *session;
  struct explore_finding *finding;
  struct cost cost; /* of the finding's schedule */
  uint32_t left;    /* executions that may be made */
  uint32_t kept;    /* that many of them are kept for part 2 */
  bool sought;      /* by part 1 */
};

static bool is_agent(const struct machine *m, uint32_t thread) { return machine_buffers(m) && thread >= AGENTS_FROM; }

/* The last thread that took a step, agents aside; THREADS_MAX: none did. */
static uint32_t last_thread(const struct run *r) {
  for (size_t i = r->steps.steps.count; i-- > 0;)
    if (!is_agent(r->machine, r->steps.steps.data[i].thread)) return r->steps.steps.data[i].thread;
  return THREADS_MAX;
}

/* False: it must end. */
static bool take(const struct shortening *h, struct step step, uint32_t *preemptions) {
  struct run *r = &h->session->run;
  if (deadline_passed) return false;
  if (!is_agent(r->machine, step.thread)) {
    uint32_t running = last_thread(r);
    *preemptions += running != step.thread && running < THREADS_MAX && tset_has(machine_enabled(r->machine), running);
  }
  run_step(r, step);
  return true;
}

/* Follows steps as far as they are possible, skipping those that are not, and then goes on with as few switches as can be; until the
 * finding shows. Not strictly: gives up when there are more preemptions than in the known schedule. Also false if it must end. */
static bool try_steps(struct shortening *h, const struct step *steps, size_t n, bool strictly, struct cost *cost) {
  struct run *r = &h->session->run;
  uint32_t preemptions = 0;
  run_begin(r);
  for (size_t i = 0; i < n && run_going(r); i++) {
    struct step step = steps[i];
    if (!tset_has(machine_enabled(r->machine), step.thread)) {
      if (strictly) return false;
      continue;
    }
    if (step.choice >= machine_alternatives(r->machine, step.thread)) step.choice = 0;
    if (!take(h, step, &preemptions)) return false;
    if (!strictly && preemptions > h->cost.preemptions) return false;
  }
  for (size_t extra = 0; !strictly && run_going(r) && extra < n; extra++) {
    uint32_t t = r->steps.steps.count ? vec_last(&r->steps.steps).thread : 0;
    if (!tset_has(machine_enabled(r->machine), t)) t = tset_next(machine_enabled(r->machine), 0);
    if (!take(h, (struct step){.thread = t}, &preemptions)) return false;
  }
  run_finish(r);
  size_t needed;
  if (!collect_shows(h->session, h->finding, &needed)) return false;
  *cost = (struct cost){preemptions, schedule_switches(r->machine, r->steps.steps.data, needed), needed};
  return true;
}

/* The execution just made shows the finding at this cost. It is what the finding tells of from now on, as it may be the last one. */
static void adopt(struct shortening *h, struct cost cost) {
  collect_update(h->session, h->finding);
  h->cost = cost;
  h->finding->preemptions = cost.preemptions;
}

/* An execution of so many steps costs as much as one more: what shortening takes is in proportion to the steps of the executions that may
 * be made, however long the finding's is. */
#define STEPS_AN_EXECUTION 400u

static void pay_for_steps(struct shortening *h) {
  size_t more = h->session->run.steps.steps.count / STEPS_AN_EXECUTION;
  h->left = more < h->left ? h->left - (uint32_t)more : 0;
}

static bool may_go_on(struct shortening *h) {
  if (h->left <= h->kept || deadline_passed || machine_sharing_changed(h->session->machine)) return false;
  h->left--;
  return true;
}

typedef VEC(struct shortening) shortenings;

/* Ends the search for those findings whose known schedules have no more preemptions than the executions to come; what is found later would
 * not be better. True if any is left. */
static bool any_sought(shortenings *all, uint32_t preemptions, bool limited) {
  bool any = false;
  for (size_t i = 0; i < all->count; i++) {
    struct shortening *h = &all->data[i];
    if (h->sought && h->cost.preemptions <= preemptions) h->sought = false, h->finding->fewest_preemptions = !limited;
    if (h->sought && !may_go_on(h)) h->sought = false;
    any |= h->sought;
  }
  return any;
}

static bool races_sought(const shortenings *all) {
  bool any = false;
  for (size_t i = 0; i < all->count; i++) any |= all->data[i].sought && all->data[i].finding->finding.kind == FINDING_DATA_RACE;
  return any;
}

/* The execution just made shows the finding in its first `needed` steps. */
static void found(struct shortening *h, const struct step *steps, size_t needed, bool limited) {
  struct cost cost;
  h->sought = false;
  if (!try_steps(h, steps, needed, true, &cost)) return;
  h->finding->fewest_preemptions = !limited;
  adopt(h, cost);
}

/* Ends the search for what the execution just made shows. */
static void note_findings_shown(struct session *s, shortenings *all, bool limited) {
  struct shown shown = {0};
  VEC(struct step) steps = {0};
  collect_shown(s, races_sought(all), &shown);
  for (size_t i = 0; i < all->count; i++) {
    const struct shown_finding *f = all->data[i].sought ? shown_find(&shown, all->data[i].finding->key) : NULL;
    if (!f) continue;
    size_t n = s->run.steps.steps.count;
    if (steps.count == 0 && n) memcpy(vec_push_n(&steps, n), s->run.steps.steps.data, n * sizeof(struct step));
    found(&all->data[i], steps.data, f->steps, limited);
  }
  vec_release(&steps);
  vec_release(&shown.findings);
}

/* Part 1. */
static void bound_contexts(struct session *s, shortenings *all) {
  struct strategy_options options = {.once = true};
  for (size_t i = 0; i < all->count; i++) {
    uint32_t preemptions = all->data[i].cost.preemptions;
    all->data[i].sought = true;
    all->data[i].finding->fewest_preemptions = false;
    if (preemptions > options.bound + 1) options.bound = preemptions - 1;
    options.once &= all->data[i].finding->finding.kind != FINDING_LIVELOCK; /* which is seen in executions that go on */
  }
  struct strategy *icb = strategy_icb.create(&options);
  bool limited = machine_buffers(s->machine);
  for (;;) {
    const struct schedule *prefix = strategy_icb.next(icb);
    uint32_t preemptions = prefix ? icb_preemptions(icb) : UINT32_MAX;
    if (!any_sought(all, preemptions, limited) || !run_with(&s->run, &strategy_icb, icb, prefix)) break;
    if (deadline_passed) break;
    struct execution x = run_view(&s->run);
    strategy_icb.done(icb, &x, s->run.end, s->run.cut, s->run.given_up);
    limited |= s->run.too_long || s->run.loops.cut;
    for (size_t i = 0; i < all->count; i++)
      if (all->data[i].sought) pay_for_steps(&all->data[i]);
    if (!s->run.given_up) note_findings_shown(s, all, limited); /* else another one has shown what it does */
  }
  strategy_icb.destroy(icb);
}

static bool same_owner(const struct machine *m, struct step a, struct step b) {
  return machine_owner(m, a.thread) == machine_owner(m, b.thread);
}

/* The end of the block of steps by one thread, and its stores, that begins at `from`. */
static size_t block_end(const struct machine *m, const struct step *steps, size_t n, size_t from) {
  size_t i = from + 1;
  while (i < n && same_owner(m, steps[i], steps[from])) i++;
  return i;
}

/* steps[from, to) moved to before position `at` (outside of it). */
static void move(struct step *to_steps, const struct step *steps, size_t n, size_t from, size_t to, size_t at) {
  size_t k = 0;
  for (size_t i = 0; i <= n; i++) {
    if (i == at) memcpy(to_steps + k, steps + from, (to - from) * sizeof *steps), k += to - from;
    if (i < n && (i < from || i >= to)) to_steps[k++] = steps[i];
  }
}

/* Tries each block next to its thread's next one, both ways. True if one was better. */
static bool move_blocks(struct shortening *h) {
  const struct machine *m = h->session->machine;
  VEC(struct step) old = {0}, changed = {0};
  size_t n = h->finding->schedule.steps.count;
  bool better = false;
  if (n == 0) return false;
  memcpy(vec_push_n(&old, n), h->finding->schedule.steps.data, n * sizeof(struct step));
  (void)vec_push_n(&changed, n);
  for (size_t from = 0; from < n && !better && h->left > 0 && !deadline_passed; from = block_end(m, old.data, n, from)) {
    size_t to = block_end(m, old.data, n, from), next = to;
    while (next < n && !same_owner(m, old.data[next], old.data[from])) next = block_end(m, old.data, n, next);
    if (next == n) continue;
    for (unsigned way = 0; way < 2 && !better && may_go_on(h); way++) {
      struct cost cost;
      if (way == 0) {
        move(changed.data, old.data, n, from, to, next);
      } else {
        move(changed.data, old.data, n, next, block_end(m, old.data, n, next), to);
      }
      better = try_steps(h, changed.data, n, false, &cost) && cheaper(cost, h->cost);
      pay_for_steps(h);
      if (better) adopt(h, cost);
    }
  }
  vec_release(&old);
  vec_release(&changed);
  return better;
}

/* False: more memory turned out to be shared. */
static bool shorten_further(struct shortening *h) {
  struct session *s = h->session;
  struct cost cost;
  h->kept = 0;
  while (move_blocks(h)) continue;
  if (machine_sharing_changed(s->machine)) return false;
  struct schedule *known = &h->finding->schedule;
  if (try_steps(h, known->steps.data, known->steps.count, true, &cost)) collect_update(s, h->finding);
  h->finding->preemptions = h->cost.preemptions;
  return true;
}

bool shorten(struct session *s) {
  shortenings all = {0};
  bool done = true;
  for (size_t i = 0; i < s->result->findings.count; i++) {
    struct explore_finding *f = &s->result->findings.data[i];
    struct shortening h = {.session = s, .finding = f, .left = s->options->shorten_runs, .kept = s->options->shorten_runs / 4};
    bool first = i == 0 || f[-1].defect != f->defect;
    if (!first || f->schedule.steps.count == 0 || (s->options->most && f->defect >= s->options->most)) continue;
    if (try_steps(&h, f->schedule.steps.data, f->schedule.steps.count, true, &h.cost))
      f->preemptions = h.cost.preemptions, *vec_push(&all) = h;
  }
  bound_contexts(s, &all);
  for (size_t i = 0; done && i < all.count; i++) done = shorten_further(&all.data[i]);
  vec_release(&all);
  return done;
}
