/* Random numbers. What the C library's threads share is shared here: the sequences of rand() and random() have a lock there, and each draw is
 * one step here; those of drand48() and its kin have none, and two threads that draw from them race. */
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "internal.h"

/* The sequence that is drawn from: its seed, above how many numbers were drawn. One word, so that a draw is one step. It synchronises as the
 * lock does. */
static _Atomic uint64_t sequence = (uint64_t)1 << 32;

static long draw(void) {
  uint64_t drawn = sequence++;
  return (long)__hd_random((uint32_t)(drawn >> 32), (uint32_t)drawn);
}

static void reseed(unsigned from) { sequence = (uint64_t)from << 32; }

int rand(void) { return (int)draw(); }
long random(void) { return draw(); }
void srand(unsigned from) { reseed(from); }
void srandom(unsigned from) { reseed(from); }

int rand_r(unsigned *state) {
  unsigned next = *state;
  int parts[3];
  for (int i = 0; i < 3; i++) {
    next = next * 1103515245u + 12345u;
    parts[i] = (int)(next / 65536u % (i ? 1024u : 2048u));
  }
  *state = next;
  return ((parts[0] << 10 ^ parts[1]) << 10) ^ parts[2];
}

char *initstate(unsigned from, char *state, size_t n) {
  (void)n;
  reseed(from);
  return state;
}
char *setstate(char *state) { return state; }

/* The 48-bit linear congruential generator of drand48(3). */
enum { LCG_ADDEND = 0xB };
static const uint64_t lcg_factor = 0x5DEECE66Dull, lcg_mask = (1ull << 48) - 1;
static uint64_t drand48_state;

static uint64_t lcg_next(uint64_t state) { return (state * lcg_factor + LCG_ADDEND) & lcg_mask; }
static uint64_t lcg_load(const unsigned short s[3]) { return s[0] | (uint64_t)s[1] << 16 | (uint64_t)s[2] << 32; }
static uint64_t lcg_step(unsigned short s[3]) {
  uint64_t next = lcg_next(lcg_load(s));
  s[0] = (unsigned short)next, s[1] = (unsigned short)(next >> 16), s[2] = (unsigned short)(next >> 32);
  return next;
}

static double lcg_double(uint64_t state) { return (double)state / (double)(1ull << 48); }

double drand48(void) { return lcg_double(drand48_state = lcg_next(drand48_state)); }
double erand48(unsigned short state[3]) { return lcg_double(lcg_step(state)); }
long lrand48(void) { return (long)((drand48_state = lcg_next(drand48_state)) >> 17); }
long nrand48(unsigned short state[3]) { return (long)(lcg_step(state) >> 17); }
long mrand48(void) { return (int32_t)((drand48_state = lcg_next(drand48_state)) >> 16); }
long jrand48(unsigned short state[3]) { return (int32_t)(lcg_step(state) >> 16); }
void srand48(long from) { drand48_state = ((uint64_t)(uint32_t)from << 16) | 0x330E; }

unsigned short *seed48(unsigned short state[3]) {
  static unsigned short old[3];
  for (int i = 0; i < 3; i++) old[i] = (unsigned short)(drand48_state >> (16 * i));
  drand48_state = lcg_load(state);
  return old;
}

/* "Entropy": SplitMix64, the same in every execution, and never twice the same in one. */
static _Atomic uint64_t entropy;

void __hd_random_bytes(void *to, size_t n);
void __hd_random_bytes(void *to, size_t n) {
  unsigned char *bytes = to;
  if (!n) return;
  __hd_sampled();
  uint64_t from = __c11_atomic_fetch_add(&entropy, n, __ATOMIC_RELAXED);
  for (size_t i = 0; i < n; i++) {
    uint64_t x = (from + i + 1) * 0x9E3779B97F4A7C15ull;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    bytes[i] = (unsigned char)(x >> 56);
  }
}

ssize_t getrandom(void *to, size_t n, unsigned flags) { return (void)flags, __hd_random_bytes(to, n), (ssize_t)n; }

int getentropy(void *to, size_t n) {
  if (n > 256) return HD_ERRNO = EIO, -1;
  __hd_random_bytes(to, n);
  return 0;
}

uint32_t arc4random(void);
uint32_t arc4random(void) {
  uint32_t value;
  __hd_random_bytes(&value, sizeof value);
  return value;
}
void arc4random_buf(void *to, size_t n) { __hd_random_bytes(to, n); }
uint32_t arc4random_uniform(uint32_t bound) { return bound ? arc4random() % bound : 0; }
