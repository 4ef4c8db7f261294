/* Vector clocks: for each slot, a number. Threads that live at the same time have different slots.
 *
 * A slot is used again when all threads know of its last thread's end, and its clock goes on. So what the last thread did is ordered before
 * everything by its successor that could be mixed up with it. */
#pragma once
#include "shadow.h"

/* Clocks are gone through by fours: arrays of them are aligned to that, and go on with zeros to the end of the last four. */
enum { CLOCKS_STEP = 4 };

/* What a synchronisation object hands on: clocks of the slots 0 .. n - 1, and zeros to `cap`. A sized block (base.h), NULL if it never
 * handed on anything. */
struct vclock {
  uint16_t n, cap;
  bool twofold; /* the same in the weak order (section.h) follows, in its own struct: for up to four slots, the two are one line of the
                   cache */
  epoch from;   /* the epoch in which all of it was a thread's clock, or 0: knowing it means knowing the rest */
  _Alignas(16) uint32_t at[];
};
HOT size_t vclock_bytes(uint32_t cap) { return sizeof(struct vclock) + cap * sizeof(uint32_t); }
/* What is handed on in the weak order; NULL if there is nothing. */
HOT struct vclock *vclock_weak(const struct vclock *c) {
  return c && c->twofold ? (struct vclock *)(void *)((char *)(uintptr_t)c + vclock_bytes(c->cap)) : NULL;
}

/* True from the time when memory, or room for threads, ended and something that orders events was not kept for that: what seems unordered
 * since then may be ordered, so nobody is told of it. */
extern bool order_lost;
HOT void order_lose(void) { __atomic_store_n(&order_lost, true, __ATOMIC_RELAXED); }

typedef int32_t clocks4
    __attribute__((vector_size(16), may_alias)); /* signed, as they are below 2^31: that is what all processors compare */
_Static_assert(CLOCK_BITS < 31 && sizeof(clocks4) == CLOCKS_STEP * sizeof(uint32_t), "four clocks");

/* to := to joined with the n clocks at `at`. */
HOT void clocks_join(uint32_t *to, const uint32_t *at, uint32_t n) {
  for (uint32_t i = 0; i < n; i += CLOCKS_STEP) {
    clocks4 *into = (clocks4 *)(void *)(to + i), a = *into, b = *(const clocks4 *)(const void *)(at + i), more = b > a;
    *into = (b & more) | (a & ~more);
  }
}
HOT void clocks_copy(uint32_t *to, const uint32_t *at, uint32_t n) {
  for (uint32_t i = 0; i < n; i += CLOCKS_STEP) *(clocks4 *)(void *)(to + i) = *(const clocks4 *)(const void *)(at + i);
}

/* *c := the n clocks; allocates as needed. False if memory is exhausted: *c is as before, and the order is lost. */
bool vclock_set(struct vclock **c, const uint32_t *at, uint32_t n, epoch from);
/* *c := *c joined with the n clocks. */
bool vclock_join(struct vclock **c, const uint32_t *at, uint32_t n);
/* The same of the clocks of another thread, which goes on. */
bool vclock_join_other(struct vclock **c, const uint32_t *at, uint32_t n);
/* The same of what it hands on in the weak order. */
bool vclock_set_weak(struct vclock **c, const uint32_t *at, uint32_t n, epoch from);
bool vclock_join_weak(struct vclock **c, const uint32_t *at, uint32_t n);
/* It hands on nothing, but for the weak order. */
void vclock_clear(struct vclock *c);
void vclock_free(struct vclock *c);
