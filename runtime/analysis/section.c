#include "analysis/section.h"

#include "analysis/held.h"
#include "analysis/nested.h"
#include "analysis/seen.h"
#include "analysis/violation.h"

enum analysis analysis;
bool keep_all;

/* A test asks for less. */
#ifndef SECTIONS_MAX
#define SECTIONS_MAX 64
#endif
enum { SECTIONS_MIN = 2 };

enum { CLOCKS = 8, BY = 4 };

/* One that has ended; a line of the cache. */
struct section {
  _Alignas(64) uint32_t number;
  uint32_t thread; /* its actor (thread.h) */
  epoch first, last;
  uint32_t before;   /* if it is torn: the last torn one of that slot before it, as sections.by counts */
  uint16_t n;        /* what was known at its end, of so many slots: */
  bool shared, torn; /* torn: others may have known a part before its end */
  union {
    _Alignas(16) uint32_t at[CLOCKS];
    struct vclock *more; /* if there are more than CLOCKS */
  };
};
_Static_assert(sizeof(struct section) == 64, "a line of the cache");

struct sections {
  uint32_t cap, count; /* cap: a power of 2; count: all that have ended */
  uint32_t ntorn;      /* in the ring */
  bool any_shared;     /* if not, they end in the order of their numbers */
  bool moved;          /* some thread began one in another slot than it ended it in */
  uint8_t nby;         /* beyond BY: not all are there */
  struct vclock *old;  /* those that are not in the ring any more */
  struct vclock *torn; /* of these, the ones that others may know a part of: who knows a part of any of them and takes the lock knows all */
  struct vclock *torn_first; /* of each slot, the begin of its first one of these; 0: none */
  struct {
    uint32_t slot, newest; /* its last torn section: the how manieth that ended */
  } by[BY];
  struct section ring[]; /* behind it, their last epochs */
};

static size_t bytes_of(uint32_t cap) { return sizeof(struct sections) + cap * (sizeof(struct section) + sizeof(epoch)); }
static epoch *lasts(struct sections *all) { return (epoch *)(void *)&all->ring[all->cap]; }
static const uint32_t *end_of(const struct section *x) { return x->n > CLOCKS ? x->more->at : x->at; }

void sections_free(struct sections *all) {
  if (!all) return;
  for (uint32_t i = 0; i < all->cap; i++)
    if (all->ring[i].n > CLOCKS) vclock_free(all->ring[i].more);
  vclock_free(all->old), vclock_free(all->torn), vclock_free(all->torn_first);
  rt_free(all, bytes_of(all->cap));
}

static void acquire_end(struct thread *t, const struct section *x) { thread_acquire_weak_at(t, x->last, end_of(x), x->n); }

static bool knows(const struct thread *t, epoch e) { return t->weak[epoch_slot(e)] >= epoch_clock(e); }

/* t knows a part of the section, and something excludes the two. */
static bool in_part(const struct thread *t, const struct section *x, bool shared) {
  return x->torn && x->thread != t->actor && !(x->shared && shared) && knows(t, x->first) && !knows(t, x->last);
}

/* A slot's sections do not overlap, unless one is within the other: if t knows the end of one, it knows those of all that ended before. */
static bool complete_slot(struct thread *t, const struct sections *all, bool shared, uint32_t slot, uint32_t newest) {
  for (uint32_t s = newest; s && all->count - s < all->cap;) {
    const struct section *x = &all->ring[(s - 1) & (all->cap - 1)];
    if (epoch_slot(x->last) == slot && knows(t, x->last)) return false;
    if (in_part(t, x, shared)) {
      acquire_end(t, x);
      return x->shared;
    }
    s = x->before;
  }
  return false;
}

static bool complete_all(struct thread *t, const struct sections *all, bool shared) {
  bool again = false;
  for (uint32_t i = 0; i < all->cap && i < all->count; i++) {
    if (!in_part(t, &all->ring[i], shared)) continue;
    acquire_end(t, &all->ring[i]);
    again |= all->ring[i].shared;
  }
  return again;
}

/* Sections of others that t knows a part of are over before this one: so t knows them whole. What their ends tell may be parts of further
 * ones, if they are shared. */
static void complete(struct thread *t, const struct sections *all, bool shared) {
  bool again = all->ntorn > 0;
  while (again) {
    again = all->nby > BY && complete_all(t, all, shared);
    for (uint32_t i = 0; all->nby <= BY && i < all->nby; i++) again |= complete_slot(t, all, shared, all->by[i].slot, all->by[i].newest);
  }
}

