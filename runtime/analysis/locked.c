#include "analysis/locked.h"

#include "analysis/uses.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define TABLES_BASE 0x040000000000ull
#define TABLES_SIZE 0x040000000000ull
#ifndef LINE_WORDS /* a test asks for less */
#define LINE_WORDS 8
#endif
struct table {
  _Alignas(64) struct word words[LINE_WORDS];
};

/* A line's: a pointer to its table; or one use of some of its words, of all their bytes, while their other words have none:
 *
 *   writes:1  slot:11  clock:22  locks:21  words:8  LINE:1
 *
 * Ranges leave nothing else behind. Who changes it need not have all of these words, so it is exchanged as a whole. */
typedef uint64_t line;
enum { LINE = 1, WORDS_SHIFT = 1, LINE_LOCKS_SHIFT = 9, LINE_MANY = 1 << (LOCKSET_LOCK_BITS) };
_Static_assert(LINE_LOCKS_SHIFT + LOCKSET_LOCK_BITS + 1 == CLOCK_SHIFT, "what a use has above its locks, a line has at the same place");
HOT unsigned words_of(line l) { return (unsigned)(l >> WORDS_SHIFT & 0xff); }
/* False if the locks do not fit. */
HOT bool line_of(use u, unsigned words, line *l) {
  uint32_t set = use_locks(u), locks = set & LOCKSET_MANY ? set - LOCKSET_MANY + LINE_MANY : set;
  *l = (u & ~(USE_LOCKS | MASK_ALL)) | (line)locks << LINE_LOCKS_SHIFT | words << WORDS_SHIFT | LINE;
  return use_mask(u) == MASK_ALL && (set & LOCKSET_MANY ? locks < 2 * LINE_MANY : locks < LINE_MANY);
}
HOT use use_of(line l) {
  uint32_t locks = (uint32_t)(l >> LINE_LOCKS_SHIFT) & (2 * LINE_MANY - 1);
  use set = locks & LINE_MANY ? locks - LINE_MANY + LOCKSET_MANY : locks;
  return (l & ~(USE_LOCKS | MASK_ALL)) | set << USE_LOCKS_SHIFT | MASK_ALL;
}

static line *line_at(uintptr_t address) { return (line *)(TABLES_BASE + (address / LINE_WORDS & (TABLES_SIZE - 8))); }
HOT struct table *table_of(line l) { return l & LINE ? NULL : (struct table *)(uintptr_t)l; }
static unsigned index_of(uintptr_t address) { return address / 8 % LINE_WORDS; }

