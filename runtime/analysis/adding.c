#include "analysis/adding.h"

#include "analysis/seen.h"

/* True if happens-before orders the two, which is enough for what is done within actions (action.h). */
static bool excused(const struct adding *x, cell c) {
  return thread_knows(x->t, cell_epoch(c)) && (x->t->inside || context_inside(cell_site(c)));
}

/* The new access races with c. One race of it is reported: one that this run shows, if there is any, and not a prediction. */
static __attribute__((noinline)) void note_race(struct adding *x, cell c, bool wrote) {
  if (excused(x, c)) return;
  seen_note(x->t, c, wrote);
  if (!x->raced || (thread_knows(x->t, cell_epoch(x->raced)) && !thread_knows(x->t, cell_epoch(c)))) x->raced = c, x->raced_wrote = wrote;
}

/* What is left of c beside another access of the same epoch, of which one is atomic: what both touched counts as not atomic. */
static unsigned beside(cell *mine, cell c) {
  unsigned mask = cell_mask(c);
  if (cell_atomic(c)) return mask & ~cell_mask(*mine);
  if ((cell_mask(*mine) & ~mask) == 0) *mine = 0;
  return mask;
}

/* Goes through a list of accesses: the first that races with the new one is noted, if that is asked for; those that still matter go to
 * *out, and what the new one has in common with those of its epoch goes to *mine, unless it is 0.
 *
 * Of an earlier access those bytes go that the new one touches, too, if whoever races with it there would race with the new one as well: it
 * is ordered before it, and it is not so that the new one alone is atomic, which races with less. After a race all bets are off. */
HOT cell *sift(struct adding *x, const cell *at, unsigned n, cell *out, bool checks, bool writes, cell *mine) {
  struct thread *t = x->t;
  bool atomic = cell_atomic(x->mine);
  for (unsigned i = 0; i < n; i++) {
    cell c = at[i];
    unsigned mask = cell_mask(c);
    if (*mine && cell_epoch(c) == cell_epoch(*mine)) {
      if (cell_atomic(c) == atomic) {
        *mine = merge(*mine, c);
        continue;
      }
      mask = beside(mine, c);
    } else if (is_settled(c)) {
      continue;
    } else {
      bool ordered = thread_orders(t, cell_epoch(c)), both_atomic = atomic && cell_atomic(c);
      if (checks && !ordered && !both_atomic && (mask & x->mask)) note_race(x, c, writes);
      x->again |= epoch_slot(c) == t->slot;
      if (ordered ? both_atomic || !atomic : x->writes && !both_atomic) mask &= ~x->mask;
    }
    if (mask) *out++ = cell_with_mask(c, mask);
  }
  return out;
}

/* What p->read says of the thread if there is a record: the cells were w and r. */
HOT cell did(const struct adding *x, cell w, cell r) {
  unsigned touched = x->mask, wrote = x->writes ? x->mask : 0;
  if (!cell_is_ref(r) && same(x->mine, r)) {
    touched |= cell_mask(r);
    if (cell_is_did(r)) wrote |= did_write(r);
    if (cell_is_both(r)) wrote |= both_wrote(w, r);
  }
  if (!cell_is_ref(w) && same(x->mine, w)) wrote |= cell_mask(w);
  return cell_did(x->mine, touched, wrote);
}

/* A read races with a write that is not ordered before it; writes stay as they are. */
static void check_writes(struct adding *x, const cell *at, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if ((cell_mask(at[i]) & x->mask) && !thread_orders(x->t, cell_epoch(at[i])) && !(cell_atomic(x->mine) && cell_atomic(at[i])))
      note_race(x, at[i], true);
}

HOT bool is_equal(const struct thread *t, cell c) { return !cell_atomic(c) && cell_mask(c) && thread_equal(t, cell_epoch(c)); }
/* The last one of these epochs stands for all of them. */
HOT cell in_last(cell c) { return (c & ~EPOCH_MASK) | (hd_fast.epoch - EPOCH_STEP); }

/* Joins what is equal among these accesses, writes first. What the thread has written needs no read beside it. */
static void join_equal(const struct thread *t, cell *at, unsigned *writes, unsigned *count) {
  unsigned n = 0, wrote = 0, nwrites = *writes;
  for (unsigned i = 0, one = ACCESSES + 1; i < *count; i++) {
    cell c = at[i];
    if (i == nwrites) *writes = n, one = ACCESSES + 1;
    if (is_equal(t, c)) {
      c = in_last(c);
      if (i < nwrites) wrote |= cell_mask(c);
      if (i >= nwrites && !cell_mask(c &= ~(cell)wrote)) continue;
      if (one < n) {
        at[one] = merge(at[one], c);
        continue;
      }
      one = n;
    }
    at[n++] = c;
  }
  if (*count == nwrites) *writes = n;
  *count = n;
}

