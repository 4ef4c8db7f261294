/* So many combinations of places in a word that they are not told apart any more: what is known then is the function, or several. */
#include <stdint.h>

#include "launch.h"

enum { WORDS = 200000 };
static volatile char words[WORDS][8] __attribute__((aligned(8)));
static volatile char first[8] __attribute__((aligned(8))), second[8] __attribute__((aligned(8)));
static uint64_t number = 88172645463325252;

static unsigned pick(unsigned n) {
  number ^= number << 13, number ^= number >> 7, number ^= number << 17;
  return (unsigned)(number >> 33) % n;
}

static __attribute__((noinline)) void put(volatile char *p) {
  switch (pick(8)) {
#define PUT(n)                /* the assembler's comment keeps compilers from making one of all */ \
  case n:                     \
    *p = n;                   \
    __asm__ volatile("# " #n); \
    break;
    PUT(0)
    PUT(1)
    PUT(2)
    PUT(3)
    PUT(4)
    PUT(5)
    PUT(6)
    PUT(7)
  }
}

static __attribute__((noinline)) void clear(volatile char *p) {
  *p = 0;
}

static void *work(void *data) {
  for (unsigned i = 0; i < WORDS; i++)
    for (unsigned byte = 0; byte < 8; byte++) put(&words[i][byte]);
  for (unsigned byte = 0; byte < 8; byte++) put(&first[byte]), byte % 2 ? clear(&second[byte]) : put(&second[byte]);
  moment_reach(0);
  return data;
}

int main(void) {
  pthread_t t;
  launch(0, &t, work, NULL);
  first[0] = 1;
  second[1] = 1;
  pthread_join(t, NULL);
  return 0;
}
