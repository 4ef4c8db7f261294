/* KLEE's interface (klee/klee.h) that is made of klee_make_symbolic() and klee_assume(), which the machine has. */
#include <stdint.h>
#include <stdlib.h>

#include "internal.h"

void klee_make_symbolic(void *address, size_t size, const char *name);
void klee_assume(uintptr_t condition);

int klee_int(const char *name);
int klee_int(const char *name) {
  int x;
  klee_make_symbolic(&x, sizeof x, name);
  return x;
}

/* One of begin .. end-1. */
int klee_range(int begin, int end, const char *name);
int klee_range(int begin, int end, const char *name) {
  if (begin >= end) __hd_fail("assertion", "klee_range: there is no number in the range");
  if (begin + 1 == end) return begin;
  int x = klee_int(name);
  klee_assume((uintptr_t)((begin <= x) & (x < end)));
  return x;
}

uintptr_t klee_choose(uintptr_t n);
uintptr_t klee_choose(uintptr_t n) {
  if (n == 0) __hd_fail("assertion", "klee_choose: there is nothing to choose from");
  uintptr_t x;
  klee_make_symbolic(&x, sizeof x, "klee_choose");
  klee_assume(x < n);
  return x;
}

/* Which of several inputs that do the same is shown is not up to the program. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }

/* The process ends without its handlers, and without a word. */
_Noreturn void klee_silent_exit(int status);
_Noreturn void klee_silent_exit(int status) { __hd_exit(status); }

_Noreturn void klee_abort(void);
_Noreturn void klee_abort(void) { __hd_fail("abort", "klee_abort was called"); }

_Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix);
_Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  (void)file, (void)line, (void)suffix;
  __hd_fail("assertion", message);
}
