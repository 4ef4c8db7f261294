#include "locked.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#define TABLES_BASE 0x040000000000ull
#define TABLES_SIZE 0x040000000000ull

/* The last accesses of a thread to a word in a section. */
struct use {
  uint32_t lock;                                             /* its id */
  uint32_t section : 29, writes : 1, shared : 1, inside : 1; /* inside: an action (action.h) */
  uint32_t thread : 24, mask : 8;
};
struct uses {
  uint16_t count, cap : 15, lost : 1; /* lost: some are missing */
  struct use at[];
};
/* The lists of a line's words: pointers whose lowest bit is set while a thread is at them. */
struct table {
  uintptr_t lists[8];
};
enum { USES_MAX = 2000 };

static size_t bytes_of(unsigned cap) { return sizeof(struct uses) + cap * sizeof(struct use); }

void locked_start(void) {
  if (!rt_reserve(TABLES_BASE, TABLES_SIZE))
    rt_die("heddle: the address space for watching locks is not to be had (%s): run with --analysis=hb\n", strerrordesc_np(errno));
}

static struct table **table_of(uintptr_t address) { return (struct table **)(TABLES_BASE + (address >> 3 & (TABLES_SIZE - 8))); }

/* Where the word's list is; NULL if there is none and `make` is false, or no memory. */
static uintptr_t *list_of(uintptr_t address, bool make) {
  struct table **place = table_of(address), *table = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  if (!table && make && (table = rt_alloc(sizeof *table))) {
    struct table *other = NULL;
    *table = (struct table){{0}};
    if (!__atomic_compare_exchange_n(place, &other, table, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      rt_free(table, sizeof *table);
      table = other;
    }
  }
  return table ? &table->lists[address >> 3 & 7] : NULL;
}

static struct uses *take(uintptr_t *word) {
  for (unsigned times = 0;; times++) {
    uintptr_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    if (!(seen & 1) && __atomic_compare_exchange_n(word, &seen, seen | 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return (struct uses *)seen;
    __builtin_ia32_pause();
    if (times % 1000 == 999) sched_yield();
    if (pairs_orphaned && (pairs_alone || times > 1 << 22)) __atomic_store_n(word, 0, __ATOMIC_RELEASE);
  }
}
static void give(uintptr_t *word, struct uses *u) { __atomic_store_n(word, (uintptr_t)u, __ATOMIC_RELEASE); }

static bool conflicts(const struct use *u, const struct thread *t, const struct held *h, unsigned mask, bool writes) {
  return u->lock == (uint32_t)h->lock && u->thread != t->info->number && (u->mask & mask) && (u->writes || writes) &&
         !(u->shared && h->shared) && !(u->inside && t->inside);
}

/* Later sections of this lock that conflict with u conflict with the present access, too, which knows of u: but shared ones do not conflict
 * with a shared one, nor accesses within actions with each other. */
static bool superseded(const struct use *u, const struct thread *t, const struct held *h, unsigned mask, bool writes) {
  if (u->lock != (uint32_t)h->lock || (u->mask & ~mask) || (h->shared && !u->shared)) return false;
  if (t->inside && (!u->inside || u->thread != t->info->number)) return false;
  return writes ? !h->shared || u->thread == t->info->number : u->thread == t->info->number && !u->writes;
}

static struct uses *note(struct uses *u, const struct thread *t, const struct held *h, unsigned mask, bool writes) {
  unsigned kept = 0, n = u ? u->count : 0;
  for (unsigned i = 0; i < n; i++)
    if (!superseded(&u->at[i], t, h, mask, writes)) u->at[kept++] = u->at[i];
  if (u) u->count = (uint16_t)kept;
  if (!u || kept == u->cap) {
    unsigned cap = u ? 2u * u->cap + 1 : 2; /* 32, 64, 144 bytes */
    struct uses *more = cap <= USES_MAX ? rt_alloc(bytes_of(cap)) : NULL;
    if (!more) {
      if (u) u->lost = true;
      return u;
    }
    more->lost = false, more->count = (uint16_t)kept, more->cap = cap & 0x7fff;
    if (u) rt_copy(more->at, u->at, kept * sizeof u->at[0]), rt_free(u, bytes_of(u->cap));
    u = more;
  }
  u->at[u->count++] = (struct use){.lock = (uint32_t)h->lock,
                                   .section = h->section & ((1u << 29) - 1),
                                   .writes = writes,
                                   .shared = h->shared,
                                   .inside = t->inside > 0,
                                   .thread = t->info->number & 0xffffff,
                                   .mask = mask & 0xff};
  return u;
}

void locked_access(struct thread *t, uintptr_t address, unsigned mask, enum site_kind kind) {
  uintptr_t *word = list_of(address, true);
  bool writes = kind == SITE_WRITE || kind == SITE_ATOMIC_WRITE || kind == SITE_FREE;
  if (!word) return;
  struct uses *u = take(word);
  for (uint32_t i = 0; i < t->nheld; i++) {
    struct held *h = &t->held[i];
    if (u && u->lost) section_acquire(t, h, ALL_SECTIONS);
    for (unsigned k = 0; u && k < u->count; k++)
      if (conflicts(&u->at[k], t, h, mask, writes)) section_learn(t, h, u->at[k].section);
    u = note(u, t, h, mask, writes);
  }
  give(word, u);
}

int locked_common(struct thread *t, uintptr_t address, unsigned mask, epoch e, uint32_t thread, uint64_t at[HELD]) {
  uintptr_t *word = list_of(address, false);
  if (!word) return 0;
  struct uses *u = take(word);
  int n = u && u->lost ? -1 : 0;
  for (uint32_t i = 0; i < t->nheld && n >= 0; i++) {
    const struct held *h = &t->held[i];
    enum inside found = OUTSIDE;
    for (unsigned k = 0; u && k < u->count && found != INSIDE; k++) {
      const struct use *x = &u->at[k];
      if (x->lock != (uint32_t)h->lock || x->thread != thread || !(x->mask & mask) || (x->shared && h->shared)) continue;
      enum inside is = section_has(t, h, x->section, e);
      if (is != OUTSIDE) found = is;
    }
    if (found == INSIDE) at[n++] = h->lock;
    if (found == NOT_KNOWN) n = -1;
  }
  give(word, u);
  return n;
}

void locked_forget(uintptr_t address) {
  uintptr_t *word = list_of(address, false);
  if (!word || !__atomic_load_n(word, __ATOMIC_RELAXED)) return;
  struct uses *u = take(word);
  if (u) rt_free(u, bytes_of(u->cap));
  give(word, NULL);
}
