/* Random toy programs. */
#pragma once
#include "toy.h"

/* What a program may contain: bit set. */
enum toy_feature {
  FEATURE_ACCESS = 1,
  FEATURE_MIXED = 2, /* accesses of several sizes that overlap in part */
  FEATURE_ATOMIC = 4,
  FEATURE_LOCK = 8,
  FEATURE_TRYLOCK = 16,
  FEATURE_COND = 32,
  FEATURE_SEMAPHORE = 64,
  FEATURE_BARRIER = 128,
  FEATURE_RWLOCK = 256,
  FEATURE_CHOICE = 512,
  FEATURE_BRANCH = 1024,
  FEATURE_FAIL = 2048, /* assertions, assumptions, exits */
  FEATURE_AWAIT = 4096,
  FEATURE_SECTION = 8192,
  FEATURE_FREE = 16384,
  FEATURE_JOIN = 32768,
  FEATURE_ALL = 65535
};

/* The program of a seed; the same on every machine. `size` is about the number of operations of each thread. */
void random_program(struct toy_program *p, uint64_t seed, unsigned features, unsigned threads, unsigned size);
void print_program(const struct toy_program *p);