/* x, the last one, is torn. */
static void add_torn(struct sections *all, struct section *x) {
  uint32_t slot = epoch_slot(x->first);
  unsigned i = 0;
  all->ntorn++;
  while (i < all->nby && i < BY && all->by[i].slot != slot) i++;
  if (i == BY) {
    all->nby = BY + 1;
    return;
  }
  if (i == all->nby) all->nby++, all->by[i].slot = slot, all->by[i].newest = 0;
  x->before = all->by[i].newest, all->by[i].newest = all->count;
}

static void complete_old(struct thread *t, const struct sections *all) {
  const struct vclock *first = all->torn_first;
  for (uint32_t i = 0; first && i < first->n; i++)
    if (first->at[i] && i != t->slot && t->weak[i] >= first->at[i]) {
      thread_acquire_weak(t, all->torn);
      return;
    }
}

static const struct section *find(const struct sections *all, uint32_t number) {
  if (!all || number == ALL_SECTIONS) return NULL;
  const struct section *there = &all->ring[(number - 1) & (all->cap - 1)];
  if (LIKELY(there->number == number)) return there;
  if (!all->any_shared) return NULL;
  for (uint32_t i = 1; i < all->cap; i++) { /* those that were begun about then ended about then */
    uint32_t by = i % 2 ? (i + 1) / 2 : -(i / 2);
    if (all->ring[(number - 1 + by) % all->cap].number == number) return &all->ring[(number - 1 + by) % all->cap];
  }
  return NULL;
}

/* The one that a thread was in in that epoch. A slot's end one after the other. *gone: there may have been one. */
static const struct section *find_of(struct sections *all, epoch e, bool *gone) {
  const epoch *last = lasts(all);
  uint32_t slot = epoch_slot(e);
  *gone = all->count > all->cap && all->old && all->old->n > slot && all->old->at[slot] >= epoch_clock(e);
  for (uint32_t i = all->count; i > 0 && all->count - i < all->cap; i--) {
    const struct section *x = &all->ring[(i - 1) & (all->cap - 1)];
    if (LIKELY(epoch_slot(last[x - all->ring]) != slot)) {
      if (UNLIKELY(all->moved) && epoch_slot(x->first) == slot && epoch_clock(x->first) <= epoch_clock(e)) return x;
      continue;
    }
    if (epoch_clock(x->last) < epoch_clock(e)) {
      *gone = false;
      return NULL;
    }
    if (epoch_slot(x->first) != slot || epoch_clock(x->first) <= epoch_clock(e)) return x;
  }
  return NULL;
}

static uint32_t lowest(const struct sections *all) {
  uint32_t least = all->ring[all->count < all->cap ? 0 : all->count % all->cap].number;
  if (!all->any_shared) return least;
  for (uint32_t i = 0; i < all->cap && i < all->count; i++)
    if (all->ring[i].number < least) least = all->ring[i].number;
  return least;
}

/* s->ends is held, or s->lock, without which no section ends. */
static uint32_t acquire(struct thread *t, const struct sections *all, uint32_t number) {
  const struct section *x = find(all, number);
  if (x) return acquire_end(t, x), 0;
  if (!all) return 0;
  thread_acquire_weak(t, all->old);
  for (uint32_t i = 0; number == ALL_SECTIONS && i < all->cap && i < all->count; i++) acquire_end(t, &all->ring[i]);
  return lowest(all);
}

/* A section of a thread that holds too many locks already is not kept: the lock orders it as it was in this run. */
static COLD void begin_unkept(struct thread *t, const struct sync *s) { acquire(t, s->sections, ALL_SECTIONS); }
static COLD void end_unkept(struct thread *t, struct sync *s) { vclock_join_weak(&s->clock, t->weak, t->n); }

static void begin_weak(struct thread *t, struct sync *s, bool kept) {
  seen_hear(t);
  struct held *h = kept ? &t->held[t->nheld - 1] : NULL;
  if (UNLIKELY(vclock_weak(s->clock) != NULL)) thread_acquire_weak(t, vclock_weak(s->clock)); /* of unkept ones */
  if (!h) {
    begin_unkept(t, s);
    return;
  }
  h->section = ++s->begun;
  thread_tick(t); /* what was done in this epoch so far was not done in the section */
  h->first = hd_fast.epoch;
  thread_tick(t); /* the begin has an epoch of its own: what came before a read in it has no other (atomic.c) */
  if (!s->sections || analysis != ANALYSIS_OVP) return;
  complete_old(t, s->sections);
  complete(t, s->sections, h->shared);
}

