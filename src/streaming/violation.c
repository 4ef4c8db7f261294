#include "streaming/violation.h"

enum { CANDIDATES_MAX = 4096, EARLY_MAX = 4096 };

static const char open_text[] = "nothing orders them";
static const char swap_text[] = "their sections of the lock may change places";
static const char early_text[] = "the notification may come before the wait, which then goes on for ever";

static bool knows(const struct sync *s, uint32_t t, uint32_t other, uint32_t time) { return sync_knows(s, 0, t, other, time); }

static void add(struct violations *v, const struct candidate *c) {
  if (v->candidates.count < CANDIDATES_MAX)
    *vec_push(&v->candidates) = *c;
  else
    v->dropped++;
}

void violations_end(struct violations *v, struct streaming *s, struct sync *sync, const struct cell *c, const struct event *e) {
  struct candidate new = {.second = *e};
  const struct thread *t = &sync->threads.data[e->thread];
  for (uint32_t i = 0, lock; (lock = lockset_common(&sync->locks, c->lockset, t, &i)) != UINT32_MAX; i++) {
    if (new.nlocks == CANDIDATE_LOCKS) { /* it would be decided before the last one's end */
      v->dropped++;
      return;
    }
    new.locks[new.nlocks++] = lock;
  }
  if (new.nlocks == 0) {
    streaming_race(s, c, e, open_text, PROOF_NONE);
    return;
  }
  uint8_t op = c->kind == ACCESS_READ || c->kind == ACCESS_ATOMIC_READ ? EVENT_READ : EVENT_WRITE;
  new.told = (struct told){FINDING_USE_AFTER_FREE, c->thread, c->time, c->site, op, cell_object(c, e), swap_text, PROOF_NONE};
  add(v, &new);
}

static struct wait *wait_of(struct violations *v, uint64_t condition, uint32_t thread) {
  for (size_t i = 0; i < v->waits.count; i++)
    if (v->waits.data[i].condition == condition && v->waits.data[i].thread == thread) return &v->waits.data[i];
  return NULL;
}

static void too_early(struct violations *v, const struct candidate *c) {
  struct wait *w = wait_of(v, c->told.object, c->told.thread);
  if (w && w->time == c->told.time && !w->lost) w->lost = true, w->by = c->second;
}

static void went_on(struct violations *v, uint32_t t, uint32_t lock) {
  for (size_t i = 0; i < v->waits.count; i++)
    if (v->waits.data[i].thread == t && v->waits.data[i].mutex == lock) v->waits.data[i].went_on = true;
}

/* True: it is decided. */
static bool decide(struct violations *v, struct streaming *s, struct sync *sync, struct candidate *c, uint32_t lock) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < c->nlocks; k++)
    if (c->locks[k] != lock) c->locks[kept++] = c->locks[k];
  if (kept == c->nlocks) return false;
  c->nlocks = kept;
  if (knows(sync, c->second.thread, c->told.thread, c->told.time)) return true;
  if (kept > 0) return false;
  if (c->notified)
    too_early(v, c);
  else
    streaming_tell(s, &c->told, &c->second);
  return true;
}

void violations_section(struct violations *v, struct streaming *s, struct sync *sync, uint32_t t, uint32_t lock, const struct event *e) {
  size_t kept = 0;
  for (size_t i = 0; i < v->candidates.count; i++) {
    struct candidate *c = &v->candidates.data[i];
    if (c->second.thread != t || !decide(v, s, sync, c, lock)) v->candidates.data[kept++] = *c;
  }
  v->candidates.count = kept;
  if (e->op != EVENT_WAIT_ENTER) went_on(v, t, lock);
}

static void keep(struct violations *v, const struct wait *w) {
  if (!w->lost || !w->went_on || w->safe) return;
  if (v->early.count == EARLY_MAX) {
    v->dropped++;
    return;
  }
  *vec_push(&v->early) = (struct early){
      .told = {FINDING_LOST_WAKEUP, w->thread, w->time, w->site, EVENT_WAIT_ENTER, w->condition, early_text, false}, .by = w->by};
}

static void begin_wait(struct violations *v, struct sync *sync, const struct event *e) {
  struct wait *w = wait_of(v, e->object, e->thread);
  if (w)
    keep(v, w);
  else
    *vec_push(&v->waits) = (struct wait){.condition = e->object, .thread = e->thread}, w = &vec_last(&v->waits);
  const struct thread *t = &sync->threads.data[e->thread];
  w->time = t->time, w->site = e->site, w->mutex = lock_at(&sync->locks, e->value2);
  w->went_on = w->lost = false;
  w->safe = e->flags & EVENT_TIMED;
  vec_clear(&w->held);
  for (size_t i = 0; i < t->held.count; i++)
    if (!t->held.data[i].shared) *vec_push(&w->held) = t->held.data[i].lock;
}

/* Of earlier waits: who waited too long for this thread's notification, or for one that this one cannot precede, goes on now. */
static void drop(struct violations *v, struct sync *sync, const struct event *e) {
  size_t kept = 0;
  for (size_t i = 0; i < v->early.count; i++) {
    const struct early *x = &v->early.data[i];
    bool helps = x->told.object == e->object && (x->by.thread == e->thread || knows(sync, e->thread, x->told.thread, x->told.time));
    if (!helps) v->early.data[kept++] = *x;
  }
  v->early.count = kept;
}

static void notify(struct violations *v, struct sync *sync, const struct event *e) {
  drop(v, sync, e);
  for (size_t i = 0; i < v->waits.count; i++) {
    struct wait *w = &v->waits.data[i];
    if (w->condition != e->object || w->thread == e->thread) continue;
    w->safe |= knows(sync, e->thread, w->thread, w->time) || (w->lost && w->by.thread == e->thread);
    if (w->safe || w->went_on) continue;
    struct candidate new = {.second = *e, .notified = true};
    new.told = (struct told){.kind = FINDING_LOST_WAKEUP, .thread = w->thread, .time = w->time, .site = w->site, .object = w->condition};
    for (size_t k = 0; k < w->held.count && new.nlocks < CANDIDATE_LOCKS; k++)
      if (held_find(&sync->threads.data[e->thread], w->held.data[k])) new.locks[new.nlocks++] = w->held.data[k];
    if (new.nlocks > 0)
      add(v, &new);
    else if (!w->lost)
      w->lost = true, w->by = *e;
  }
}

void violations_event(struct violations *v, struct sync *sync, const struct event *e) {
  if (e->op == EVENT_WAIT_ENTER && e->value2) begin_wait(v, sync, e);
  if (e->op == EVENT_WAIT_LEAVE && (e->flags & (EVENT_TIMED | EVENT_TIMED_OUT))) {
    struct wait *w = wait_of(v, e->object, e->thread);
    if (w) w->safe = true;
  }
  if (e->op == EVENT_SIGNAL || e->op == EVENT_BROADCAST) notify(v, sync, e);
}

void violations_finish(struct violations *v, struct streaming *s) {
  for (size_t i = 0; i < v->waits.count; i++) keep(v, &v->waits.data[i]);
  for (size_t i = 0; i < v->early.count; i++) streaming_tell(s, &v->early.data[i].told, &v->early.data[i].by);
  vec_clear(&v->early);
}

void violations_release(struct violations *v) {
  for (size_t i = 0; i < v->waits.count; i++) vec_release(&v->waits.data[i].held);
  vec_release(&v->candidates);
  vec_release(&v->waits);
  vec_release(&v->early);
}
