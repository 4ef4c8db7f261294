#include "analysis/unseen.h"

/* A bit for each page that is a stack's. Addresses have 47 bits. */
enum { PAGE_BITS = 12, PAGES_BITS = 47 - PAGE_BITS };

bool unseen_watching;
static bool shared; /* another thread has accessed a stack */
static unsigned char *stacks;

void unseen_begins(void) { __atomic_store_n(&unseen_watching, !shared, __ATOMIC_RELAXED); }

/* The main thread's comes first, while it is alone. No lock: a process may fork while threads begin. */
void unseen_stack(uintptr_t from, uintptr_t to, bool is) {
  if (!stacks) stacks = rt_pages((size_t)1 << (PAGES_BITS - 3));
  for (uintptr_t page = from >> PAGE_BITS, last = to >> PAGE_BITS; stacks && page < last && page >> PAGES_BITS == 0; page++) {
    unsigned char bit = (unsigned char)(1u << page % 8);
    if (is)
      __atomic_fetch_or(&stacks[page / 8], bit, __ATOMIC_RELAXED);
    else
      __atomic_fetch_and(&stacks[page / 8], (unsigned char)~bit, __ATOMIC_RELAXED);
  }
}

static bool is_stack(uintptr_t page) {
  return stacks && page >> PAGES_BITS == 0 && (__atomic_load_n(&stacks[page / 8], __ATOMIC_RELAXED) >> page % 8 & 1);
}

void unseen_access(const struct thread *t, uintptr_t address) {
  if (!t || (address >= t->info->memory.from && address < t->info->memory.to) || !is_stack(address >> PAGE_BITS)) return;
  __atomic_store_n(&shared, true, __ATOMIC_RELAXED);
  __atomic_store_n(&unseen_watching, false, __ATOMIC_RELAXED);
}

bool unseen_shared(void) { return __atomic_load_n(&shared, __ATOMIC_RELAXED); }
