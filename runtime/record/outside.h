/* What functions do that are not recorded: memory that they are given pointers to is read before the call, and what has changed behind it
 * was written (EVENT_OUTSIDE of src/trace/event.h; who reads the trace finds out which of that others have written). */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/module.h"

/* As woven code has it (src/weave/outside.h). size 0: it is not known; with OUTSIDE_VARIABLE: the memory stays. */
#define OUTSIDE_VARIABLE (1ull << 63) /* WEAVE_VARIABLE */
struct outside_memory {
  uintptr_t address;
  uint64_t size;
};

/* What functions are (enum module_function), in a table by their addresses: a function, and above it what it is. */
enum { OUTSIDE_FUNCTIONS = 1 << 12, OUTSIDE_BITS = 8 };
extern uint64_t outside_functions[OUTSIDE_FUNCTIONS];
HOT uint64_t *outside_place(uintptr_t function) { return &outside_functions[(function >> 4 ^ function >> 16) % OUTSIDE_FUNCTIONS]; }
HOT uint32_t outside_known(uintptr_t function) {
  uint64_t there = __atomic_load_n(outside_place(function), __ATOMIC_RELAXED);
  return there >> OUTSIDE_BITS == function ? there & ((1u << OUTSIDE_BITS) - 1) : MODULE_UNKNOWN;
}

/* 0 as a function: it is the system, which the C library calls. */
void outside_calls(uintptr_t function, const struct outside_memory *list, uint64_t n);
void outside_returns(const struct outside_memory *list);
/* Is the calling thread within a call of a function of the module that the code is in? */
bool outside_is_at(uintptr_t code);
/* A woven function was called from there: the number of that module if it is not known, else 0. And returns to that module. */
uint32_t outside_entered(uintptr_t caller);
void outside_left(uint32_t module);
