#include "analysis/uses.h"

#include "analysis/section.h"

/* Lists have so many bytes at least; so many uses before they are split; and at most. */
#ifndef USES_FEW /* a test asks for less */
#define USES_FEW 15
#endif
enum { BLOCK = 32, USES_MAX = 4000 };

static size_t bytes_of(unsigned cap) { return sizeof(struct uses) + cap * sizeof(use); }

_Alignas(BLOCK) static struct uses nothing = {.lost = true}; /* of words whose list found no memory */

static void set_list(struct word *w, struct uses *list) { w->own[0] = cell_ref(REF_RECORD, (uintptr_t)list), w->own[1] = 0; }

static void free_list(struct uses *list) {
  if (list && list != &nothing) rt_free(list, bytes_of(list->cap));
}

/* The word has room for so many. */
bool uses_make_room(struct word *w, unsigned room) {
  unsigned n;
  const use *at = uses_at(w, &n);
  struct uses *old = uses_list(w);
  size_t block = BLOCK;
  while (block < bytes_of(room)) block *= 2;
  unsigned cap = (unsigned)((block - sizeof(struct uses)) / sizeof(use));
  struct uses *list = cap <= USES_MAX || keep_all ? rt_alloc(block) : NULL;
  if (!list) return false;
  list->count = n, list->cap = cap & 0x3fffffff, list->lost = old && old->lost, list->split = old && old->split;
  for (unsigned i = 0; i < n; i++) list->at[i] = at[i];
  set_list(w, list);
  free_list(old);
  return true;
}

static void learn(struct thread *t, const struct lockset_relation *r, use u) {
  for (uint64_t left = r->common; left; left &= left - 1) {
    const struct held *h = &t->held[__builtin_ctzll(left)];
    if (UNLIKELY(r->unknown))
      section_acquire(t, h, ALL_SECTIONS);
    else
      section_learn_of(t, h, cell_epoch(u));
  }
}

/* What an access of t, which leaves `new`, learns from a use that another thread left, or this one under other locks. True if it can take
 * the place of that: whoever conflicts with that in a later section of one of its locks conflicts with the present access in a section of
 * that lock, too; and this one knows of it, as one of its own thread or one that it excludes. */
static bool meet(struct thread *t, use u, use new) {
  bool own = ((u ^ new) & USE_SLOT) == 0, writes = new &USE_WRITES;
  const struct lockset_relation *r = lockset_relation(t, use_locks(u), use_locks(new));
  if (!own && (use_mask(u) & use_mask(new)) && ((u | new) & USE_WRITES) && !(r->inside && t->inside)) learn(t, r, u);
  return own ? r->covered && (writes || !(u & USE_WRITES)) : r->excluded && writes;
}

/* The same for several: returns how many remain, in their place. Of the same sections two uses are one, as what one of them made known, or
 * will, counts for the other. */
unsigned uses_sift(struct thread *t, use *at, unsigned n, use *new) {
  unsigned kept = 0, touched = use_mask(*new);
  uint32_t now = use_locks(*new);
  for (unsigned i = 0; i < n; i++) {
    bool together = ((at[i] ^ *new) & (USE_WRITES | USE_SLOT | USE_LOCKS)) == 0 && epoch_clock(at[i]) >= t->lockset_since;
    touched |= together ? use_mask(at[i]) : 0;
  }
  for (unsigned i = 0; i < n; i++) {
    use u = at[i];
    bool covered = false;
    if (((u ^ *new) & (USE_SLOT | USE_LOCKS)) == 0)
      covered = !(u & ~*new &USE_WRITES);
    else if (!lockset_differs(use_locks(u), now))
      covered = meet(t, u, *new);
    at[kept] = u;
    kept += !covered || (use_mask(u) & ~touched);
  }
  *new |= touched;
  return kept;
}

static COLD void learn_all(struct thread *t) {
  for (uint32_t i = 0; i < t->nheld; i++) section_acquire(t, &t->held[i], ALL_SECTIONS);
}

/* uses_sift() of uses of that lock, by one of it alone. */
static unsigned sift_lock(struct thread *t, const struct held *h, use *at, unsigned n, use *new) {
  unsigned kept = 0, mask = use_mask(*new), touched = mask;
  bool writes = *new &USE_WRITES, here = epoch_slot(h->first) == t->slot;
  for (unsigned i = 0; i < n; i++) {
    bool together = ((at[i] ^ *new) & (USE_WRITES | USE_SLOT)) == 0 && here && epoch_clock(at[i]) >= epoch_clock(h->first);
    touched |= together ? use_mask(at[i]) : 0;
  }
  for (unsigned i = 0; i < n; i++) {
    use u = at[i];
    bool own = ((u ^ *new) & USE_SLOT) == 0, theirs_shared = lockset_shared(use_locks(u));
    if (!own && (use_mask(u) & mask) && ((u | *new) & USE_WRITES) && !(theirs_shared && h->shared)) section_learn_of(t, h, cell_epoch(u));
    bool covered = writes ? own || !h->shared : own && !(u & USE_WRITES);
    if (!covered || (h->shared && !theirs_shared) || (use_mask(u) & ~touched)) at[kept++] = u;
  }
  *new |= touched;
  return kept;
}

