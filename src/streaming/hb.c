/* Happens-before, and beside it the order SHB (Mathur, Kini, Viswanathan: "What happens after the first race?", OOPSLA 2018): a read comes
 * behind the write that it read from as well. A race of the run that SHB does not order can be shown by a reordering: all that SHB has
 * before the two, in the order of the run. Others may only be there because of an earlier race.
 *
 * That reordering may leave out a free and keep a later allocation of the same memory, which would have been given other memory then. A
 * thread may tell (predict/recorded/reuse.h). So a third order, KEPT, has allocations behind the frees of their bytes as well, and what it
 * orders is proven only `conditional`ly.
 *
 * C11's atomics as in happens/race.h: an acquiring read comes behind what was released to its bytes, by the write itself or by a fence
 * before it; read-modify-writes go on with a release sequence, and nothing else does. */
#include "streaming/types.h"

enum { HAPPENS, SCHEDULABLE, KEPT, ORDERS };

struct fences {
  struct clock *pending; /* what an acquiring fence would learn of relaxed reads */
  struct known released; /* by the last releasing fence */
};

struct hb {
  struct streaming streaming;
  struct sync sync;
  struct memory memory; /* readers of a granule: what was released to its bytes; others: writers and frees, in KEPT */
  VEC(struct fences) fences;
  const struct event *event;
  bool doubtful; /* the last event */
};

static struct hb *hb_of(struct streaming *s) { return (struct hb *)s; }

static void acquire(struct sync *s, uint32_t t, uint64_t lock, bool shared, const struct event *e) {
  (void)e;
  uint32_t l = lock_at(&s->locks, lock);
  for (unsigned k = 0; k < ORDERS; k++) sync_lock_taken(s, k, t, l, shared);
  sync_takes(s, SCHEDULABLE, t, l, shared);
  sync_takes(s, KEPT, t, l, shared);
}

/* Who gives back what another one took has not learnt what was told before. */
static void release(struct sync *s, uint32_t t, uint64_t lock, bool shared, const struct event *e) {
  (void)e;
  uint32_t l = lock_at(&s->locks, lock);
  bool mine = s->locks.all.data[l].taken[SCHEDULABLE].thread == t;
  for (unsigned k = 0; k < ORDERS; k++) sync_lock_given(s, k, t, l, shared, mine);
}

static void refused(struct sync *s, uint32_t t, uint64_t lock, const struct event *e) {
  (void)e;
  sync_refused(s, SCHEDULABLE, t, lock_at(&s->locks, lock));
  sync_refused(s, KEPT, t, lock_at(&s->locks, lock));
}

static bool acquires(uint8_t order) { return order == ORDER_ACQUIRE || order >= ORDER_ACQ_REL; }
static bool releases(uint8_t order) { return order == ORDER_RELEASE || order >= ORDER_ACQ_REL; }

static struct fences *fences_of(struct hb *h, uint32_t t) {
  while (h->fences.count <= t) *vec_push(&h->fences) = (struct fences){0};
  return &h->fences.data[t];
}

static void fence(struct hb *h, const struct event *e) {
  struct fences *f = fences_of(h, e->thread);
  struct thread *t = &h->sync.threads.data[e->thread];
  if (acquires(e->order)) clock_join(&h->sync.clocks, &t->knows[HAPPENS], f->pending);
  if (releases(e->order)) known_set(&h->sync.clocks, &f->released, t->knows[HAPPENS], e->thread, t->time);
}

static void atomic_load(struct hb *h, const struct granule *g, uint8_t mask) {
  const struct event *e = h->event;
  struct clock **to = acquires(e->order) ? &h->sync.threads.data[e->thread].knows[HAPPENS] : &fences_of(h, e->thread)->pending;
  for (uint32_t i = g->readers; i; i = pool_at(&h->memory.writers, i)->next) {
    const struct writer *w = pool_at(&h->memory.writers, i);
    if (w->mask & mask) clock_learn(&h->sync.clocks, to, &(struct known){w->clock, w->thread, w->time});
  }
}

static void atomic_store(struct hb *h, struct granule *g, uint8_t mask) {
  const struct event *e = h->event;
  struct clocks *clocks = &h->sync.clocks;
  struct known told = fences_of(h, e->thread)->released;
  if (releases(e->order))
    told = (struct known){h->sync.threads.data[e->thread].knows[HAPPENS], e->thread, h->sync.threads.data[e->thread].time};
  struct known all = {clock_share(told.clock), told.thread, told.time};
  for (uint32_t i = g->readers; i && e->op == EVENT_RMW; i = pool_at(&h->memory.writers, i)->next) {
    const struct writer *w = pool_at(&h->memory.writers, i);
    if (w->mask & mask) known_add(clocks, &all, w->clock, w->thread, w->time);
  }
  memory_wrote(&h->memory, clocks, &g->readers, mask, &all);
  clock_drop(clocks, all.clock);
}

static void learn_of(struct hb *h, unsigned order, uint32_t writers, uint8_t mask) {
  uint32_t t = h->event->thread;
  for (uint32_t i = writers; i; i = pool_at(&h->memory.writers, i)->next) {
    const struct writer *w = pool_at(&h->memory.writers, i);
    if (!(w->mask & mask) || sync_knows(&h->sync, order, t, w->thread, w->time)) continue;
    clock_learn(&h->sync.clocks, &h->sync.threads.data[t].knows[order], &(struct known){w->clock, w->thread, w->time});
  }
}

