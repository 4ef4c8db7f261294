/* Vector clocks. Threads that live at the same time have different slots; a slot is used again, its clock going on, once everybody knows of
 * its last thread's end, so whatever that thread did is ordered before all that its successor's epochs could be mixed up with. */
#pragma once
#include "shadow.h"

/* What a synchronisation object hands on: clocks of the slots 0 .. n - 1. A sized block (base.h), NULL if it never handed on anything. */
struct vclock {
  uint32_t n, cap;
  epoch from;          /* the epoch in which all of it was a thread's clock, or 0: knowing it means knowing the rest */
  struct vclock *weak; /* the same in the weak order (section.h); NULL if that is not asked for, or if there is nothing */
  uint32_t at[];
};

/* True from the time when memory, or room for threads, ended and something that orders events was not kept for that: what seems unordered
 * since then may be ordered, so nobody is told of it. */
extern bool order_lost;
HOT void order_lose(void) { __atomic_store_n(&order_lost, true, __ATOMIC_RELAXED); }

/* *c := the n clocks; allocates as needed. False if memory is exhausted: *c is as before, and the order is lost. */
bool vclock_set(struct vclock **c, const uint32_t *at, uint32_t n, epoch from);
/* *c := *c joined with the n clocks. */
bool vclock_join(struct vclock **c, const uint32_t *at, uint32_t n);
void vclock_free(struct vclock *c);
