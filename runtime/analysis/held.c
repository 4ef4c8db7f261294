#include "analysis/held.h"

enum { SECTIONS = 4096, TRIES = 1000 };

/* A lock was held from an epoch on, but for the part of it before the thread had taken `nth` locks in it, up to the end of another. Or
 * several times, one right after the other, for `each` epochs. */
struct section {
  uint64_t lock; /* packed: address:48 nth:4 kind:4 shared:1, the last 7 bits of the object's id */
  uint32_t site;
  uint32_t from, to;
  uint32_t each; /* 0: once */
};

enum { NTH_SHIFT = 48, KIND_SHIFT = 52, SHARED_SHIFT = 56, ID_SHIFT = 57 };
_Static_assert(TAKEN_MAX < 16, "four bits for nth");

/* A slot's. Its thread alone writes. */
struct past {
  uint32_t count; /* so far; the last ones are in at[] */
  uint32_t lost;  /* of what ended up to this clock, something is not known */
  struct section at[SECTIONS];
};

static struct past *pasts[SLOTS];

static struct past *past_of(uint32_t slot) {
  struct past *p = __atomic_load_n(&pasts[slot], __ATOMIC_ACQUIRE);
  if (LIKELY(p != NULL)) return p;
  p = rt_pages(sizeof *p);
  __atomic_store_n(&pasts[slot], p, __ATOMIC_RELEASE);
  return p;
}

/* Loops take and give the same lock in epoch after epoch. */
static bool goes_on(const struct section *last, const struct section *s) {
  uint32_t each = last->each ? last->each : last->to + 1 - last->from;
  return last->lock == s->lock && last->site == s->site && last->to + 1 == s->from && s->to + 1 - s->from == each;
}

static void remember(const struct thread *t, const struct held *h, uintptr_t address, uint8_t kind) {
  struct past *p = past_of(t->slot);
  if (!p) return;
  struct section s = {.site = h->site, .from = h->from, .to = t->clock[t->slot]};
  s.lock =
      address | (uint64_t)h->nth << NTH_SHIFT | (uint64_t)kind << KIND_SHIFT | (uint64_t)h->shared << SHARED_SHIFT | h->lock << ID_SHIFT;
  struct section *last = &p->at[(p->count - 1) % SECTIONS], *next = &p->at[p->count % SECTIONS];
  if (p->count && goes_on(last, &s)) {
    last->each = s.to + 1 - s.from, last->to = s.to;
    return;
  }
  if (p->count >= SECTIONS) p->lost = next->to;
  *next = s;
  __atomic_store_n(&p->count, p->count + 1, __ATOMIC_RELEASE);
}

