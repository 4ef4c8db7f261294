#include "analysis/deadlock.h"
#include "analysis/held.h"

#include "analysis/cycle.h"

static struct {
  struct rt_lock lock; /* for the list, and `waits` of all that are in it */
  struct thread *first;
  uint32_t search;
} g;

static const struct held *blocking(const struct waits *w, const struct thread *by) {
  for (uint32_t i = 0; i < by->nheld; i++) {
    const struct held *h = &by->held[i];
    if (h->lock != w->lock || (h->shared && w->shared) || !held_sync(by, h)) continue;
    /* the C library must see it the same way: somebody who is not watched may hold it */
    if (h->shared || !w->holder || __atomic_load_n(w->holder, __ATOMIC_RELAXED) == by->info->id) return h;
  }
  return NULL;
}

/* Locks that have one holder, who waits for nothing, are the usual case. */
static bool may_be_blocked(const struct waits *w) {
  const struct sync *s = sync_of(w->index);
  uint32_t owner = __atomic_load_n(&s->owner, __ATOMIC_RELAXED);
  const struct thread_info *i = owner ? thread_by_number(owner - 1) : NULL;
  return i ? i->waits : s->kind == SYNC_RWLOCK;
}

static struct hold hold_of(uint64_t lock, uint32_t index, uint32_t site, bool shared) {
  const struct sync *s = sync_of(index);
  return (struct hold){.lock = lock, .address = s->address, .site = site, .kind = s->kind, .shared = shared};
}

/* True if `at`, the n-th thread of c, waits for `first`, through others that are added to c. Each thread is tried once: one that did not
 * lead there does not the next time either. */
static bool leads(struct cycle *c, unsigned n, struct thread *at, const struct thread *first) {
  struct waits *w = &at->waits;
  w->tried = g.search;
  if (!may_be_blocked(w)) return false;
  c->waiters[n].thread = at->info->number, c->waiters[n].wants = hold_of(w->lock, w->index, w->site, w->shared);
  for (struct thread *by = g.first; by; by = by->waits.next) {
    const struct held *h = by == first || by->waits.tried != g.search ? blocking(w, by) : NULL;
    if (!h || (by != first && n + 1 == CYCLE_MOST)) continue;
    c->waiters[by == first ? 0 : n + 1].has = hold_of(h->lock, h->index, h->site, h->shared);
    if (by == first) c->n = n + 1;
    if (by != first && !leads(c, n + 1, by, first)) continue;
    w->reported = true;
    return true;
  }
  return false;
}

static bool add(struct thread *t, struct cycle *c) {
  struct waits *w = &t->waits;
  rt_lock(&g.lock);
  t->info->waits = true;
  w->next = g.first, w->link = &g.first;
  if (w->next) w->next->waits.link = &w->next;
  g.first = t;
  g.search++;
  bool closed = !w->reported && leads(c, 0, t, t);
  rt_unlock(&g.lock);
  return closed;
}

static void begin(struct thread *t, const struct waits *w) {
  struct cycle c;
  thread_enter(t);
  t->waits = *w;
  if (add(t, &c)) cycle_happened(t, &c);
  thread_leave(t);
}

void deadlock_waits(struct thread *t, const struct sync *s, bool shared, const int *holder, uint32_t site) {
  begin(t, &(struct waits){.lock = s->id, .index = s->index, .site = site, .shared = shared, .holder = holder});
}

void deadlock_over(struct thread *t) {
  thread_enter(t);
  rt_lock(&g.lock);
  t->info->waits = false;
  *t->waits.link = t->waits.next;
  if (t->waits.next) t->waits.next->waits.link = t->waits.link;
  t->waits.lock = 0;
  rt_unlock(&g.lock);
  thread_leave(t);
}

struct waits deadlock_pause(struct thread *t) {
  struct waits w = t->waits;
  if (w.lock) deadlock_over(t);
  return w;
}

void deadlock_resume(struct thread *t, const struct waits *w) {
  if (w->lock) begin(t, w);
}

void deadlock_before_fork(void) { rt_lock(&g.lock); }

void deadlock_after_fork(bool child) {
  if (child) g.first = NULL; /* who waited is not there */
  rt_unlock(&g.lock);
}