/* The same of cells that are ordered before t's access, or of its epoch. False if that makes no difference. */
static bool joined(const struct thread *t, cell mine, bool writes, cell *w, cell *r) {
  bool two = *w & OLDER, equal_w = is_equal(t, *w), equal_r = is_equal(t, *r);
  *w &= ~OLDER;
  if (same(mine, *r)) {
    unsigned older = two ? MASK_ALL & ~(cell_mask(*r) | cell_mask(mine) | (equal_w ? cell_mask(*w) : 0)) : 0;
    return two && writes && !older;
  }
  if (*r == *w || !equal_r || (two && !thread_equal(t, cell_epoch(*r) - EPOCH_STEP))) return false;
  if (two) *r = cell_with_mask(*r, MASK_ALL);
  if (cell_is_both(*r)) {
    if (!equal_w) return false;
    *w = *r = merge(in_last(cell_with_mask(*r & ~BOTH, both_wrote(*w, *r))), in_last(*w));
    return true;
  }
  *r = in_last(*r);
  if (!equal_w) return true;
  *w = in_last(*w);
  unsigned mask = cell_mask(*r) & ~cell_mask(*w);
  *r = mask ? cell_with_mask(*r, mask) : *w;
  return true;
}

bool adding_equal(const struct thread *t, cell mine, bool writes, cell w, cell r, struct change *to) {
  unsigned mask = cell_mask(mine);
  if (cell_atomic(mine) || cell_is_ref(w) || cell_is_ref(r) || !thread_orders(t, cell_epoch(w))) return false;
  if ((w & OLDER) && !writes && same(mine, r)) { /* fewer bytes are older now */
    cell all = merge(mine, cell_with_mask(r, MASK_ALL));
    unsigned rest = MASK_ALL & ~(mask | cell_mask(r));
    *to = rest ? (struct change){w, cell_with_mask(all, MASK_ALL & ~rest)} : (struct change){w & ~OLDER, all};
    return true;
  }
  if (!joined(t, mine, writes, &w, &r)) return false;
  if (simple(t, mine, writes, false, false, w, r, to)) return true;
  if (writes || r == w || (cell_mask(r) | mask) != MASK_ALL) return false;
  *to = (struct change){w | OLDER, cell_with_mask(merge(mine, r), mask)};
  return true;
}

cell adding_change(struct adding *x, struct pair *p, cell w, cell r) {
  struct accesses *a = &((struct scratch *)x->t->scratch)->accesses; /* one more than there were at most */
  struct accesses_view v;
  accesses_view(w, r, &v);
  cell mine = x->mine, none = 0, *out = a->at;
  if (x->writes) {
    out = sift(x, v.writes, v.nwrites, out, true, true, &mine);
    if (mine) *out++ = mine;
    a->writes = (unsigned)(out - a->at);
    out = sift(x, v.reads, v.nreads, out, true, false, &none);
  } else {
    check_writes(x, v.writes, v.nwrites);
    for (unsigned i = 0; i < v.nwrites; i++) *out++ = v.writes[i];
    a->writes = v.nwrites;
    out = sift(x, v.reads, v.nreads, out, false, false, &mine);
    if (mine) *out++ = mine;
  }
  a->count = (unsigned)(out - a->at);
  if (x->t->equal) join_equal(x->t, a->at, &a->writes, &a->count);
  return accesses_store(p, w, a, did(x, w, r), x->again);
}

cell adding_change_record(struct adding *x, struct pair *p, struct record *r, cell record) {
  cell mine = x->mine, none = 0, *reads = r->at + r->writes, *end = r->at + r->count;
  cell did_now = did(x, record, cell_load(&p->read));
  if (x->writes) {
    cell *out = sift(x, r->at, r->writes, r->at, true, true, &mine);
    if (mine && out == reads) { /* room between writes and reads */
      for (cell *c = end++; c > reads; c--) *c = c[-1];
      reads++;
    }
    if (mine) *out++ = mine;
    r->writes = (uint16_t)(out - r->at);
    end = sift(x, reads, (unsigned)(end - reads), out, true, false, &none);
  } else {
    check_writes(x, r->at, r->writes);
    end = sift(x, reads, (unsigned)(end - reads), reads, false, false, &mine);
    if (mine) *end++ = mine;
  }
  unsigned nwrites = r->writes, count = (unsigned)(end - r->at);
  if (x->t->equal) join_equal(x->t, r->at, &nwrites, &count);
  r->writes = (uint16_t)nwrites, r->count = (uint16_t)count;
  return record_settle(p, r, did_now);
}

bool adding_split(const struct adding *x, cell w, cell r, struct change *to) {
  unsigned gone = x->writes ? x->mask : 0, n = 0;
  struct accesses_view v;
  cell at[4];
  accesses_view(w, r, &v);
  for (unsigned i = 0; i < v.nwrites; i++)
    if (cell_mask(v.writes[i]) & ~gone) at[n++] = v.writes[i] & ~(cell)gone;
  if (x->writes) at[n++] = x->mine;
  unsigned nwrites = n;
  for (unsigned i = 0; i < v.nreads; i++)
    if (cell_mask(v.reads[i]) & ~x->mask) at[n++] = v.reads[i] & ~(cell)x->mask;
  if (!x->writes) at[n++] = x->mine;
  *to = (struct change){record_of(at, nwrites, n), did(x, w, r)};
  return to->w != 0;
}
