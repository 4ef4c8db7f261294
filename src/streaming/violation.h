/* edc: order violations (OVPredict, section 3.3; docs/native.md). Two operations that some schedule has in the other, wrong order:
 *
 *   use-free, double free   a free that does not come behind an earlier use, or free
 *   lost notification       a notification that does not come behind the wait that it ended
 *
 * If no lock excludes the two, that is all. If locks do, the sections may still change places as a whole, unless something behind the pair
 * orders them: so the pair is a candidate until the second thread has given back the last of these locks.
 *
 * A lost notification is told if the waiting thread then went on without waiting again, no later notification came that cannot be too
 * early, nor a second one by the same thread, and the wait had no time limit. */
#pragma once
#include "streaming/types.h"

enum { CANDIDATE_LOCKS = 8 };

struct candidate {
  struct told told;
  struct event second;
  uint32_t locks[CANDIDATE_LOCKS], nlocks; /* whose sections have not ended yet */
  bool notified;                           /* told.object: the condition; told.thread waits */
};

/* The last wait of a thread for a condition. */
struct wait {
  uint64_t condition;
  uint32_t thread, time, site;
  uint32_t mutex;
  VEC(uint32_t) held; /* exclusively, the mutex among them */
  bool went_on, safe; /* safe: a notification came that cannot come before it */
  bool lost;          /* `by` might come before it */
  struct event by;
};

struct early {
  struct told told;
  struct event by;
};

struct violations {
  VEC(struct candidate) candidates; /* of all threads: those that are in sections */
  VEC(struct wait) waits;
  VEC(struct early) early; /* of waits that are over, unless the condition is notified again */
  uint64_t dropped;
};

/* The event frees what the cell's thread has used, without order. */
void violations_end(struct violations *v, struct streaming *s, struct sync *sync, const struct cell *c, const struct event *e);
/* Thread t is about to give back a lock, at e. */
void violations_section(struct violations *v, struct streaming *s, struct sync *sync, uint32_t t, uint32_t lock, const struct event *e);
/* Any event, before what it synchronises. */
void violations_event(struct violations *v, struct sync *sync, const struct event *e);
void violations_finish(struct violations *v, struct streaming *s);
void violations_release(struct violations *v);
