#include "analysis/access.h"

#include "analysis/adding.h"
#include "analysis/nested.h"
#include "analysis/seen.h"
#include "analysis/unseen.h"
#include "analysis/violation.h"

void (*access_instead)(struct thread *t, uintptr_t address, size_t size, enum site_kind kind, uintptr_t pc);
bool (*access_excused)(struct thread *t, uintptr_t address, epoch e, bool predicted);

struct race race_of(const struct thread *t, uintptr_t address, uint32_t mine, enum site_kind kind, cell theirs, bool wrote, unsigned byte) {
  const struct thread_info *other = thread_of_epoch(cell_epoch(theirs));
  return (struct race){.address = address,
                       .mine = mine,
                       .theirs = context_of_kind(context_of_byte(cell_site(theirs), byte), wrote),
                       .epoch = cell_epoch(theirs),
                       .when = epoch_make(t->slot, t->clock[t->slot]),
                       .kind = kind,
                       .who = t->info,
                       .other = other,
                       .tasks = t->actor != t->info->number || (other && other->actor != other->number),
                       .predicted = thread_knows(t, cell_epoch(theirs))};
}

static COLD void tell(const struct adding *x, uintptr_t address, enum site_kind kind) {
  unsigned byte = (unsigned)__builtin_ctz(cell_mask(x->raced) & x->mask);
  struct race race = race_of(x->t, (address & ~(uintptr_t)7) + byte, cell_site(x->mine), kind, x->raced, x->raced_wrote, byte);
  seen_hear(x->t);
  bool is_excused = access_excused && access_excused(x->t, race.address, race.epoch, race.predicted);
  bool told_elsewhere = kind == SITE_FREE && analysis == ANALYSIS_OVP;
  bool told = !is_excused && !told_elsewhere && !thread_orders(x->t, race.epoch) && !(race.predicted && nested_excludes(x->t, &race));
  if (told) race_found(x->t, &race);
  if (is_excused || kind == SITE_FREE)
    x->t->seen.count = 0; /* nobody reads a value of it */
  else
    seen_settle(x->t, x->writes);
}

/* The block was freed by that access: this one races with it, or knows of it and comes too late. Or it was allocated: this one races. */
static COLD void tell_marked(const struct adding *x, uintptr_t address, enum site_kind kind, cell marked) {
  unsigned byte = (unsigned)__builtin_ctz(x->mask);
  struct race race = race_of(x->t, (address & ~(uintptr_t)7) + byte, cell_site(x->mine), kind, marked, true, byte);
  race.late = race.predicted, race.predicted = false;
  race_found(x->t, &race);
}

/* Adds the access, whatever the pair is, and tells of a race. */
HOT void add_any(struct adding *x, uintptr_t address, enum site_kind kind, bool locked) {
  struct pair *p = shadow_of(address);
  bool writes = kind_writes(kind), atomic = kind_atomic(kind);
  x->again |= atomic;
  cell w = pair_take(p), r = cell_load(&p->read), marked = 0, was_w = w, was_r = r;
  struct change to;
  if (UNLIKELY(cell_is_freed(w) || cell_is_allocated(w))) { /* it is told of once */
    if (cell_is_freed(w) || (kind != SITE_FREE && !thread_knows(x->t, cell_epoch(r))))
      marked = cell_make(cell_epoch(r), cell_site(w), MASK_ALL, false);
    w = r = 0;
  }
  if (locked && x->step)
    locked_again(x->t, address, x->mask, writes, &x->step->locked);
  else if (locked)
    locked_access(x->t, address, x->mask, writes);
  if (cell_is_ref(w)) {
    struct record *record = cell_at(w);
    to.w = has_room(x, record) ? adding_change_record(x, p, record, w) : adding_change(x, p, w, r);
  } else if (simple(x->t, x->mine, writes, atomic, false, w, r, &to) ||
             (may_be_equal(x->t, w) && adding_equal(x->t, x->mine, writes, w, r, &to)) || splits(x, w, r, &to)) {
    cell_store(&p->read, to.r);
  } else {
    to.w = adding_change(x, p, w, r);
  }
  if (!x->raced && !marked) to.r = cell_load(&p->read), step_keep(x, was_w, was_r, to);
  pair_give(p, to.w);
  if (UNLIKELY(x->raced)) tell(x, address, kind);
  if (UNLIKELY(marked)) tell_marked(x, address, kind, marked);
}
static __attribute__((noinline)) void add(struct adding *x, uintptr_t address, enum site_kind kind, bool locked) {
  add_any(x, address, kind, locked);
}
/* step_again() in critical sections. */
HOT bool step_again_locked(struct thread *t, struct step *s, uintptr_t address, unsigned mask, bool writes) {
  struct pair *p = shadow_of(address);
  if (mask != s->mask || cell_load(&p->write) != s->from.w) return false;
  cell w = pair_take(p);
  bool same = w == s->from.w && cell_load(&p->read) == s->from.r;
  if (same) {
    locked_again(t, address, mask, writes, &s->locked);
    cell_store(&p->read, s->to.r);
  }
  pair_give(p, same ? s->to.w : w);
  return same;
}

