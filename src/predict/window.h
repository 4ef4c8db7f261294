/* A long execution, a window at a time, as the causal model takes it.
 *
 * What a window's model costs must not depend on how much came before the window. So the model is given, as its prefix, those events alone
 * that can still matter, and is told what memory holds (window_initial()). Kept are
 *   - ends of threads;
 *   - acquires of locks that are still held;
 *   - waits that have not ended, the acquires of the mutexes that they gave up, and the notifications that woke them;
 *   - arrivals at barriers, of the present round and the one before it;
 *   - under TSO and PSO, stores that are still buffered;
 *   - what a thread that waits for a change read there last.
 * They are copies that may say less than the originals: a wait that took its mutex back is an acquire, a notification wakes those that
 * still wait. What is left out is history: with its counts known from their first operation in the window, so are semaphores.
 *
 * Positions are those of the whole trace; window_place() and window_origin() translate them to the model's and back. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "causal/causal.h"

struct mcr_trace;

/* An event from before the window. */
struct window_kept {
  uint32_t origin;
  bool given_up; /* an acquire whose lock a wait gave up, which has not ended */
  struct event event;
};

/* Eight bytes of memory behind the events before the window: each is known, or not to be known, or as it was in the initial state. */
struct window_granule {
  uint64_t value;
  uint8_t known, vague;
};

/* Zeroed is ready for use. */
struct window {
  const struct mcr_trace *trace;
  uint32_t from, to;       /* the window, trace[from, to) */
  VEC(struct event) model; /* what the model takes, after window_model() */
  VEC(uint32_t) origins;   /* by its events before the window */
  /* of what comes before the window */
  uint32_t flushed; /* flushes that have happened */
  bool is_watched;  /* some event waits for a change */
  VEC(struct window_kept) ends, open, stores;
  VEC(struct window_kept) seen; /* reads that matter to the present window; then all that is kept */
  struct hashmap granules;      /* address / 8 -> index; those that some access of at most eight bytes touches */
  VEC(struct window_granule) memory;
  struct hashmap reads; /* (thread, object, size) -> the last one */
};

/* Begins with an empty window before the first event. Flushes must be complete (mcr_trace_take() with all steps fixed) if there is to be
 * more than one window. The trace must not change. */
void window_begin(struct window *w, const struct mcr_trace *trace);
/* The window [w->to, to), of whole steps. */
void window_move(struct window *w, uint32_t to);
/* May a window begin at this event? */
bool window_may_begin(const struct mcr_trace *trace, uint32_t event);
/* What the model takes. `cut`: as in causal_trace, for the last window. Holds until the window moves. */
struct causal_trace window_model(struct window *w, bool cut);
/* The bytes [address, address + size), size <= 8, before the window. False: not known. `initial` tells the initial state. */
bool window_initial(const struct window *w, uint64_t address, uint32_t size,
                    bool (*initial)(void *data, uint64_t address, uint32_t size, uint64_t *value), void *data, uint64_t *value);
/* Of an event of the window, or one that is pending: its position in the model. After window_model(). */
static inline uint32_t window_place(const struct window *w, uint32_t event) { return event - w->from + (uint32_t)w->origins.count; }
static inline uint32_t window_origin(const struct window *w, uint32_t place) {
  return place < w->origins.count ? w->origins.data[place] : place - (uint32_t)w->origins.count + w->from;
}
void window_release(struct window *w);
