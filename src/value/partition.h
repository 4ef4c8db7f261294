/* The conditions of one path at a time, parted into groups that share no symbols. Only for src/value.
 *
 * Union-find over symbols by size without path compression, so that each union can be taken back: going from one path to another goes back
 * to where they part and forth from there. The conditions of a group are a ring, and two rings are joined, or parted again, by exchanging
 * two `next`. A condition is kept with the constants in place of the symbols that the path before it says are constants; so a symbol that
 * is fixed joins nothing that comes later. */
#pragma once
#include "value/conjuncts.h"
#include "value/eval.h"
#include "value/path.h"

#define PART_NONE UINT32_MAX

struct part_symbol {
  uint32_t parent; /* itself: it stands for its group */
  uint32_t size;   /* of such a one: symbols */
  uint32_t ring;   /* of such a one: some condition of the group, or PART_NONE */
  uint32_t fixed;  /* id of its constant, or PART_NONE */
  uint64_t round;  /* when a search was here last */
};

struct part_condition {
  struct path *path;
  uint32_t next;  /* of its ring: depth */
  size_t changes; /* how many there were before it */
};

struct part_change {
  enum { CHANGE_UNION, CHANGE_RING, CHANGE_FIXED } kind;
  uint32_t at, ring; /* the symbol; what the other's, or its, ring was */
};

struct partition {
  struct value_pool *pool;
  VEC(struct part_condition) conditions; /* by depth; the last path is held */
  VEC(struct part_symbol) symbols;
  VEC(struct part_change) changes;
  VEC(struct path *) way; /* scratch */
  struct substituter with_constants;
  bool changed; /* which symbols are constants, since that began */
  uint64_t round;
};

/* Zeroed but for `pool` is the empty path's. */
void partition_move(struct partition *t, struct path *path);
/* The expression with the path's constants in it. */
struct expr partition_reduce(struct partition *t, struct expr e);
/* Begins a search: each group is found once until the next one. */
void partition_search(struct partition *t);
/* Adds the conditions of all groups that have a symbol of `set` and were not found so far to `out`. */
void partition_collect(struct partition *t, struct symbol_set set, struct conjuncts *out);
void partition_release(struct partition *t);