/* Epochs that nobody else can tell apart. A thread that gives a lock back begins an epoch, as whoever takes the lock then knows of what
 * came before alone. But if the thread takes the lock again itself, and nobody has had it meanwhile, its clock as it was at that release is
 * known to nobody else, and is gone at the next release: what the thread did before the first release and what it did between the two are
 * known to the same threads from then on. (Not what it does behind the second one: that is known to nobody as long as nobody takes the
 * lock.) The locks that the thread held must be the same in all these epochs, since reports find them by the epoch: it takes this lock
 * alone in each. */
static bool is_last_given(const struct thread *t, const struct sync *s) {
  bool excludes = s->kind == SYNC_MUTEX || s->kind == SYNC_SPIN; /* so that who takes its clock gives one back */
  return excludes && !t->weak && s->clock && s->clock->from == hd_fast.epoch - EPOCH_STEP;
}
/* How many such epochs t has (thread.h) when it has given the lock back. A thread that became known meanwhile may have looked at t's clock
 * before any of the last two releases; that it counted itself first is seen here, as there are locked instructions between these. */
static epoch equal_then(struct thread *t, const struct sync *s, bool exclusive) {
  const struct held *h = t->nheld ? &t->held[t->nheld - 1] : NULL;
  uint32_t attached = __atomic_load_n(&threads_attached, __ATOMIC_RELAXED), before = t->attached;
  t->attached = attached;
  if (t->weak || !exclusive || attached != before || !h || h->lock != s->id || h->from != t->clock[t->slot] || t->taken != 1 ||
      t->held_more)
    return 0;
  return (t->equal_lock == s->id ? t->equal : 0) + EPOCH_STEP;
}

void section_begin(struct thread *t, struct sync *s, bool shared, uint32_t site) {
  if (is_last_given(t, s)) t->equal_lock = s->id;
  thread_acquire_lock(t, s->clock);
  if (!shared) thread_acquire_lock(t, s->shared);
  uint32_t more = t->held_more;
  held_add(t, s, shared, site);
  if (t->weak) begin_weak(t, s, t->held_more == more);
}

static struct held *held_of(struct thread *t, const struct sync *s) {
  for (uint32_t i = t->nheld; i > 0; i--)
    if (t->held[i - 1].lock == s->id) return &t->held[i - 1];
  return NULL;
}

static struct sections *with_room(struct sync *s) {
  struct sections *old = s->sections;
  if (old && (old->count != old->cap || (old->cap >= SECTIONS_MAX && !keep_all))) return old; /* once there was no memory, it goes round */
  uint32_t cap = old ? old->cap * 2 : SECTIONS_MIN;
  struct sections *more = rt_alloc(bytes_of(cap));
  if (!more) {
    if (!old) order_lose();
    return old; /* it goes round */
  }
  rt_zero(more, bytes_of(cap));
  more->cap = cap;
  if (old) { /* full, and never gone round: ring[i] is the i-th */
    rt_copy(more, old, sizeof *old + old->cap * sizeof old->ring[0]);
    more->cap = cap;
    for (uint32_t i = 0; i < old->cap; i++) lasts(more)[i] = lasts(old)[i];
  }
  s->sections = more; /* first: a child that is forked here by another thread may not find one that is free */
  if (old) rt_free(old, bytes_of(old->cap));
  return more;
}

static void note_torn(struct thread *t, struct sections *all, epoch first) {
  uint32_t slot = epoch_slot(first), *at = t->scratch;
  if (all->torn_first && all->torn_first->n > slot && all->torn_first->at[slot]) return;
  _Static_assert(SCRATCH >= SLOTS * sizeof *at, "a clock of each slot");
  rt_zero(at, (slot / CLOCKS_STEP + 1) * CLOCKS_STEP * sizeof *at);
  at[slot] = epoch_clock(first);
  vclock_join(&all->torn_first, at, slot + 1);
}

static void fall_out(struct thread *t, struct sections *all, const struct section *x) {
  if (!x->number) return;
  vclock_join(&all->old, end_of(x), x->n);
  if (!x->torn) return;
  vclock_join(&all->torn, end_of(x), x->n);
  note_torn(t, all, x->first);
  all->ntorn--;
}

static void keep_end(struct section *x, const uint32_t *at, uint32_t n) {
  struct vclock *more = x->n > CLOCKS ? x->more : NULL;
  if (n > CLOCKS && vclock_set(&more, at, n, 0)) {
    x->more = more, x->n = (uint16_t)n;
    return;
  }
  vclock_free(more); /* without memory, the clocks of the first slots have to do */
  x->n = (uint16_t)(n < CLOCKS ? n : CLOCKS);
  clocks_copy(x->at, at, x->n);
}

