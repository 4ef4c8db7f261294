/* The order that no schedule can change: what a thread did before it created another comes before all that one does, and all of that before
 * what comes after joining it; so with the rounds of barriers. What locks order is not part of it: they could have been taken the other way
 * round. lockorder.c asks for it.
 *
 * A segment is what a thread does between two such points, as far as anybody asked for it: segments that nothing happened in are never
 * made. They are the nodes of a graph that only grows, numbered so that what comes before has the lower number. */
#pragma once
#include "base.h"

/* Where a thread stands. All 0: at the very beginning. */
struct hard {
  uint32_t segment; /* what came before, and if `open` what the thread does now; 0: nothing */
  bool open;
};

/* No room for more segments, or a thread from nowhere: ordered with everything, as far as anybody is told. */
#define HARD_UNKNOWN 0xffffffffu

/* The segment that the thread's present doings belong to. */
uint32_t hard_segment(struct hard *h);
/* h creates `child`. */
void hard_fork(struct hard *h, struct hard *child);
/* h joins who got as far as `other`. */
void hard_join(struct hard *h, const struct hard *other);
/* h begins after all that was asked for by now: nobody knows who created it. */
void hard_attach(struct hard *h);
/* True if the doings of one segment come before those of the other, or if that is not known. One caller at a time. */
bool hard_ordered(uint32_t a, uint32_t b);