/* A read comes behind the write that it read from. */
static void learn(void *data, struct granule *g, uint8_t mask) {
  struct hb *h = data;
  if (h->event->op != EVENT_READ && h->event->op != EVENT_RMW) return;
  learn_of(h, SCHEDULABLE, g->writers, mask);
  learn_of(h, KEPT, g->others, mask);
}

/* Memory is given out behind its free. */
static void learn_end(void *data, struct granule *g, uint8_t mask) {
  struct hb *h = data;
  for (uint32_t i = g->cells; i; i = pool_at(&h->memory.cells, i)->next) {
    const struct cell *c = pool_at(&h->memory.cells, i);
    if (c->kind == ACCESS_END && (c->mask & mask)) learn_of(h, KEPT, g->others, c->mask & mask);
  }
}

static void conflict(void *data, const struct cell *c) {
  struct hb *h = data;
  const struct event *e = h->event;
  bool proven = !sync_knows(&h->sync, SCHEDULABLE, e->thread, c->thread, c->time);
  bool kept = !sync_knows(&h->sync, KEPT, e->thread, c->thread, c->time);
  streaming_race(&h->streaming, c, e,
                 !proven ? "nothing orders them in this run, but what was read in an earlier race may"
                 : kept  ? "nothing orders them in this run"
                         : "nothing orders them in this run; but to show them together, memory is given out that is not freed yet, which a "
                           "thread could notice",
                 !proven ? PROOF_NONE
                 : kept  ? PROOF_WHOLE
                         : PROOF_CONDITIONAL);
}

static bool is_atomic(const struct event *e) { return e->order != ORDER_PLAIN && e->op != EVENT_FREE; }

static void order(void *data, struct granule *g, uint8_t mask) {
  struct hb *h = data;
  if (is_atomic(h->event) && h->event->op != EVENT_WRITE) atomic_load(h, g, mask);
}

static void judge(void *data, struct granule *g, uint8_t mask) {
  struct hb *h = data;
  const struct event *e = h->event;
  struct cell x = {
      .at = granule_address(g), .thread = e->thread, .time = e->index + 1, .site = e->site, .mask = mask, .kind = (uint8_t)access_kind(e)};
  struct view view = {h->sync.threads.data[e->thread].knows[HAPPENS], NULL, e->thread};
  cells_compare(&h->memory, g, &x, &view, NULL, conflict, h);
}

static void leave(void *data, struct granule *g, uint8_t mask) {
  struct hb *h = data;
  const struct event *e = h->event;
  bool writes = e->op == EVENT_WRITE || e->op == EVENT_RMW;
  const struct thread *t = &h->sync.threads.data[e->thread];
  if (writes) memory_wrote(&h->memory, &h->sync.clocks, &g->writers, mask, &(struct known){t->knows[SCHEDULABLE], e->thread, t->time});
  if (writes || e->op == EVENT_FREE)
    memory_wrote(&h->memory, &h->sync.clocks, &g->others, mask, &(struct known){t->knows[KEPT], e->thread, t->time});
  if (writes && is_atomic(e))
    atomic_store(h, g, mask);
  else if (writes && g->readers) /* who reads this synchronises with nobody */
    memory_wrote(&h->memory, &h->sync.clocks, &g->readers, mask, &(struct known){0});
}

static const struct access_steps steps = {order, judge, learn, leave};

static void allocate(struct hb *h, const struct event *e) {
  memory_each(&h->memory, e->object, e->size, true, learn_end, h);
  memory_forget(&h->memory, &h->sync.clocks, e->object, e->size);
}

static void feed(struct streaming *s, const struct event *events, size_t n) {
  struct hb *h = hb_of(s);
  const uint64_t accesses = OP(READ) | OP(WRITE) | OP(RMW) | OP(FREE);
  for (size_t i = 0; i < n; i++) {
    const struct event *e = &events[i];
    streaming_fetch(&h->memory, events, i, n);
    if (!sync_knows_of(e)) continue;
    bool doubtful = h->doubtful;
    streaming_settle(&h->sync, SCHEDULABLE, e, &h->doubtful);
    streaming_settle(&h->sync, KEPT, e, &doubtful);
    (void)sync_step(&h->sync, e);
    h->event = e;
    if (accesses >> e->op & 1)
      access_each(&h->memory, e, &steps, h), streaming_read(&h->sync, SCHEDULABLE, e), streaming_read(&h->sync, KEPT, e);
    else if (e->op == EVENT_ALLOC)
      allocate(h, e);
    else if (e->op == EVENT_FENCE)
      fence(h, e);
    else
      sync_event(&h->sync, e);
  }
}

static struct streaming *new_hb(void) {
  static const struct sync_hooks hooks = {acquire, release, refused};
  struct hb *h = mem_alloc(sizeof *h);
  sync_begin(&h->sync, ORDERS, 0, 1u << SCHEDULABLE | 1u << KEPT, &hooks);
  return &h->streaming;
}

static void end_hb(struct streaming *s) { (void)s; }

static void free_hb(struct streaming *s) {
  struct hb *h = hb_of(s);
  memory_drop(&h->memory, &h->sync.clocks);
  for (size_t i = 0; i < h->fences.count; i++)
    clock_drop(&h->sync.clocks, h->fences.data[i].pending), clock_drop(&h->sync.clocks, h->fences.data[i].released.clock);
  vec_release(&h->fences);
  sync_release(&h->sync);
  mem_free(h, sizeof *h);
}

const struct streaming_type streaming_hb = {"hb", "happens-before: races of the run itself", new_hb, feed, end_hb, free_hb};
