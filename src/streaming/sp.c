/* Sync-preserving races (Mathur, Pavlogiannis, Viswanathan, POPL 2021): two accesses that are both next in a correct reordering which has
 * the sections of each lock, as far as it has them, in the order of the run. All that must be in such a reordering is the *closure* of what
 * comes before the two accesses in their threads:
 *
 *   - with an event, what comes before it by program order, hard synchronisation (sync.h), and of what reads read from;
 *   - with two acquires of a lock, not both shared, the end of the first one's section.
 *
 * The events of the closure in the order of the run are that reordering, if neither access is among them. So such a race is always one
 * that can be.
 *
 * Of each thread the last accesses of each kind are kept with what it knew, CANDIDATES of them at most for a granule. A pair of sites whose
 * pairs of accesses had no race ATTEMPTS times is not looked at any more. (The paper keeps all: its algorithm needs memory in
 * proportion to the run, and proves that any must.) */
#include <string.h>

#include "streaming/types.h"

enum { CLOSURE };

#ifndef CANDIDATES
#define CANDIDATES 8
#define ATTEMPTS   64
#endif

struct sp {
  struct streaming streaming;
  struct sync sync;
  struct memory memory; /* cells: accesses; readers: what was known before them, in the same order; writers */
  struct hashmap tried; /* pairs of sites: how often in vain */
  const struct event *event;
  struct clock *before; /* what the thread knew before the event */
  struct clock *ideal;  /* to work with */
};

static void acquire(struct sync *s, uint32_t t, uint64_t lock, bool shared, const struct event *e) {
  (void)e;
  uint32_t l = lock_at(&s->locks, lock);
  clock_learn(&s->clocks, &s->threads.data[t].knows[CLOSURE], &s->locks.all.data[l].told[CLOSURE]);
  section_begin(s, t, l, shared);
  sync_takes(s, CLOSURE, t, l, shared);
}

static void release(struct sync *s, uint32_t t, uint64_t lock, bool shared, const struct event *e) {
  (void)e, (void)shared;
  uint32_t l = lock_at(&s->locks, lock);
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
    p->streaming.coarse += *tried == ATTEMPTS;
    return;
  }
  if (!can_be(p, c, before)) {
    if (tried) ++*tried;
    return;
  }
  streaming_race(&p->streaming, c, e, "a reordering that keeps the order of each lock's sections shows them together", true);
  if (tried) *tried = ATTEMPTS + 1; /* known */
}

/* Cells and what was known at them are two lists of equal length, in one order. Of too many by one thread and kind, the second oldest goes.
 */
static void note(struct sp *p, struct granule *g, const struct cell *x) {
  struct memory *m = &p->memory;
  uint32_t same = 0, *second[2] = {0}, *oldest[2] = {0};
  for (uint32_t *a = &g->cells, *b = &g->readers; *a; a = &pool_at(&m->cells, *a)->next, b = &pool_at(&m->writers, *b)->next) {
    const struct cell *c = pool_at(&m->cells, *a);
    if (c->thread != x->thread || c->kind != x->kind || c->mask != x->mask) continue;
    same++;
    second[0] = oldest[0], second[1] = oldest[1];
    oldest[0] = a, oldest[1] = b;
  }
  if (same >= CANDIDATES && second[0]) {
    uint32_t cell = *second[0], known = *second[1];
    *second[0] = pool_at(&m->cells, cell)->next, *second[1] = pool_at(&m->writers, known)->next;
    clock_drop(&p->sync.clocks, pool_at(&m->writers, known)->clock);
    pool_give(&m->cells, cell), pool_give(&m->writers, known);
    p->streaming.coarse++;
  }
  uint32_t cell = pool_take(&m->cells), known = pool_take(&m->writers);
  *pool_at(&m->cells, cell) = *x;
  pool_at(&m->cells, cell)->next = g->cells, g->cells = cell;
  *pool_at(&m->writers, known) = (struct writer){.clock = clock_share(p->before), .next = g->readers, .mask = 0xff};
  g->readers = known;
}

/* The same access again, with what was known then: the earlier one stands for both. */
static bool is_noted(const struct sp *p, const struct granule *g, const struct cell *x) {
  const struct memory *m = &p->memory;
  for (uint32_t a = g->cells, b = g->readers; a; a = pool_at(&m->cells, a)->next, b = pool_at(&m->writers, b)->next) {
    const struct cell *c = pool_at(&m->cells, a);
    if (c->thread == x->thread && c->kind == x->kind && c->mask == x->mask)
      return c->site == x->site && c->lockset == x->lockset && pool_at(&m->writers, b)->clock == p->before;
  }
  return false;
}

