/* What workers that explore together have in common, in memory that they share: the closed states with their summaries, and hints about
 * which states others are exploring. Each worker numbers operations and summaries in its own way, so each has a view that translates
 * (struct commons_view).
 *
 * There are no locks: a worker may be killed, or stopped for a while, between any two of its instructions. Instead everything that is read
 * is checked. If two workers write to the same place, or one does not end what it began, the worst that happens is that a state is
 * forgotten, and explored again.
 *
 *   A place of the table has the state's key mixed with where its summary is, and with the present generation: one whose parts come from
 *   several writers fits no key.
 *   A summary, a set of operations, begins with a hash of its content and its generation.
 *   Operations are written before their numbers are, and stay.
 *
 * When there is no room for summaries any more, all states are forgotten: a new generation begins. The table is made larger by the master,
 * whom nobody waits for; what is entered meanwhile goes into both tables. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "happens/racers.h"
#include "states/summary.h"
#include "trace/tset.h"

struct commons;

/* In at most so many bytes. NULL: they cannot be had. */
struct commons *commons_new(size_t bytes);
void commons_free(struct commons *c);
/* Makes the table larger if it is filling. For the master alone, some times a second. */
void commons_tend(struct commons *c);
/* States that are known; that were thrown out, or not entered. */
uint64_t commons_states(const struct commons *c);
uint64_t commons_forgotten(const struct commons *c);

struct commons_view {
  struct commons *commons;
  uint32_t generation;
  VEC(uint32_t) here, there;            /* operations by number: what others call ours, and we theirs, + 1; 0: not known */
  struct hashmap sets_here, sets_there; /* the same of sets */
  uint64_t heard;                       /* accesses that others have said */
  uint32_t first;                       /* those before it are all known */
};

/* Says to all that this access was seen; false: there is no room for more. A worker that finds a state knows, or can hear, what was said
 * before the state was entered. */
[[nodiscard]] bool commons_say(struct commons *c, const struct known_access *x);
/* Enters what others have said since the last call; false: nothing. */
bool commons_hear(struct commons_view *v, struct racers *to);

/* The summary of a closed state, as a set of the worker's own `s`, into which its operations are entered; or NOT_VISITED. */
uint32_t commons_find(struct commons_view *v, struct summaries *s, struct fingerprint key);
/* The state is closed, and `summary`, a set of `s`, is what happens below it. It may be forgotten at once, for lack of room. */
void commons_add(struct commons_view *v, struct summaries *s, struct fingerprint key, uint32_t summary);
/* Forgets what sets are called: `s` is about to be swept. */
void commons_view_sweep(struct commons_view *v);
void commons_view_release(struct commons_view *v);

/* Hints: of states that somebody explores at the moment, which threads are to be explored there, which are done, and which each worker is
 * exploring. Nothing depends on them but who does what. */
#define COMMONS_WORKERS 16u /* those with equal remainders share a place */
struct commons_hint {
  struct tset explore, done;
  uint16_t present[COMMONS_WORKERS]; /* the worker's thread + 1; 0: it is not there */
};
/* Adds to what is said of the state; `worker` explores the thread `present` there, or none: THREADS_MAX. */
void commons_tell(struct commons *c, struct fingerprint key, const struct tset *explore, const struct tset *done, uint32_t worker,
                  uint32_t present);
/* False: nobody has said anything. */
bool commons_ask(const struct commons *c, struct fingerprint key, struct commons_hint *hint);
/* The worker is not there any more. */
void commons_leave(struct commons *c, struct fingerprint key, uint32_t worker);
/* The state is closed. */
void commons_hush(struct commons *c, struct fingerprint key);
