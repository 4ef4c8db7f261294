/* heddle.h: what a program can tell Heddle. Harmless in a native build without Heddle if HEDDLE_NATIVE is defined. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* The program is wrong if `condition` is false. */
void hd_assert(int condition);
/* Executions in which `condition` is false do not count. */
void hd_assume(int condition);
/* Any of 0 .. n-1; all of them are explored. n > 0. */
unsigned hd_choose(unsigned n);

#ifdef HEDDLE_NATIVE
#include <stdlib.h>
static inline void hd_native_assert_(int condition) {
  if (!condition) abort();
}
static inline void hd_native_assume_(int condition) {
  if (!condition) exit(0);
}
#define hd_assert(condition) hd_native_assert_(!!(condition))
#define hd_assume(condition) hd_native_assume_(!!(condition))
#define hd_choose(n)         ((unsigned)rand() % (n))
#endif

#ifdef __cplusplus
}
#endif
