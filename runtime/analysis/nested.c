#include "analysis/nested.h"

#include "analysis/held.h"
#include "analysis/section.h"
#include "analysis/violation.h"

/* A test of the other rules asks for none of these. */
#ifndef NESTED_EXCLUDES
#define NESTED_EXCLUDES true
#endif

enum { WAITING = 64, LOCKS_LOOKED_AT = 16, ANCESTORS = 16 };

unsigned nested_waiting;
static struct {
  struct rt_lock lock; /* for all there is here, and changes of nested_waiting */
  struct {
    struct race race;
    uint64_t lock;   /* whose section goes on, */
    uint32_t thread; /* of that one */
  } at[WAITING];
} g;

/* --- 1. --- */

struct enclosed {
  struct thread *t;
  const struct race *race;
  bool found;
};

/* A thread comes behind its creation, and so behind what its creator had done. */
static bool born_behind(const struct thread_info *who, epoch e) {
  for (int i = 0; who && who->born && i < ANCESTORS; i++) {
    if (epoch_slot(who->born) == epoch_slot(e) && epoch_clock(who->born) >= epoch_clock(e)) return true;
    who = thread_of_epoch(who->born);
  }
  return false;
}

struct behind {
  const struct thread_info *who;
  const uint32_t *weak; /* of its thread, which lives; or NULL */
};

static bool is_behind(epoch first, const void *data) {
  const struct behind *b = data;
  return born_behind(b->who, first) || (b->weak && __atomic_load_n(&b->weak[epoch_slot(first)], __ATOMIC_RELAXED) >= epoch_clock(first));
}

static void look_around(struct thread *o, const struct vclock *ended, void *data) {
  struct enclosed *x = data;
  struct behind b = {x->race->other, o ? o->weak : NULL};
  (void)ended;
  for (uint32_t i = 0; i < x->t->nheld; i++) x->found |= section_encloses(x->t, &x->t->held[i], x->race->epoch, is_behind, &b);
}

/* --- 2. --- */

struct going_on {
  struct thread *t;
  const struct finding_locks *theirs;
  uint64_t lock; /* 0: none */
  uint32_t thread;
};

static bool made_under(const struct finding_locks *theirs, const struct held *h) {
  const struct sync *s = sync_of(h->index);
  for (unsigned i = 0; i < theirs->count; i++)
    if (theirs->at[i].address == s->address && s->id == h->lock && !(theirs->at[i].shared && h->shared)) return true;
  return false;
}

/* The thread may take and give locks meanwhile. */
static void look_at(struct thread *o, const struct vclock *ended, void *data) {
  struct going_on *x = data;
  (void)ended;
  for (uint32_t i = 0; o && o != x->t && !x->lock && i < __atomic_load_n(&o->nheld, __ATOMIC_ACQUIRE) && i < HELD; i++) {
    struct held h = o->held[i];
    if (epoch_slot(h.first) != o->slot || x->t->weak[o->slot] < epoch_clock(h.first) || !made_under(x->theirs, &h)) continue;
    x->lock = h.lock, x->thread = o->info->number;
  }
}

/* False if there are too many. */
static bool tell_later(const struct race *r, uint64_t lock, uint32_t thread) {
  rt_lock(&g.lock);
  bool room = nested_waiting < WAITING;
  if (room) {
    g.at[nested_waiting].race = *r, g.at[nested_waiting].lock = lock, g.at[nested_waiting].thread = thread;
    g.at[nested_waiting].race.origin = origin_of(r->address, ORIGIN_SOON);
    __atomic_store_n(&nested_waiting, nested_waiting + 1, __ATOMIC_RELEASE);
  }
  rt_unlock(&g.lock);
  return room;
}

bool nested_excludes(struct thread *t, const struct race *r) {
  struct finding_lock locks[LOCKS_LOOKED_AT];
  if (!NESTED_EXCLUDES || !t->weak || !r->predicted || !r->other || r->tasks) return false;
  struct enclosed e = {t, r, false};
  if (t->nheld) thread_meet(r->other->number, look_around, &e);
  if (e.found) return true;
  struct finding_locks theirs = held_then(r->epoch, r->theirs, locks, LOCKS_LOOKED_AT);
  struct going_on o = {.t = t, .theirs = &theirs};
  if (theirs.count) threads_meet(look_at, &o);
  return o.lock && tell_later(r, o.lock, o.thread);
}

void nested_decide_slow(struct thread *t, uint64_t lock) {
  thread_enter(t);
  rt_lock(&g.lock);
  unsigned kept = 0;
  for (unsigned i = 0; i < nested_waiting; i++) {
    if (g.at[i].lock != lock || g.at[i].thread != t->info->number)
      g.at[kept++] = g.at[i];
    else if (t->weak[epoch_slot(g.at[i].race.when)] < epoch_clock(g.at[i].race.when))
      violation_found(t, &g.at[i].race);
  }
  __atomic_store_n(&nested_waiting, kept, __ATOMIC_RELEASE);
  rt_unlock(&g.lock);
  thread_leave(t);
}

void nested_before_fork(void) { rt_lock(&g.lock); }
void nested_after_fork(bool child) {
  if (child) nested_waiting = 0; /* who would decide is not there */
  rt_unlock(&g.lock);
}