/* `locked`: in critical sections that the orders besides happens-before have to know of. */
HOT void one_word(struct thread *t, uintptr_t address, unsigned mask, enum site_kind kind, uint32_t site, struct step *step) {
  struct adding x = {.t = t, .mine = cell_make(hd_fast.epoch, site, mask, kind_atomic(kind)), .mask = mask, .writes = kind_writes(kind)};
  x.step = step;
  bool ends = kind == SITE_FREE && analysis == ANALYSIS_OVP, locked = t->weak && t->nheld && !ends;
  if (UNLIKELY(ends)) violation_of_end(t, address, mask, site);
  if (locked || UNLIKELY(!add_simple(&x, shadow_of(address), kind_writes(kind), kind_atomic(kind)))) add(&x, address, kind, locked);
}

/* True if the accesses that the cells tell of are ordered before what t does, so that nothing is to be told of. */
HOT bool all_ordered(const struct thread *t, cell w, cell r) {
  if (cell_is_allocated(w)) return true; /* blocks that the C library keeps for itself come and go under locks that nobody sees */
  return thread_orders(t, cell_epoch(w)) && thread_orders(t, cell_epoch(r));
}

void access_freed(struct thread *t, uintptr_t address, size_t size, uintptr_t pc) {
  uint32_t site = thread_site(t, pc, SITE_FREE, size <= 255 ? (unsigned)size : 0);
  cell w = cell_freed(site), r = cell_when(hd_fast.epoch, site);
  bool listed = t->weak && t->nheld && analysis != ANALYSIS_OVP; /* one_word() */
  for (uintptr_t end = address + size; address < end; address += 8) {
    struct pair *p = shadow_of(address);
    cell was_w = cell_load(&p->write), was_r = cell_load(&p->read);
    if (LIKELY(!listed && all_ordered(t, was_w, was_r)) && pair_swap(p, was_w, was_r, w, r)) continue;
    one_word(t, address, MASK_ALL, SITE_FREE, site, NULL);
    record_drop(pair_take(p));
    cell_store(&p->read, r);
    pair_give(p, w);
  }
}

/* A pair of memory that is nobody's but this thread's becomes that: who comes to it meanwhile uses what is not its own, and it does not
 * matter what becomes of that. So the cells are put there without a look at what comes between, which would take several times as long; but
 * for a pair that another thread has just now, and for what is kept elsewhere. */
HOT void renew(uintptr_t address, cell write, cell read) {
  typedef uint64_t cells __attribute__((vector_size(16)));
  struct pair *p = shadow_of(address);
  if (LIKELY(!cell_is_ref(cell_load(&p->write)) && (analysis == ANALYSIS_HB || !locked_any(address)))) {
    *(volatile cells *)(void *)p = (cells){write, read};
    return;
  }
  record_drop(pair_take(p));
  if (analysis != ANALYSIS_HB) locked_forget(address);
  cell_store(&p->read, read);
  pair_give(p, write);
}

void access_allocated(uintptr_t address, size_t size, uint32_t site) {
  cell w = cell_allocated(site), r = cell_when(hd_fast.epoch, site);
  for (uintptr_t end = address + size; address < end; address += 8) renew(address, w, r);
}

/* `each`: of the accesses that it stands for; 0: varies. */
HOT void range(struct thread *t, uintptr_t address, size_t size, enum site_kind kind, unsigned each, uintptr_t pc) {
  uintptr_t end = address + size;
  epoch now = hd_fast.epoch;
  bool writes = kind_writes(kind), atomic = kind_atomic(kind), known = false;
  uint32_t site = SITE_UNKNOWN;
  struct step step;
  step.mask = step.locked.mask = 0, step.locked.end = end;
  bool alone = kind == SITE_FREE, locked = t->weak && t->nheld && !alone; /* of a free, more may be to be told of each word */
  for (uintptr_t next; address < end; address = next) {
    next = (address & ~(uintptr_t)7) + 8;
    unsigned mask = (unsigned)MASK_ALL << (address & 7);
    if (UNLIKELY(next > end)) mask &= (unsigned)MASK_ALL >> (next - end);
    mask &= MASK_ALL;
    struct pair *p = shadow_of(address);
    if (locked ? step_again_locked(t, &step, address, mask, writes) : step_again(&step, p, mask)) continue;
    if (kind != SITE_FREE && (is_done(p, now, mask, writes, atomic) || is_done_besides(p, now, mask, writes, atomic))) continue;
    if (!known) site = thread_site(t, pc, kind, each), known = true;
    one_word(t, address, mask, kind, site, alone ? NULL : &step);
  }
}