static COLD struct table *new_table(line *place) {
  struct table *table = rt_alloc(sizeof *table);
  if (!table) return order_lose(), NULL;
  for (line l = __atomic_load_n(place, __ATOMIC_ACQUIRE);;) {
    if (l && !(l & LINE)) {
      rt_free(table, sizeof *table);
      return table_of(l);
    }
    rt_zero(table, sizeof *table);
    for (unsigned i = 0; i < LINE_WORDS; i++)
      if (words_of(l) >> i & 1) table->words[i].own[0] = use_of(l);
    if (__atomic_compare_exchange_n(place, &l, (uintptr_t)table, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return table;
  }
}

/* What is known of the word beside its line; NULL if there is nothing and `make` is false, or no memory. */
static struct word *word_of(uintptr_t address, bool make) {
  line *place = line_at(address);
  struct table *table = table_of(__atomic_load_n(place, __ATOMIC_ACQUIRE));
  if (UNLIKELY(!table) && make) table = new_table(place);
  return table ? &table->words[index_of(address)] : NULL;
}

/* The line's use is not the word's any more. False if it has a table. */
static bool leave_line(uintptr_t address) {
  line *place = line_at(address), l = __atomic_load_n(place, __ATOMIC_ACQUIRE), bit = (line)1 << WORDS_SHIFT << index_of(address), less;
  do {
    if (l && !(l & LINE)) return false;
    less = words_of(l & ~bit) ? l & ~bit : 0;
  } while ((l & bit) && !__atomic_compare_exchange_n(place, &l, less, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return true;
}

/* The pair is one that a thread left as it was at it, which a fork did not take along. */
static void lost(uintptr_t address) {
  struct word *w = leave_line(address) ? NULL : word_of(address, false);
  if (w) w->own[0] = w->own[1] = 0;
}

void locked_start(void) {
  word_lost = lost;
  locksets_start();
  if (!rt_reserve(TABLES_BASE, TABLES_SIZE))
    rt_die("heddle: the address space for watching locks is not to be had (%s): run with --analysis=hb\n", strerrordesc_np(errno));
}

void locked_fetch(uintptr_t address) {
  const struct table *table = table_of(__atomic_load_n(line_at(address), __ATOMIC_ACQUIRE));
  if (table) rt_fetch(&table->words[index_of(address)]);
}

static use use_now(struct thread *t, unsigned mask, bool writes) {
  return (writes ? USE_WRITES : 0) | hd_fast.epoch | (use)lockset_now(t) << USE_LOCKS_SHIFT | mask;
}

/* The same of a word that is its line's, or has nothing. `all`: the thread is about to access all words of the line, and this is the first:
 * what becomes of it becomes of all. (Who comes between has none of the locks of what goes.) False if a table is needed. */
HOT bool note_line(struct thread *t, uintptr_t address, use new, bool all) {
  line *place = line_at(address), l = __atomic_load_n(place, __ATOMIC_ACQUIRE), want;
  unsigned word = 1u << index_of(address), words = all ? (1u << LINE_WORDS) - 1 : word;
  if ((l && !(l & LINE)) || !line_of(new, words, &want)) return false;
  for (;;) {
    use u = use_of(l), one = new;
    if (l && u == new) {
      if (words_of(l) & word) return true;
      want |= l;
    } else if (words_of(l) & ~words || (l && uses_sift(t, &u, 1, &one))) {
      return false;
    }
    if (__atomic_compare_exchange_n(place, &l, want, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return true;
    if ((l && !(l & LINE)) || !line_of(new, words, &want)) return false;
  }
}

static void note_access(struct thread *t, struct word *w, use new) {
  if (w->own[0] == 0)
    w->own[0] = new;
  else
    uses_note(t, w, new);
}

void locked_access(struct thread *t, uintptr_t address, unsigned mask, bool writes) {
  use new = use_now(t, mask, writes);
  struct word *w = note_line(t, address, new, false) ? NULL : word_of(address, true);
  if (w) note_access(t, w, new);
}

/* False if they are too many, or some are missing. */
static bool copy(struct word *w, struct locked_copy *c) {
  const struct uses *all = uses_list(w);
  const use *at = uses_at(w, &c->count);
  if ((all && (all->lost || all->split)) || c->count > LOCKED_FEW) return false;
  for (unsigned i = 0; i < c->count; i++) c->at[i] = at[i];
  return true;
}

HOT bool like(struct word *w, const struct locked_copy *c) {
  const struct uses *all = uses_list(w);
  unsigned n;
  const use *at = uses_at(w, &n);
  if (n != c->count || (all && (all->lost || all->split))) return false;
  use differ = 0;
  for (unsigned i = 0; i < n; i++) differ |= at[i] ^ c->at[i];
  return !differ;
}

/* Makes the word's uses those of the copy. False if there is no room. */
HOT bool paste(struct word *w, const struct locked_copy *c) {
  struct uses *all = uses_list(w);
  if (c->count > (all ? all->cap : USES_OWN)) {
    if (!uses_make_room(w, c->count)) return false;
    all = uses_list(w);
  }
  use *at = all ? all->at : w->own;
  if (all) all->count = c->count;
  for (unsigned i = 0; i < c->count; i++) at[i] = c->at[i];
  for (unsigned i = c->count; !all && i < USES_OWN; i++) at[i] = 0;
  return true;
}

void locked_again(struct thread *t, uintptr_t address, unsigned mask, bool writes, struct locked_step *s) {
  use new = use_now(t, mask, writes);
  struct word *w = note_line(t, address, new, !index_of(address) && s->end - address >= 8 * LINE_WORDS) ? NULL : word_of(address, true);
  if (!w || (mask == s->mask && like(w, &s->from) && paste(w, &s->to))) return;
  s->mask = copy(w, &s->from) ? mask : 0;
  note_access(t, w, use_now(t, mask, writes));
  if (s->mask && !copy(w, &s->to)) s->mask = 0;
}

/* Was that epoch of the thread in the section of h in which it left the use? */
static enum inside use_has(struct thread *t, unsigned i, use u, epoch e, uint32_t thread) {
  const struct lockset_relation *r = lockset_relation(t, use_locks(u), lockset_now(t));
  const struct thread_info *by = thread_of_epoch(cell_epoch(u));
  if (!(r->common >> i & 1) || !by || by->actor != thread) return OUTSIDE;
  return r->unknown ? NOT_KNOWN : section_has_both(t, &t->held[i], cell_epoch(u), e);
}

/* The uses of the word; `one` is for its line's. */
static const use *uses_of(uintptr_t address, use *one, unsigned *n, bool *some) {
  line l = __atomic_load_n(line_at(address), __ATOMIC_ACQUIRE);
  struct word *w = word_of(address, false);
  const struct uses *all = w ? uses_list(w) : NULL;
  *some = all && all->lost;
  if (w) return uses_at(w, n);
  *one = use_of(l), *n = words_of(l) >> index_of(address) & 1;
  return one;
}

int locked_common(struct thread *t, uintptr_t address, unsigned mask, epoch e, uint32_t thread, uint64_t at[HELD]) {
  struct pair *p = shadow_of(address);
  cell write = pair_take(p);
  unsigned count;
  bool some;
  use one;
  const use *u = uses_of(address, &one, &count, &some);
  int n = some ? -1 : 0;
  for (uint32_t i = 0; i < t->nheld && n >= 0; i++) {
    enum inside found = OUTSIDE;
    for (unsigned k = 0; k < count && found != INSIDE; k++) {
      enum inside is = use_mask(u[k]) & mask ? use_has(t, i, u[k], e, thread) : OUTSIDE;
      if (is != OUTSIDE) found = is;
    }
    if (found == INSIDE) at[n++] = t->held[i].lock;
    if (found == NOT_KNOWN) n = -1;
  }
  pair_give(p, write);
  return n;
}

bool locked_any(uintptr_t address) {
  line l = __atomic_load_n(line_at(address), __ATOMIC_ACQUIRE);
  const struct table *table = table_of(l);
  return table ? __atomic_load_n(&table->words[index_of(address)].own[0], __ATOMIC_RELAXED) : words_of(l) >> index_of(address) & 1;
}

void locked_forget(uintptr_t address) {
  struct word *w = leave_line(address) ? NULL : word_of(address, false);
  if (!w || !w->own[0]) return;
  uses_drop(w);
}
