/* Which threads can still make a *new* race with a given access? Kept are the accesses that an exploration has seen to granules that may
 * race, and the pairs of sites whose race it has seen.
 *
 * This is for explorations that close states. When a state is closed, all accesses below it were seen. So an earlier access matters to
 * the state's key only if a thread was seen to make a conflicting one, and their race is not known yet. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "trace/event.h"
#include "trace/tset.h"

struct known_access {
  uint64_t granule, what; /* what: hash of all that tells it from others */
  uint32_t thread, site;
  uint32_t event; /* buffered: the store's, among its thread's */
  uint8_t mask;
  bool write, atomic, buffered;
};

static inline bool accesses_conflict(const struct known_access *x, const struct known_access *y) {
  return (x->mask & y->mask) && (x->write || y->write) && !(x->atomic && y->atomic);
}

/* Accesses to one granule that differ in their threads alone. */
struct racer {
  struct known_access access;
  struct tset threads;
  uint32_t next; /* of its granule, + 1 */
};

/* Zeroed is ready for use. */
struct racers {
  VEC(struct racer) seen;
  struct hashmap ids, heads;      /* indices into `seen`: by access; + 1, of a granule's first */
  struct hashmap pairs;           /* of sites whose race was seen */
  uint32_t version;               /* grows with everything new */
  VEC(struct known_access) fresh; /* new ones in `seen`, for the owner to clear */
};

void racers_see(struct racers *r, const struct known_access *x);
/* Two accesses have raced. True if no race of their sites was seen before; it counts as seen from now on if `certain`. */
bool racers_meet(struct racers *r, const struct known_access *x, const struct known_access *y, bool certain);
/* The threads seen to make an access that can race with `x`, in a pair that was not seen. */
struct tset racers_against(const struct racers *r, const struct known_access *x);
/* Makes all pairs unseen. */
void racers_forget_pairs(struct racers *r);
void racers_release(struct racers *r);
