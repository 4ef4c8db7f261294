/* What the operations of a scenario return when they run one after the other, in every order that keeps each thread's own.
 *
 * A graph: a node stands for all that is left to happen behind some operations. It has an edge for each thread that has operations left:
 * the result of its next one, and the node behind that. An operation that blocks for ever there has no edge. Nodes from which the same can
 * be seen, whatever is done, are one node: operations have then left the object in states that nobody can tell apart. So the graph is
 * small, and its nodes are numbers that mean the same in every process that made it in the same way. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "objects/scenario.h"

enum { SEQUENTIAL_NONE = UINT32_MAX };

struct sequential_node {
  uint8_t done[SCENARIO_THREADS];  /* operations of each thread that have taken effect */
  uint32_t next[SCENARIO_THREADS]; /* behind its next one; SEQUENTIAL_NONE: there is none, or it blocks */
  uint64_t result[SCENARIO_THREADS];
  bool has_state; /* all are done, and the object says what state that is */
  uint64_t state;
};

/* Zeroed is empty. */
struct sequential {
  VEC(struct sequential_node) nodes;
  struct hashmap known; /* hash of a node -> its number */
  uint32_t root;
};

/* A node of which all next ones have been added. Those of threads that have no next one are ignored. */
uint32_t sequential_add(struct sequential *s, const struct sequential_node *node);
void sequential_release(struct sequential *s);
