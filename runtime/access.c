#include "access.h"

#include "locked.h"
#include "violation.h"

/* One site for bytes of a word that one thread touched at two places in one epoch: those of the newer one's mask, and the others. */
static uint32_t both_sites(cell newer, cell older) {
  uint32_t a = cell_site(newer), b = cell_site(older);
  if (a == b || (cell_mask(older) & ~cell_mask(newer)) == 0) return a;
  return context_merged(b, a, cell_mask(newer));
}

/* Two accesses of one epoch, both atomic or both not. */
static cell merge(cell newer, cell older) {
  return cell_make(cell_epoch(newer), both_sites(newer, older), cell_mask(newer) | cell_mask(older), cell_atomic(newer));
}

/* The place of that byte's access. */
static uint32_t site_of_byte(cell c, unsigned byte) {
  uint32_t site = cell_site(c);
  for (const struct site *s = context_at(site); s->kind == SITE_MERGED; s = context_at(site))
    site = (s->pc >> byte & 1) ? (uint32_t)(s->pc >> MASK_BITS) : s->parent;
  return site;
}

struct race race_of(const struct thread *t, uintptr_t address, uint32_t mine, enum site_kind kind, cell theirs, unsigned byte) {
  return (struct race){.address = address,
                       .mine = mine,
                       .theirs = site_of_byte(theirs, byte),
                       .epoch = cell_epoch(theirs),
                       .when = epoch_make(t->slot, t->clock[t->slot]),
                       .kind = kind,
                       .who = t->info,
                       .other = thread_of_epoch(cell_epoch(theirs)),
                       .predicted = thread_knows(t, cell_epoch(theirs))};
}

/* An access as it is being added to its word. */
struct adding {
  struct thread *t;
  cell mine;
  unsigned mask;
  bool writes;
  cell raced; /* one that races with it, or 0 */
  bool again; /* words like this are touched again and again: by the thread itself, or by atomic operations */
};

/* True if it may not be simultaneous with that one, and nothing orders them. What is done within actions is judged by happens-before. */
static bool races(const struct adding *x, cell c) {
  if (!(cell_mask(c) & x->mask) || thread_orders(x->t, cell_epoch(c)) || (cell_atomic(x->mine) && cell_atomic(c))) return false;
  return !thread_knows(x->t, cell_epoch(c)) || !(x->t->inside || context_inside(cell_site(c)));
}

/* The bytes of c that matter beside the access. Whoever races with c there would race with the access, too, if c is ordered before it; but
 * an atomic access races with less than another one. After a race all bets are off. */
static unsigned remaining(const struct adding *x, cell c) {
  bool both_atomic = cell_atomic(x->mine) && cell_atomic(c), ordered = thread_orders(x->t, cell_epoch(c));
  bool replaced = ordered ? both_atomic || !cell_atomic(x->mine) : x->writes && !both_atomic;
  return cell_mask(c) & (replaced ? ~x->mask : ~0u);
}

/* Goes through a list of accesses and leaves those that still matter; unless `only_remove`, the new one is among them. The list is
 * a->at[from .. to), and what is behind it moves along. Returns its new end. */
static unsigned update(struct adding *x, struct accesses *a, unsigned from, unsigned to, bool only_remove) {
  cell mine = only_remove ? 0 : x->mine;
  unsigned kept = from;
  for (unsigned i = from; i < to; i++) {
    cell c = a->at[i];
    unsigned mask;
    if (mine && cell_epoch(c) == cell_epoch(mine)) {
      if (cell_atomic(c) == cell_atomic(mine)) {
        mine = merge(mine, c);
        continue;
      }
      mask = cell_mask(c);
      if (cell_atomic(c))
        mask &= ~cell_mask(mine);
      else if ((cell_mask(mine) & ~mask) == 0)
        mine = 0;
    } else {
      x->again |= epoch_slot(c) == x->t->slot;
      mask = remaining(x, c);
    }
    if (mask) a->at[kept++] = cell_with_mask(c, mask);
  }
  if (mine && kept == to) { /* make room */
    if (a->count > ACCESSES) return to;
    for (unsigned i = a->count++; i > to; i--) a->at[i] = a->at[i - 1];
    a->at[to] = mine;
    return to + 1;
  }
  if (mine) a->at[kept++] = mine;
  for (unsigned i = to; i < a->count; i++) a->at[i - to + kept] = a->at[i];
  a->count -= to - kept;
  return kept;
}

/* The pair is BUSY; its cells were `w` and `r`. Returns the new write cell. */
static __attribute__((noinline)) cell change(struct adding *x, struct pair *p, cell w, cell r) {
  struct accesses *a = &((struct scratch *)x->t->scratch)->accesses;
  accesses_load(w, r, a);
  for (unsigned i = 0; i < (x->writes ? a->count : a->writes) && !x->raced; i++)
    if (races(x, a->at[i])) x->raced = a->at[i];
  if (x->writes) a->writes = update(x, a, 0, a->writes, false);
  update(x, a, a->writes, a->count, x->writes);
  cell mine = x->mine;
  if (r && !cell_is_ref(r) && cell_epoch(r) == cell_epoch(mine) && cell_atomic(r) == cell_atomic(mine)) mine = merge(mine, r);
  return accesses_store(p, w, a, mine, x->again);
}

