// Alignments that are no power of two: once each, however many executions do so. Sizes may be any, as C17 has it.
// verdict: BUG
// finding: allocation-misuse A
// case: zero -DALIGN=0 -DSIZE=16
// verdict: BUG
// finding: allocation-misuse A
// case: size -DALIGN=64 -DSIZE=100
// verdict: SAFE
// case: memalign -DMEMALIGN
// verdict: BUG
// finding: allocation-misuse A
// case: small -DALIGN=2 -DSIZE=6
// verdict: SAFE
// case: fixed -DALIGN=64 -DSIZE=128
// verdict: SAFE
// case: memalign-fixed -DMEMALIGN -DALIGN=64 -DSIZE=100
// verdict: SAFE
// case: posix -DPOSIX
// verdict: SAFE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef ALIGN
#define ALIGN 24
#define SIZE  48
#endif

#ifdef MEMALIGN
#define ALLOCATE memalign
#else
#define ALLOCATE aligned_alloc
#endif

static volatile size_t align = ALIGN, size = SIZE; /* the compiler warns of constants */
static atomic_int turns;

static void *work(void *unused) {
  turns++;
#ifdef POSIX
  void *p = 0;
  assert(posix_memalign(&p, align, size) == EINVAL); /* has a result for it */
#else
  void *p = ALLOCATE(align, size); // @A
  assert(p && (uintptr_t)p % align == 0);
  free(p);
#endif
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
