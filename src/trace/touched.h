/* Who touches which memory in a recorded run, and when: by granules of eight bytes, in pages of 4096. Memory matters if somebody writes it,
 * and two threads touch it in no order that forks and joins see to (stretch.h), or one reads what another one wrote: what that wrote may
 * depend on what it read elsewhere. (Not so if that was the first thread, before it created others: nobody could have told it anything
 * else.) */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "trace/stretch.h"

enum { TOUCHED_PAGE = 4096, TOUCHED_GRANULES = TOUCHED_PAGE / 8, TOUCHED_RECENT = 64, TOUCHED_PARTS = 4, TOUCHED_CHANGES = 1024 };

/* FREED: what is there next is something else. */
enum touched_how { TOUCHED_READ = 1, TOUCHED_WRITTEN = 2, TOUCHED_FREED = 4 };

/* Who has touched a granule: some threads, each from one of its stretches to another one. */
struct touched_part {
  uint32_t thread, first, last; /* index of stretch.h */
  uint32_t how;                 /* enum touched_how, as bits */
};
struct touched_set {
  struct touched_part parts[TOUCHED_PARTS];
  uint16_t n;
  bool anybody, written;
};
_Static_assert(sizeof(struct touched_set) == TOUCHED_PARTS * sizeof(struct touched_part) + 4, "is compared byte by byte");

struct touched_page {
  uint16_t *granules; /* numbers of sets; NULL: all are like `all` */
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
  struct hashmap set_numbers;   /* by hash */
  VEC(struct touched_set) sets; /* 0: nobody; 1, 2: anybody, who does not write, or does */
  VEC(bool) matters;            /* of each set, when all is settled */
  struct {
    uint32_t thread, stretch;
    uint16_t before, after;
    uint8_t how;              /* 0: nothing is here */
  } changes[TOUCHED_CHANGES]; /* of sets, the latest ones */
};

/* As a thread: whoever it is, others touch it, too. */
enum { TOUCHED_ANYBODY = UINT32_MAX };
/* The thread touches, in one of its stretches, `size` bytes, which end before the end of the address space. False if that is too much
 * memory to know all about. */
[[nodiscard]] bool touched_add(struct touched *t, uint64_t address, uint64_t size, uint32_t thread, uint32_t stretch, unsigned how);
void touched_settle(struct touched *t, const struct stretches *s);
/* All of the memory was added, and all is settled. */
bool touched_matters(struct touched *t, uint64_t address, uint64_t size);
void touched_release(struct touched *t);
