/* The table of states whose whole subtree was explored: fingerprint -> summary of what happens below. 20 bytes an entry. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

#define NOT_VISITED UINT32_MAX

/* Zeroed is empty. Entries are never removed. */
struct visited {
  struct fingerprint *keys; /* open addressing; the zero fingerprint is a free place */
  uint32_t *summaries;
  size_t count, cap;
};

/* The state's summary, or NOT_VISITED. */
uint32_t visited_find(const struct visited *v, struct fingerprint key);
void visited_add(struct visited *v, struct fingerprint key, uint32_t summary);
void visited_clear(struct visited *v);
void visited_release(struct visited *v);
