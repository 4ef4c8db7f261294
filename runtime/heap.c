#include "heap.h"

#include <sys/mman.h>

#include "analysis/action.h"
#include "sync.h"

enum { PAGE = 4096, WORDS = PAGE / sizeof(struct pair) * 8 /* bytes of the program that a page of pairs is for */, LARGE = 16 * WORDS };

/* Calls f for the parts of the range whose pairs have been touched, as far as pages tell. */
static void each_touched(uintptr_t address, size_t size, void (*f)(uintptr_t, size_t, void *), void *data) {
  enum { AT_ONCE = 256 };
  unsigned char in[AT_ONCE];
  uintptr_t end = address + size;
  while (address < end) {
    uintptr_t first = address & ~(uintptr_t)(WORDS - 1), last = first + (uintptr_t)AT_ONCE * WORDS;
    if (last > end) last = (end + WORDS - 1) & ~(uintptr_t)(WORDS - 1);
    bool known = mincore(shadow_of(first), (last - first) * 2, in) == 0;
    for (uintptr_t page = first; page < last; page += WORDS) {
      if (known && !(in[(page - first) / WORDS] & 1)) continue;
      uintptr_t from = page > address ? page : address, to = page + WORDS < end ? page + WORDS : end;
      f(from, to - from, data);
    }
    address = last;
  }
}

static void forget(uintptr_t address, size_t size, void *data) {
  (void)data;
  access_forget(address, size);
}

static void release_pages(uintptr_t address, size_t size) {
  uintptr_t first = (address + WORDS - 1) & ~(uintptr_t)(WORDS - 1), last = (address + size) & ~(uintptr_t)(WORDS - 1);
  if (first < last) madvise(shadow_of(first), (last - first) * 2, MADV_DONTNEED);
}

static void clean(uintptr_t address, size_t size) {
  actions_forget(address, size, false);
  if (size < LARGE) {
    access_forget(address, size);
    return;
  }
  each_touched(address, size, forget, NULL);
  release_pages(address, size);
}

void heap_renewed(uintptr_t address, size_t size) {
  clean(address, size);
  block_remove(address, size);
}

static uint32_t spare(size_t size, size_t asked) { return size - asked < BLOCK_SPARE ? (uint32_t)(size - asked) : BLOCK_SPARE; }

void heap_allocated(struct thread *t, uintptr_t address, size_t size, size_t asked, uintptr_t pc) {
  thread_enter(t);
  clean(address, size);
  struct block b = {.start = address, .site = thread_site(t, pc, SITE_ALLOC, 0), .maker = t->info->number + 1, .spare = spare(size, asked)};
  block_add(&b, size);
  thread_leave(t);
}

void heap_resized(uintptr_t address, size_t size, size_t asked) {
  struct block b;
  if (!block_of(address, 16, &b) || b.start != address) return;
  b.spare = spare(size, asked);
  block_add(&b, size);
}

struct freed {
  struct thread *t;
  uintptr_t pc;
};

static void free_part(uintptr_t address, size_t size, void *data) {
  const struct freed *f = data;
  access_range(f->t, address, size, SITE_FREE, f->pc);
}

/* The pairs of a large block are given back: who uses it later is not told of. */
void heap_freed(struct thread *t, uintptr_t address, size_t size, uintptr_t pc) {
  struct freed f = {t, pc};
  thread_enter(t);
  if (size < LARGE) {
    free_part(address, size, &f);
  } else {
    each_touched(address, size, free_part, &f);
    each_touched(address, size, forget, NULL);
    release_pages(address, size);
  }
  actions_forget(address, size, true);
  block_remove(address, size);
  thread_leave(t);
}
