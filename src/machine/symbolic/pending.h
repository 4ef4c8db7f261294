/* Inputs that no exploration has covered, as a tree: where an exploration was decided by a condition, inputs with its inverse are pending.
 *
 * With x < 10 and then x == 3 decided, what is pending is (x >= 10) and (x < 10 and x != 3). Each of them is a path and a condition, no two
 * have an input in common, and together with the covered inputs they are all inputs. So the next input is a question about one of them; if
 * it has none, it is gone for good.
 *
 * Rule: an exploration with an input of the pending P, with conditions c1, c2, .., covers "P and c1 and c2 ..", and leaves pending
 * "P and not c1", "P and c1 and not c2", .., but for conditions that are P's own. It does not matter in which order explorations come to
 * their conditions, and so not that they come to the same ones. A pending costs 32 bytes, and 48 each condition of paths, which it shares.
 *
 * Which one is next: one whose branch was not seen to go that way, the oldest of them. Else those with fewer than 2, 4, 8, .. conditions
 * have the same share of the work, which is the number of conditions that explorations come to; of these, by turns, the youngest, which
 * needs the least of the solver, and any. So `while (i < n)` is tried with small n soon, however long large ones take. When there are very
 * many, always one of those with the most conditions: there are fewer behind it. */
#pragma once
#include "base/wire.h"
#include "value/solver.h"

struct pending {
  struct path *before;   /* held */
  struct expr condition; /* is to hold as well; one bit */
  uint64_t way;          /* where that was decided, and how it would be (pending_way()); 0: nowhere in particular */
  uint64_t tag;          /* the caller's */
};

/* A condition of an exploration, which was true. */
struct decision {
  struct expr condition;
  uint64_t way, other; /* that it went, and that it would have gone; 0: none */
  bool told;           /* the log of a run says it (apart.c) */
};

struct pending_share {
  VEC(struct pending) all;
  uint64_t work; /* that they took; or what the one with the least had taken when this one came to have any */
};

enum { PENDING_SHARES = 33 };

struct pending_inputs {
  VEC(struct pending) fresh; /* their way was not seen when they came here; from `first` on */
  size_t first;
  struct pending_share shares[PENDING_SHARES]; /* the others: at i those with fewer than 2^i conditions before */
  size_t count;                                /* of all of them */
  VEC(struct pending) hard;                    /* the solver could not tell, in the usual limit of work */
  struct hashmap seen;                         /* ways */
  struct path *within;                         /* held: the one whose input is explored */
  uint64_t tag;                                /* and its tag */
  uint64_t turn;                               /* how many were taken from shares */
  uint64_t found, nanoseconds;                 /* inputs; CPU time of questions */
  bool patient;                                /* all others are gone: those get more work */
  bool puts_off;                               /* somebody else has others: `hard` is left as it is */
  bool unknown;                                /* there were some of which the solver could not tell all the same */
  bool late;                                   /* the last of `hard` is there since there was no more time, not for its limit of work */
};

/* A way that the branch at `place` may go: true or false, or to one of several. Never 0. */
static inline uint64_t pending_way(const void *place, uint64_t which) { return place ? hash_pair((uintptr_t)place, which) | 1 : 0; }

/* What was pending as `within` was explored, with these decisions in their order. */
void pending_explored(struct pending_inputs *t, struct value_pool *p, const struct decision *decisions, size_t count);
/* The same of a path alone, of whose decisions the first `from` are known already. False: none of the others leaves anything pending. */
bool pending_decided(struct pending_inputs *t, struct value_pool *p, const struct decision *decisions, size_t from, size_t count,
                     uint64_t tag);
/* Finds an input of one of them, which `model` becomes; it is `within` from now on. VALUE_NO: there is none. VALUE_UNKNOWN: nor is there,
 * as far as the solver can tell, or in the time that there is (base/deadline.h). `model`: the last one. */
enum value_answer pending_next(struct pending_inputs *t, struct value_pool *p, struct value_solver *s, struct value_model *model);
/* Has the solver left some undecided that it had a limit of work for? */
bool pending_unsolved(const struct pending_inputs *t);
/* All inputs are uncovered again. */
void pending_clear(struct pending_inputs *t);
/* They are others' business now. */
void pending_drop(struct pending_inputs *t);
/* How many there are. */
size_t pending_count(const struct pending_inputs *t);

/* pending_wire.c: some of them for another process, or another day. What is read has the same inputs; it belongs to a pool of its own. */

/* All of them; and `within`, if `present`, as if it were pending: it was not explored to the end. */
void pending_write(const struct pending_inputs *t, struct value_pool *p, bool present, struct text *out);
/* About half of them, of each kind, which are others' business from now on. */
void pending_give(struct pending_inputs *t, struct value_pool *p, struct text *out);
/* What either has written is added. False: these bytes are none of it, and some of them were added. */
[[nodiscard]] bool pending_read(struct pending_inputs *t, struct value_pool *p, struct wire *from);
/* `within` alone, and its input; and that it is explored from now on. pending_read() takes what is written as a pending one. */
void pending_write_present(const struct pending_inputs *t, struct value_pool *p, const struct value_model *model, struct text *out);
[[nodiscard]] bool pending_read_present(struct pending_inputs *t, struct value_pool *p, struct value_model *model, struct wire *from);
/* Used by it: adds one, whose path becomes theirs. */
void pending_add(struct pending_inputs *t, struct pending one);
void pending_release(struct pending_inputs *t);
