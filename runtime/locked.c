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
enum { OWN = 4, USES_BLOCK = 128, USES_MIN = (USES_BLOCK - 8) / 12, USES_MAX = 2000 }; /* lists have so many bytes at least */
/* A word's: some uses, the first ones, or a list of all, to which `list` points. Its lowest bit is set while a thread is at them. A line of
 * the cache, as several threads come for it. */
struct word {
  _Alignas(64) uintptr_t list;
  struct use own[OWN];
};
struct table {
  struct word words[8];
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

static struct uses *take(struct word *w) {
  for (unsigned times = 0;; times++) {
    uintptr_t seen = __atomic_load_n(&w->list, __ATOMIC_RELAXED);
    if (LIKELY(!(seen & 1)) && __atomic_compare_exchange_n(&w->list, &seen, seen | 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return (struct uses *)seen;
    __builtin_ia32_pause();
    if (times % 1000 == 999) sched_yield();
    if (pairs_orphaned && (pairs_alone || times > 1 << 22)) __atomic_store_n(&w->list, 0, __ATOMIC_RELEASE);
  }
}
static void give(struct word *w, struct uses *list) { __atomic_store_n(&w->list, (uintptr_t)list, __ATOMIC_RELEASE); }

static struct use *uses_at(struct word *w, struct uses *list, unsigned *count) {
  if (UNLIKELY(list != NULL)) return *count = list->count, list->at;
  unsigned n = 0;
  while (n < OWN && bytes(&w->own[n])) n++;
  return *count = n, w->own;
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

static struct uses *note(struct thread *t, const struct held *h, struct word *w, struct uses *list, struct use new) {
  unsigned n;
  struct use *at = uses_at(w, list, &n);
  unsigned kept = sift(t, h, at, n, &new);
  if (UNLIKELY(list ? kept == list->cap : kept == OWN)) {
    struct uses *more = bigger(list, at, kept);
    if (!more && (!list || list == &nothing)) return &nothing;
    if (!more) {
      list->count = kept, list->lost = true;
      return list;
    }
    list = more, at = list->at;
  }
  at[kept] = new;
  if (list)
    list->count = kept + 1;
  else
    for (unsigned i = kept + 1; i < n; i++) at[i].who = 0;
  return list;
}

void locked_fetch(uintptr_t address) {
  const struct table *table = __atomic_load_n(table_of(address), __ATOMIC_ACQUIRE);
  if (table) rt_fetch(&table->words[address >> 3 & 7]);
}

void locked_access(struct thread *t, uintptr_t address, unsigned mask, enum site_kind kind) {
  struct word *w = word_of(address, true);
  bool writes = kind == SITE_WRITE || kind == SITE_ATOMIC_WRITE || kind == SITE_FREE;
  if (!w) return;
  struct uses *list = take(w);
  for (uint32_t i = 0; i < t->nheld; i++) {
    const struct held *h = &t->held[i];
    uint32_t what = h->section << SECTION_SHIFT | (writes ? WRITES : 0u) | (h->shared ? SHARED : 0u) | (t->inside ? INSIDE_ACTION : 0u);
    if (UNLIKELY(list && list->lost)) section_acquire(t, h, ALL_SECTIONS);
    list = note(t, h, w, list, (struct use){.lock = (uint32_t)h->lock, .what = what, .who = t->info->number << THREAD_SHIFT | mask});
  }
  give(w, list);
}

int locked_common(struct thread *t, uintptr_t address, unsigned mask, epoch e, uint32_t thread, uint64_t at[HELD]) {
  struct word *w = word_of(address, false);
  if (!w) return 0;
  struct uses *list = take(w);
  unsigned count;
  const struct use *uses = uses_at(w, list, &count);
  int n = list && list->lost ? -1 : 0;
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
  if (!w || (!__atomic_load_n(&w->list, __ATOMIC_RELAXED) && !bytes(&w->own[0]))) return;
  struct uses *list = take(w);
  free_list(list);
  for (unsigned i = 0; i < OWN; i++) w->own[i].who = 0;
  give(w, NULL);
}
