/* Weak-causally-precedes (Kini, Mathur, Viswanathan, PLDI 2017). Per thread three clocks: HARD, program order and hard synchronisation
 * (sync.h); HAPPENS, happens-before; and PRECEDES, what comes before in the smallest relation < for which
 *
 *   (a) the end of a section < an access in a later section of the lock, if the first has an access that conflicts with it;
 *   (b) the end of a section < the end of a later section of the lock, if its begin < that end, or comes before it by hard
 *       synchronisation (the paper has no such; it is as if this was part of <);
 *   (c) what happens before a, or is a, < what happens behind b, or is b, if a < b.
 *
 * Two accesses that conflict are a race if neither < nor hard synchronisation orders them. Of the first such pair of a run it is known that
 * some reordering shows it, or a deadlock instead; of later ones nothing is known. */
#include "streaming/conflict.h"
#include "streaming/types.h"

enum { HARD, HAPPENS, PRECEDES, ORDERS };

static const struct conflict_rule rule = {.to = PRECEDES, .known = {HARD, PRECEDES}};

struct wcp {
  struct streaming streaming;
  struct sync sync;
  struct memory memory;
  const struct event *event;
};

static void acquire(struct sync *s, uint32_t t, uint64_t lock, bool shared, const struct event *e) {
  (void)e;
  uint32_t l = lock_at(&s->locks, lock);
  sync_lock_taken(s, HAPPENS, t, l, shared);
  sync_lock_taken(s, PRECEDES, t, l, shared);
  clock_learn(&s->clocks, &s->threads.data[t].knows[HARD], &s->locks.all.data[l].told[HARD]); /* as in weak.c */
  section_begin(s, t, l, shared);
  sync_takes(s, HARD, t, l, shared);
  sync_takes(s, HAPPENS, t, l, shared);
  sync_takes(s, PRECEDES, t, l, shared);
}

static void release(struct sync *s, uint32_t t, uint64_t lock, bool shared, const struct event *e) {
  (void)e;
  uint32_t l = lock_at(&s->locks, lock);
  bool mine = held_find(&s->threads.data[t], l);
  if (mine) conflict_complete(s, &rule, t, l, shared);
  if (!section_end(s, t, l, HAPPENS)) sync_lock_given(s, HARD, t, l, false, false);
  sync_lock_given(s, HAPPENS, t, l, shared, mine);
  sync_lock_given(s, PRECEDES, t, l, shared, mine);
}

static void refused(struct sync *s, uint32_t t, uint64_t lock, const struct event *e) {
  (void)e;
  for (unsigned k = 0; k < ORDERS; k++) sync_refused(s, k, t, lock_at(&s->locks, lock));
}

static bool is_atomic(const struct event *e) { return e->order != ORDER_PLAIN && e->op != EVENT_FREE; }

/* An atomic read comes behind the write that it read from: hard synchronisation. One clock for each order, so there are as many lists. */
static void learn(void *data, struct granule *g, uint8_t mask) {
  struct wcp *w = data;
  const uint32_t lists[ORDERS] = {g->writers, g->readers, g->others};
  struct clock **knows = w->sync.threads.data[w->event->thread].knows;
  if (!is_atomic(w->event) || w->event->op == EVENT_WRITE) return;
  for (unsigned k = 0; k < ORDERS; k++)
    for (uint32_t i = lists[k]; i; i = pool_at(&w->memory.writers, i)->next) {
      const struct writer *x = pool_at(&w->memory.writers, i);
      if (x->mask & mask) clock_learn(&w->sync.clocks, &knows[k], &(struct known){x->clock, x->thread, x->time});
    }
}

static void atomic_write(struct wcp *w, struct granule *g, uint8_t mask) {
  uint32_t *const lists[ORDERS] = {&g->writers, &g->readers, &g->others};
  uint32_t t = w->event->thread;
  for (unsigned k = 0; k < ORDERS; k++) {
    struct known told = {w->sync.threads.data[t].knows[k], t, sync_time(&w->sync, k, t)};
    memory_wrote(&w->memory, &w->sync.clocks, lists[k], mask, &told);
  }
}

