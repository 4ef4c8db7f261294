/* finds: nothing. Many accesses of all kinds to memory that comes and goes: that takes no more memory the longer it runs: usage:
 * stress_accesses [MILLIONS OF ACCESSES] */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { THREADS = 4, WORDS = 1 << 15, SLOTS = 64 };
static long rounds;
static pthread_mutex_t mutexes[SLOTS];
static uint64_t *blocks[SLOTS], table[WORDS]; /* a slot's lock guards its block and its part of the table */

static long peak(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_maxrss / 1024;
}

static void *work(void *argument) {
  unsigned seed = (unsigned)(uintptr_t)argument;
  for (long i = 0; i < rounds; i++) { /* 3 * WORDS / SLOTS accesses each, about */
    unsigned slot = (unsigned)rand_r(&seed) % SLOTS, n = 1 + (unsigned)rand_r(&seed) % (WORDS / SLOTS);
    pthread_mutex_lock(&mutexes[slot]);
    free(blocks[slot]);
    uint64_t *block = blocks[slot] = calloc(n, sizeof *block), *part = table + slot * (WORDS / SLOTS);
    for (unsigned k = 0; k < n; k++) block[k] += part[k], part[k] += k;
    uint32_t *halves = (uint32_t *)part;
    for (unsigned k = 0; k < n; k++) halves[k * 2 + (k & 1)]++;
    pthread_mutex_unlock(&mutexes[slot]);
  }
  return NULL;
}

int main(int argc, char **argv) {
  long millions = argc > 1 ? atol(argv[1]) : 4, early = 0;
  for (int i = 0; i < SLOTS; i++) pthread_mutex_init(&mutexes[i], NULL);
  for (int part = 0; part < 10; part++) {
    rounds = millions * 1000000 / 10 / THREADS / (3 * WORDS / SLOTS);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)(part * THREADS + i));
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    if (part == 4) early = peak();
  }
  printf("%ld million accesses, peak %ld MB, after half of them %ld MB\n", millions, peak(), early);
  return peak() > 2 * early + 10;
}