/* Even who holds a lock exclusively need not be alone with its sections: another thread may have given it back. */
static void lock_ends(struct thread *t, struct sync *s) {
  thread_enter(t);
  rt_lock(&s->ends);
}
static void unlock_ends(struct thread *t, struct sync *s) {
  rt_unlock(&s->ends);
  thread_leave(t);
}

static void end_kept(struct thread *t, struct sync *s, const struct held *h) {
  struct sections *all = with_room(s);
  if (!all) return;
  if (analysis == ANALYSIS_OVP) {
    if (h->shared) complete_old(t, all); /* those of other readers may have fallen out since the begin, which t knew no part of then */
    complete(t, all, h->shared);
  }
  violations_decide(t, s->id);
  struct section *x = &all->ring[all->count++ & (all->cap - 1)];
  fall_out(t, all, x);
  x->number = h->section, x->thread = t->actor, x->first = h->first, x->last = hd_fast.epoch, x->shared = h->shared;
  x->torn = h->torn || epoch_slot(x->last) != epoch_slot(x->first) || epoch_clock(x->last) > epoch_clock(x->first) + 1;
  all->any_shared |= x->shared, all->moved |= epoch_slot(x->first) != epoch_slot(x->last);
  lasts(all)[x - all->ring] = x->last;
  if (x->torn) add_torn(all, x);
  keep_end(x, t->weak, t->n);
}

static void end_weak(struct thread *t, struct sync *s) {
  const struct held *h = held_of(t, s);
  if (!h) {
    end_unkept(t, s);
    return;
  }
  lock_ends(t, s);
  end_kept(t, s, h);
  unlock_ends(t, s);
  nested_decide(t, s->id);
}

void section_end(struct thread *t, struct sync *s, bool shared, bool mine) {
  epoch equal = equal_then(t, s, mine && !shared);
  if (t->weak) {
    seen_hear(t);
    bool learns = thread_learns(t);
    end_weak(t, s);
    held_remove(t, s);
    thread_has_learnt(t, learns);
  } else {
    held_remove(t, s);
  }
  epoch now = hd_fast.epoch;
  thread_release_lock(t, shared ? &s->shared : &s->clock, shared || !mine);
  if (hd_fast.epoch == now + EPOCH_STEP) t->equal = equal; /* its slot is the same */
}

uint32_t section_acquire(struct thread *t, const struct held *h, uint32_t number) {
  struct sync *s = sync_by_index(h->index);
  if (s->id != h->lock) return 0; /* destroyed while it is held */
  lock_ends(t, s);
  uint32_t below = acquire(t, s->sections, number);
  unlock_ends(t, s);
  return below;
}

/* Of exclusive sections all are known that are older than those that were kept when t learnt of one that was not: none of them went on
 * then, as t had the lock, too.
 *
 * When a lock's numbers are used up, a number may be an old section's or a new one's: t learns of all, once in each section of its own. */
__attribute__((noinline)) void section_learn(struct thread *t, const struct held *h, uint32_t number, bool shared) {
  bool unique = h->section < 1u << SECTION_BITS;
  uint64_t key = (uint64_t)(uint32_t)h->lock << 32 | (unique ? number : h->section);
  uint64_t *known = &t->known_ends[key * 0x9e3779b97f4a7c15ull >> (64 - KNOWN_ENDS_BITS)];
  struct known_old *old = &t->known_old[h->lock % KNOWN_OLD];
  if (*known == key || (unique && old->lock == h->lock && !shared && number < old->below)) return;
  uint32_t below = section_acquire(t, h, unique ? number : ALL_SECTIONS);
  *known = key;
  if (below && unique) *old = (struct known_old){.lock = h->lock, .below = below};
}

/* What t knows of sections of that lock in the epoch's slot: one of a few places for that; the clock up to which it knows their ends. */
static uint64_t *known_until(struct thread *t, const struct held *h, epoch e, uint64_t *key) {
  *key = h->lock << (SLOT_BITS + CLOCK_BITS) | (uint64_t)epoch_slot(e) << CLOCK_BITS;
  return &t->known_until[*key * 0x9e3779b97f4a7c15ull >> (64 - KNOWN_ENDS_BITS)];
}

/* Returns the clock of that slot up to which t knows the ends of sections now. If that one is not kept any more, all that are not are
 * learnt of; or if its thread changed its slot twice meanwhile. A lock that has the index of one that is gone may never have had such a
 * section. */
