/* The table of states whose whole subtree was explored: fingerprint -> summary of what happens below. 20 bytes a place, up to a bound: once
 * that many places are three quarters full, an entry takes the place of another one near to it, or is not made. A state that is forgotten
 * so is entered again if an execution comes to it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

#define NOT_VISITED UINT32_MAX

/* Zeroed is empty, and has no bound. */
struct visited {
  struct fingerprint *keys; /* open addressing; the zero fingerprint is a free place */
  uint32_t *summaries;
  size_t count, cap;
  size_t most;        /* bytes; 0: no bound */
  uint64_t forgotten; /* states that were thrown out, or not entered */
};

/* The state's summary, or NOT_VISITED. */
uint32_t visited_find(const struct visited *v, struct fingerprint key);
/* Enters it, or changes its summary; it may not be entered (`forgotten`). The zero fingerprint never is. */
void visited_add(struct visited *v, struct fingerprint key, uint32_t summary);
/* Forgets all of them. */
void visited_clear(struct visited *v);
void visited_release(struct visited *v);
