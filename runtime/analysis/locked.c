#include "analysis/locked.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define TABLES_BASE 0x040000000000ull
#define TABLES_SIZE 0x040000000000ull

/* The last accesses of a thread to a word in a section of some lock, */
struct own {
  uint32_t what; /* section, WRITES, SHARED, INSIDE */
  uint32_t who;  /* the thread's actor:24, mask:8; no mask: there is none */
};
/* and of which lock. */
struct use {
  struct own own;
  uint32_t lock; /* its id */
};
enum { SHARED = 1, WRITES = 2, INSIDE_ACTION = 4, SECTION_SHIFT = 32 - SECTION_BITS, THREAD_SHIFT = MASK_BITS };
static unsigned bytes(const struct own *u) { return u->who & MASK_ALL; }

struct uses {
  uint32_t count, cap : 31, lost : 1; /* lost: some are missing */
  struct use at[];                    /* by their locks */
};
enum { OWN = 3, USES_BLOCK = 64, USES_MIN = (USES_BLOCK - 8) / 12, USES_MAX = 2000 }; /* lists have so many bytes at least */
/* A word's: a list of its uses, or these themselves, if there are few and all are of one lock. As several threads come for them, and for
 * those of the next words, they take as little of a line of the cache as can be. */
struct word {
  uint64_t list; /* a pointer; or that lock, above ONE; 0: there are none */
  struct own own[OWN];
};
enum { ONE = 1, LOCK_SHIFT = 1 };
struct table {
  _Alignas(64) struct word words[8];
};

static size_t bytes_of(unsigned cap) { return sizeof(struct uses) + cap * sizeof(struct use); }

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

/* The pair is one that a thread left as it was at it, which a fork did not take along. */
static void lost(uintptr_t address) {
  struct word *w = word_of(address, false);
  if (w) w->list = 0;
}

void locked_start(void) {
  word_lost = lost;
  if (!rt_reserve(TABLES_BASE, TABLES_SIZE))
    rt_die("heddle: the address space for watching locks is not to be had (%s): run with --analysis=hb\n", strerrordesc_np(errno));
}

static struct uses *list_of(uint64_t list) { return list & ONE ? NULL : (struct uses *)(uintptr_t)list; }

static uint64_t list_of_one(uint32_t lock) { return (uint64_t)lock << LOCK_SHIFT | ONE; }

