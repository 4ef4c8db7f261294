/* klee/klee.h: what programs written for KLEE may call, as far as `heddle check` knows it (docs/symbolic.md). Declarations alone. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The `size` bytes at `address` can be any. */
void klee_make_symbolic(void *address, size_t size, const char *name);
/* Executions in which `condition` is 0 do not count. */
void klee_assume(uintptr_t condition);
/* Any number of begin .. end-1; any; any of 0 .. n-1. */
int klee_range(int begin, int end, const char *name);
int klee_int(const char *name);
uintptr_t klee_choose(uintptr_t n);
/* Does the value depend on symbolic data? */
unsigned klee_is_symbolic(uintptr_t value);
/* Nothing comes of it. */
void klee_prefer_cex(void *object, uintptr_t condition);
/* The process ends: at once; with a finding. */
void klee_silent_exit(int status) __attribute__((noreturn));
void klee_abort(void) __attribute__((noreturn));
void klee_report_error(const char *file, int line, const char *message, const char *suffix) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#define klee_assert(condition) \
  ((condition) ? (void)0 : klee_report_error(__FILE__, __LINE__, "klee_assert failed: " #condition, "assert.err"))
