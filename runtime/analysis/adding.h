/* An access as it is added to the cells of its word: what they become, and whether they hold it at all. What they cannot hold is a record's
 * or a set's, and what is rare is in adding.c. */
#pragma once
#include "analysis/locked.h"
#include "analysis/record.h"

/* Two accesses of one epoch, both atomic or both not. The site of bytes that the thread touched at two places: those of the newer one's
 * mask, and the others. False if it has to be asked for, and there is no time to do so (`quick`). */
HOT bool merge_known(cell newer, cell older, bool quick, cell *both) {
  *both = newer | cell_mask(older);
  uint32_t a = cell_site(newer), b = cell_site(older);
  if (a == b || *both == newer) return true;
  unsigned mask = cell_mask(newer), rest = cell_mask(older) & ~mask;
  uint32_t site = context_merged_known(b, rest, a, mask);
  if (UNLIKELY(site == SITE_UNKNOWN)) {
    if (quick) return false;
    site = context_merged(b, rest, a, mask);
  }
  *both = cell_make(cell_epoch(newer), site, cell_mask(*both), cell_atomic(newer));
  return true;
}
HOT cell merge(cell newer, cell older) {
  cell both;
  merge_known(newer, older, false, &both);
  return both;
}

/* True if the two are one in the end. */
HOT bool same(cell mine, cell c) { return ((mine ^ c) & (ATOMIC | EPOCH_MASK)) == 0; }

/* What two cells are to be instead of others. */
struct change {
  cell w, r;
};

/* What became of a word whose cells were those: the same becomes of the next one that looks like it, if the same is done to it. */
struct step {
  struct change from, to;
  unsigned mask; /* 0: nothing that holds for other words */
  struct locked_step locked;
};

/* An access as it is being added to its word. */
struct adding {
  struct thread *t;
  cell mine;
  unsigned mask;
  bool writes;
  cell raced;        /* one that races with it, or 0 */
  bool raced_wrote;  /* it is a write */
  bool again;        /* words like this are touched again and again: by the thread itself, or by atomic operations */
  struct step *step; /* NULL: nobody asks */
};

/* What is too long, or too rare, to be a part of its callers. The pair is BUSY; its cells were `w` and `r`; x->raced says whether the
 * access races with an earlier one. Returns the new write cell; the new read cell is in its place. */
cell adding_change(struct adding *x, struct pair *p, cell w, cell r);
/* The same of a record that has room, in its place. */
cell adding_change_record(struct adding *x, struct pair *p, struct record *r, cell record);
/* A plain access beside cells that are ordered before it, of other epochs, which are too many for two cells: makes a record of them. False
 * if there is no memory for it. */
bool adding_split(const struct adding *x, cell w, cell r, struct change *to);
/* A plain access beside cells of which at least the reads are by the same thread, in epochs that nobody else can tell apart (section.c), or
 * in this one: those count as one epoch, so two cells may hold what they could not otherwise, also as OLDER ones. False if they cannot. */
bool adding_equal(const struct thread *t, cell mine, bool writes, cell w, cell r, struct change *to);
HOT bool may_be_equal(const struct thread *t, cell w) { return t->equal || (w & OLDER); }

/* True if the access can be added to the record in its place: there is room for one more, or it joins one that is there. */
HOT bool has_room(const struct adding *x, const struct record *r) {
  if (r->count < r->cap && r->count < ACCESSES) return true;
  for (unsigned i = x->writes ? 0 : r->writes, end = x->writes ? r->writes : r->count; i < end; i++)
    if (same(x->mine, r->at[i])) return true;
  return false;
}

/* True if the access can take c's place. A reference is no thread's, so it is never ordered nor settled. */
HOT bool supersedes(const struct thread *t, unsigned mask, bool atomic, cell c) {
  if ((cell_mask(c) & ~mask) == 0 && thread_orders(t, cell_epoch(c)) && (!atomic || cell_atomic(c))) return true;
  return is_settled(c);
}

/* Two cells are to be that write, of which these bytes remain, and the newer one, which is BOTH; or that one alone. */
HOT void behind(cell w, unsigned rest, cell newer, struct change *to) {
  *to = rest ? (struct change){cell_with_mask(w, rest), newer | BOTH} : (struct change){newer, newer};
}

/* Adds a plain access to a pair whose read cell is BOTH. False if two cells cannot hold what there is then, or it may be a race. */
HOT bool beside_both(const struct thread *t, cell mine, bool writes, bool quick, cell w, cell r, struct change *to) {
  unsigned mask = cell_mask(mine), wrote = both_wrote(w, r), rest = writes ? cell_mask(w) & ~mask : cell_mask(w);
  cell newer = r & ~BOTH;
  if (UNLIKELY(!thread_orders(t, cell_epoch(w)) || same(mine, w))) return false;
  if (same(mine, newer)) {
    if (!writes) mine = cell_with_mask(mine, mask &= ~wrote); /* the bytes that it wrote keep their place */
    if (!writes && (mask & ~cell_mask(w))) return false;
    if (mask && !merge_known(mine, newer, quick, &newer)) return false;
    return behind(w, rest, newer, to), true;
  }
  if (!writes || !thread_orders(t, cell_epoch(r))) return false;
  if (!rest) return behind(newer, wrote & ~mask, mine, to), true;
  return behind(w, rest, mine, to), !(cell_mask(r) & ~mask);
}

