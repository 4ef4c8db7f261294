/* Threads, what they know, and how synchronisation hands that over: the same for all analyses, for one or more orders at once.
 *
 * An order (a *layer*) has a clock for each thread. Hard synchronisation is in all layers: no reordering of the run undoes it.
 *
 *   fork -> the child;  the child's end -> join
 *   a notification -> the end of each wait that had begun
 *   arrivals at a barrier -> departures of the round
 *   posts of a semaphore so far -> a wait for it
 *
 * In layers that reorder the run, also waits for a semaphore so far -> a try of it in vain: all that was posted has been taken.
 *
 * What locks do is the analysis's business (hooks), and so are reads and writes. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"
#include "streaming/clock.h"
#include "streaming/section.h"
#include "trace/event.h"

enum { LAYERS = 3 };

struct thread {
  struct clock *knows[LAYERS];
  struct clock *woken[LAYERS]; /* what notifications have told, since it began to wait */
  uint64_t condition;          /* that it waits for; 0: none */
  uint32_t time;               /* events so far: the present one's index, and 1 */
  VEC(struct held) held;
  uint32_t lockset; /* of `held` (section.h); LOCKSET_UNKNOWN: to be looked up */
};

/* What was handed to a semaphore, to those who try it in vain, or to a barrier's round. */
struct meeting {
  uint64_t round;
  struct clock *told[LAYERS];
};

struct sync;
struct sync_hooks {
  /* `t` takes the lock, or gives it back; e is what does so, a wait perhaps. Before knowledge from a notification is used. */
  void (*acquire)(struct sync *s, uint32_t t, uint64_t lock, bool shared, const struct event *e);
  void (*release)(struct sync *s, uint32_t t, uint64_t lock, bool shared, const struct event *e);
  /* A lock was tried in vain. */
  void (*refused)(struct sync *s, uint32_t t, uint64_t lock, const struct event *e);
};

struct sync {
  struct clocks clocks;
  unsigned layers;
  unsigned strict; /* bit set of the layers in which a thread does not know of its own events by itself */
  unsigned vain;   /* and of those in which who tries a semaphore in vain knows of who has taken its count away */
  const struct sync_hooks *hooks;
  VEC(struct thread) threads; /* by their numbers */
  struct hashmap places;      /* of semaphores and barriers in `meetings` */
  VEC(struct meeting) meetings;
  VEC(uint32_t) waiting; /* threads that wait for a condition */
  struct locks locks;
};

void sync_begin(struct sync *s, unsigned layers, unsigned strict, unsigned vain, const struct sync_hooks *hooks);
void sync_release(struct sync *s);

void sync_threads(struct sync *s, uint32_t number);
/* The thread of that number. Holds until another thread is asked for. */
static inline struct thread *sync_thread(struct sync *s, uint32_t number) {
  if (number >= s->threads.count) sync_threads(s, number);
  return &s->threads.data[number];
}
/* Above this, a trace is damaged. */
enum { THREAD_NUMBERS = 1 << 20 };
/* Neither a branch, nor a call, nor damaged. */
static inline bool sync_knows_of(const struct event *e) { return e->op < EVENT_COUNT && e->thread < THREAD_NUMBERS; }
/* The thread of an event, which it has come to. */
static inline struct thread *sync_step(struct sync *s, const struct event *e) {
  struct thread *t = sync_thread(s, e->thread);
  t->time = e->index + 1;
  return t;
}

static inline bool sync_knows(const struct sync *s, unsigned layer, uint32_t t, uint32_t other, uint32_t time) {
  return other == t || clock_at(s->threads.data[t].knows[layer], other) >= time;
}

/* Everything that is neither an access nor a call. sync_step() was done. */
void sync_event(struct sync *s, const struct event *e);

/* The time that stands for t's own events in that layer. */
static inline uint32_t sync_time(const struct sync *s, unsigned layer, uint32_t t) {
  return s->strict >> layer & 1 ? 0 : s->threads.data[t].time;
}
/* In that layer, t learns of all that anybody has done so far; or everybody does. */
void sync_learn_of_all(struct sync *s, unsigned layer, uint32_t t);
void sync_meet(struct sync *s, unsigned layer);
/* For `taken` (section.h), in that layer: t takes the lock, or has tried in vain. */
static inline void sync_takes(struct sync *s, unsigned layer, uint32_t t, uint32_t lock, bool shared) {
  struct known *k = &s->locks.all.data[lock].taken[layer];
  struct clock *knows = s->threads.data[t].knows[layer];
  if (shared)
    known_add(&s->clocks, k, knows, t, sync_time(s, layer, t));
  else
    known_set(&s->clocks, k, knows, t, sync_time(s, layer, t));
}
static inline void sync_refused(struct sync *s, unsigned layer, uint32_t t, uint32_t lock) {
  clock_learn(&s->clocks, &s->threads.data[t].knows[layer], &s->locks.all.data[lock].taken[layer]);
}
/* The order of a lock's sections as it was in the run. */
void sync_lock_taken(struct sync *s, unsigned layer, uint32_t t, uint32_t lock, bool shared);
void sync_lock_given(struct sync *s, unsigned layer, uint32_t t, uint32_t lock, bool shared, bool mine);

/* What t knows now, in that layer, is added to *to. */
void sync_hand_on(struct sync *s, unsigned layer, uint32_t t, struct clock **to);
static inline void sync_learn(struct sync *s, unsigned layer, uint32_t t, struct clock *from) {
  clock_join(&s->clocks, &s->threads.data[t].knows[layer], from);
}