/* How many the word has itself. */
HOT unsigned own_count(const struct word *w, uint64_t list) {
  unsigned n = 0;
  while (list && n < OWN && bytes(&w->own[n])) n++;
  return n;
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

/* A list of the n uses at `at`, and of more: of `room` in all at least. */
static struct uses *bigger(struct uses *list, const struct use *at, unsigned n, unsigned room) {
  unsigned cap = list ? bigger_cap(list->cap) : USES_MIN;
  while (cap < room) cap = bigger_cap(cap);
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
HOT unsigned sift(struct thread *t, const struct held *h, void *all, size_t size, unsigned n, struct own *new) {
#define AT(i) ((struct own *)(void *)((char *)all + (i)*size)) /* a struct own, or a struct use */
  uint32_t what = new->what, who = new->who, mask = who &MASK_ALL, touched = mask;
  unsigned kept = 0;
  for (unsigned i = 0; i < n; i++)
    if ((AT(i)->what | SHARED) == (what | SHARED) && (AT(i)->who ^ who) <= MASK_ALL) touched |= bytes(AT(i));
  for (unsigned i = 0; i < n; i++) {
    uint32_t theirs = AT(i)->what;
    bool own = (AT(i)->who ^ who) <= MASK_ALL;
    if (!own && (AT(i)->who & mask) && ((theirs | what) & WRITES) && !(theirs & what & (SHARED | INSIDE_ACTION)))
      section_learn(t, h, theirs >> SECTION_SHIFT, theirs & SHARED);
    bool conflict = what & WRITES ? own || !(what & SHARED) : own && !(theirs & WRITES);
    if ((what & INSIDE_ACTION) && !(own && (theirs & INSIDE_ACTION))) conflict = false;
    if (conflict && !(bytes(AT(i)) & ~touched) && !(what & ~theirs & SHARED)) continue;
    if (kept < i) __builtin_memcpy(AT(kept), AT(i), size);
    kept++;
  }
  new->who = who | touched;
  return kept;
#undef AT
}

/* The same if none of them was of other bytes. */
HOT unsigned sift_same(struct thread *t, const struct held *h, struct own *at, unsigned n, uint32_t what, uint32_t who) {
  unsigned kept = 0;
  for (unsigned i = 0; i < n; i++) {
    struct own u = at[i];
    bool own = (u.who ^ who) <= MASK_ALL, both = u.what & what & (SHARED | INSIDE_ACTION), drop;
    if (!own && ((u.what | what) & WRITES) && !both) section_learn(t, h, u.what >> SECTION_SHIFT, u.what & SHARED);
    drop = what & WRITES ? own || !(what & SHARED) : own && !(u.what & WRITES);
    if ((what & INSIDE_ACTION) && !(own && (u.what & INSIDE_ACTION))) drop = false;
    if (!drop || (what & ~u.what & SHARED)) at[kept++] = u;
  }
  return kept;
}

/* Of that word all uses are of this lock, if there are any. False if there is no room for one more: nothing has changed then but what t
 * knows. */
HOT bool note_own(struct thread *t, const struct held *h, struct word *w, uint64_t list, struct own new) {
  unsigned n = own_count(w, list), kept, all = 0;
  for (unsigned i = 0; i < n; i++) all |= bytes(&w->own[i]);
  if (LIKELY(!(all & ~bytes(&new))))
    kept = sift_same(t, h, w->own, n, new.what, new.who);
  else
    kept = sift(t, h, w->own, sizeof w->own[0], n, &new);
  if (UNLIKELY(kept == OWN)) return false;
  w->own[kept] = new;
  for (unsigned i = kept + 1; i < OWN; i++) w->own[i].who = 0;
  return true;
}

/* Where the uses of that lock begin, or would. */
static unsigned uses_of(const struct use *at, unsigned n, uint32_t lock) {
  unsigned from = 0;
  while (n > 0) {
    unsigned half = n / 2;
    if (at[from + half].lock < lock)
      from += half + 1, n -= half + 1;
    else
      n = half;
  }
  return from;
}

static void move(struct use *to, const struct use *from, unsigned n) {
  for (unsigned i = 0; to < from && i < n; i++) to[i] = from[i];
  for (unsigned i = n; to > from && i > 0; i--) to[i - 1] = from[i - 1];
}

/* Any word, and any uses. */
static __attribute__((noinline)) uint64_t note(struct thread *t, const struct held *h, struct word *w, uint64_t list, struct own new) {
  struct use few[OWN];
  struct uses *all = list_of(list);
  uint32_t lock = (uint32_t)h->lock;
  unsigned n = all ? all->count : own_count(w, list);
  for (unsigned i = 0; !all && i < n; i++) few[i] = (struct use){w->own[i], (uint32_t)(list >> LOCK_SHIFT)};
  struct use *at = all ? all->at : few;
  unsigned from = uses_of(at, n, lock), to = from;
  while (to < n && at[to].lock == lock) to++;
  unsigned kept = from + sift(t, h, &at[from], sizeof at[0], to - from, &new);
  if (!all || kept + 1 + n - to > all->cap) {
    move(&at[kept], &at[to], n - to);
    n -= to - kept, to = kept;
    struct uses *more = bigger(all, at, n, n + 1);
    if (!more && (!all || all == &nothing)) return (uintptr_t)&nothing;
    if (!more) {
      all->count = n, all->lost = true;
      return list;
    }
    all = more;
  }
  move(&all->at[kept + 1], &all->at[to], n - to);
  all->at[kept] = (struct use){new, lock}, all->count = kept + 1 + n - to;
  return (uintptr_t)all;
}

void locked_fetch(uintptr_t address) {
  const struct table *table = __atomic_load_n(table_of(address), __ATOMIC_ACQUIRE);
  if (table) rt_fetch(&table->words[address >> 3 & 7]);
}

void locked_access(struct thread *t, uintptr_t address, unsigned mask, bool writes) {
  struct word *w = word_of(address, true);
  if (!w) return;
  uint64_t list = w->list;
  for (uint32_t i = 0; i < t->nheld; i++) {
    const struct held *h = &t->held[i];
    const struct uses *all = list_of(list);
    uint64_t one = list_of_one((uint32_t)h->lock);
    uint32_t what = h->section << SECTION_SHIFT | (writes ? WRITES : 0u) | (h->shared ? SHARED : 0u) | (t->inside ? INSIDE_ACTION : 0u);
    if (UNLIKELY(all && all->lost)) section_acquire(t, h, ALL_SECTIONS);
    struct own new = {.what = what, .who = t->actor << THREAD_SHIFT | mask};
    if (LIKELY((list == 0 || list == one) && note_own(t, h, w, list, new)))
      list = one;
    else
      list = note(t, h, w, list, new);
  }
  w->list = list;
}

_Static_assert(offsetof(struct uses, at) % 8 == 0 && offsetof(struct word, own) % 8 == 0, "a word's uses are copied eight bytes at a time");
_Static_assert(sizeof(struct own[OWN]) % 8 == 0, "a word's uses are copied eight bytes at a time");

/* Where the word has its uses, and how many bytes they are. */
HOT uint64_t *uses_at(struct word *w, uint32_t *size) {
  struct uses *all = list_of(w->list);
  *size = all ? all->count * (uint32_t)sizeof(struct use) : w->list ? (uint32_t)sizeof w->own : 0;
  return all ? (uint64_t *)(void *)all->at : (uint64_t *)(void *)w->own;
}
/* Those of them that are the last number's half. */
HOT uint64_t rest_of(const uint64_t *at, uint32_t size) { return size & 4 ? at[size / 8] & UINT32_MAX : 0; }

/* False if they are too many, or some are missing. */
static bool copy(struct word *w, struct locked_copy *c) {
  const struct uses *all = list_of(w->list);
  const uint64_t *at = uses_at(w, &c->size);
  if ((all && all->lost) || c->size > sizeof c->at) return false;
  c->list = all ? 0 : w->list;
  for (uint32_t i = 0; i < c->size / 8; i++) c->at[i] = at[i];
  if (c->size & 4) c->at[c->size / 8] = rest_of(at, c->size);
  return true;
}

HOT bool like(struct word *w, const struct locked_copy *c) {
  const struct uses *all = list_of(w->list);
  uint32_t size;
  const uint64_t *at = uses_at(w, &size);
  if (size != c->size || (all ? all->lost || c->list : w->list != c->list)) return false;
  uint64_t differ = rest_of(at, size) ^ rest_of(c->at, size);
  for (uint32_t i = 0; i < size / 8; i++) differ |= at[i] ^ c->at[i];
  return !differ;
}

/* Makes the word's uses those of the copy. False if there is no room. */
HOT bool paste(struct word *w, const struct locked_copy *c) {
  struct uses *all = list_of(w->list);
  uint64_t *at = (uint64_t *)(void *)w->own;
  if (c->list) {
    w->list = c->list;
  } else {
    unsigned count = c->size / (uint32_t)sizeof(struct use);
    if ((!all || all->cap < count) && !(all = bigger(all, NULL, 0, count))) return false;
    w->list = (uintptr_t)all, all->count = count;
    at = (uint64_t *)(void *)all->at;
  }
  for (uint32_t i = 0; i < (c->size + 4) / 8; i++) at[i] = c->at[i];
  return true;
}

void locked_again(struct thread *t, uintptr_t address, unsigned mask, bool writes, struct locked_step *s) {
  struct word *w = word_of(address, true);
  if (!w || (mask == s->mask && like(w, &s->from) && paste(w, &s->to))) return;
  s->mask = copy(w, &s->from) ? mask : 0;
  locked_access(t, address, mask, writes);
  if (s->mask && !copy(w, &s->to)) s->mask = 0;
}

int locked_common(struct thread *t, uintptr_t address, unsigned mask, epoch e, uint32_t thread, uint64_t at[HELD]) {
  struct word *w = word_of(address, false);
  if (!w) return 0;
  struct pair *p = shadow_of(address);
  cell write = pair_take(p);
  uint64_t list = w->list;
  const struct uses *all = list_of(list);
  unsigned count = all ? all->count : own_count(w, list);
  int n = all && all->lost ? -1 : 0;
  for (uint32_t i = 0; i < t->nheld && n >= 0; i++) {
    const struct held *h = &t->held[i];
    enum inside found = OUTSIDE;
    for (unsigned k = 0; k < count && found != INSIDE; k++) {
      const struct own *x = all ? &all->at[k].own : &w->own[k];
      uint32_t lock = all ? all->at[k].lock : (uint32_t)(list >> LOCK_SHIFT);
      if (lock != (uint32_t)h->lock || x->who >> THREAD_SHIFT != (thread & 0xffffff) || !(bytes(x) & mask)) continue;
      if ((x->what & SHARED) && h->shared) continue;
      enum inside is = section_has(t, h, x->what >> SECTION_SHIFT, e);
      if (is != OUTSIDE) found = is;
    }
    if (found == INSIDE) at[n++] = h->lock;
    if (found == NOT_KNOWN) n = -1;
  }
  pair_give(p, write);
  return n;
}

bool locked_any(uintptr_t address) {
  struct word *w = word_of(address, false);
  return w && __atomic_load_n(&w->list, __ATOMIC_RELAXED);
}

void locked_forget(uintptr_t address) {
  struct word *w = word_of(address, false);
  if (!w || !w->list) return;
  free_list(list_of(w->list));
  w->list = 0;
}
