/* Small blocks for the runtime's own data. Many allocate who are in the midst of the program's call, and a handler may allocate, too. */
#include "thread.h"

enum { CLASSES = 16, SMALLEST = 16, CHUNK = 1 << 20 };
static struct {
  struct rt_lock lock;
  void *free[CLASSES]; /* of SMALLEST << i bytes, linked by their first word */
  char *next, *end;    /* pages not cut up yet */
} slab;

static unsigned class_of(size_t bytes) {
  unsigned c = 0;
  while (((size_t)SMALLEST << c) < bytes) c++;
  return c;
}

/* Aligned to its size, up to a cache line. */
static void *cut(size_t size) {
  size_t line = size < 64 ? size : 64;
  slab.next += -(uintptr_t)slab.next & (line - 1);
  if (slab.end < slab.next + size) {
    char *p = rt_pages(CHUNK);
    if (!p) return NULL;
    slab.next = p, slab.end = p + CHUNK;
  }
  void *block = slab.next;
  slab.next += size;
  return block;
}

/* The lock is held. */
static void *one_of(unsigned c) {
  void *block = slab.free[c];
  if (!block) return cut((size_t)SMALLEST << c);
  slab.free[c] = *(void **)block;
  return block;
}

void *rt_alloc(size_t bytes) {
  unsigned c = class_of(bytes);
  if (c >= CLASSES) return rt_pages(bytes);
  struct thread *t = thread_lock_self(&slab.lock);
  void *block = one_of(c);
  thread_unlock_self(t, &slab.lock);
  return block;
}

struct rt_blocks rt_alloc_some(size_t bytes, uint32_t count) {
  unsigned c = class_of(bytes);
  struct rt_blocks some = {0};
  struct thread *t = thread_lock_self(&slab.lock);
  for (void *block; some.count < count && (block = one_of(c));) rt_blocks_add(&some, block);
  thread_unlock_self(t, &slab.lock);
  return some;
}

void rt_free_some(const struct rt_blocks *some, size_t bytes) {
  unsigned c = class_of(bytes);
  if (!some->count) return;
  struct thread *t = thread_lock_self(&slab.lock);
  *(void **)some->last = slab.free[c];
  slab.free[c] = some->first;
  thread_unlock_self(t, &slab.lock);
}

void rt_free(void *block, size_t bytes) {
  if (!block) return;
  unsigned c = class_of(bytes);
  if (c >= CLASSES) {
    rt_pages_free(block, bytes);
    return;
  }
  struct thread *t = thread_lock_self(&slab.lock);
  *(void **)block = slab.free[c];
  slab.free[c] = block;
  thread_unlock_self(t, &slab.lock);
}

void alloc_before_fork(void) { rt_lock(&slab.lock); }
void alloc_after_fork(void) { rt_unlock(&slab.lock); }