/* Around changes other than additions: who looks meanwhile looks again. */
static void changing(struct thread *t) {
  __atomic_store_n(&t->held_version, t->held_version + 1, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
}
static void changed(struct thread *t) { __atomic_store_n(&t->held_version, t->held_version + 1, __ATOMIC_RELEASE); }

void held_add(struct thread *t, const struct sync *s, bool shared, uint32_t site) {
  if (t->nheld == HELD) {
    t->held_more++;
    return;
  }
  if (t->taken == TAKEN_MAX) thread_tick(t);
  t->held[t->nheld] =
      (struct held){.lock = s->id, .index = s->index, .site = site, .shared = shared, .from = t->clock[t->slot], .nth = ++t->taken};
  t->lockset = 0;
  __atomic_store_n(&t->nheld, t->nheld + 1, __ATOMIC_RELEASE);
}

void held_remove(struct thread *t, const struct sync *s) {
  uint32_t i = t->nheld;
  while (i > 0 && t->held[i - 1].lock != s->id) i--;
  changing(t);
  t->lockset = 0;
  if (i > 0) {
    remember(t, &t->held[i - 1], s->address, s->kind);
    for (t->nheld--; i <= t->nheld; i++) t->held[i - 1] = t->held[i];
  } else if (t->held_more) {
    struct past *p = past_of(t->slot);
    if (p) p->lost = t->clock[t->slot];
    t->held_more--;
  }
  changed(t);
}

void held_leave(struct thread *t) {
  changing(t);
  for (uint32_t i = 0; i < t->nheld; i++) {
    const struct sync *s = held_object(&t->held[i]);
    remember(t, &t->held[i], s ? s->address : 0, s ? s->kind : SYNC_OTHER);
  }
  changed(t);
}

void held_moved(struct thread *t) {
  t->lockset = 0;
  for (uint32_t i = 0; i < t->nheld; i++) t->held[i].from = t->clock[t->slot], t->held[i].nth = 0;
}

const struct sync *held_sync(const struct thread *t, const struct held *h) {
  const struct sync *s = held_object(h);
  return s && (h->shared || s->owner == t->info->number + 1 || s->holder == t->info->number + 1) ? s : NULL;
}

static struct finding_lock lock_of(const struct held *h) {
  const struct sync *s = held_object(h);
  return (struct finding_lock){.address = s ? s->address : 0,
                               .site = h->site,
                               .made = s ? s->site : SITE_UNKNOWN,
                               .kind = s ? s->kind : SYNC_OTHER,
                               .shared = h->shared};
}

/* Another lock may be in its place by now. */
static struct finding_lock lock_of_section(const struct section *s) {
  uintptr_t address = s->lock & ((1ull << NTH_SHIFT) - 1);
  const struct sync *now = address ? sync_find(address) : NULL;
  bool same = now && ((now->id ^ s->lock >> ID_SHIFT) & ((1 << (64 - ID_SHIFT)) - 1)) == 0;
  return (struct finding_lock){.address = address,
                               .site = s->site,
                               .made = same ? now->site : SITE_UNKNOWN,
                               .kind = s->lock >> KIND_SHIFT & 15,
                               .shared = s->lock >> SHARED_SHIFT & 1};
}

struct finding_locks held_now(const struct thread *t, struct finding_lock *locks, unsigned n) {
  struct finding_locks l = {.at = locks, .known = t->held_more || t->nheld > n ? LOCKS_SOME : LOCKS_ALL};
  for (; l.count < t->nheld && l.count < n; l.count++) locks[l.count] = lock_of(&t->held[l.count]);
  return l;
}

/* An access whose locks are looked for: so many locks had been taken in its epoch. */
struct looking {
  uint32_t slot, clock, taken;
  struct finding_lock *locks;
  struct {
    uint32_t from, nth;
  } order[HELD]; /* of taking */
  unsigned count, room;
  bool lost;
  bool open;      /* one of these sections goes on */
  uint32_t until; /* the others' last clock */
};

static void found(struct looking *l, struct finding_lock lock, uint32_t from, uint32_t nth) {
  if (l->count == l->room) {
    l->lost = true;
    return;
  }
  unsigned i = l->count++;
  for (; i > 0 && (l->order[i - 1].from > from || (l->order[i - 1].from == from && l->order[i - 1].nth > nth)); i--)
    l->locks[i] = l->locks[i - 1], l->order[i] = l->order[i - 1];
  l->locks[i] = lock, l->order[i].from = from, l->order[i].nth = nth;
}

static void look_back(struct looking *l) {
  const struct past *p = __atomic_load_n(&pasts[l->slot], __ATOMIC_ACQUIRE);
  if (!p) return;
  uint32_t end = __atomic_load_n(&p->count, __ATOMIC_ACQUIRE), n = end < SECTIONS ? end : SECTIONS;
  for (uint32_t i = end; i > end - n; i--) {
    struct section s = p->at[(i - 1) % SECTIONS];
    if (s.to < l->clock) break; /* they are in the order of their ends */
    uint32_t nth = s.lock >> NTH_SHIFT & 15, from = s.each && s.from <= l->clock ? l->clock - (l->clock - s.from) % s.each : s.from;
    if (s.from > l->clock || (from == l->clock && nth > l->taken)) continue;
    uint32_t to = s.each ? from + s.each - 1 : s.to;
    if (to > l->until) l->until = to;
    found(l, lock_of_section(&s), from, nth);
  }
  l->lost |= __atomic_load_n(&p->lost, __ATOMIC_RELAXED) >= l->clock;
}

static void look(struct looking *l, const struct thread *t) {
  l->count = 0, l->until = 0, l->open = false, l->lost = t && t->held_more;
  look_back(l);
  uint32_t n = t ? __atomic_load_n(&t->nheld, __ATOMIC_ACQUIRE) : 0;
  for (uint32_t i = 0; i < n && i < HELD; i++) {
    struct held h = t->held[i];
    if (h.from > l->clock || (h.from == l->clock && h.nth > l->taken)) continue;
    l->open = true;
    found(l, lock_of(&h), h.from, h.nth);
  }
}

/* The thread goes on meanwhile. */
static void look_at(const struct thread *t, void *data) {
  struct looking *l = data;
  for (int tries = 0; tries < TRIES; tries++) {
    uint32_t version = t ? __atomic_load_n(&t->held_version, __ATOMIC_ACQUIRE) : 0;
    if (version & 1) {
      __builtin_ia32_pause();
      continue;
    }
    look(l, t);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (!t || __atomic_load_n(&t->held_version, __ATOMIC_RELAXED) == version) return;
  }
  l->count = 0, l->lost = true;
}

static struct looking looking(epoch e, uint32_t site, struct finding_lock *locks, unsigned n) {
  const struct site *above = context_at(context_at(site)->parent);
  struct looking l = {.slot = epoch_slot(e), .clock = epoch_clock(e), .locks = locks, .room = n < HELD ? n : HELD};
  if (above->kind == SITE_HELD) l.taken = (uint32_t)above->pc;
  return l;
}

enum held_sections held_sections(const struct thread *t, epoch e, uint32_t site, uint32_t *until) {
  struct finding_lock locks[HELD];
  struct looking l = looking(e, site, locks, HELD);
  look_at(t && t->slot == l.slot ? t : NULL, &l);
  *until = l.until;
  return l.open ? HELD_STILL : l.lost || site == SITE_UNKNOWN ? HELD_UNKNOWN : l.until ? HELD_THEN : HELD_NONE;
}

struct finding_locks held_then(epoch e, uint32_t site, struct finding_lock *locks, unsigned n) {
  struct looking l = looking(e, site, locks, n);
  if (site == SITE_UNKNOWN || context_at(site)->kind == SITE_AMONG) return (struct finding_locks){.at = locks, .known = LOCKS_SOME};
  thread_in_slot(l.slot, look_at, &l);
  return (struct finding_locks){.at = locks, .count = l.count, .known = l.lost ? LOCKS_SOME : LOCKS_ALL};
}

bool held_given(epoch e, struct finding_lock *lock) {
  const struct past *p = __atomic_load_n(&pasts[epoch_slot(e)], __ATOMIC_ACQUIRE);
  uint32_t end = p ? __atomic_load_n(&p->count, __ATOMIC_ACQUIRE) : 0, n = end < SECTIONS ? end : SECTIONS, clock = epoch_clock(e);
  for (uint32_t i = end; i > end - n; i--) {
    struct section s = p->at[(i - 1) % SECTIONS];
    if (__atomic_load_n(&p->count, __ATOMIC_ACQUIRE) - i >= SECTIONS - 1 || s.to < clock) return false;
    if (s.to != clock && !(s.each && s.from <= clock && (clock + 1 - s.from) % s.each == 0)) continue;
    *lock = lock_of_section(&s);
    return true;
  }
  return false;
}
