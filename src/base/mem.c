#include "base/mem.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Written by every thread that allocates, read by tests; a count only, so relaxed is enough. */
static _Atomic size_t live;

static void oom_default(size_t size) {
  fprintf(stderr, "heddle: out of memory (%zu bytes wanted)\n", size);
  exit(2);
}

static void (*oom_hook)(size_t) = oom_default;

void mem_set_oom_hook(void (*hook)(size_t size)) { oom_hook = hook; }

void *mem_alloc(size_t size) {
  if (size == 0) return NULL;
  void *block = calloc(1, size);
  if (!block) oom_hook(size);
  atomic_fetch_add_explicit(&live, size, memory_order_relaxed);
  return block;
}

void *mem_realloc(void *block, size_t old_size, size_t new_size) {
  if (new_size == 0) {
    mem_free(block, old_size);
    return NULL;
  }
  void *grown = realloc(block, new_size);
  if (!grown) oom_hook(new_size);
  if (new_size > old_size) memset((char *)grown + old_size, 0, new_size - old_size);
  atomic_fetch_add_explicit(&live, new_size - old_size, memory_order_relaxed);
  return grown;
}

void mem_free(void *block, size_t size) {
  if (!block) return;
  free(block);
  atomic_fetch_sub_explicit(&live, size, memory_order_relaxed);
}

size_t mem_live(void) { return atomic_load_explicit(&live, memory_order_relaxed); }