/* Three lines that other threads may have, to wait for all at once. */
HOT void fetch(uintptr_t address) {
  const struct pair *p = shadow_of(address);
  cell w = cell_load(&p->write);
  rt_fetch(p);
  if (cell_is_ref(w)) rt_fetch(cell_at(w));
  locked_fetch(address);
}

/* Atomically, to one word; `locked`: in critical sections. */
HOT void atomically(struct thread *t, uintptr_t address, unsigned size, enum site_kind kind, uintptr_t pc, bool locked) {
  struct pair *p = shadow_of(address);
  epoch now = hd_fast.epoch;
  unsigned mask = mask_of(address, size);
  bool writes = kind_writes(kind);
  if (is_done(p, now, mask, writes, true) || is_done_besides(p, now, mask, writes, true)) return;
  unseen_check(t, address);
  if (locked) fetch(address);
  struct adding x = {.t = t, .mine = cell_make(now, thread_site(t, pc, kind, size), mask, true), .mask = mask, .writes = writes};
  if (locked || UNLIKELY(!add_simple(&x, p, writes, true))) add(&x, address, kind, locked);
}

void access_lock(struct thread *t, uintptr_t address, uintptr_t pc) {
  bool itself = t->nheld == 1 && sync_of(t->held[0].index)->address == address;
  atomically(t, address, 1, SITE_USE, pc, t->weak && t->nheld && !itself);
}

void access_atomic(struct thread *t, uintptr_t address, unsigned size, bool writes, uintptr_t pc) {
  bool locked = t->weak && t->nheld;
  if (UNLIKELY((address & 7) + size > 8))
    access_range(t, address, size, writes ? SITE_ATOMIC_WRITE : SITE_ATOMIC_READ, pc);
  else if (writes)
    atomically(t, address, size, SITE_ATOMIC_WRITE, pc, locked);
  else
    atomically(t, address, size, SITE_ATOMIC_READ, pc, locked);
}

void access_run(struct thread *t, uintptr_t address, size_t size, enum site_kind kind, unsigned each, uintptr_t pc) {
  unseen_check(t, address);
  if (kind == SITE_READ) /* each has a loop of its own */
    range(t, address, size, SITE_READ, each, pc);
  else if (kind == SITE_WRITE)
    range(t, address, size, SITE_WRITE, each, pc);
  else if (kind == SITE_USE)
    range(t, address, size, SITE_USE, each, pc);
  else if (kind == SITE_ATOMIC_READ)
    range(t, address, size, SITE_ATOMIC_READ, each, pc);
  else
    range(t, address, size, kind, each, pc);
}
void access_range(struct thread *t, uintptr_t address, size_t size, enum site_kind kind, uintptr_t pc) {
  access_run(t, address, size, kind, access_size(size), pc);
}

/* What remains of the access if its cells are not the simple ones. */
static __attribute__((noinline)) void rest(struct thread *t, uintptr_t address, cell mine, enum site_kind kind) {
  struct pair *p = shadow_of(address);
  struct adding x = {.t = t, .mine = mine, .mask = cell_mask(mine), .writes = kind_writes(kind)};
  cell w = cell_load(&p->write);
  if (cell_is_ref(w)) rt_fetch(cell_at(w)); /* on its way while the pair is taken */
  if (cell_is_ref(w) || !add_simple(&x, p, kind_writes(kind), false)) add(&x, address, kind, false);
  thread_leave(t);
}

/* To one word in critical sections. */
HOT void locked(struct thread *t, uintptr_t address, unsigned mask, enum site_kind kind, unsigned size, uintptr_t pc) {
  if (is_done_besides(shadow_of(address), hd_fast.epoch, mask, kind_writes(kind), false)) return;
  fetch(address);
  thread_enter(t);
  struct adding x = {.t = t, .mask = mask, .writes = kind_writes(kind)};
  x.mine = cell_make(hd_fast.epoch, thread_site(t, pc, kind, size), mask, false);
  add_any(&x, address, kind, true);
  thread_leave(t);
}

static __attribute__((noinline)) void any(uintptr_t address, unsigned size, enum site_kind kind, uintptr_t pc) {
  struct thread *t = thread_self();
  bool writes = kind_writes(kind);
  if (UNLIKELY(!t || t->busy || access_ignored(t, address, size, kind, pc))) return;
  thread_enter(t);
  if ((address & 7) + size <= 8 && !(t->weak && t->nheld)) {
    unsigned mask = mask_of(address, size);
    if (!is_done_besides(shadow_of(address), hd_fast.epoch, mask, writes, false)) {
      rest(t, address, cell_make(hd_fast.epoch, thread_site(t, pc, kind, size), mask, false), kind);
      return;
    }
  } else {
    access_range(t, address, size, kind, pc);
  }
  thread_leave(t);
}

