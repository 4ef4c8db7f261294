/* Random numbers: deterministic. Each thread has generators of its own, which start from the same seed: which thread draws first is
 * then no difference between schedules. One thread alone sees the sequences that the C library gives. */
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "internal.h"

/* The additive feedback generator of the C library's random(3): x[i] = x[i-3] + x[i-31]. */
enum { DEGREE = 31, SEPARATION = 3, DISCARDED = 310 };

static __thread struct {
  uint32_t state[DEGREE];
  unsigned at; /* the oldest number */
  int seeded_for;
  bool ready;
} additive;

/* Written by srand(); a thread notices at its next draw. */
static unsigned seed = 1; /* a plain variable: seeding while others draw is the race that C11 7.22.2 says it is */
static int seed_count = 1;

static uint32_t additive_next(void) {
  unsigned at = additive.at;
  uint32_t sum = additive.state[at] + additive.state[(at + DEGREE - SEPARATION) % DEGREE];
  additive.state[at] = sum;
  additive.at = (at + 1) % DEGREE;
  return sum >> 1;
}

static void additive_seed(unsigned from) {
  int32_t word = from ? (int32_t)from : 1;
  for (int i = 0; i < DEGREE; i++) {
    additive.state[i] = (uint32_t)word;
    int64_t next = 16807ll * word % 2147483647; /* Park and Miller's generator fills the state */
    word = (int32_t)(next < 0 ? next + 2147483647 : next);
  }
  additive.at = SEPARATION; /* the first three count as the newest */
  additive.ready = true;
  for (int i = 0; i < DISCARDED; i++) additive_next();
}

static long draw(void) {
  if (!additive.ready || additive.seeded_for != seed_count) {
    additive_seed(seed);
    additive.seeded_for = seed_count;
  }
  return (long)additive_next();
}

static void reseed(unsigned from) {
  seed = from;
  seed_count++;
}

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
static __thread uint64_t lcg_state;

static uint64_t lcg_next(uint64_t state) { return (state * lcg_factor + LCG_ADDEND) & lcg_mask; }
static uint64_t lcg_load(const unsigned short s[3]) { return s[0] | (uint64_t)s[1] << 16 | (uint64_t)s[2] << 32; }
static uint64_t lcg_step(unsigned short s[3]) {
  uint64_t next = lcg_next(lcg_load(s));
  s[0] = (unsigned short)next, s[1] = (unsigned short)(next >> 16), s[2] = (unsigned short)(next >> 32);
  return next;
}

static double lcg_double(uint64_t state) { return (double)state / (double)(1ull << 48); }

double drand48(void) { return lcg_double(lcg_state = lcg_next(lcg_state)); }
double erand48(unsigned short state[3]) { return lcg_double(lcg_step(state)); }
long lrand48(void) { return (long)((lcg_state = lcg_next(lcg_state)) >> 17); }
long nrand48(unsigned short state[3]) { return (long)(lcg_step(state) >> 17); }
long mrand48(void) { return (int32_t)((lcg_state = lcg_next(lcg_state)) >> 16); }
long jrand48(unsigned short state[3]) { return (int32_t)(lcg_step(state) >> 16); }
void srand48(long from) { lcg_state = ((uint64_t)(uint32_t)from << 16) | 0x330E; }

unsigned short *seed48(unsigned short state[3]) {
  static __thread unsigned short old[3];
  for (int i = 0; i < 3; i++) old[i] = (unsigned short)(lcg_state >> (16 * i));
  lcg_state = lcg_load(state);
  return old;
}

/* "Entropy": SplitMix64, the same in every execution. */
static __thread uint64_t entropy;

void __hd_random_bytes(void *to, size_t n);
void __hd_random_bytes(void *to, size_t n) {
  unsigned char *bytes = to;
  if (n) __hd_sampled();
  for (size_t i = 0; i < n; i++) {
    uint64_t x = entropy += 0x9E3779B97F4A7C15ull;
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
