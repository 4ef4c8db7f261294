/* Which locks a thread holds at a point of a trace. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "trace/event.h"

struct held_lock {
  uint64_t object, size;
  uint32_t event; /* trace index of the acquire */
  bool shared;
};

struct held {
  VEC(struct held_lock) locks; /* in the order of their acquires */
};

/* Locks that `thread` holds after the first `upto` events. Adds to `*held`. */
void held_at(const struct event *trace, uint32_t upto, uint32_t thread, struct held *held);
/* Who holds lock `object` after the first `upto` events: the thread and its acquire. False: nobody. */
bool held_by(const struct event *trace, uint32_t upto, uint64_t object, uint32_t *thread, uint32_t *event);
void held_release(struct held *held);
