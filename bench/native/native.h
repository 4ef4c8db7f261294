/* What the programs of this folder share: threads that do the same, and numbers that only look random. */
#pragma once
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST_THREADS = 64 };

static inline unsigned native_threads(int argc, char **argv) {
  unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 2;
  return n == 0 ? 1 : n > MOST_THREADS ? MOST_THREADS : n;
}

static inline uint32_t native_next(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}
static inline uint32_t native_random(void) {
  static uint64_t state = 1;
  return native_next(&state);
}

struct native_job {
  void (*work)(unsigned me, unsigned threads);
  unsigned me, threads;
};
static void *native_start(void *data) {
  const struct native_job *job = data;
  job->work(job->me, job->threads);
  return NULL;
}
static inline void native_run(void (*work)(unsigned me, unsigned threads), unsigned threads) {
  pthread_t ids[MOST_THREADS];
  struct native_job jobs[MOST_THREADS];
  for (unsigned i = 0; i < threads; i++) {
    jobs[i] = (struct native_job){work, i, threads};
    if (pthread_create(&ids[i], NULL, native_start, &jobs[i]) != 0) exit(2);
  }
  for (unsigned i = 0; i < threads; i++) pthread_join(ids[i], NULL);
}
