/* Sync-preserving races (Mathur, Pavlogiannis, Viswanathan, POPL 2021): two accesses that are both next in a correct reordering which has
 * the sections of each lock, as far as it has them, in the order of the run. All that must be in such a reordering is the *closure* of what
 * comes before the two accesses in their threads:
 *
 *   - with an event, what comes before it by program order, hard synchronisation (sync.h), and of what reads read from;
 *   - with memory that is given out, its free: in another order it would be elsewhere, and a thread may tell (predict/recorded/reuse.h);
 *   - with two acquires of a lock, not both shared, the end of the first one's section.
 *
 * The events of the closure in the order of the run are that reordering, if neither access is among them. So such a race is always one
 * that can be.
 *
 * Of each thread some accesses are kept with what it knew before them, NOTES of them at most for a granule, the oldest and the last ones.
 * If neither its clock nor its locks have changed since, an access stands for those before it: what comes before it is the same, but for
 * accesses of its own. A pair of sites whose pairs of accesses had no race ATTEMPTS times, or fewer if there are thousands of locks, is
 * not looked at any more. (The paper keeps all: its algorithm needs memory in proportion to the run, and proves that any must.) */
#include <string.h>

#include "streaming/types.h"

enum { CLOSURE };

#ifndef ATTEMPTS
#define ATTEMPTS 64
#endif
enum { KNOWN = INT32_MAX, LOCKS_AT_ONCE = 1024 }; /* KNOWN: a pair of sites that was found */

struct sp {
  struct streaming streaming;
  struct sync sync;
  struct memory memory; /* notes, writers; readers: frees */
  struct hashmap tried; /* pairs of sites: how often in vain */
  const struct event *event;
  struct clock *before;     /* what the thread knew before the event */
  struct clock *ideal;      /* to work with */
  VEC(uint32_t) operations; /* on locks, of each thread */
  bool doubtful;            /* the last event */
};

static struct sp *sp_of(struct sync *s) { return (struct sp *)((char *)s - offsetof(struct sp, sync)); }

static uint32_t *operations_of(struct sp *p, uint32_t t) {
  while (p->operations.count <= t) *vec_push(&p->operations) = 0;
  return &p->operations.data[t];
}

static void acquire(struct sync *s, uint32_t t, uint64_t lock, bool shared, const struct event *e) {
  (void)e;
  uint32_t l = lock_at(&s->locks, lock);
  clock_learn(&s->clocks, &s->threads.data[t].knows[CLOSURE], &s->locks.all.data[l].told[CLOSURE]);
  section_begin(s, t, l, shared);
  ++*operations_of(sp_of(s), t);
  sync_takes(s, CLOSURE, t, l, shared);
}

static void release(struct sync *s, uint32_t t, uint64_t lock, bool shared, const struct event *e) {
  (void)e, (void)shared;
  uint32_t l = lock_at(&s->locks, lock);
  ++*operations_of(sp_of(s), t);
  if (!section_end(s, t, l, CLOSURE)) sync_lock_given(s, CLOSURE, t, l, false, false);
}

static void refused(struct sync *s, uint32_t t, uint64_t lock, const struct event *e) {
  (void)e;
  sync_refused(s, CLOSURE, t, lock_at(&s->locks, lock));
}

/* A section of thread `t` and lock that has begun in the closure: the last one. It may go on. */
struct begun {
  uint64_t at; /* in the run */
  bool there, shared;
  const struct section *ended; /* NULL: it goes on */
};

static struct begun last_begun(const struct sp *p, const struct past *past, uint32_t lock) {
  const struct clock *ideal = p->ideal;
  uint32_t time = clock_at(ideal, past->thread);
  const struct held *h = held_find(&p->sync.threads.data[past->thread], lock);
  if (h && h->begin <= time) return (struct begun){h->at, true, h->shared, NULL};
  const struct section *x = section_begun(past, time);
  return x ? (struct begun){x->at, true, x->shared, x} : (struct begun){0};
}

static bool add_end(struct sp *p, uint32_t thread, const struct section *x) {
  return clock_learn(&p->sync.clocks, &p->ideal, &(struct known){x->clock, thread, x->end});
}