static __attribute__((noinline)) uint32_t learn_of(struct thread *t, const struct held *h, epoch e) {
  struct sync *s = sync_by_index(h->index);
  uint32_t until = epoch_clock(e);
  if (s->id != h->lock) return until; /* destroyed while it is held */
  lock_ends(t, s);
  struct sections *all = s->sections;
  bool gone;
  const struct section *x = all ? find_of(all, e, &gone) : NULL;
  if (x) {
    acquire_end(t, x);
    if (epoch_slot(x->last) == epoch_slot(e)) until = epoch_clock(x->last);
  } else if (all && all->moved) {
    acquire(t, all, ALL_SECTIONS);
  } else if (all && gone) {
    thread_acquire_weak(t, all->old);
  }
  unlock_ends(t, s);
  return until;
}

void section_learn_of(struct thread *t, const struct held *h, epoch e) {
  uint64_t key, *known = known_until(t, h, e, &key);
  if ((*known ^ key) >> CLOCK_BITS == 0 && (*known ^ key) >= epoch_clock(e)) return;
  *known = key | learn_of(t, h, e);
}

/* e: of the thread whose section it is, which may have gone on in another slot meanwhile (thread_tick()). */
static enum inside has(const struct section *x, epoch e) {
  bool at_first = epoch_slot(e) == epoch_slot(x->first), at_last = epoch_slot(e) == epoch_slot(x->last);
  if ((at_first && epoch_clock(e) < epoch_clock(x->first)) || (at_last && epoch_clock(e) > epoch_clock(x->last))) return OUTSIDE;
  if (at_first || at_last) return INSIDE;
  return epoch_slot(x->first) == epoch_slot(x->last) ? OUTSIDE : NOT_KNOWN;
}

enum inside section_has(struct thread *t, const struct held *h, uint32_t number, epoch e) {
  enum inside answer = NOT_KNOWN;
  struct sync *s = sync_by_index(h->index);
  if (s->id != h->lock) return OUTSIDE;
  lock_ends(t, s);
  const struct section *x = find(s->sections, number);
  if (x) answer = has(x, e);
  unlock_ends(t, s);
  return answer;
}

enum inside section_has_both(struct thread *t, const struct held *h, epoch of, epoch e) {
  enum inside answer = NOT_KNOWN;
  bool gone;
  struct sync *s = sync_by_index(h->index);
  if (s->id != h->lock) return OUTSIDE;
  lock_ends(t, s);
  const struct section *x = s->sections ? find_of(s->sections, of, &gone) : NULL;
  if (x) answer = has(x, e);
  unlock_ends(t, s);
  return answer;
}

bool section_encloses(struct thread *t, const struct held *h, epoch e, bool (*behind)(epoch first, const void *data), const void *data) {
  uint32_t slot = epoch_slot(e);
  bool found = false;
  struct sync *s = sync_by_index(h->index);
  if (s->id != h->lock) return false;
  lock_ends(t, s);
  const struct sections *all = s->sections;
  for (uint32_t i = 0; all && i < all->cap && i < all->count; i++) {
    const struct section *x = &all->ring[i];
    if ((x->shared && h->shared) || epoch_slot(x->first) == slot || x->n <= slot || end_of(x)[slot] < epoch_clock(e)) continue;
    if (!behind(x->first, data)) continue;
    acquire_end(t, x);
    found = true;
  }
  unlock_ends(t, s);
  return found;
}

void sections_since(struct thread *t, struct sync *s, uint32_t number) {
  lock_ends(t, s);
  const struct sections *all = s->sections;
  for (uint32_t i = all ? all->count : 0; i > 0 && all->count - i < all->cap; i--) {
    const struct section *x = &all->ring[(i - 1) & (all->cap - 1)];
    if (x->number >= number || i == all->count) acquire_end(t, x);
  }
  unlock_ends(t, s);
}

/* The present epoch is not over: what came in it is not told of. */
void section_reads(struct thread *t, struct sync *s) {
  if (analysis != ANALYSIS_OVP || !t->nheld) return;
  seen_hear(t);
  for (uint32_t i = 0; i < t->nheld; i++) t->held[i].torn = true;
  t->weak[t->slot]--;
  vclock_join(&s->readers, t->weak, t->n);
  t->weak[t->slot]++;
}

void section_writes(struct thread *t, struct sync *s) {
  if (analysis == ANALYSIS_OVP) thread_acquire_weak(t, s->readers);
}
