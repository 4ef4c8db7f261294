/* Random traces: random operations of 2 to 4 threads under a random schedule of the reference's machine. */
#pragma once
#include "witness_sim.h"

enum witness_feature {
  WITNESS_LOCKS = 1,
  WITNESS_SHARED = 2, /* locks for reading */
  WITNESS_TRY = 4,    /* operations that may fail: try-locks, timed ones, try-joins */
  WITNESS_RMW = 8,
  WITNESS_MIXED = 16, /* accesses of several sizes */
  WITNESS_CONDITIONS = 32,
  WITNESS_SEMAPHORES = 64,
  WITNESS_BARRIERS = 128,
  WITNESS_JOINS = 256,
  WITNESS_SECTIONS = 512,
  WITNESS_FREE = 1024,
  WITNESS_FENCES = 2048, /* and C11 orders */
  WITNESS_AWAIT = 4096,
  WITNESS_CHOICE = 8192,
  WITNESS_LITMUS = 16384, /* two places, every write has a value of its own */
  WITNESS_ALL = 16383     /* not the last one */
};

/* A generator of numbers, and its state. */
uint32_t witness_random(uint64_t *seed, uint32_t below);

/* The trace of a seed: `threads` threads of about `size` operations each. */
void witness_generate(struct sim *x, uint64_t seed, unsigned features, enum sim_memory memory, uint32_t threads, uint32_t size);
void witness_print(const struct sim *x);