/* The sections of a lock that must end in the closure: all before its last exclusive one, and that one, if readers come behind it. True if
 * this adds something. */
static bool close_lock(struct sp *p, uint32_t lock) {
  const struct lock *l = &p->sync.locks.all.data[lock];
  bool any = false, added = false;
  uint64_t last = 0;
  for (size_t i = 0; i < l->by.count; i++) { /* the last exclusive one; of a thread, also an earlier one than its last */
    const struct past *past = &l->by.data[i];
    struct begun b = last_begun(p, past, lock);
    if (b.there && !b.shared && (!any || b.at > last)) any = true, last = b.at;
    const struct section *x = b.there && b.shared ? section_begun(past, clock_at(p->ideal, past->thread)) : NULL;
    while (x && x->shared) x = x > past->sections.data ? x - 1 : NULL;
    if (x && (!any || x->at > last)) any = true, last = x->at;
  }
  for (size_t i = 0; any && i < l->by.count; i++) {
    const struct past *past = &l->by.data[i];
    struct begun b = last_begun(p, past, lock);
    const struct section *x = b.ended ? b.ended : section_begun(past, clock_at(p->ideal, past->thread));
    while (x && x->at >= last) x = x > past->sections.data ? x - 1 : NULL;
    if (x) added |= add_end(p, past->thread, x);
  }
  for (size_t i = 0; any && i < l->by.count; i++) { /* readers behind it */
    const struct past *past = &l->by.data[i];
    struct begun b = last_begun(p, past, lock);
    if (!b.there || b.at <= last) continue;
    for (size_t k = 0; k < l->by.count; k++) {
      const struct section *x = section_begun(&l->by.data[k], clock_at(p->ideal, l->by.data[k].thread));
      while (x && x->at > last) x = x > l->by.data[k].sections.data ? x - 1 : NULL;
      if (x && x->at == last) added |= add_end(p, l->by.data[k].thread, x);
    }
  }
  return added;
}

/* Is neither access in the closure of what comes before the two? */
static bool can_be(struct sp *p, const struct cell *c, struct clock *before) {
  uint32_t t = p->event->thread;
  clock_assign(&p->sync.clocks, &p->ideal, before);
  clock_raise(&p->sync.clocks, &p->ideal, c->thread, c->time - 1);
  clock_join(&p->sync.clocks, &p->ideal, p->before);
  clock_raise(&p->sync.clocks, &p->ideal, t, p->event->index);
  for (bool again = true; again;) {
    again = false;
    for (uint32_t l = 0; l < p->sync.locks.all.count; l++) {
      while (close_lock(p, l)) again = true;
      if (clock_at(p->ideal, c->thread) >= c->time || clock_at(p->ideal, t) > p->event->index) return false;
    }
  }
  return clock_at(p->ideal, c->thread) < c->time && clock_at(p->ideal, t) <= p->event->index;
}

static uint64_t key_of(const struct cell *c, const struct event *e) {
  uint64_t a = c->site, b = e->site;
  return a < b ? hash_pair(a, b) : hash_pair(b, a);
}

static void conflict(struct sp *p, const struct cell *c, struct clock *before) {
  const struct event *e = p->event;
  uint32_t from = 0;
  if (clock_at(p->before, c->thread) >= c->time) return;
  if (lockset_common(&p->sync.locks, c->lockset, &p->sync.threads.data[e->thread], &from) != UINT32_MAX) return;
  uint64_t *tried = c->site && e->site ? hashmap_at(&p->tried, key_of(c, e), 0, NULL) : NULL;
  if (tried && *tried >= ATTEMPTS) {
    p->streaming.coarse += *tried != KNOWN;
    return;
  }
  if (!can_be(p, c, before)) { /* which looks at all locks */
    if (tried) *tried += 1 + p->sync.locks.all.count / LOCKS_AT_ONCE;
    return;
  }
  streaming_race(&p->streaming, c, e, "a reordering that keeps the order of each lock's sections shows them together", PROOF_WHOLE);
  if (tried) *tried = KNOWN;
}

static bool same_kind(const struct note *a, const struct note *b) { return a->kind == b->kind && a->mask == b->mask; }

