// Atomic accesses of 16 bytes, by instruction and by call, and of a larger object.
// verdict: SAFE
// cflags: -Wno-atomic-alignment
// case: instruction -mcx16 -Wno-atomic-alignment
// verdict: SAFE
// case: plain -DPLAIN -Wno-atomic-alignment
// verdict: BUG
// finding: data-race A B
// finding?: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef __int128 wide;
struct triple {
  long a, b, c;
};

static _Atomic wide counter;
static _Atomic struct triple triple;
static wide plain;

static void *work(void *unused) {
  counter += ((wide)1 << 64) + 1;
  struct triple old = atomic_load(&triple), new;
  do {
    new = (struct triple){old.a + 1, old.b + 2, old.c + 3};
  } while (!atomic_compare_exchange_strong(&triple, &old, new));
#ifdef PLAIN
  plain++;  // @A  @B
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  wide two = ((wide)2 << 64) + 2, expected = two;
  assert(counter == two && plain <= 2);
  assert(atomic_compare_exchange_strong(&counter, &expected, -1) && !atomic_compare_exchange_strong(&counter, &expected, 5));
  assert(expected == -1 && atomic_exchange(&counter, 9) == -1);
  assert(atomic_fetch_or(&counter, (wide)1 << 100) == 9 && atomic_fetch_sub(&counter, 9) == (((wide)1 << 100) | 9));
  atomic_store(&counter, -7);
  assert(atomic_load(&counter) == -7);
  struct triple last = triple;
  assert(last.a == 2 && last.b == 4 && last.c == 6);
  return 0;
}
