/* Which slots of a frame still matter: live-variable analysis on an image's code, function by function, on demand.
 *
 * Two executions that stop at the same point and differ in dead slots alone are in the same state: fingerprints and the spin detector
 * look at live slots only. The analysis may call a dead slot live, never the other way round. */
#pragma once
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "program/image.h"

struct liveness {
  const struct image *image;
  struct hashmap points;    /* code index * 2 + after_call -> position in lists */
  VEC(uint16_t) lists;      /* at a position: count, then that many slots, ascending */
  struct hashmap functions; /* function -> position in sets */
  VEC(uint64_t) sets;       /* live-in bit sets of analysed functions' blocks */
};

void liveness_init(struct liveness *l, const struct image *image);
void liveness_release(struct liveness *l);

/* Live slots of a frame of `function` that stands before the instruction at code index `pc`; with `after_call` the instruction is a call in
 * progress: what matters is what is used behind it. Returns the slots and their number; valid until the next call. */
const uint16_t *liveness_at(struct liveness *l, uint32_t function, uint32_t pc, bool after_call, uint32_t *count);
