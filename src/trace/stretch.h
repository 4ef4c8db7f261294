/* Stretches of threads, and which of them end before others begin, whatever the schedule: each FORK of a thread, and each JOIN, ends a
 * stretch of it and begins the next one. What is before a FORK comes before all that the child does, what is behind a JOIN after all of it.
 *
 * Threads may be looked at in any order, each of them from its beginning to its end; then stretches_settle() finds the order. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"

struct stretch_end {
  uint32_t other; /* index of a thread */
  bool joins;
};
struct stretch_thread {
  VEC(struct stretch_end) ends; /* between its stretches */
  uint32_t first;               /* of all, the number of its first stretch */
  uint32_t done;                /* stretches whose clocks are known */
  bool forked;
};
/* Zeroed is ready for use. */
struct stretches {
  struct hashmap numbers; /* of threads: their indices */
  VEC(struct stretch_thread) threads;
  VEC(uint32_t) clocks; /* of each stretch, for each thread: how many of its stretches come before */
  bool known;
};

/* The index of the thread of that number, and in which stretch it is now, from 0 on. */
uint32_t stretch_thread(struct stretches *s, uint32_t number);
static inline uint32_t stretch_now(const struct stretches *s, uint32_t thread) { return (uint32_t)s->threads.data[thread].ends.count; }
/* The thread of that index forks or joins the one of that number. */
void stretch_ends(struct stretches *s, uint32_t thread, uint32_t other, bool joins);
/* All have been looked at. If this cannot be, or is too much, nothing of different threads is known to be in an order. */
void stretches_settle(struct stretches *s);
bool stretch_before(const struct stretches *s, uint32_t thread, uint32_t stretch, uint32_t later_thread, uint32_t later_stretch);
/* Is it the only thread that nobody forks? Before its first fork there are no others. */
bool stretch_is_first(const struct stretches *s, uint32_t thread);
void stretches_release(struct stretches *s);
