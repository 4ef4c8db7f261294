#include "analysis/violation.h"

#include "analysis/locked.h"
#include "analysis/nested.h"
#include "analysis/seen.h"

enum { LOCKS = 8, CANDIDATES = 64, WAITERS = 64, KEPT = 256 };

/* A pair whose sections may change places. */
struct candidate {
  struct race race;
  uint64_t locks[LOCKS]; /* whose sections have not ended yet */
  unsigned nlocks;
  struct lock_name notified; /* of a notification: the condition */
  bool refuted;
};

/* The last wait of a thread for a condition. */
struct waiting {
  epoch epoch;
  uint32_t thread, site, nheld;
  uint64_t held[LOCKS];
  struct race race; /* with the notification that might come before; race.theirs is 0 if there is none */
  bool went_on;     /* the thread left its section without waiting again: it had what it waited for */
  bool safe;        /* a notification came that cannot come before */
};
struct waiters {
  uint32_t count;
  struct waiting at[WAITERS];
};

void candidates_free(struct thread *t) { rt_free(t->candidates, CANDIDATES * sizeof t->candidates[0]); }

static void add(struct thread *t, const struct candidate *c) {
  if (!t->candidates) t->candidates = rt_alloc(CANDIDATES * sizeof *c);
  if (t->candidates && t->ncandidates < CANDIDATES) t->candidates[t->ncandidates++] = *c;
}

void violation_found(struct thread *t, const struct race *r) { add(t, &(struct candidate){.race = *r}); }

/* If any of these locks excludes the two, and there is an end of sections to wait for. */
static void decide_later(struct thread *t, struct candidate *new, const uint64_t locks[HELD], unsigned n) {
  if (n == 0 && !(new->race.predicted &&nested_excludes(t, &new->race))) race_found(t, &new->race);
  if (n == 0 || n > LOCKS || analysis != ANALYSIS_OVP) return; /* with more locks it would be decided before the last one's end */
  for (; new->nlocks < n; new->nlocks++) new->locks[new->nlocks] = locks[new->nlocks];
  add(t, new);
}

static void unordered_end(struct thread *t, uintptr_t address, cell c, bool wrote, unsigned mask, uint32_t site) {
  unsigned byte = (unsigned)__builtin_ctz(cell_mask(c) & mask);
  const struct thread_info *by = thread_of_epoch(cell_epoch(c));
  uint64_t locks[HELD];
  if (thread_knows(t, cell_epoch(c)) && (t->inside || context_inside(cell_site(c)))) return; /* action.h */
  int n = analysis == ANALYSIS_HB ? 0 : by ? locked_common(t, address, mask & cell_mask(c), cell_epoch(c), by->actor, locks) : -1;
  if (n < 0) return;
  enum site_kind kind = (enum site_kind)context_at(site)->kind;
  struct candidate new = {.race = race_of(t, (address & ~(uintptr_t)7) + byte, site, kind, c, wrote, byte)};
  new.race.origin = origin_of(new.race.address, ORIGIN_SOON);
  decide_later(t, &new, locks, (unsigned)n);
}

void violation_of_actions(struct thread *t, const struct race *r, const uint64_t locks[HELD], unsigned n) {
  decide_later(t, &(struct candidate){.race = *r}, locks, n);
}

void violation_of_end(struct thread *t, uintptr_t address, unsigned mask, uint32_t site) {
  struct pair *p = shadow_of(address);
  cell w = cell_load(&p->write), r = cell_load(&p->read);
  if (cell_is_freed(w) || cell_is_allocated(w)) return; /* twice, or without order: access.c */
  seen_hear(t);
  if (!cell_is_ref(w) && !cell_is_ref(r) && thread_orders(t, cell_epoch(w)) && thread_orders(t, cell_epoch(r))) return;
  struct accesses *a = &((struct scratch *)t->scratch)->accesses;
  w = pair_take(p);
  accesses_load(w, cell_load(&p->read), a);
  pair_give(p, w);
  for (unsigned i = 0; i < a->count; i++)
    if ((cell_mask(a->at[i]) & mask) && !thread_orders(t, cell_epoch(a->at[i])))
      unordered_end(t, address, a->at[i], i < a->writes, mask, site);
}

static struct waiting *waiting_of(struct sync *c, uint32_t thread) {
  for (uint32_t i = 0; c->waiters && i < c->waiters->count; i++)
    if (c->waiters->at[i].thread == thread) return &c->waiters->at[i];
  return NULL;
}

/* The thread went on after its wait, and nobody notified since then who could not have come too early. */
static bool was_needed(const struct waiting *w) { return w->went_on && !w->safe && w->race.theirs; }

/* Waits that are over, with what is to be told of them when the process ends, unless the condition is notified again until then. */
static struct {
  struct rt_lock lock;
  unsigned count;
  struct {
    struct race race;
    uint64_t condition; /* 0: it is gone */
  } at[KEPT];
} over;

static void keep(const struct race *r, uint64_t condition) {
  rt_lock(&over.lock);
  unsigned i = 0;
  while (i < over.count && !(over.at[i].condition == condition && over.at[i].race.mine == r->mine && over.at[i].race.theirs == r->theirs))
    i++;
  if (i == over.count && i < KEPT) over.at[over.count++].condition = condition;
  if (i < KEPT) over.at[i].race = *r;
  rt_unlock(&over.lock);
}

/* A wait cannot come behind what t does now, whether this run says so, too, or not: what t has read (seen.h) may say so alone. But a wait
 * comes behind all reads of its section. */
static bool is_behind(const struct thread *t, epoch wait) {
  return t->order[epoch_slot(wait)] >= epoch_clock(wait) && (thread_knows(t, wait) || !seen_supposed(t, wait));
}

