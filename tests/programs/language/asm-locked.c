// Inline assembly of one atomic instruction is that atomic operation.
// verdict: SAFE
// case: plain -DPLAIN
// verdict: BUG
// finding: data-race
// finding?: assertion
#include <assert.h>
#include <pthread.h>

static int counter, sum, flag, owner;
static long wide;
static unsigned char small;

static int fetch_add(int *at, int n) {
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(n), "+m"(*at) : : "memory", "cc");
  return n;
}
static int exchange(int *at, int n) {
  __asm__ volatile("xchgl %0, %1" : "+r"(n) : "m"(*at) : "memory");
  return n;
}
static int exchange_if(int *at, int expected, int wanted) {
  int before;
  __asm__ volatile("lock cmpxchgl %2, %1" : "=a"(before), "+m"(*at) : "r"(wanted), "0"(expected) : "memory", "cc");
  return before;
}

static void *work(void *unused) {
#ifdef PLAIN
  counter++;
#else
  __asm__ volatile("lock ; incl (%0)" : : "r"(&counter) : "memory", "cc");
#endif
  fetch_add(&sum, 5);
  while (exchange(&flag, 1)) {}
  wide += 2;
  exchange(&flag, 0);
  return unused;
}

int main(void) {
  pthread_t t;
  assert(fetch_add(&sum, 2) == 0 && sum == 2);
  assert(exchange_if(&owner, 1, 7) == 0 && owner == 0 && exchange_if(&owner, 0, 7) == 0 && owner == 7);
  __asm__ volatile("lock; orb %1, %0" : "+m"(small) : "iq"((unsigned char)6));
  __asm__ volatile("lock; decb %0" : "+m"(small));
  __asm__ volatile("lock; subq $3, %0" : "+m"(wide));
  assert(small == 5 && wide == -3);
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  assert(counter == 2 && sum == 12 && wide == 1);
  return 0;
}