/* Who reads what a plain write has left synchronises with nobody. */
static void plain_write(struct wcp *w, struct granule *g, uint8_t mask) {
  uint32_t *const lists[ORDERS] = {&g->writers, &g->readers, &g->others};
  for (unsigned k = 0; k < ORDERS; k++)
    if (*lists[k]) memory_wrote(&w->memory, &w->sync.clocks, lists[k], mask, &(struct known){0});
}

static void conflict(void *data, const struct cell *c) {
  struct wcp *w = data;
  streaming_race(&w->streaming, c, w->event, "a reordering shows them together, or a deadlock", PROOF_NONE);
}

static void order(void *data, struct granule *g, uint8_t mask) {
  struct wcp *w = data;
  const struct event *e = w->event;
  bool reads = e->op == EVENT_READ || e->op == EVENT_RMW, writes = e->op != EVENT_READ;
  if (w->sync.threads.data[e->thread].held.count > 0)
    conflict_access(&w->sync, &w->memory, &rule, g, e->thread, reads ? mask : 0, writes ? mask : 0);
}

static void judge(void *data, struct granule *g, uint8_t mask) {
  struct wcp *w = data;
  const struct event *e = w->event;
  const struct thread *t = &w->sync.threads.data[e->thread];
  struct cell x = {
      .at = granule_address(g), .thread = e->thread, .time = t->time, .site = e->site, .mask = mask, .kind = (uint8_t)access_kind(e)};
  struct view view = {t->knows[HARD], t->knows[PRECEDES], e->thread};
  cells_compare(&w->memory, g, &x, &view, NULL, conflict, w);
}

static void leave(void *data, struct granule *g, uint8_t mask) {
  struct wcp *w = data;
  if (w->event->op == EVENT_READ || w->event->op == EVENT_FREE) return;
  if (is_atomic(w->event))
    atomic_write(w, g, mask);
  else
    plain_write(w, g, mask);
}

static const struct access_steps steps = {order, judge, learn, leave};

static void feed(struct streaming *s, const struct event *events, size_t n) {
  struct wcp *w = (struct wcp *)s;
  const uint64_t accesses = OP(READ) | OP(WRITE) | OP(RMW) | OP(FREE);
  for (size_t i = 0; i < n; i++) {
    const struct event *e = &events[i];
    streaming_fetch(&w->memory, events, i, n);
    if (!sync_knows_of(e)) continue;
    (void)sync_step(&w->sync, e);
    w->event = e;
    if (accesses >> e->op & 1)
      access_each(&w->memory, e, &steps, w);
    else if (e->op == EVENT_ALLOC)
      memory_forget(&w->memory, &w->sync.clocks, e->object, e->size);
    else
      sync_event(&w->sync, e);
  }
  s->coarse = w->sync.locks.coarse;
}

static struct streaming *new_wcp(void) {
  static const struct sync_hooks hooks = {acquire, release, refused};
  struct wcp *w = mem_alloc(sizeof *w);
  sync_begin(&w->sync, ORDERS, 1u << PRECEDES, 1u << HARD | 1u << HAPPENS | 1u << PRECEDES, &hooks);
  return &w->streaming;
}

static void end_wcp(struct streaming *s) { (void)s; }

static void free_wcp(struct streaming *s) {
  struct wcp *w = (struct wcp *)s;
  memory_drop(&w->memory, &w->sync.clocks);
  sync_release(&w->sync);
  mem_free(w, sizeof *w);
}

const struct streaming_type streaming_wcp = {
    "wcp", "weak-causally-precedes: the first race is one that can be, or a deadlock", new_wcp, feed, end_wcp, free_wcp};
