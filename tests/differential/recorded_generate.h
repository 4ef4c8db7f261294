/* Random recorded runs: consistent traces of two to four threads. */
#pragma once
#include "recorded_machine.h"

enum recorded_feature {
  RECORDED_LOCKS = 1,
  RECORDED_SHARED = 2,   /* read-write locks */
  RECORDED_WAITS = 4,    /* waits and notifications */
  RECORDED_BRANCHES = 8, /* and uses of values as addresses */
  RECORDED_RMWS = 16,
  RECORDED_TRIES = 32, /* try-locks, and waits that time out */
  RECORDED_FREES = 64,
  RECORDED_REGIONS = 128, /* calls of method 0 */
  RECORDED_FORKS = 256,   /* forks and joins; else threads are just there */
  RECORDED_FEATURES = 512,
  /* And these, in tests that ask for them. */
  RECORDED_SIZES = 512,    /* accesses of 2, 4 and 8 bytes that overlap, also over the border of a word */
  RECORDED_COUNTS = 1024,  /* semaphores */
  RECORDED_BARRIERS = 2048, /* one barrier, whose rounds take all threads or two of them */
  RECORDED_LIVES = 4096,    /* blocks that are freed, and their memory is handed out again; pointers to them (without RECORDED_SIZES) */
  RECORDED_ATOMICS = 8192, /* reads and writes that are atomic */
  RECORDED_WIDE = 16384,   /* accesses of 10 to 16 bytes, whose values are not recorded (without RECORDED_LIVES) */
  RECORDED_OUTSIDE = 32768 /* accesses by functions that are not recorded (EVENT_OUTSIDE) */
};

/* A trace of about `events` events (at most RUN_EVENTS); forks, begins, ends and what closes sections are not counted. Every event has a
 * site of its own, its position plus 1. The same seed gives the same trace. */
void recorded_generate(struct run *r, uint64_t seed, unsigned features, uint32_t events);
/* With RECORDED_LIVES the last word, lock and semaphore of the machine are what is allocated, in the course of the trace, where the one
 * before was: another object. In the trace both have one address; and RUN_POINTER values, which are two in the machine, are one, the address
 * of the word.
 *
 * The trace as analyses take it. `out` is the caller's, zeroed or used before. */
void recorded_copy(const struct run *r, struct recorded *out);
void recorded_free(struct recorded *r);
void recorded_print(const struct run *r);
