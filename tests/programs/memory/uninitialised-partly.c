// Atomic updates of a word one byte of which is initialised: what they give is known by the bit.
// verdict: BUG
// finding: uninitialised B
// case: compare-threads -DTHREAD
// verdict: BUG
// finding: uninitialised B
// case: compare-tso -DTHREAD
// memory: tso
// verdict: BUG
// finding: uninitialised B
// case: exchanged -DEXCHANGED
// verdict: BUG
// finding: uninitialised A
// case: failed -DFAILED
// verdict: BUG
// finding: uninitialised A
// case: old -DOLD
// verdict: BUG
// finding: uninitialised A
// case: sum -DSUM
// verdict: BUG
// finding: uninitialised A
// case: carry -DSUM -DTHREAD
// verdict: BUG
// finding: uninitialised A
// case: low -DLOW
// verdict: SAFE
// case: differs -DDIFFERS
// verdict: SAFE
// case: differs-threads -DDIFFERS -DTHREAD
// verdict: SAFE
// case: overwritten -DOVERWRITTEN
// verdict: SAFE
// case: cleared -DCLEARED
// verdict: SAFE
// case: bit -DBIT
// verdict: SAFE
// case: padding -DPADDING
// verdict: SAFE
// case: padding-threads -DPADDING -DTHREAD
// verdict: SAFE
// case: wide -DWIDE -mcx16
// verdict: BUG
// finding: uninitialised A
// case: wide-threads -DWIDE -DTHREAD -mcx16
// verdict: BUG
// finding: uninitialised A
// case: wide-failed -DWIDE -DFAILED -mcx16
// verdict: BUG
// finding: uninitialised A
// case: wide-sum -DWIDE -DSUM -mcx16
// verdict: BUG
// finding: uninitialised A
// case: wide-low -DWIDE -DLOW -mcx16
// verdict: SAFE
// case: wide-padding -DWIDE -DPADDING -mcx16
// verdict: SAFE
// case: wide-padding-threads -DWIDE -DPADDING -DTHREAD -mcx16
// verdict: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct pair {
  char first;
  int second;
};

#ifdef WIDE /* 16 bytes, the first eight of which are initialised */
struct wide_pair {
  char *first;
  int second;
};

static bool wide(void) {
  _Atomic unsigned __int128 *p = malloc(sizeof *p);
  *(unsigned long *)p = 0;
  unsigned __int128 got = 0;
#if defined FAILED
  got = 5;
  assert(!atomic_compare_exchange_strong(p, &got, 1));
  got = *p;
#elif defined SUM
  got = atomic_fetch_add(p, 1);
#elif defined LOW
  (void)atomic_fetch_or(p, 3);
  got = (unsigned long)*p != 3;
#elif defined PADDING
  _Atomic struct wide_pair *q = malloc(sizeof *q);
  struct wide_pair from;
  from.first = 0, from.second = 2;
  atomic_init(q, from);
  struct wide_pair old = atomic_load(q), new;
  do new = old, new.second++;
  while (!atomic_compare_exchange_weak(q, &old, new));
  old = atomic_exchange(q, from);
  assert(old.second == 3);
  free((void *)q);
#else
  got = *p;
#endif
  free((void *)p);
  return got != 0;
}
#endif

static void *nothing(void *p) { return p; }

int main(void) {
#ifdef THREAD
  pthread_t t;
  pthread_create(&t, 0, nothing, 0);
#else
  (void)nothing;
#endif
  bool got = false;
  atomic_uint *p = malloc(sizeof *p);
  *(unsigned char *)p = 0;
  unsigned expected = 0;
#if defined WIDE
  got = wide();
#elif defined EXCHANGED /* memory is as it was, or 1 */
  (void)__sync_val_compare_and_swap((unsigned *)p, 0, 1);
  got = *p == 1;
#elif defined FAILED
  expected = 5;
  atomic_compare_exchange_strong(p, &expected, 1);
  got = expected == 0;
#elif defined OLD
  got = atomic_fetch_add(p, 1) == 0;
#elif defined SUM
  atomic_fetch_add(p, 1);
  got = *p == 1;
#elif defined LOW
  assert((atomic_fetch_add(p, 1) & 255) == 0);
  assert((*p & 255) == 1);
#elif defined DIFFERS
  expected = 5;
  assert(!atomic_compare_exchange_strong(p, &expected, 1));
  assert((expected & 255) == 0);
#elif defined OVERWRITTEN
  (void)atomic_exchange(p, 7);
  assert(*p == 7);
#elif defined CLEARED
  atomic_fetch_and(p, 0xff);
  assert(*p == 0);
#elif defined BIT
  atomic_fetch_or(p, 3u << 8);
  assert((*p & 1023) >> 8 == 3);
#elif defined PADDING
  _Atomic struct pair *q = malloc(sizeof *q);
  struct pair from;
  from.first = 1, from.second = 2;
  atomic_init(q, from);
  struct pair old = atomic_load(q), new;
  do new = old, new.second++;
  while (!atomic_compare_exchange_weak(q, &old, new));
  old = atomic_exchange(q, from);
  assert(old.second == 3);
  free((void *)q);
#else
  got = atomic_compare_exchange_strong(p, &expected, 1);  // @B
#endif
  if (got) expected = 1;  // @A
#ifdef THREAD
  pthread_join(t, 0);
#endif
  free((void *)p);
  return (int)expected & 0;
}
