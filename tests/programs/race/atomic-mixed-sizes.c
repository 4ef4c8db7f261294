// Atomic accesses of different sizes to the same bytes: what a load acquires was released to the bytes that it reads, whatever the store's size.
// verdict: SAFE
// case: pso --memory=pso
// verdict: SAFE
// case: halves -DHALVES
// verdict: SAFE
// case: halves-relaxed -DHALVES -DRELAXED
// verdict: BUG
// finding: data-race
// case: overwritten -DOVERWRITTEN
// verdict: BUG
// finding: data-race
// case: overwritten-release -DOVERWRITTEN -DRELEASE
// verdict: SAFE
// case: updated -DUPDATED
// verdict: SAFE
// case: plain -DPLAIN
// verdict: BUG
// finding: data-race
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
  uint64_t all;
  uint8_t bytes[8];
  struct {
    uint16_t owner, next; /* of a ticket lock */
  };
} word;
static int data;

#if defined HALVES
/* A ticket is drawn from both halves at once, and the lock given back by a store to one of them. */
#ifdef RELAXED
#define GIVE_BACK __ATOMIC_RELAXED
#else
#define GIVE_BACK __ATOMIC_RELEASE
#endif
static void *work(void *unused) {
  uint32_t seen = __atomic_fetch_add((uint32_t *)&word, 1u << 16, __ATOMIC_ACQUIRE);
  while ((seen & 0xffff) != seen >> 16) seen = (seen & 0xffff0000) | (__atomic_load_n((uint32_t *)&word, __ATOMIC_ACQUIRE) & 0xffff);
  data++;
  __atomic_store_n(&word.owner, (uint16_t)(seen + 1), GIVE_BACK);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  assert(data == 2);
}
#else
static void *first(void *unused) {
  data = 5;
#if defined PLAIN
  word.bytes[1] = 1;
#else
  __atomic_store_n(&word.bytes[1], 1, __ATOMIC_RELEASE);
#endif
  return unused;
}
/* Stores over the byte that the first thread has released; adds beside it. */
static void *second(void *unused) {
#if defined OVERWRITTEN && defined RELEASE
  if (__atomic_load_n(&word.bytes[1], __ATOMIC_ACQUIRE)) __atomic_store_n(&word.all, 0x0200, __ATOMIC_RELEASE);
#elif defined OVERWRITTEN
  if (__atomic_load_n(&word.bytes[1], __ATOMIC_RELAXED)) __atomic_store_n(&word.all, 0x0200, __ATOMIC_RELAXED);
#elif defined UPDATED
  if (__atomic_load_n(&word.bytes[1], __ATOMIC_RELAXED)) __atomic_fetch_add(&word.all, 0x0100, __ATOMIC_RELAXED);
#endif
  return unused;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
#if defined OVERWRITTEN || defined UPDATED
  if (__atomic_load_n(&word.bytes[1], __ATOMIC_ACQUIRE) == 2) assert(data == 5);
#else
  if (__atomic_load_n(&word.all, __ATOMIC_ACQUIRE)) assert(data == 5);
#endif
  pthread_join(t, 0);
  pthread_join(u, 0);
}
#endif
