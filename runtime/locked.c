#include "locked.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#define TABLES_BASE 0x040000000000ull
#define TABLES_SIZE 0x040000000000ull

/* The last accesses of a thread to a word in a section. */
struct use {
  uint32_t lock; /* its id */
  uint32_t what; /* section, WRITES, SHARED, INSIDE */
  uint32_t who;  /* thread:24, mask:8; no mask: there is none */
};
enum { SHARED = 1, WRITES = 2, INSIDE_ACTION = 4, SECTION_SHIFT = 32 - SECTION_BITS, THREAD_SHIFT = MASK_BITS };
static unsigned bytes(const struct use *u) { return u->who & MASK_ALL; }

struct uses {
  uint32_t count, cap : 31, lost : 1; /* lost: some are missing */
  struct use at[];
};
enum { OWN = 3, USES_BLOCK = 128, USES_MIN = (USES_BLOCK - 8) / 12, USES_MAX = 2000 }; /* lists have so many bytes at least */
/* A word's: a list of its uses, or these themselves, if there are few and all are of one lock. As several threads come for them, and for those
 * of the next words, they take as little of a line of the cache as can be. */
struct word {
  uint64_t list; /* a pointer; or that lock, above ONE; 0: there are none. BUSY is set besides while a thread is at them */
  struct {
    uint32_t what, who;
  } own[OWN];
};
enum { BUSY = 1, ONE = 2, LOCK_SHIFT = 2 };
struct table {
  _Alignas(64) struct word words[8];
};

static size_t bytes_of(unsigned cap) { return sizeof(struct uses) + cap * sizeof(struct use); }

void locked_start(void) {
  if (!rt_reserve(TABLES_BASE, TABLES_SIZE))
    rt_die("heddle: the address space for watching locks is not to be had (%s): run with --analysis=hb\n", strerrordesc_np(errno));
}

static struct table **table_of(uintptr_t address) { return (struct table **)(TABLES_BASE + (address >> 3 & (TABLES_SIZE - 8))); }

