/* What is known of memory: for each granule of eight bytes that was touched, lists of who touched which of its bytes.
 *
 *   cells    accesses that a later one may race with
 *   writers  who wrote what the bytes hold, and what that thread knew then
 *   readers  edc: what came before reads under a lock; others: for more of the like
 *   records  the sections of locks that touched the bytes
 *   notes    sp: the last accesses of each thread, with what it knew before them
 *
 * A granule is forgotten when its memory is allocated. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "streaming/clock.h"
#include "trace/event.h"

/* Kinds of accesses, and which kinds each of them conflicts with. */
#define ACCESS_LIST(X)                                                                                                       \
  X(READ, 1u << ACCESS_WRITE | 1u << ACCESS_ATOMIC_WRITE | 1u << ACCESS_END)                                                 \
  X(WRITE, 1u << ACCESS_READ | 1u << ACCESS_WRITE | 1u << ACCESS_ATOMIC_READ | 1u << ACCESS_ATOMIC_WRITE | 1u << ACCESS_END) \
  X(ATOMIC_READ, 1u << ACCESS_WRITE | 1u << ACCESS_END)                                                                      \
  X(ATOMIC_WRITE, 1u << ACCESS_READ | 1u << ACCESS_WRITE | 1u << ACCESS_END)                                                 \
  X(END, 63u)

enum access_kind {
#define X(name, conflicts) ACCESS_##name,
  ACCESS_LIST(X)
#undef X
};

static inline unsigned access_conflicts(enum access_kind kind) {
  static const uint8_t conflicts[] = {
#define X(name, c) c,
      ACCESS_LIST(X)
#undef X
  };
  return conflicts[kind];
}

enum { NO_CELL = 0 }; /* lists end in it; places in the pools count from 1 */

struct cell {
  uint64_t at; /* its granule's address */
  uint32_t next;
  uint32_t thread, time, site;
  uint32_t lockset; /* section.h; 0 if the analysis does not ask */
  uint8_t mask, kind;
};

struct writer {
  struct clock *clock;
  uint32_t next;
  uint32_t thread, time;
  uint8_t mask;
};

struct record {
  uint32_t next;
  uint32_t lock, thread, section;
  uint8_t reads, writes; /* masks */
  bool shared;
};

struct note {
  struct clock *clock;
  uint32_t time, site, lockset;
  uint32_t operations; /* on locks, by the thread, before it */
  uint8_t mask, kind;
};

#ifndef NOTES
#define NOTES 4
#endif

struct notes {
  uint32_t next;
  uint32_t thread;
  uint16_t n, kinds;     /* kinds: a bit for each kind of access that is among them */
  uint32_t lockset;      /* of all of them; LOCKSET_UNKNOWN: not the same */
  struct note at[NOTES]; /* in their order */
};

struct granule {
  uint64_t key; /* address / 8 + 1; 0: free */
  uint32_t cells, writers, readers, others, records, notes;
};

#define POOL(type)   \
  struct {           \
    VEC(type) all;   \
    uint32_t unused; \
  }
/* A new element: its place. */
#define pool_take(p) ((p)->unused ? pool_again_(p) : (vec_push(&(p)->all), (uint32_t)(p)->all.count))
#define pool_again_(p)                                 \
  __extension__({                                      \
    uint32_t pool_place_ = (p)->unused;                \
    (p)->unused = (p)->all.data[pool_place_ - 1].next; \
    pool_place_;                                       \
  })
#define pool_at(p, place)   (&(p)->all.data[(place)-1])
#define pool_give(p, place) ((void)(pool_at(p, place)->next = (p)->unused, (p)->unused = (place)))

struct memory {
  struct granule *slots;
  uint32_t cap, used;
  POOL(struct cell) cells;
  POOL(struct writer) writers;
  POOL(struct record) records;
  POOL(struct notes) notes;
};

/* The granule that has the byte, made if it is new. Holds until the next call. */
struct granule *memory_at(struct memory *m, uint64_t address);
/* It will be asked for soon. A granule is mostly in no cache: that was a sixth of the time of `sp`. */
void memory_fetch(const struct memory *m, uint64_t address);
/* Sooner: what the granule has. */
void memory_fetch_lists(const struct memory *m, uint64_t address);
/* The bytes begin anew. */
void memory_forget(struct memory *m, struct clocks *clocks, uint64_t address, uint64_t size);
void memory_drop(struct memory *m, struct clocks *clocks);

/* Bytes of [address, address + size) in the granule at `at`, a multiple of 8. */
static inline uint8_t memory_mask(uint64_t address, uint64_t size, uint64_t at) {
  uint64_t from = address > at ? address - at : 0, left = size - (at + from - address), n = left < 8 - from ? left : 8 - from;
  return (uint8_t)((0xffu >> (8 - n)) << from);
}

static inline uint64_t granule_address(const struct granule *g) { return (g->key - 1) * 8; }

/* Calls what(data, granule, mask) for each granule of the bytes; `known`: only for those that there are already. */
typedef void memory_each_function(void *data, struct granule *g, uint8_t mask);
void memory_each(struct memory *m, uint64_t address, uint64_t size, bool known, memory_each_function *what, void *data);

/* What a thread knows: in one or two orders, of which one is enough. */
struct view {
  const struct clock *a, *b;
  uint32_t thread;
};
static inline bool view_orders(const struct view *v, uint32_t thread, uint32_t time) {
  return thread == v->thread || clock_at(v->a, thread) >= time || clock_at(v->b, thread) >= time;
}

/* Are all who conflict with y in conflict with x as well? */
static inline bool cell_covers(const struct cell *x, const struct cell *y) {
  return !(y->mask & ~x->mask) && !(access_conflicts(y->kind) & ~access_conflicts(x->kind));
}

/* The first byte that the event has in common with the cell. */
static inline uint64_t cell_object(const struct cell *c, const struct event *e) {
  unsigned both = c->mask & memory_mask(e->object, e->size, c->at);
  return c->at + (both ? (unsigned)__builtin_ctz(both) : 0);
}

/* The writers of the bytes become the one thread. */
void memory_wrote(struct memory *m, struct clocks *clocks, uint32_t *list, uint8_t mask, const struct known *by);
/* As many as there are beside it: a thread's later mark takes the place of its earlier one. */
void memory_noted(struct memory *m, struct clocks *clocks, uint32_t *list, uint8_t mask, const struct known *by);