static void order(void *data, struct granule *g, uint8_t mask) { (void)data, (void)g, (void)mask; }

static void judge(void *data, struct granule *g, uint8_t mask) {
  struct sp *p = data;
  const struct event *e = p->event;
  unsigned conflicts = access_conflicts(access_kind(e));
  for (uint32_t a = g->cells, b = g->readers; a; a = pool_at(&p->memory.cells, a)->next, b = pool_at(&p->memory.writers, b)->next) {
    const struct cell *c = pool_at(&p->memory.cells, a);
    if (!(c->mask & mask) || !(conflicts >> c->kind & 1)) continue;
    if (c->kind == ACCESS_END)
      streaming_race(&p->streaming, c, e, "", true);
    else if (c->thread != e->thread)
      conflict(p, c, pool_at(&p->memory.writers, b)->clock);
  }
}

static void learn(void *data, struct granule *g, uint8_t mask) {
  struct sp *p = data;
  const struct event *e = p->event;
  bool reads = e->op == EVENT_READ || e->op == EVENT_RMW;
  struct thread *t = &p->sync.threads.data[e->thread];
  for (uint32_t i = reads ? g->writers : 0; i; i = pool_at(&p->memory.writers, i)->next) {
    const struct writer *w = pool_at(&p->memory.writers, i);
    if (w->mask & mask) clock_learn(&p->sync.clocks, &t->knows[CLOSURE], &(struct known){w->clock, w->thread, w->time});
  }
}

static void leave(void *data, struct granule *g, uint8_t mask) {
  struct sp *p = data;
  const struct event *e = p->event;
  bool writes = e->op == EVENT_WRITE || e->op == EVENT_RMW;
  struct cell x = {
      .at = granule_address(g), .thread = e->thread, .time = e->index + 1, .site = e->site, .mask = mask, .kind = (uint8_t)access_kind(e)};
  x.lockset = lockset_of(&p->sync, e->thread);
  const struct thread *t = &p->sync.threads.data[e->thread];
  if (writes) memory_wrote(&p->memory, &p->sync.clocks, &g->writers, mask, &(struct known){t->knows[CLOSURE], e->thread, t->time});
  if (!is_noted(p, g, &x)) note(p, g, &x);
}

static const struct access_steps steps = {order, judge, learn, leave};

static void feed(struct streaming *s, const struct event *events, size_t n) {
  struct sp *p = (struct sp *)s;
  const uint64_t accesses = OP(READ) | OP(WRITE) | OP(RMW) | OP(FREE);
  for (size_t i = 0; i < n; i++) {
    const struct event *e = &events[i];
    if (e->op >= EVENT_COUNT) continue;
    const struct thread *t = sync_step(&p->sync, e);
    p->event = e;
    if (accesses >> e->op & 1) {
      clock_assign(&p->sync.clocks, &p->before, t->knows[CLOSURE]);
      access_each(&p->memory, e, &steps, p);
      clock_assign(&p->sync.clocks, &p->before, NULL);
    } else if (e->op == EVENT_ALLOC) {
      memory_forget(&p->memory, &p->sync.clocks, e->object, e->size);
    } else {
      sync_event(&p->sync, e);
    }
  }
}

static struct streaming *new_sp(void) {
  static const struct sync_hooks hooks = {acquire, release, refused};
  struct sp *p = mem_alloc(sizeof *p);
  sync_init(&p->sync, 1, 0, &hooks);
  return &p->streaming;
}

static void end_sp(struct streaming *s) { s->coarse += ((struct sp *)s)->sync.locks.coarse; }

static void free_sp(struct streaming *s) {
  struct sp *p = (struct sp *)s;
  clock_drop(&p->sync.clocks, p->ideal);
  memory_release(&p->memory, &p->sync.clocks);
  hashmap_release(&p->tried);
  sync_release(&p->sync);
  mem_free(p, sizeof *p);
}

const struct streaming_type streaming_sp = {
    "sp", "sync-preserving: races that can be without exchanging sections of a lock", new_sp, feed, end_sp, free_sp};