/* A plain access to a word whose record this thread changed last, as an access of the same kind in this epoch: that one is in the record,
 * and grows; of all others bytes go. False if it is otherwise, or may be a race. */
static __attribute__((noinline)) bool change_own(struct thread *t, struct pair *p, cell mine, bool writes, cell w, cell r) {
  cell taken = pair_take(p), *own = NULL;
  struct record *record = cell_at(w);
  unsigned mask = cell_mask(mine), n = 0;
  bool fits = taken == w && cell_load(&p->read) == r;
  for (unsigned i = 0; fits && i < record->count; i++) {
    cell c = record->at[i];
    if (same(mine, c) && (i < record->writes) == writes)
      own = &record->at[i];
    else
      fits = thread_orders(t, cell_epoch(c));
  }
  if (UNLIKELY(!fits || !own)) {
    pair_give(p, taken);
    return false;
  }
  *own = merge(mine, *own);
  unsigned first = writes ? 0 : record->writes, nwrites = record->writes;
  for (unsigned i = n = first; i < record->count; i++) {
    cell c = record->at[i];
    if (&record->at[i] != own) c &= ~(cell)mask;
    if (cell_mask(c)) record->at[n++] = c;
    if (writes && i + 1 == nwrites) record->writes = (uint16_t)n;
  }
  record->count = (uint16_t)n;
  pair_give(p, record_settle(p, record, cell_did(mine, cell_mask(r) | mask, did_write(r) | (writes ? mask : 0))));
  return true;
}

/* Nearly all accesses to one word, without a call: what is rare goes to one of the above from its beginning. */
HOT void most(struct thread *t, uintptr_t address, unsigned mask, enum site_kind kind, unsigned size, uintptr_t pc) {
  struct pair *p = shadow_of(address);
  bool writes = kind_writes(kind);
  thread_enter(t);
  cell w = cell_load(&p->write), r = cell_load(&p->read), mine = hd_fast.epoch | mask;
  if (cell_is_ref(w)) rt_fetch(cell_at(w)); /* it is far away: on its way while the place is looked for */
  uint32_t site = thread_site_known(t, thread_context(t), site_what(pc, kind, size, t->taken));
  if (writes && same(mine, r) && (cell_is_did(r) ? !(mask & ~did_write(r)) : wrote_besides(w, r, mask))) {
    thread_leave(t);
    return;
  }
  if (UNLIKELY(site == SITE_UNKNOWN || (!writes && cell_is_ref(r)))) {
    thread_leave(t);
    any(address, size, kind, pc);
    return;
  }
  struct change to;
  mine = cell_make(hd_fast.epoch, site, mask, false);
  if (cell_is_ref(w) && same(mine, r) && cell_is_did(r) && change_own(t, p, mine, writes, w, r))
    thread_leave(t);
  else if (LIKELY((simple(t, mine, writes, false, true, w, r, &to) || is_first(t, mine, writes, w, r, &to)) &&
                  pair_swap(p, w, r, to.w, to.r)))
    thread_leave(t);
  else
    rest(t, address, mine, kind);
}

void access_slow(uintptr_t address, unsigned size, enum site_kind kind, uintptr_t pc) {
  struct thread *t = hd_fast.self;
  bool beyond = (address & 7) + size > 8, reads = kind == SITE_READ;
  if (beyond && words_covered(address, size, kind_writes(kind))) return;
  unseen_check(t, address);
  if (UNLIKELY(beyond || !t || t->busy || t->inside || (reads ? t->ignore_reads : t->ignore_writes)))
    any(address, size, kind, pc);
  else if (t->weak && t->nheld && reads)
    locked(t, address, mask_of(address, size), SITE_READ, size, pc);
  else if (t->weak && t->nheld)
    locked(t, address, mask_of(address, size), SITE_WRITE, size, pc);
  else if (reads)
    most(t, address, mask_of(address, size), SITE_READ, size, pc);
  else
    most(t, address, mask_of(address, size), SITE_WRITE, size, pc);
}

void access_forget(uintptr_t address, size_t size) {
  struct thread *t = thread_enter_self();
  for (uintptr_t end = address + size; address < end; address = (address & ~(uintptr_t)7) + 8) {
    const struct pair *p = shadow_of(address);
    if (cell_load(&p->write) || cell_load(&p->read)) renew(address, 0, 0);
  }
  thread_leave_self(t);
}
