/* Allocation: the C library's, under its inner names, so that it works before anything else does. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/confirm.h"
#include "heap.h"
#include "intercept/intercept.h"
#include "intercept/sanitizer.h"
#include "record/module.h"
#include "record/record.h"
#include "runtime.h"

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

/* Handlers of signals wait while the C library allocates. fork() takes the runtime's locks first and then the allocator's, and a handler
 * that came while its thread has one of the latter may want one of the former. It is abort() if the library finds its blocks broken. */
static struct thread *allocator_enter(void) {
  struct thread *t = thread_enter_self();
  if (t) t->allocates = true;
  return t;
}
static void allocator_leave(struct thread *t) {
  if (!t) return;
  t->allocates = false;
  thread_leave(t);
}

static void *get(size_t size, size_t alignment) {
  struct thread *t = allocator_enter();
  void *p = alignment ? __libc_memalign(alignment, size) : __libc_malloc(size);
  allocator_leave(t);
  return p;
}
static void *get_zeroed(size_t n, size_t size) {
  struct thread *t = allocator_enter();
  void *p = __libc_calloc(n, size);
  allocator_leave(t);
  return p;
}
static void *get_resized(void *old, size_t size) {
  struct thread *t = allocator_enter();
  void *p = __libc_realloc(old, size);
  allocator_leave(t);
  return p;
}
static void give_back(void *p) {
  struct thread *t = allocator_enter();
  __libc_free(p);
  allocator_leave(t);
}

/* What reports allocate. */
static struct {
  _Alignas(16) char memory[1 << 20];
  size_t used;
} own;

void report_memory(bool on) {
  if (on) own.used = 0;
  hd_fast.own_memory = on;
}

/* Each block has its size in front. */
static COLD void *own_block(size_t size) {
  size_t whole = ((size + 15) & ~(size_t)15) + 16;
  if (whole < size || whole > sizeof own.memory - own.used) return NULL;
  char *block = own.memory + own.used;
  own.used += whole;
  *(size_t *)(void *)block = size;
  return block + 16;
}

static COLD void *own_again(void *p, size_t size) {
  void *moved = own_block(size);
  size_t had = p ? *(size_t *)(void *)((char *)p - 16) : 0;
  if (moved && p) rt_copy(moved, p, had < size ? had : size);
  return moved;
}

/* Blocks that are nobody's business, as those of the C library within pthread_create(), are new, too: watched threads may free them. */
static void *allocated(void *p, size_t asked, uintptr_t pc) {
  if (!p || !runtime_on) return p;
  struct thread *t = watched();
  if (t)
    heap_allocated(t, (uintptr_t)p, malloc_usable_size(p), asked, pc);
  else
    heap_renewed((uintptr_t)p, malloc_usable_size(p));
  if (UNLIKELY(hooks_installed) && t) hooks_allocated(p, asked);
  return p;
}

/* A mapping of its own goes at once, and others may come there that nobody sees: the C library says so in front of the block. */
static bool is_mapping(const void *p) {
  enum { MAPPED = 2 };
  return ((const size_t *)p)[-1] & MAPPED;
}

static void released(void *p, uintptr_t pc) {
  struct thread *t = p ? watched() : NULL;
  if (UNLIKELY(hooks_installed) && t && hooks_freed(p)) return;
  if (t) heap_freed(t, (uintptr_t)p, malloc_usable_size(p), !is_mapping(p), pc);
  if (UNLIKELY(confirming) && confirm_keeps((uintptr_t)p)) return;
  give_back(p);
}

/* What a function of that name does. A handler that may not call it is told of first: it may wait for ever within it. */
#define ALLOCATED(name, block, asked) (not_in_handler(name, CALLER), allocated(block, asked, CALLER))

PUBLIC void *malloc(size_t size) {
  if (UNLIKELY(hd_fast.own_memory)) return own_block(size);
  return ALLOCATED("malloc", get(size, 0), size);
}
PUBLIC void *calloc(size_t n, size_t size) {
  void *p = ALLOCATED("calloc", get_zeroed(n, size), n * size);
  if (UNLIKELY(recording) && p && n > 0 && size > 0 && watched()) record_initial(hd_fast.self, (uintptr_t)p, n * size, 0);
  return p;
}
PUBLIC void free(void *p) {
  if (UNLIKELY(hd_fast.own_memory)) return;
  if (p) not_in_handler("free", CALLER);
  released(p, CALLER);
}
PUBLIC void *memalign(size_t alignment, size_t size) { return ALLOCATED("memalign", get(size, alignment), size); }
PUBLIC void *aligned_alloc(size_t alignment, size_t size) { return ALLOCATED("aligned_alloc", get(size, alignment), size); }
PUBLIC void *valloc(size_t size) { return ALLOCATED("valloc", get(size, 4096), size); }
PUBLIC void *pvalloc(size_t size) { return ALLOCATED("pvalloc", get((size + 4095) & ~(size_t)4095, 4096), size); }

