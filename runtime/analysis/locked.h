/* Accesses in critical sections: for each word of memory, by whom, when, and under which locks it was touched last (OVPredict,
 * section 3.5.1: mutex-access metadata). 8 bytes for each line of 64, at a fixed place, lead to a table with a quarter of a line for each
 * word:
 *
 *   0x040000000000  tables: 8 bytes for 64, a pointer; or one use of several words
 *   0x080000000000  end
 *
 * A thread that reads or changes what is kept of a word has made the word's pair BUSY before (shadow.h); locked_common() alone does that
 * itself. */
#pragma once
#include "analysis/section.h"

void locked_start(void);
/* The word's line will be asked for. */
void locked_fetch(uintptr_t address);
/* t, which holds locks, is about to access these bytes of the word: it learns of the sections that it cannot come before. */
void locked_access(struct thread *t, uintptr_t address, unsigned mask, bool writes);
/* The uses of a word, if they are few: a copy of them. */
enum { LOCKED_FEW = 8 };
struct locked_copy {
  unsigned count;
  uint64_t at[LOCKED_FEW];
};
/* The same for one word after another, by one epoch's accesses under the same locks: of one whose uses are those of the last one becomes
 * what became of that. */
struct locked_step {
  uintptr_t end; /* of what they access */
  unsigned mask; /* of the last one; 0: there was none, or its uses are not few */
  struct locked_copy from, to;
};
void locked_again(struct thread *t, uintptr_t address, unsigned mask, bool writes, struct locked_step *s);
/* The locks among t's that the access of that epoch by that thread was made under, too, and that exclude each other: how many, their ids in
 * at[]. -1 if that is not known any more. */
int locked_common(struct thread *t, uintptr_t address, unsigned mask, epoch e, uint32_t thread, uint64_t at[HELD]);
/* Something is kept of the word. Any thread. */
bool locked_any(uintptr_t address);
/* The word is new. */
void locked_forget(uintptr_t address);
