/* Who touched a word of memory last under which locks: what locked.c keeps of it.
 *
 * A use is the last access of a thread to some bytes of the word, under these locks:
 *
 *   writes:1  slot:11  clock:22  locks:22  mask:8      mask > 0; locks: lockset.h
 *
 * Which sections of the locks that was in, these say by the epoch (section.h). */
#pragma once
#include "analysis/lockset.h"

typedef uint64_t use;
enum { USE_LOCKS_SHIFT = MASK_BITS };
#define USE_WRITES (1ull << 63)
#define USE_LOCKS  ((((use)1 << LOCKSET_BITS) - 1) << USE_LOCKS_SHIFT)
#define USE_SLOT   ((use)(SLOTS - 1) << SLOT_SHIFT)
_Static_assert(USE_LOCKS_SHIFT + LOCKSET_BITS == CLOCK_SHIFT, "a use is 64 bits");
HOT unsigned use_mask(use u) { return (unsigned)(u & MASK_ALL); }
HOT uint32_t use_locks(use u) { return (uint32_t)((u & USE_LOCKS) >> USE_LOCKS_SHIFT); }

enum { USES_OWN = 2 };
/* A word's: a list of its uses, as cell_ref(), or these themselves, if they are few. As several threads come for them, and for those of the
 * next words, they take as little of a line of the cache as can be. */
struct word {
  use own[USES_OWN]; /* 0: no more */
};
struct uses {
  uint32_t count, cap : 30;
  uint32_t lost : 1; /* some are missing */
  uint32_t
      split : 1; /* as it is long, uses are of one lock each, and in their order; but those that cannot, at the end (lockset_split()) */
  use at[];
};
HOT struct uses *uses_list(const struct word *w) { return cell_is_ref(w->own[0]) ? cell_at(w->own[0]) : NULL; }
/* All that there are, and how many. */
HOT use *uses_at(struct word *w, unsigned *n) {
  struct uses *all = uses_list(w);
  *n = all ? all->count : (unsigned)(w->own[0] != 0) + (w->own[1] != 0);
  return all ? all->at : w->own;
}

/* What an access of t, which leaves `new`, learns from n of a word's uses. Returns how many remain, in their place. Of the same sections
 * two uses are one, as what one of them made known, or will, counts for the other: *new has the bytes of both then. */
unsigned uses_sift(struct thread *t, use *at, unsigned n, use *new);
/* The same of all of a word's, of which it becomes one. */
void uses_note(struct thread *t, struct word *w, use new);
/* The word has room for so many. False if there is none. */
bool uses_make_room(struct word *w, unsigned room);
/* It has none any more. */
void uses_drop(struct word *w);