/* t notifies: who waited too long for an earlier notification of t, or for one that this one cannot precede, goes on now. */
static void drop(const struct thread *t, uint64_t condition) {
  rt_lock(&over.lock);
  unsigned kept = 0;
  for (unsigned i = 0; i < over.count; i++)
    if (over.at[i].condition != condition || !(over.at[i].race.who == t->info || is_behind(t, over.at[i].race.epoch)))
      over.at[kept++] = over.at[i];
  over.count = kept;
  rt_unlock(&over.lock);
}

void violations_before_fork(void) { rt_lock(&over.lock); }
void violations_after_fork(void) { rt_unlock(&over.lock); }

void waiters_free(struct waiters *w) {
  for (uint32_t i = 0; w && i < w->count; i++)
    if (was_needed(&w->at[i])) keep(&w->at[i].race, 0);
  rt_free(w, sizeof *w);
}

void violation_wait(struct thread *t, struct sync *c, const struct sync *mutex, uint32_t site) {
  if (!c->waiters) {
    if (!(c->waiters = rt_alloc(sizeof *c->waiters))) return;
    c->waiters->count = 0;
  }
  struct waiting *w = waiting_of(c, t->info->number);
  if (w && was_needed(w)) keep(&w->race, c->id);
  if (!w) w = c->waiters->count < WAITERS ? &c->waiters->at[c->waiters->count++] : &c->waiters->at[t->info->number % WAITERS];
  *w = (struct waiting){.epoch = hd_fast.epoch, .thread = t->info->number, .site = site};
  w->held[w->nheld++] = mutex->id;
  for (uint32_t i = 0; i < t->nheld && w->nheld < LOCKS; i++)
    if (!t->held[i].shared && t->held[i].lock != mutex->id) w->held[w->nheld++] = t->held[i].lock;
  w->safe = t->nheld > LOCKS || t->held_more || t->inside; /* as far as anybody can tell */
  t->waited = (struct lock_name){c->id, c->index}, t->waited_with = mutex->id;
}

static bool holds(const struct thread *t, uint64_t lock) {
  for (uint32_t i = 0; i < t->nheld; i++)
    if (t->held[i].lock == lock) return true;
  return false;
}

void violation_notify(struct thread *t, struct sync *c, uint32_t site) {
  seen_hear(t);
  if (__atomic_load_n(&over.count, __ATOMIC_RELAXED) > 0) drop(t, c->id);
  for (uint32_t i = 0; c->waiters && i < c->waiters->count; i++) {
    struct waiting *w = &c->waiters->at[i];
    if (w->thread == t->info->number) continue;
    w->safe |= is_behind(t, w->epoch) || w->race.who == t->info || t->inside; /* whoever notifies again and again is not lost */
    if (w->safe || w->went_on) continue;
    struct candidate new = {.notified = {c->id, c->index}};
    new.race = race_of(t, c->address, site, SITE_NOTIFY, cell_make(w->epoch, w->site, 1, false), false, 0);
    new.race.predicted = true;
    for (uint32_t k = 0; k < w->nheld; k++)
      if (holds(t, w->held[k])) new.locks[new.nlocks++] = w->held[k];
    if (new.nlocks == 0 && !w->race.theirs)
      w->race = new.race;
    else if (new.nlocks > 0)
      add(t, &new);
  }
}

void violations_decide(struct thread *t, uint64_t lock) {
  for (uint32_t i = 0; i < t->ncandidates; i++) {
    struct candidate *c = &t->candidates[i];
    unsigned kept = 0;
    for (unsigned k = 0; k < c->nlocks; k++)
      if (c->locks[k] != lock) c->locks[kept++] = c->locks[k];
    if (kept < c->nlocks && thread_orders(t, c->race.epoch)) c->refuted = true;
    c->nlocks = kept;
  }
}

/* The notification may come before the wait: a finding if the wait turns out to have needed it. */
static void too_early(struct thread *t, const struct candidate *c) {
  struct sync *s = sync_by_index(c->notified.index);
  sync_lock(t, s);
  struct waiting *w = s->id == c->notified.lock ? waiting_of(s, c->race.other->number) : NULL;
  if (w && w->epoch == c->race.epoch && !w->race.theirs) w->race = c->race;
  sync_unlock(t, s);
}

/* t has left the section that it waited in. Another notification may be on its way, so nothing is said before the process ends. */
static void went_on(struct thread *t) {
  struct sync *s = sync_by_index(t->waited.index);
  sync_lock(t, s);
  struct waiting *w = s->id == t->waited.lock ? waiting_of(s, t->info->number) : NULL;
  if (w) w->went_on = true;
  sync_unlock(t, s);
  t->waited = (struct lock_name){0};
}

static void finish_condition(struct sync *s, void *data) {
  (void)data;
  for (uint32_t i = 0; s->waiters && i < s->waiters->count; i++)
    if (was_needed(&s->waiters->at[i])) keep(&s->waiters->at[i].race, s->id);
}

void violations_finish(struct thread *t) {
  if (analysis != ANALYSIS_OVP) return;
  sync_each(finish_condition, NULL);
  for (unsigned i = 0; i < over.count; i++) race_found(t, &over.at[i].race);
  over.count = 0;
}

void violations_report_slow(struct thread *t) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->ncandidates; i++) {
    struct candidate *c = &t->candidates[i];
    if (c->refuted) continue;
    if (c->nlocks > 0)
      t->candidates[kept++] = *c;
    else if (c->notified.lock)
      too_early(t, c);
    else
      race_found(t, &c->race);
  }
  t->ncandidates = kept;
  if (t->waited.lock && !t->in_wait && !holds(t, t->waited_with)) went_on(t);
}
