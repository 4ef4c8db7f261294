/* What compilers call for each access and each call, doing nothing; with COUNT, it counts the accesses (of one thread). */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#ifdef COUNT
static unsigned long accesses;
#define DO accesses++
__attribute__((destructor)) static void tell(void) { fprintf(stderr, "%lu\n", accesses); }
#else
#define DO
#endif
#ifdef INLINE
#define HOOK __attribute__((always_inline))
#else
#define HOOK
#endif

#define ACCESS(name)    \
  void name(void *p);   \
  HOOK void name(void *p) { \
    (void)p;            \
    DO;                 \
  }
#define SIZES(what) ACCESS(what##1) ACCESS(what##2) ACCESS(what##4) ACCESS(what##8) ACCESS(what##16)
SIZES(__tsan_read)
SIZES(__tsan_write)
SIZES(__tsan_unaligned_read)
SIZES(__tsan_unaligned_write)

void __tsan_func_entry(void *pc);
void __tsan_func_exit(void);
HOOK void __tsan_func_entry(void *pc) { (void)pc; }
HOOK void __tsan_func_exit(void) {}

#ifndef INLINE
void __tsan_init(void);
void __tsan_init(void) {}
void *__tsan_memset(void *p, int c, size_t n);
void *__tsan_memset(void *p, int c, size_t n) { return memset(p, c, n); }
void *__tsan_memcpy(void *to, const void *from, size_t n);
void *__tsan_memcpy(void *to, const void *from, size_t n) { return memcpy(to, from, n); }
void *__tsan_memmove(void *to, const void *from, size_t n);
void *__tsan_memmove(void *to, const void *from, size_t n) { return memmove(to, from, n); }
#endif
