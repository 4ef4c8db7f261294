#include "heap.h"

#include <sys/mman.h>

#include "analysis/action.h"
#include "analysis/confirm.h"
#include "record/record.h"
#include "sync.h"
#include "touched.h"
#include "understood.h"

enum { WORDS = PAGE / sizeof(struct pair) * 8 /* bytes of the program that a page of pairs is for */, LARGE = 16 * WORDS, BEGIN = 1024 };

/* A range of the program's memory, and what is to be done with the parts of it whose pairs have been touched, as far as pages tell. */
struct parts {
  uintptr_t address, end;
  void (*f)(uintptr_t address, size_t size, void *data);
  void *data;
  uintptr_t pairs; /* of `first`, where a page of pairs begins */
  uintptr_t first;
};

static void part(uintptr_t pairs, size_t bytes, void *data) {
  const struct parts *p = data;
  uintptr_t from = p->first + (pairs - p->pairs) / 2, to = from + bytes / 2;
  if (from < p->address) from = p->address;
  if (to > p->end) to = p->end;
  p->f(from, to - from, p->data);
}

static void each_touched(uintptr_t address, size_t size, void (*f)(uintptr_t, size_t, void *), void *data) {
  uintptr_t first = address & ~(uintptr_t)(WORDS - 1), last = (address + size + WORDS - 1) & ~(uintptr_t)(WORDS - 1);
  struct parts p = {address, address + size, f, data, (uintptr_t)shadow_of(first), first};
  touched_each(p.pairs, (last - first) * 2, part, &p);
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
  if (UNLIKELY(confirming)) confirm_renewed(address, size);
  if (size < LARGE) {
    access_forget(address, size);
    return;
  }
  each_touched(address, size, forget, NULL);
  release_pages(address, size);
}

/* Nothing of a block is kept beside the record. */
static bool records(struct thread *t, enum trace_op op, uintptr_t address, size_t size) {
  if (LIKELY(!recording)) return false;
  if (t) record_block(t, op, address, size);
  return true;
}

void heap_renewed(uintptr_t address, size_t size) {
  if (records(hd_fast.self, TRACE_EVENT_ALLOC, address, size)) return;
  actions_forget(address, size, false);
  clean(address, size);
  block_remove(address, size);
}

/* Who touches this memory without knowing of this races with it. Of a large part only the begin says so. */
static void taken(struct thread *t, uintptr_t address, size_t size, uint32_t site, uintptr_t pc) {
  size_t begin = size < BEGIN ? size : BEGIN;
  actions_forget(address, size, false);
  if (t->ignore_writes || is_understood(pc) || size >= LARGE) clean(address, size);
  if (t->ignore_writes || is_understood(pc)) return;
  access_allocated(address, begin, site);
  if (size < LARGE) access_forget(address + begin, size - begin);
}

void heap_mapped(struct thread *t, uintptr_t address, size_t size, uintptr_t pc) {
  if (records(t, TRACE_EVENT_ALLOC, address, size)) return;
  thread_enter(t);
  taken(t, address, size, thread_site(t, pc, SITE_ALLOC, 0), pc);
  block_remove(address, size);
  thread_leave(t);
}

static uint32_t spare(size_t size, size_t asked) { return size - asked < BLOCK_SPARE ? (uint32_t)(size - asked) : BLOCK_SPARE; }

void heap_allocated(struct thread *t, uintptr_t address, size_t size, size_t asked, uintptr_t pc) {
  if (records(t, TRACE_EVENT_ALLOC, address, size)) return;
  thread_enter(t);
  uint32_t site = thread_site(t, pc, SITE_ALLOC, 0);
  taken(t, address, size, site, pc);
  struct block b = {.start = address, .site = site, .maker = t->info->number + 1, .spare = spare(size, asked)};
  block_add(&b, size);
  thread_leave(t);
}

void heap_resized(uintptr_t address, size_t size, size_t asked) {
  struct block b;
  if (recording) return;
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
  if (f->t->ignore_writes || is_understood(f->pc)) return access_forget(address, size);
  access_freed(f->t, address, size, f->pc);
}

/* The pairs of a large block are given back: who uses it later is told of only if it uses the begin. */
void heap_freed(struct thread *t, uintptr_t address, size_t size, bool stays, uintptr_t pc) {
  struct freed f = {t, pc};
  if (records(t, TRACE_EVENT_FREE, address, size)) return;
  access_ignored(t, address, size, SITE_FREE, pc);
  thread_enter(t);
  if (size < LARGE) {
    free_part(address, size, &f);
  } else {
    each_touched(address, size, free_part, &f);
    each_touched(address, size, forget, NULL);
    release_pages(address, size);
    if (stays && !t->ignore_writes && !is_understood(pc)) access_freed(t, address, BEGIN, pc);
  }
  actions_forget(address, size, true);
  block_remove(address, size);
  thread_leave(t);
}
