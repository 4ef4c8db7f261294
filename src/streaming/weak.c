/* wdc and edc: weak orders that leave sections of a lock open if nothing in them says which comes first (docs/native.md has the same for
 * programs that run). Both have program order, hard synchronisation (sync.h), and
 *
 *   (a) the end of a section comes before an access in a later section of the lock, if the first has an access that conflicts with it;
 *   (r) a write comes before what follows a read of its value.
 *
 * edc has as well
 *
 *   (b) the end of a section comes before the end of a later section of the lock, if its begin comes before that end (or begin);
 *   (w) what came before a read under a lock comes before what follows a later write of the same bytes.
 *
 * A pair is judged before (r) and (w) order what follows it. For edc, frees do not take part in (a): they are violations, not races. */
#include "streaming/conflict.h"
#include "streaming/types.h"
#include "streaming/violation.h"

enum { WEAK };

static const struct conflict_rule rule = {.to = WEAK, .known = {WEAK, WEAK}};

struct weak {
  struct streaming streaming;
  struct sync sync;
  struct memory memory;
  bool edc;
  struct violations violations; /* edc */
  const struct event *event;
  struct known before; /* what the thread knew before the event, of a read under a lock */
};

static struct weak *weak_of(struct sync *s) { return (struct weak *)((char *)s - offsetof(struct weak, sync)); }

static void acquire(struct sync *s, uint32_t t, uint64_t lock, bool shared, const struct event *e) {
  (void)e;
  uint32_t l = lock_at(&s->locks, lock);
  clock_learn(&s->clocks, &s->threads.data[t].knows[WEAK], &s->locks.all.data[l].told[WEAK]);
  section_begin(s, t, l, shared);
  if (weak_of(s)->edc) conflict_complete(s, &rule, t, l, shared);
  sync_takes(s, WEAK, t, l, shared);
}

/* A lock that another thread took, or that was held when the recording began, orders as it did in the run. */
static void release(struct sync *s, uint32_t t, uint64_t lock, bool shared, const struct event *e) {
  struct weak *w = weak_of(s);
  uint32_t l = lock_at(&s->locks, lock);
  if (w->edc && held_find(&s->threads.data[t], l)) {
    conflict_complete(s, &rule, t, l, shared);
    violations_section(&w->violations, &w->streaming, s, t, l, e);
  }
  if (!section_end(s, t, l, WEAK)) sync_lock_given(s, WEAK, t, l, false, false);
}

static void refused(struct sync *s, uint32_t t, uint64_t lock, const struct event *e) {
  (void)e;
  sync_refused(s, WEAK, t, lock_at(&s->locks, lock));
}

static void conflict(void *data, const struct cell *c) {
  struct weak *w = data;
  const struct event *e = w->event;
  if (w->edc && e->op == EVENT_FREE && c->kind != ACCESS_END)
    violations_end(&w->violations, &w->streaming, &w->sync, c, e);
  else
    streaming_race(&w->streaming, c, e, "no lock and nothing that was read orders them", PROOF_NONE);
}

static void learn_from(struct weak *w, uint32_t list, uint8_t mask) {
  uint32_t t = w->event->thread;
  for (uint32_t i = list; i; i = pool_at(&w->memory.writers, i)->next) {
    const struct writer *x = pool_at(&w->memory.writers, i);
    if (!(x->mask & mask) || sync_knows(&w->sync, WEAK, t, x->thread, x->time)) continue;
    clock_learn(&w->sync.clocks, &w->sync.threads.data[t].knows[WEAK], &(struct known){x->clock, x->thread, x->time});
  }
}

static bool reads(const struct event *e) { return e->op == EVENT_READ || e->op == EVENT_RMW; }
static bool writes(const struct event *e) { return e->op == EVENT_WRITE || e->op == EVENT_RMW; }

static void order(void *data, struct granule *g, uint8_t mask) {
  struct weak *w = data;
  const struct event *e = w->event;
  bool ends = e->op == EVENT_FREE;
  if (w->sync.threads.data[e->thread].held.count == 0 || (ends && w->edc)) return;
  conflict_access(&w->sync, &w->memory, &rule, g, e->thread, reads(e) ? mask : 0, writes(e) || ends ? mask : 0);
}