PUBLIC int posix_memalign(void **out, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
  int saved = errno;
  void *p = ALLOCATED("posix_memalign", get(size, alignment), size);
  errno = saved;
  if (!p) return ENOMEM;
  *out = p;
  if (UNLIKELY(recording)) touches(watched(), out, sizeof *out, SITE_WRITE, CALLER);
  return 0;
}

/* A block that changes its size is another one, unless it stays as it is. */
static void *reallocated(void *p, size_t size, uintptr_t pc) {
  not_in_handler("realloc", pc);
  if (!p) return allocated(get(size, 0), size, pc);
  if (!watched()) return allocated(get_resized(p, size), size, pc);
  if (!size) return released(p, pc), NULL;
  size_t had = malloc_usable_size(p);
  if (size <= had && size >= had / 2) return heap_resized((uintptr_t)p, had, size), p;
  void *moved = allocated(get(size, 0), size, pc);
  if (!moved) return NULL;
  rt_copy(moved, p, size < had ? size : had);
  released(p, pc);
  return moved;
}

PUBLIC void *realloc(void *p, size_t size) {
  if (UNLIKELY(hd_fast.own_memory)) return own_again(p, size);
  return reallocated(p, size, CALLER);
}
PUBLIC void *reallocarray(void *p, size_t n, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) return errno = ENOMEM, NULL;
  return reallocated(p, bytes, CALLER);
}

/* The one of this file. */
extern __typeof__(malloc) own_malloc __attribute__((alias("malloc"), copy(malloc), visibility("hidden")));

/* The program's malloc(), or that of an allocator's library, comes before this one: the operators must use that one, too, as it may be its
 * free() that the blocks go to. What it does is the program's own doing. */
bool malloc_is_foreign(void) {
  void *(*volatile first)(size_t) = malloc;
  return first != own_malloc;
}

static void *new_block(size_t size, size_t alignment, uintptr_t pc) {
  size_t some = size ? size : 1;
  not_in_handler("operator new", pc);
  if (UNLIKELY(malloc_is_foreign())) return alignment ? aligned_alloc(alignment, some) : malloc(some);
  return allocated(get(some, alignment), size, pc);
}
static void delete_block(void *p, uintptr_t pc) {
  if (UNLIKELY(malloc_is_foreign()))
    free(p);
  else if (p)
    not_in_handler("operator delete", pc), released(p, pc);
}

/* C++: the operators' own place is in the library and tells nothing. What they do when memory is exhausted is the library's business. */
#define NEW(symbol, parameters, arguments, alignment)       \
  PUBLIC void *symbol parameters;                           \
  void *symbol parameters {                                 \
    void *p = new_block(size, (size_t)(alignment), CALLER); \
    return p ? p : NEXT(symbol) arguments;                  \
  }
#define DELETE(symbol, parameters) \
  PUBLIC void symbol parameters;   \
  void symbol parameters { delete_block(p, CALLER); }

NEW(_Znwm, (size_t size), (size), 0)
NEW(_Znam, (size_t size), (size), 0)
NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void *tag), (size, tag), 0)
NEW(_ZnamRKSt9nothrow_t, (size_t size, const void *tag), (size, tag), 0)
NEW(_ZnwmSt11align_val_t, (size_t size, size_t alignment), (size, alignment), alignment)
NEW(_ZnamSt11align_val_t, (size_t size, size_t alignment), (size, alignment), alignment)
DELETE(_ZdlPv, (void *p))
DELETE(_ZdaPv, (void *p))
DELETE(_ZdlPvm, (void *p, size_t size __attribute__((unused))))
DELETE(_ZdaPvm, (void *p, size_t size __attribute__((unused))))
DELETE(_ZdlPvRKSt9nothrow_t, (void *p, const void *tag __attribute__((unused))))
DELETE(_ZdaPvRKSt9nothrow_t, (void *p, const void *tag __attribute__((unused))))
DELETE(_ZdlPvSt11align_val_t, (void *p, size_t alignment __attribute__((unused))))
DELETE(_ZdaPvSt11align_val_t, (void *p, size_t alignment __attribute__((unused))))
DELETE(_ZdlPvmSt11align_val_t, (void *p, size_t size __attribute__((unused)), size_t alignment __attribute__((unused))))
DELETE(_ZdaPvmSt11align_val_t, (void *p, size_t size __attribute__((unused)), size_t alignment __attribute__((unused))))