/* Where the uses of that lock begin in a split list, or would; of that index beyond all, those at its end. */
static unsigned first_of(const struct uses *all, uint32_t index) {
  unsigned from = 0;
  for (unsigned n = all->count; n > 0;) {
    unsigned half = n / 2;
    if (use_locks(all->at[from + half]) >> 1 < index)
      from += half + 1, n -= half + 1;
    else
      n = half;
  }
  return from;
}

/* In a list, n uses from there on become so many that are there already, and one more unless it is 0. There is room. */
static void replace(struct uses *all, unsigned from, unsigned n, unsigned kept, use more) {
  unsigned to = from + kept + (more != 0), rest = all->count - from - n;
  use *at = all->at;
  for (unsigned i = 0; to < from + n && i < rest; i++) at[to + i] = at[from + n + i];
  for (unsigned i = rest; to > from + n && i > 0; i--) at[to + i - 1] = at[from + n + i - 1];
  if (more) at[from + kept] = more;
  all->count = to + rest;
}

/* Its uses become several each, of one lock. False if there is no room. */
static bool split(struct word *w) {
  uint32_t locks[HELD + 1];
  unsigned n, room = 0;
  const use *at = uses_at(w, &n);
  use old[USES_FEW];
  for (unsigned i = 0; i < n; i++) old[i] = at[i], room += lockset_split(use_locks(at[i]), locks);
  if (!uses_make_room(w, room)) return false;
  struct uses *all = uses_list(w);
  all->count = 0, all->split = true;
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = lockset_split(use_locks(old[i]), locks); k > 0; k--)
      replace(all, first_of(all, locks[k - 1] >> 1), 0, 0, (old[i] & ~USE_LOCKS) | (use)locks[k - 1] << USE_LOCKS_SHIFT);
  return true;
}

/* Of a word with a split list. */
static __attribute__((noinline)) void note_split(struct thread *t, struct word *w, use new) {
  uint32_t locks[HELD + 1];
  struct uses *all = uses_list(w);
  unsigned n = lockset_split(use_locks(new), locks), last = first_of(all, LOCKSET_MANY >> 1);
  bool whole = locks[0] & LOCKSET_MANY;
  if (all->count + n > all->cap && !uses_make_room(w, all->count + n)) {
    all->lost = true;
    return;
  }
  all = uses_list(w);
  use one = new;
  unsigned kept = uses_sift(t, &all->at[last], all->count - last, &one);
  replace(all, last, all->count - last, kept, whole ? one : 0);
  for (uint32_t i = 0; i < t->nheld; i++) {
    const struct held *h = &t->held[i];
    unsigned from = first_of(all, h->index), to = first_of(all, h->index + 1);
    one = whole ? new : (new & ~USE_LOCKS) | (use)lockset_of_one(h) << USE_LOCKS_SHIFT;
    if (h->index < LOCKSET_MANY >> 1)
      kept = whole ? uses_sift(t, &all->at[from], to - from, &one) : sift_lock(t, h, &all->at[from], to - from, &one);
    if (h->index < LOCKSET_MANY >> 1) replace(all, from, to - from, kept, whole ? 0 : one);
  }
}

/* Of a word with a list, or that has none left of its own. */
void uses_note(struct thread *t, struct word *w, use new) {
  unsigned n;
  use *at = uses_at(w, &n);
  struct uses *all = uses_list(w);
  if (UNLIKELY(all && all->lost)) learn_all(t);
  if (all && all->split) {
    note_split(t, w, new);
    return;
  }
  unsigned kept = uses_sift(t, at, n, &new);
  if (all) all->count = kept;
  if (kept == (all ? all->cap : USES_OWN)) {
    bool long_ago = kept >= USES_FEW, room = long_ago ? split(w) : uses_make_room(w, kept + 1);
    if (room && long_ago) {
      note_split(t, w, new);
      return;
    }
    all = uses_list(w);
    if (!room && all) all->lost = true;
    if (!room && !all) set_list(w, &nothing);
    if (!room) return;
  }
  if (all)
    all->at[all->count++] = new;
  else
    for (w->own[kept] = new; ++kept < USES_OWN;) w->own[kept] = 0;
}
void uses_drop(struct word *w) {
  free_list(uses_list(w));
  for (unsigned i = 0; i < USES_OWN; i++) w->own[i] = 0;
}