static COLD struct table *new_table(struct table **place) {
  struct table *table = rt_alloc(sizeof *table), *other = NULL;
  if (!table) return order_lose(), NULL;
  rt_zero(table, sizeof *table);
  if (__atomic_compare_exchange_n(place, &other, table, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return table;
  rt_free(table, sizeof *table);
  return other;
}

/* What is known of the word; NULL if there is nothing and `make` is false, or no memory. */
static struct word *word_of(uintptr_t address, bool make) {
  struct table **place = table_of(address), *table = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  if (UNLIKELY(!table) && make) table = new_table(place);
  return table ? &table->words[address >> 3 & 7] : NULL;
}

static uint64_t take(struct word *w) {
  for (unsigned times = 0;; times++) {
    uint64_t seen = __atomic_load_n(&w->list, __ATOMIC_RELAXED);
    if (LIKELY(!(seen & BUSY)) && __atomic_compare_exchange_n(&w->list, &seen, seen | BUSY, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return seen;
    __builtin_ia32_pause();
    if (times % 1000 == 999) sched_yield();
    if (pairs_orphaned && (pairs_alone || times > 1 << 22)) __atomic_store_n(&w->list, 0, __ATOMIC_RELEASE);
  }
}
static void give(struct word *w, uint64_t list) { __atomic_store_n(&w->list, list, __ATOMIC_RELEASE); }

static struct uses *list_of(uint64_t list) { return list & ONE ? NULL : (struct uses *)(uintptr_t)list; }

/* The word's own ones: how many. */
static unsigned get_own(const struct word *w, uint64_t list, struct use at[OWN]) {
  unsigned n = 0;
  for (; list && n < OWN && (w->own[n].who & MASK_ALL); n++)
    at[n] = (struct use){.lock = (uint32_t)(list >> LOCK_SHIFT), .what = w->own[n].what, .who = w->own[n].who};
  return n;
}
/* False if they are too many, or not all of one lock. */
static bool put_own(struct word *w, uint64_t *list, const struct use *at, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (i == OWN || at[i].lock != at[0].lock) return false;
  for (unsigned i = 0; i < OWN; i++) w->own[i].what = i < n ? at[i].what : 0, w->own[i].who = i < n ? at[i].who : 0;
  *list = n ? (uint64_t)at[0].lock << LOCK_SHIFT | ONE : 0;
  return true;
}

static struct uses nothing = {.lost = true}; /* of words whose list found no memory */

static void free_list(struct uses *list) {
  if (list && list != &nothing) rt_free(list, bytes_of(list->cap));
}

/* Twice the block. */
static unsigned bigger_cap(unsigned cap) {
  size_t block = USES_BLOCK;
  while (block < bytes_of(cap)) block *= 2;
  return (unsigned)((2 * block - sizeof(struct uses)) / sizeof(struct use));
}

static struct uses *bigger(struct uses *list, const struct use *at, unsigned n) {
  unsigned cap = list ? bigger_cap(list->cap) : USES_MIN;
  struct uses *more = cap <= USES_MAX || keep_all ? rt_alloc(bytes_of(cap)) : NULL;
  if (!more) return NULL;
  more->lost = list && list->lost, more->count = n, more->cap = cap & 0x7fffffff;
  for (unsigned i = 0; i < n; i++) more->at[i] = at[i];
  free_list(list);
  return more;
}

/* What an access of t under h learns from the uses of that lock, where `new` is what it leaves itself: of the same section two uses are
 * one, as what one of them made known, or will, counts for the other. Returns how many uses remain: later sections of this lock that
 * conflict with one that goes conflict with the present access, too, which knows of it; but shared ones do not conflict with a shared one,
 * nor accesses within actions with each other (action.h). */
HOT unsigned sift(struct thread *t, const struct held *h, struct use *at, unsigned n, struct use *new) {
  uint32_t lock = new->lock, what = new->what, who = new->who, mask = who &MASK_ALL, all = mask;
  unsigned kept = 0;
  for (unsigned i = 0; i < n; i++)
    if (at[i].lock == lock && (at[i].what | SHARED) == (what | SHARED) && (at[i].who ^ who) <= MASK_ALL) all |= bytes(&at[i]);
  for (unsigned i = 0; i < n; i++) {
    uint32_t theirs = at[i].what;
    if (at[i].lock == lock) {
      bool own = (at[i].who ^ who) <= MASK_ALL;
      if (!own && (at[i].who & mask) && ((theirs | what) & WRITES) && !(theirs & what & (SHARED | INSIDE_ACTION)))
        section_learn(t, h, theirs >> SECTION_SHIFT, theirs & SHARED);
      bool conflict = what & WRITES ? own || !(what & SHARED) : own && !(theirs & WRITES);
      if ((what & INSIDE_ACTION) && !(own && (theirs & INSIDE_ACTION))) conflict = false;
      if (conflict && !(bytes(&at[i]) & ~all) && !(what & ~theirs & SHARED)) continue;
    }
    if (kept < i) at[kept] = at[i];
    kept++;
  }
  new->who = who | all;
  return kept;
}

static void note(struct thread *t, const struct held *h, struct word *w, uint64_t *list, struct use new) {
  struct use own[OWN + 1], *at = own;
  struct uses *all = list_of(*list);
  unsigned n = all ? (at = all->at, all->count) : get_own(w, *list, own), kept = sift(t, h, at, n, &new);
  if (!all) {
    at[kept] = new;
    if (LIKELY(put_own(w, list, at, kept + 1))) return;
  }
  if (!all || UNLIKELY(kept == all->cap)) {
    struct uses *more = bigger(all, at, kept);
    if (!more && (!all || all == &nothing)) {
      *list = (uintptr_t)&nothing;
      return;
    }
    if (!more) {
      all->count = kept, all->lost = true;
      return;
    }
    all = more, *list = (uintptr_t)more;
  }
  all->at[kept] = new, all->count = kept + 1;
}

void locked_fetch(uintptr_t address) {
  const struct table *table = __atomic_load_n(table_of(address), __ATOMIC_ACQUIRE);
  if (table) rt_fetch(&table->words[address >> 3 & 7]);
}

void locked_access(struct thread *t, uintptr_t address, unsigned mask, enum site_kind kind) {
  struct word *w = word_of(address, true);
  bool writes = kind == SITE_WRITE || kind == SITE_ATOMIC_WRITE || kind == SITE_FREE;
  if (!w) return;
  uint64_t list = take(w);
  for (uint32_t i = 0; i < t->nheld; i++) {
    const struct held *h = &t->held[i];
    const struct uses *all = list_of(list);
    uint32_t what = h->section << SECTION_SHIFT | (writes ? WRITES : 0u) | (h->shared ? SHARED : 0u) | (t->inside ? INSIDE_ACTION : 0u);
    if (UNLIKELY(all && all->lost)) section_acquire(t, h, ALL_SECTIONS);
    note(t, h, w, &list, (struct use){.lock = (uint32_t)h->lock, .what = what, .who = t->info->number << THREAD_SHIFT | mask});
  }
  give(w, list);
}

int locked_common(struct thread *t, uintptr_t address, unsigned mask, epoch e, uint32_t thread, uint64_t at[HELD]) {
  struct word *w = word_of(address, false);
  if (!w) return 0;
  struct use own[OWN];
  uint64_t list = take(w);
  const struct uses *all = list_of(list);
  const struct use *uses = all ? all->at : own;
  unsigned count = all ? all->count : get_own(w, list, own);
  int n = all && all->lost ? -1 : 0;
  for (uint32_t i = 0; i < t->nheld && n >= 0; i++) {
    const struct held *h = &t->held[i];
    enum inside found = OUTSIDE;
    for (unsigned k = 0; k < count && found != INSIDE; k++) {
      const struct use *x = &uses[k];
      if (x->lock != (uint32_t)h->lock || x->who >> THREAD_SHIFT != (thread & 0xffffff) || !(bytes(x) & mask)) continue;
      if ((x->what & SHARED) && h->shared) continue;
      enum inside is = section_has(t, h, x->what >> SECTION_SHIFT, e);
      if (is != OUTSIDE) found = is;
    }
    if (found == INSIDE) at[n++] = h->lock;
    if (found == NOT_KNOWN) n = -1;
  }
  give(w, list);
  return n;
}

void locked_forget(uintptr_t address) {
  struct word *w = word_of(address, false);
  if (!w || !__atomic_load_n(&w->list, __ATOMIC_RELAXED)) return;
  free_list(list_of(take(w)));
  give(w, 0);
}
