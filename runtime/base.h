/* What every part of the runtime stands on: memory, locks and text of its own. The program under test owns malloc, stdio and errno; the
 * runtime uses none of them. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOT         static inline __attribute__((always_inline))
#define COLD        __attribute__((noinline, cold))
#define LIKELY(c)   __builtin_expect(!!(c), 1)
#define UNLIKELY(c) __builtin_expect(!!(c), 0)
/* Functions and variables that programs under test see; all else is hidden. */
#define PUBLIC __attribute__((visibility("default")))

/* Zeroed pages; NULL if there are none left. */
void *rt_pages(size_t bytes);
void rt_pages_free(void *pages, size_t bytes);
/* Address space at a fixed place whose pages come about, zeroed, when they are touched. False if it is taken. */
bool rt_reserve(uintptr_t at, size_t bytes);
/* Gives the pages back: they are zero again. The range may begin and end within pages: those are zeroed. */
void rt_zero(void *at, size_t bytes);
void rt_copy(void *to, const void *from, size_t bytes);
size_t rt_length(const char *s);
bool rt_equal(const char *a, const char *b);

/* Small blocks of one size class each (powers of two from 16 bytes), for what comes and goes. Any thread; NULL if memory is exhausted.
 * In alloc.c. */
void *rt_alloc(size_t bytes);
void rt_free(void *block, size_t bytes);
/* Blocks of one size that nobody uses, linked by their first word. */
struct rt_blocks {
  void *first, *last;
  uint32_t count;
};
HOT void rt_blocks_add(struct rt_blocks *b, void *block) {
  if (b->count++ == 0) b->last = block;
  *(void **)block = b->first;
  b->first = block;
}
HOT void *rt_blocks_take(struct rt_blocks *b) {
  void *block = b->first;
  b->first = *(void **)block, b->count--;
  return block;
}
/* So many small blocks at once, or fewer if memory is exhausted; they are given back, each by itself or some at once. */
struct rt_blocks rt_alloc_some(size_t bytes, uint32_t count);
void rt_free_some(const struct rt_blocks *some, size_t bytes);
void alloc_before_fork(void);
void alloc_after_fork(void);
/* Bytes that rt_pages() has mapped; that rt_reserve() has. */
size_t rt_mapped(void);
size_t rt_reserved(void);

/* Around writing to a file: the program may have limited their size (RLIMIT_FSIZE), and what we write is no reason to end it (SIGXFSZ).
 * `failed`: not all was written. */
void rt_hold_limit(uint64_t *mask);
void rt_let_limit(uint64_t mask, bool failed);

/* A lock for short sections. A waiting thread looks again and again, ever more seldom: nobody has to be woken, so giving it back is a plain
 * store. Not recursive; no order among threads. Who is watched takes it between thread_enter() and thread_leave() (thread.h): a handler
 * that came meanwhile would wait for its own thread. */
struct rt_lock {
  uint32_t held;
};
void rt_lock_slow(struct rt_lock *l);

HOT void rt_lock(struct rt_lock *l) {
  uint32_t free = 0;
  if (UNLIKELY(!__atomic_compare_exchange_n(&l->held, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))) rt_lock_slow(l);
}
HOT void rt_unlock(struct rt_lock *l) { __atomic_store_n(&l->held, 0, __ATOMIC_RELEASE); }

/* The line of the cache will be written: other processors may let go of it now. */
HOT void rt_fetch(const void *at) { __asm__ volatile("prefetchw %0" : : "m"(*(const char *)at)); }

/* Text that is written whole, in one write() as far as the system allows. Grows in pages; cut off when memory is exhausted. */
struct rt_text {
  char *data;
  size_t count, cap;
};
__attribute__((format(printf, 2, 3))) void rt_printf(struct rt_text *t, const char *format, ...);
void rt_text_write(struct rt_text *t, int fd); /* and empties it */
/* Appends the file's text. False, and errno, if it cannot be read. */
bool rt_text_read(struct rt_text *t, const char *file);

/* A message of one line to standard error, beside the reports. */
__attribute__((format(printf, 1, 2))) void rt_say(const char *format, ...);
/* Ends the process with a message: the runtime cannot work here. */
_Noreturn __attribute__((format(printf, 1, 2))) void rt_die(const char *format, ...);