/* Adds the access if neither cell is a reference and it races with nothing, but for some shapes that two cells cannot hold; false if not.
 * `quick`: nor if that needs a call. */
HOT bool simple(const struct thread *t, cell mine, bool writes, bool atomic, bool quick, cell w, cell r, struct change *to) {
  unsigned mask = cell_mask(mine);
  bool own_w = same(mine, w), own_r = same(mine, r);
  if (UNLIKELY(w & OLDER)) return false;
  if (cell_is_both(r)) return !atomic && beside_both(t, mine, writes, quick, w, r, to);
  *to = (struct change){w, mine};
  if (!writes) {
    if (UNLIKELY(!thread_orders(t, cell_epoch(w)))) return false;
    return own_r ? merge_known(mine, r, quick, &to->r) : r == w || supersedes(t, mask, atomic, r);
  }
  bool fits_w = own_w || supersedes(t, mask, atomic, w), fits_r = r == w || own_r || supersedes(t, mask, atomic, r);
  if (LIKELY(fits_w && fits_r)) {
    to->w = to->r = mine;
    if (own_w && !merge_known(mine, w, quick, &to->w)) return false;
    if (r != w && own_r && (cell_mask(r) & ~cell_mask(to->w))) return merge_known(mine, r, quick, &to->r);
    to->r = to->w;
    return true;
  }
  if (atomic || own_w || !thread_orders(t, cell_epoch(w)) || !thread_orders(t, cell_epoch(r))) return false;
  if (fits_w) return *to = (struct change){mine, r & ~(cell)mask}, true;
  if (own_r && r != w && ((cell_mask(r) & ~mask & ~cell_mask(w)) || !merge_known(mine, r, quick, &mine))) return false;
  return behind(w, cell_mask(w) & ~mask, mine, to), fits_r;
}

/* adding_split(), if it is so. Of what several threads have read there may be a set. */
HOT bool splits(const struct adding *x, cell w, cell r, struct change *to) {
  const struct thread *t = x->t;
  if (cell_atomic(x->mine) || same(x->mine, w) || same(x->mine, r)) return false;
  if (!thread_orders(t, cell_epoch(w)) || !thread_orders(t, cell_epoch(r))) return false;
  return (x->writes || cell_is_both(r) || epoch_slot(r) == t->slot) && adding_split(x, w, r, to);
}

/* A record is one word's. */
HOT void step_keep(const struct adding *x, cell w, cell r, struct change to) {
  if (x->step) x->step->from = (struct change){w, r}, x->step->to = to, x->step->mask = cell_is_ref(w) || cell_is_ref(to.w) ? 0 : x->mask;
}
/* False if the word does not look like the last one. */
HOT bool step_again(const struct step *s, struct pair *p, unsigned mask) {
  return mask == s->mask && cell_load(&p->write) == s->from.w && cell_load(&p->read) == s->from.r &&
         pair_swap(p, s->from.w, s->from.r, s->to.w, s->to.r);
}

/* The first access to a word of a block since it was allocated, by a thread that knows of that. No prediction: whoever knows the block's
 * address cannot come before it, whatever locks say. */
HOT bool is_first(const struct thread *t, cell mine, bool writes, cell w, cell r, struct change *to) {
  if (!cell_is_allocated(w) || !thread_knows(t, cell_epoch(r))) return false;
  return *to = (struct change){writes ? mine : 0, mine}, true;
}

/* The same of the pair as it is. False also if another thread was at it meanwhile. */
HOT bool add_simple(const struct adding *x, struct pair *p, bool writes, bool atomic) {
  cell w = cell_load(&p->write), r = cell_load(&p->read);
  struct change to;
  if (!simple(x->t, x->mine, writes, atomic, false, w, r, &to) && !is_first(x->t, x->mine, writes, w, r, &to) &&
      !(may_be_equal(x->t, w) && adding_equal(x->t, x->mine, writes, w, r, &to)) && !splits(x, w, r, &to))
    return false;
  if (LIKELY(pair_swap(p, w, r, to.w, to.r))) return step_keep(x, w, r, to), true;
  record_drop(to.w);
  return false;
}

/* True if the thread did the same in its present epoch, so that nothing new can come of doing so again: by the cell that the fast path
 * looks at, */
HOT bool is_done(const struct pair *p, epoch now, unsigned mask, bool writes, bool atomic) {
  cell c = cell_load(writes ? &p->write : &p->read);
  return cell_covers(c, now, mask) || (atomic && cell_covers_atomic(c, now, mask));
}
/* or by what a record or a set leaves of it. */
HOT bool is_done_besides(const struct pair *p, epoch now, unsigned mask, bool writes, bool atomic) {
  cell r = cell_load(&p->read);
  if (writes && !same(now | (atomic ? ATOMIC : 0), r)) return false;
  if (writes) return cell_is_did(r) ? !(mask & ~did_write(r)) : wrote_besides(cell_load(&p->write), r, mask);
  if (LIKELY(!cell_is_ref(r)) || cell_what(r) != REF_SET || !set_covers(r, now, mask)) return false;
  if (set_covers(r, now, MASK_ALL)) *known_set(&hd_fast, r) = r;
  return true;
}