/* Makes room: of those like x the oldest but one, or else the oldest of all that has another one like it. */
static void leave_out(struct sp *p, struct notes *all, const struct note *x) {
  uint32_t like = 0, out = 0;
  for (uint32_t i = 0; i < all->n && like < 2; i++)
    if (same_kind(&all->at[i], x)) like++, out = i;
  for (uint32_t i = 0; i < all->n && like < 2; i++)
    for (uint32_t k = i + 1; k < all->n && like < 2; k++)
      if (same_kind(&all->at[i], &all->at[k])) like = 2, out = i;
  clock_drop(&p->sync.clocks, all->at[out].clock);
  memmove(&all->at[out], &all->at[out + 1], (--all->n - out) * sizeof all->at[0]);
  p->streaming.coarse++;
}

static struct notes *notes_of(struct sp *p, struct granule *g, uint32_t t) {
  struct memory *m = &p->memory;
  for (uint32_t i = g->notes; i; i = pool_at(&m->notes, i)->next)
    if (pool_at(&m->notes, i)->thread == t) return pool_at(&m->notes, i);
  uint32_t place = pool_take(&m->notes);
  struct notes *new = pool_at(&m->notes, place);
  new->next = g->notes, new->thread = t, new->n = 0;
  g->notes = place;
  return new;
}

/* What all notes have in common. Threads come at a word by turns, so their notes are in no cache: mostly this says that none of them
 * matters, in one line of the cache instead of three. That was a third of what sections of locks cost, and half of shared words that are
 * read. */
static void sum_up(struct notes *all) {
  all->kinds = 0, all->lockset = all->at[0].lockset;
  for (uint32_t i = 0; i < all->n; i++) {
    all->kinds |= (uint16_t)(1u << all->at[i].kind);
    if (all->at[i].lockset != all->at[0].lockset) all->lockset = LOCKSET_UNKNOWN;
  }
}
static bool none_matters(const struct notes *all, unsigned conflicts, uint32_t excluding) {
  bool ends = all->kinds >> ACCESS_END & 1;
  return !(all->kinds & conflicts) || (!ends && excluding != LOCKSET_UNKNOWN && all->lockset == excluding);
}

static void note(struct sp *p, struct granule *g, const struct note *x) {
  struct notes *all = notes_of(p, g, p->event->thread);
  uint32_t last = all->n;
  while (last > 0 && !same_kind(&all->at[last - 1], x)) last--;
  struct note *before = last ? &all->at[last - 1] : NULL;
  if (before && before->clock == x->clock && before->operations == x->operations) {
    before->time = x->time, before->site = x->site;
    return;
  }
  if (all->n == NOTES) leave_out(p, all, x);
  all->at[all->n] = *x;
  clock_share(all->at[all->n++].clock);
  sum_up(all);
}

static void order(void *data, struct granule *g, uint8_t mask) { (void)data, (void)g, (void)mask; }

/* The lock set of a thread that has a lock exclusively: who had the same one is never next to it. */
static uint32_t excluding_set(struct sp *p, uint32_t t) {
  const struct thread *thread = &p->sync.threads.data[t];
  for (size_t i = 0; i < thread->held.count; i++)
    if (!thread->held.data[i].shared) return lockset_of(&p->sync, t);
  return LOCKSET_UNKNOWN;
}

static void judge_thread(struct sp *p, const struct granule *g, const struct notes *all, uint8_t mask, uint32_t excluding) {
  const struct event *e = p->event;
  unsigned conflicts = access_conflicts(access_kind(e));
  bool own = all->thread == e->thread;
  if (none_matters(all, conflicts, excluding)) return;
  for (uint32_t k = 0; k < all->n; k++) {
    const struct note *x = &all->at[k];
    bool ends = x->kind == ACCESS_END;
    if (!(x->mask & mask) || !(conflicts >> x->kind & 1) || (!ends && (own || x->lockset == excluding))) continue;
    struct cell c = {granule_address(g), 0, all->thread, x->time, x->site, x->lockset, x->mask, x->kind};
    if (ends)
      streaming_race(&p->streaming, &c, e, "", PROOF_WHOLE);
    else
      conflict(p, &c, x->clock);
  }
}

