// Inline assembly as lock-free libraries for x86-64 have it: moves, flags in outputs and in setcc, bits, pairs of words, no suffixes.
// verdict: SAFE
// case: unlocked -DUNLOCKED
// verdict: BUG
// finding: data-race
// finding?: assertion
// case: relaxed-tso -DSB --memory=tso
// verdict: BUG
// finding: assertion
// case: fenced-tso -DSB -DFENCE --memory=tso
// verdict: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

static int load(const int *at) {
  int v;
  __asm__ volatile("movl %1, %0" : "=q"(v) : "m"(*at) : "memory");
  return v;
}
static void store(int *at, int v) {
  __asm__ volatile("movl %1, %0" : "=m"(*at) : "iq"(v) : "memory");
}

#ifdef SB
static int x, y, seen[2];

static void *left(void *unused) {
  store(&x, 1);
#ifdef FENCE
  __asm__ volatile("mfence" : : : "memory");
#endif
  seen[0] = load(&y);
  return unused;
}
static void *right(void *unused) {
  store(&y, 1);
#ifdef FENCE
  __asm__ volatile("lock; addl $0,0(%%rsp)" : : : "memory");
#endif
  seen[1] = load(&x);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, left, 0);
  right(0);
  pthread_join(t, 0);
  assert(seen[0] || seen[1]);
}
#else
static bool set_if(int *at, int expected, int wanted) {
  bool done;
  __asm__ volatile("lock cmpxchgl %3, %0" : "+m"(*at), "=@ccz"(done), "+a"(expected) : "q"(wanted) : "memory", "cc");
  return done;
}
static bool set_if_value(uint64_t *at, uint64_t expected, uint64_t wanted, uint64_t *before) {
  bool done;
  __asm__ volatile("lock cmpxchgq %3, %0;"
                   "setz %1;"
                   : "+m"(*at), "=q"(done), "+a"(expected)
                   : "q"(wanted)
                   : "memory", "cc");
  *before = expected;
  return done;
}
static bool is_last(int *at) {
  bool zero;
  __asm__ volatile("lock decl %0; setz %1" : "+m"(*at), "=rm"(zero) : : "memory", "cc");
  return zero;
}
static bool set_bit(unsigned *at, unsigned bit) {
  bool before;
  __asm__ volatile("lock btsl %2, %0; setc %1" : "+m"(*at), "=q"(before) : "q"(bit) : "memory", "cc");
  return before;
}
static bool set_pair(uint64_t at[2], uint64_t expected[2], uint64_t wanted[2]) {
  bool done;
  __asm__ volatile("movq 0(%4), %%rax;"
                   "movq 8(%4), %%rdx;"
                   "lock cmpxchg16b %0; setz %1"
                   : "+m"(*at), "=q"(done)
                   : "b"(wanted[0]), "c"(wanted[1]), "q"(expected)
                   : "memory", "cc", "%rax", "%rdx");
  return done;
}
static void load_pair(const uint64_t at[2], uint64_t out[2]) {
  __asm__ volatile("movq %%rdx, %%rcx;"
                   "movq %%rax, %%rbx;"
                   "lock cmpxchg16b %2;"
                   : "=a"(out[0]), "=d"(out[1])
                   : "m"(*at)
                   : "rbx", "rcx", "memory", "cc");
}
static long subtract(long *at, long n) {
  __asm__ volatile("negq %0\n\tlock ; xaddq %0, %1" : "+r"(n), "+m"(*at) : : "memory");
  return n;
}
static int exchange_if(int *at, int expected, int wanted) {
  int before;
  __asm__ volatile("lock; cmpxchg %2, %1;" : "=a"(before), "+m"(*at) : "r"(wanted), "0"(expected) : "memory");
  return before;
}

static int message, ready, references = 2, lock, counted;
static unsigned bits[2];
static uint64_t word = 7;
static uint64_t pair[2] __attribute__((aligned(16))) = {1, 2};
static long level = 5;

static void enter(void) {
  while (!set_if(&lock, 0, 1)) __asm__ volatile("pause");
}
static void count(void) {
#ifdef UNLOCKED
  __asm__ volatile("incl %0" : "+m"(counted) : : "cc");
#else
  enter();
  __asm__ volatile("incl %0" : "+m"(counted) : : "cc");
  store(&lock, 0);
#endif
}

static void *work(void *unused) {
  count();
  message = 42;
  store(&ready, 1);
  if (is_last(&references)) assert(message == 42 && counted == 2);
  return unused;
}

int main(void) {
  pthread_t t;
  uint64_t before, got[2], expected[2] = {1, 2}, wanted[2] = {3, 4};
  assert(!set_if_value(&word, 6, 1, &before) && before == 7 && set_if_value(&word, 7, 9, &before) && before == 7 && word == 9);
  assert(!set_bit(bits, 3) && set_bit(bits, 3) && bits[0] == 8 && !set_bit(bits, 33) && bits[1] == 2);
  assert(set_pair(pair, expected, wanted) && pair[0] == 3 && pair[1] == 4 && !set_pair(pair, expected, wanted));
  load_pair(pair, got);
  assert(got[0] == 3 && got[1] == 4);
  assert(subtract(&level, 2) == 5 && level == 3);
  int number = 3;
  assert(exchange_if(&number, 2, 8) == 3 && exchange_if(&number, 3, 8) == 3 && number == 8);
  pthread_create(&t, 0, work, 0);
  count();
  while (!load(&ready)) {}
  assert(message == 42);
  if (is_last(&references)) assert(counted == 2);
  pthread_join(t, 0);
}
#endif