/* True if the access can take c's place. */
HOT bool supersedes(const struct thread *t, unsigned mask, bool atomic, cell c) {
  return (cell_mask(c) & ~mask) == 0 && thread_orders(t, cell_epoch(c)) && (!atomic || cell_atomic(c));
}
/* True if the two are one in the end. */
HOT bool same(cell mine, cell c) { return ((mine ^ c) & (ATOMIC | EPOCH_MASK)) == 0; }

void access_word(struct thread *t, uintptr_t address, unsigned mask, enum site_kind kind, uint32_t site) {
  struct pair *p = shadow_of(address);
  bool writes = kind_writes(kind), atomic = kind_atomic(kind);
  cell mine = cell_make(hd_fast.epoch, site, mask, atomic), r = cell_load(&p->read);
  if (!writes && cell_is_ref(r) && cell_what(r) == REF_SET && set_covers(r, hd_fast.epoch, mask)) {
    if (set_covers(r, hd_fast.epoch, MASK_ALL)) *known_set(&hd_fast, r) = r;
    return;
  }
  if (t->weak && t->nheld && !(kind == SITE_FREE && analysis == ANALYSIS_OVP)) locked_access(t, address, mask, kind);
  if (kind == SITE_FREE && analysis == ANALYSIS_OVP) violation_of_end(t, address, mask, site);
  cell w = pair_take(p);
  r = cell_load(&p->read);
  bool plain = !cell_is_ref(w) && !cell_is_ref(r), read_fits = r == w || same(mine, r) || supersedes(t, mask, atomic, r);
  if (LIKELY(plain && writes && read_fits && (same(mine, w) || supersedes(t, mask, atomic, w)))) {
    cell written = same(mine, w) ? merge(mine, w) : mine;
    cell_store(&p->read, r != w && same(mine, r) ? merge(mine, r) : written);
    pair_give(p, written);
    return;
  }
  if (LIKELY(plain && !writes && read_fits && thread_orders(t, cell_epoch(w)))) {
    cell_store(&p->read, same(mine, r) ? merge(mine, r) : mine);
    pair_give(p, w);
    return;
  }
  struct adding x = {.t = t, .mine = mine, .mask = mask, .writes = writes, .again = atomic};
  pair_give(p, change(&x, p, w, r));
  if (UNLIKELY(x.raced) && !(kind == SITE_FREE && analysis == ANALYSIS_OVP)) {
    unsigned byte = (unsigned)__builtin_ctz(cell_mask(x.raced) & mask);
    struct race race = race_of(t, (address & ~(uintptr_t)7) + byte, site, kind, x.raced, byte);
    race_found(t, &race);
  }
}

void access_range(struct thread *t, uintptr_t address, size_t size, enum site_kind kind, uintptr_t pc) {
  if (!size) return;
  uint32_t site = thread_site(t, pc, kind, size <= 255 ? (unsigned)size : 0);
  uintptr_t end = address + size;
  bool writes = kind_writes(kind);
  while (address < end) {
    uintptr_t next = (address & ~(uintptr_t)7) + 8;
    unsigned bytes = (unsigned)((next < end ? next : end) - address), mask = mask_of(address, bytes);
    const struct pair *p = shadow_of(address);
    cell before = cell_load(writes ? &p->write : &p->read);
    bool covered = cell_covers(before, hd_fast.epoch, mask) || (kind_atomic(kind) && cell_covers_atomic(before, hd_fast.epoch, mask));
    if (!covered || kind == SITE_FREE) access_word(t, address, mask, kind, site);
    address = next;
  }
}

void access_slow(uintptr_t address, unsigned size, enum site_kind kind, uintptr_t pc) {
  struct thread *t = thread_self();
  if (UNLIKELY(!t || t->busy || (kind_writes(kind) ? t->ignore_writes : t->ignore_reads))) return;
  thread_enter(t);
  if (LIKELY((address & 7) + size <= 8)) {
    access_word(t, address, mask_of(address, size), kind, thread_site(t, pc, kind, size));
  } else {
    access_range(t, address, size, kind, pc);
  }
  thread_leave(t);
}

void access_forget(uintptr_t address, size_t size) {
  uintptr_t end = address + size;
  for (uintptr_t next; address < end; address = next) {
    next = (address & ~(uintptr_t)7) + 8;
    struct pair *p = shadow_of(address);
    if (!cell_load(&p->write) && !cell_load(&p->read)) continue;
    record_drop(pair_take(p));
    cell_store(&p->read, 0);
    pair_give(p, 0);
    if (analysis != ANALYSIS_HB) locked_forget(address);
  }
}