static void judge(void *data, struct granule *g, uint8_t mask) {
  struct sp *p = data;
  uint32_t excluding = excluding_set(p, p->event->thread);
  for (uint32_t i = g->notes; i; i = pool_at(&p->memory.notes, i)->next) judge_thread(p, g, pool_at(&p->memory.notes, i), mask, excluding);
}

/* Of its own writes as well, unlike in `hb`: what comes behind a read of one is then no access that stands for those before it (note()),
 * and each has findings of its own. */
static void learn_of(struct sp *p, uint32_t writers, uint8_t mask) {
  struct thread *t = &p->sync.threads.data[p->event->thread];
  for (uint32_t i = writers; i; i = pool_at(&p->memory.writers, i)->next) {
    const struct writer *w = pool_at(&p->memory.writers, i);
    if (w->mask & mask) clock_learn(&p->sync.clocks, &t->knows[CLOSURE], &(struct known){w->clock, w->thread, w->time});
  }
}

static void learn(void *data, struct granule *g, uint8_t mask) {
  struct sp *p = data;
  if (p->event->op == EVENT_READ || p->event->op == EVENT_RMW) learn_of(p, g->writers, mask);
}

static void learn_end(void *data, struct granule *g, uint8_t mask) { learn_of(data, g->readers, mask); }

static void leave(void *data, struct granule *g, uint8_t mask) {
  struct sp *p = data;
  const struct event *e = p->event;
  const struct thread *t = &p->sync.threads.data[e->thread];
  struct known told = {t->knows[CLOSURE], e->thread, t->time};
  if (e->op == EVENT_WRITE || e->op == EVENT_RMW) memory_wrote(&p->memory, &p->sync.clocks, &g->writers, mask, &told);
  if (e->op == EVENT_FREE) memory_wrote(&p->memory, &p->sync.clocks, &g->readers, mask, &told);
  if (event_outside(e)) return;
  struct note x = {.clock = p->before,
                   .time = t->time,
                   .site = e->site,
                   .lockset = lockset_of(&p->sync, e->thread),
                   .operations = *operations_of(p, e->thread),
                   .mask = mask,
                   .kind = (uint8_t)access_kind(e)};
  note(p, g, &x);
}

static const struct access_steps steps = {order, judge, learn, leave};

static void feed(struct streaming *s, const struct event *events, size_t n) {
  struct sp *p = (struct sp *)s;
  const uint64_t accesses = OP(READ) | OP(WRITE) | OP(RMW) | OP(FREE);
  for (size_t i = 0; i < n; i++) {
    const struct event *e = &events[i];
    streaming_fetch(&p->memory, events, i, n);
    if (!sync_knows_of(e)) continue;
    streaming_settle(&p->sync, CLOSURE, e, &p->doubtful);
    const struct thread *t = sync_step(&p->sync, e);
    p->event = e;
    if (accesses >> e->op & 1) {
      clock_assign(&p->sync.clocks, &p->before, t->knows[CLOSURE]);
      access_each(&p->memory, e, &steps, p);
      streaming_read(&p->sync, CLOSURE, e);
      clock_assign(&p->sync.clocks, &p->before, NULL);
    } else if (e->op == EVENT_ALLOC) {
      memory_each(&p->memory, e->object, e->size, true, learn_end, p);
      memory_forget(&p->memory, &p->sync.clocks, e->object, e->size);
    } else {
      sync_event(&p->sync, e);
    }
  }
}

static struct streaming *new_sp(void) {
  static const struct sync_hooks hooks = {acquire, release, refused};
  struct sp *p = mem_alloc(sizeof *p);
  sync_begin(&p->sync, 1, 0, 1u << CLOSURE, &hooks);
  return &p->streaming;
}

static void end_sp(struct streaming *s) { s->coarse += ((struct sp *)s)->sync.locks.coarse; }

static void free_sp(struct streaming *s) {
  struct sp *p = (struct sp *)s;
  clock_drop(&p->sync.clocks, p->ideal);
  memory_drop(&p->memory, &p->sync.clocks);
  hashmap_release(&p->tried);
  vec_release(&p->operations);
  sync_release(&p->sync);
  mem_free(p, sizeof *p);
}

const struct streaming_type streaming_sp = {
    "sp", "sync-preserving: races that can be without exchanging sections of a lock", new_sp, feed, end_sp, free_sp};
