/* Who touches which memory in a recorded run: by granules of eight bytes, in pages of 4096. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"

enum { TOUCHED_PAGE = 4096, TOUCHED_GRANULES = TOUCHED_PAGE / 8, TOUCHED_RECENT = 64 };

/* Of a granule: 0: nobody; else the first thread's number and 1, or TOUCHED_THREAD if that is too large; and bits. */
enum { TOUCHED_THREAD = 0x3fff, TOUCHED_SHARED = 0x4000, TOUCHED_WRITTEN = 0x8000 };

struct touched_page {
  uint16_t *granules; /* NULL: all are like `all` */
  uint16_t all;
};

/* Zeroed is ready for use. */
struct touched {
  struct hashmap numbers; /* of pages */
  VEC(struct touched_page) pages;
  uint64_t tables;
  struct {
    uint64_t page; /* and 1 */
    uint32_t number;
  } recent[TOUCHED_RECENT];
};

/* `thread` touches `size` bytes, which end before the end of the address space. False if that is too much memory to know all about. */
[[nodiscard]] bool touched_add(struct touched *t, uint64_t address, uint64_t size, uint32_t thread, bool writes);
/* Has some of it been touched by more than one thread, and written? All of it was added. */
bool touched_matters(struct touched *t, uint64_t address, uint64_t size);
void touched_release(struct touched *t);
