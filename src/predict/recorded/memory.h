/* What memory holds, as far as a recorded run tells: what was read or written last, and what is new and zero. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"
#include "trace/event.h"

/* Eight bytes. */
struct recorded_granule {
  uint64_t value;
  uint8_t known; /* bit i: of byte i */
};

/* Zeros, but for what the granules say: granules [from, to). */
struct recorded_zeros {
  uint64_t from, to;
};

/* Zeroed is ready for use: nothing is known. */
struct recorded_memory {
  struct hashmap granules; /* address / 8 -> index */
  VEC(struct recorded_granule) values;
  VEC(struct recorded_zeros) zeros; /* by address; none overlaps another one */
};

/* [address, address + size), size <= 8, holds a little-endian number. */
void recorded_memory_store(struct recorded_memory *m, uint64_t address, uint64_t size, uint64_t value);
/* INITIAL (trace/recorded.h). */
void recorded_memory_initial(struct recorded_memory *m, const struct event *e);
/* [address, address + size) holds zeros; what it holds is not known. Any size. */
void recorded_memory_zero(struct recorded_memory *m, uint64_t address, uint64_t size);
void recorded_memory_forget(struct recorded_memory *m, uint64_t address, uint64_t size);
/* The bytes [address, address + size), size <= 8, as a little-endian number. False: not known. */
bool recorded_memory_read(const struct recorded_memory *m, uint64_t address, uint32_t size, uint64_t *value);
void recorded_memory_clear(struct recorded_memory *m);
void recorded_memory_release(struct recorded_memory *m);
