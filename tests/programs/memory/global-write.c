// Writes past a global array in one interleaving only: the index is read twice.
// verdict: BUG
// finding: out-of-bounds A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

static atomic_int used;
static atomic_int slots[2];

static void *add(void *unused) {
  (void)unused;
#ifdef FIXED
  int at = atomic_fetch_add(&used, 1);
  if (at < 2) atomic_store(&slots[at], 1);
#else
  if (atomic_load(&used) < 2) atomic_store(&slots[atomic_fetch_add(&used, 1)], 1);  // @A
#endif
  return 0;
}

int main(void) {
  pthread_t t[2];
  atomic_store(&used, 1);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
