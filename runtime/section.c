#include "section.h"

#include "held.h"
#include "violation.h"

enum analysis analysis;

/* A test asks for less. */
#ifndef SECTIONS_MAX
#define SECTIONS_MAX 64
#endif
enum { SECTIONS_MIN = 2 };

struct section {
  uint32_t number, thread; /* the thread's number */
  epoch first, last;
  bool shared, torn; /* torn: others may have known a part before its end */
  struct vclock *end;
};

struct sections {
  uint32_t cap, count; /* count: all that have ended */
  uint32_t ntorn;      /* in the ring */
  bool any_shared;     /* if not, they end in the order of their numbers */
  struct vclock *old;  /* those that are not in the ring any more */
  struct vclock *torn; /* of these, the ones that others may know a part of: everybody who takes the lock knows them whole */
  struct section ring[];
};

static size_t bytes_of(uint32_t cap) { return sizeof(struct sections) + cap * sizeof(struct section); }

void sections_free(struct sections *all) {
  if (!all) return;
  for (uint32_t i = 0; i < all->cap; i++) vclock_free(all->ring[i].end);
  vclock_free(all->old), vclock_free(all->torn);
  rt_free(all, bytes_of(all->cap));
}

/* Sections of others that t knows a part of are over before this one: so t knows them whole. What their ends tell may be parts of further
 * ones, if they are shared. */
static void complete(struct thread *t, const struct sections *all, bool shared) {
  bool again = all->ntorn > 0;
  while (again) {
    again = false;
    for (uint32_t i = 0; i < all->cap && i < all->count; i++) {
      const struct section *x = &all->ring[i];
      uint32_t known = t->weak[epoch_slot(x->first)];
      if (!x->torn || x->thread == t->info->number || (x->shared && shared) || known < epoch_clock(x->first) ||
          known >= epoch_clock(x->last))
        continue;
      thread_acquire_weak(t, x->end);
      again |= x->shared;
    }
  }
}

static void begin_weak(struct thread *t, struct sync *s) {
  struct held *h = t->nheld ? &t->held[t->nheld - 1] : NULL;
  if (!h || h->lock != s->id) return;
  h->section = ++s->begun;
  thread_tick(t); /* what was done in this epoch so far was not done in the section */
  h->first = hd_fast.epoch;
  thread_tick(t); /* the begin has an epoch of its own: what came before a read in it has no other (atomic.c) */
  if (!s->sections || analysis != ANALYSIS_OVP) return;
  thread_acquire_weak(t, s->sections->torn);
  complete(t, s->sections, h->shared);
}

void section_begin(struct thread *t, struct sync *s, bool shared, uint32_t site) {
  thread_acquire_lock(t, s->clock);
  if (!shared) thread_acquire_lock(t, s->shared);
  held_add(t, s, shared, site);
  if (t->weak) begin_weak(t, s);
}

static struct sections *with_room(struct sections *old) {
  if (old && (old->count < old->cap || old->cap == SECTIONS_MAX)) return old;
  uint32_t cap = old ? old->cap * 2 : SECTIONS_MIN;
  struct sections *more = rt_alloc(bytes_of(cap));
  if (!more) return old;
  rt_zero(more, bytes_of(cap));
  more->cap = cap;
  if (old) { /* full, and never gone round: ring[i] is the i-th */
    more->count = old->count, more->old = old->old, more->torn = old->torn, more->ntorn = old->ntorn, more->any_shared = old->any_shared;
    rt_copy(more->ring, old->ring, old->cap * sizeof old->ring[0]);
    rt_free(old, bytes_of(old->cap));
  }
  return more;
}

static void fall_out(struct sections *all, struct section *x) {
  if (!x->end) return;
  vclock_join(&all->old, x->end->at, x->end->n);
  if (!x->torn) return;
  vclock_join(&all->torn, x->end->at, x->end->n);
  all->ntorn--;
}

static void end_weak(struct thread *t, struct sync *s) {
  struct held *h = NULL;
  for (uint32_t i = 0; i < t->nheld; i++)
    if (t->held[i].lock == s->id) h = &t->held[i];
  if (!h) return;
  struct sections *all = s->sections = with_room(s->sections);
  if (!all) return;
  if (analysis == ANALYSIS_OVP) complete(t, all, h->shared);
  violations_decide(t, s->id);
  struct section *x = &all->ring[all->count++ % all->cap];
  fall_out(all, x);
  x->number = h->section, x->thread = t->info->number, x->first = h->first, x->last = hd_fast.epoch, x->shared = h->shared;
  x->torn = h->torn || epoch_slot(x->last) != epoch_slot(x->first) || epoch_clock(x->last) > epoch_clock(x->first) + 1;
  all->ntorn += x->torn, all->any_shared |= x->shared;
  vclock_set(&x->end, t->weak, t->n, hd_fast.epoch);
}

void section_end(struct thread *t, struct sync *s, bool shared, bool mine) {
  if (t->weak) end_weak(t, s);
  held_remove(t, s);
  thread_release_lock(t, shared ? &s->shared : &s->clock, shared || !mine);
}

static const struct section *find(const struct sections *all, uint32_t number) {
  if (!all || number == ALL_SECTIONS) return NULL;
  const struct section *there = &all->ring[(number - 1) % all->cap];
  if (LIKELY(there->number == number)) return there;
  if (!all->any_shared) return NULL;
  for (uint32_t i = 0; i < all->cap && i < all->count; i++)
    if (all->ring[i].number == number) return &all->ring[i];
  return NULL;
}

void section_acquire(struct thread *t, const struct held *h, uint32_t number) {
  struct sync *s = sync_by_index(h->index);
  if (s->id != h->lock) return;   /* destroyed while it is held */
  if (h->shared) sync_lock(t, s); /* else nobody else is there */
  const struct sections *all = s->sections;
  const struct section *x = find(all, number);
  if (x)
    thread_acquire_weak(t, x->end);
  else if (all)
    thread_acquire_weak(t, all->old);
  for (uint32_t i = 0; number == ALL_SECTIONS && all && i < all->cap && i < all->count; i++) thread_acquire_weak(t, all->ring[i].end);
  if (h->shared) sync_unlock(t, s);
}

void section_learn(struct thread *t, const struct held *h, uint32_t number) {
  uint64_t key = (uint64_t)(uint32_t)h->lock << 32 | number;
  uint64_t *known = &t->known_ends[key * 0x9e3779b97f4a7c15ull >> 60];
  if (*known == key) return;
  section_acquire(t, h, number);
  *known = key;
}

enum inside section_has(struct thread *t, const struct held *h, uint32_t number, epoch e) {
  enum inside answer = NOT_KNOWN;
  struct sync *s = sync_by_index(h->index);
  if (s->id != h->lock) return OUTSIDE;
  sync_lock(t, s);
  const struct section *x = find(s->sections, number);
  if (x) answer = epoch_clock(e) >= epoch_clock(x->first) && epoch_clock(e) <= epoch_clock(x->last) ? INSIDE : OUTSIDE;
  sync_unlock(t, s);
  return answer;
}

/* The present epoch is not over: what came in it is not told of. */
void section_reads(struct thread *t, struct sync *s) {
  if (analysis != ANALYSIS_OVP || !t->nheld) return;
  for (uint32_t i = 0; i < t->nheld; i++) t->held[i].torn = true;
  t->weak[t->slot]--;
  vclock_join(&s->readers, t->weak, t->n);
  t->weak[t->slot]++;
}

void section_writes(struct thread *t, struct sync *s) {
  if (analysis == ANALYSIS_OVP) thread_acquire_weak(t, s->readers);
}
