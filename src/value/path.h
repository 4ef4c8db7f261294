/* Path conditions: what has to hold of the symbols where a run went this way, a conjunction that grows at its end.
 *
 * 1. A path does not change and is shared by its extensions: an extension is one `struct path` (32 bytes) for each conjunct, however long
 *    the path before it is. NULL is the empty path, which all values satisfy.
 * 2. Paths are counted: path_extend() and path_keep() give a reference that their caller gives back by path_release(). A path holds the
 *    one before it, so what only a longer path needs goes with that one.
 * 3. Conjunctions are split: each node has a condition of one bit that is not a constant, nor a conjunction, nor the inverse of a
 *    disjunction, nor an equation of bytes that were put together. Only a path that was extended by `false` ends with a constant, 0, and
 * never grows again.
 * 4. A path belongs to the pool of its conditions. What a solver found out of it (`known`, `reduced`) is kept in it and is the same for
 *    each solver; so paths of one pool are for one thread at a time, as the pool is.                                                   */
#pragma once
#include "value/expr.h"

/* What is known of a path as a whole. */
enum path_known { PATH_UNASKED, PATH_POSSIBLE, PATH_IMPOSSIBLE };

/* Callers read `before`, `condition`, `length` and `known`; the rest is src/value's. */
struct path {
  struct path *before;   /* held; NULL: this is the first condition */
  struct expr condition; /* as it was added */
  struct expr reduced;   /* the same with the constants that the path before says that symbols are; PATH_NOT_REDUCED: not made so far */
  uint32_t length;       /* nodes from the first to this one */
  uint32_t references;
  enum path_known known; /* PATH_IMPOSSIBLE: no values satisfy it; PATH_POSSIBLE: some do */
  struct expr fixed;     /* `reduced` says that a symbol is a constant: that symbol's expression; else PATH_NOT_REDUCED */
};
#define PATH_NOT_REDUCED ((struct expr){UINT32_MAX})

/* `before` (still its owner's) and `condition`, one bit wide. Returns a reference: to `before` itself where the condition is `true` or
 * `before` is impossible at its end already. A condition that simplifies to `false` makes the path impossible at once. */
[[nodiscard]] struct path *path_extend(struct value_pool *p, struct path *before, struct expr condition);
/* One more reference; NULL gives NULL. */
[[nodiscard]] struct path *path_keep(struct path *path);
void path_release(struct path *path);

static inline uint32_t path_length(const struct path *path) { return path ? path->length : 0; }
static inline bool path_is_impossible(const struct path *path) { return path && path->known == PATH_IMPOSSIBLE; }