static void judge(void *data, struct granule *g, uint8_t mask) {
  struct weak *w = data;
  const struct event *e = w->event;
  struct cell x = {
      .at = granule_address(g), .thread = e->thread, .time = e->index + 1, .site = e->site, .mask = mask, .kind = (uint8_t)access_kind(e)};
  if (w->edc) x.lockset = lockset_of(&w->sync, e->thread);
  struct view view = {w->sync.threads.data[e->thread].knows[WEAK], NULL, e->thread};
  cells_compare(&w->memory, g, &x, &view, w->edc ? &w->sync.locks : NULL, conflict, w);
}

static void learn(void *data, struct granule *g, uint8_t mask) {
  struct weak *w = data;
  if (reads(w->event)) learn_from(w, g->writers, mask);
  if (w->edc && writes(w->event)) learn_from(w, g->readers, mask);
}

static void leave(void *data, struct granule *g, uint8_t mask) {
  struct weak *w = data;
  const struct event *e = w->event;
  const struct thread *t = &w->sync.threads.data[e->thread];
  if (writes(e)) memory_wrote(&w->memory, &w->sync.clocks, &g->writers, mask, &(struct known){t->knows[WEAK], e->thread, t->time});
  if (w->edc && reads(e) && t->held.count > 0) memory_noted(&w->memory, &w->sync.clocks, &g->readers, mask, &w->before);
}

static const struct access_steps steps = {order, judge, learn, leave};

static void access_event(struct weak *w, const struct event *e) {
  const struct thread *t = &w->sync.threads.data[e->thread];
  bool notes = w->edc && t->held.count > 0 && reads(e);
  w->event = e;
  if (notes) known_set(&w->sync.clocks, &w->before, t->knows[WEAK], e->thread, t->time - 1);
  access_each(&w->memory, e, &steps, w);
  if (notes) clock_assign(&w->sync.clocks, &w->before.clock, NULL);
}

static void feed(struct streaming *s, const struct event *events, size_t n) {
  struct weak *w = (struct weak *)s;
  const uint64_t accesses = OP(READ) | OP(WRITE) | OP(RMW) | OP(FREE);
  for (size_t i = 0; i < n; i++) {
    const struct event *e = &events[i];
    streaming_fetch(&w->memory, events, i, n);
    if (!sync_knows_of(e)) continue;
    (void)sync_step(&w->sync, e);
    if (w->edc) violations_event(&w->violations, &w->sync, e);
    if (accesses >> e->op & 1)
      access_event(w, e);
    else if (e->op == EVENT_ALLOC)
      memory_forget(&w->memory, &w->sync.clocks, e->object, e->size);
    else
      sync_event(&w->sync, e);
  }
  s->coarse = w->sync.locks.coarse + w->violations.dropped;
}

static struct streaming *new_weak(bool edc) {
  static const struct sync_hooks hooks = {acquire, release, refused};
  struct weak *w = mem_alloc(sizeof *w);
  sync_begin(&w->sync, 1, 0, 1u << WEAK, &hooks);
  w->edc = edc;
  return &w->streaming;
}
static struct streaming *new_wdc(void) { return new_weak(false); }
static struct streaming *new_edc(void) { return new_weak(true); }

static void end_weak(struct streaming *s) {
  struct weak *w = (struct weak *)s;
  if (w->edc) violations_finish(&w->violations, s);
}

static void free_weak(struct streaming *s) {
  struct weak *w = (struct weak *)s;
  memory_drop(&w->memory, &w->sync.clocks);
  violations_release(&w->violations);
  sync_release(&w->sync);
  mem_free(w, sizeof *w);
}

const struct streaming_type streaming_wdc = {
    "wdc", "weak-doesn't-commute: predicted races, some of which cannot be", new_wdc, feed, end_weak, free_weak};
const struct streaming_type streaming_edc = {
    "edc", "extended doesn't-commute: predicted races and order violations", new_edc, feed, end_weak, free_weak};
