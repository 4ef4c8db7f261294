/* A tree of executions in depth-first order: which steps lead to the present state, and what is left to take on the way. For strategies
 * that take every step at every state they enter. */
#pragma once
#include "base/vec.h"
#include "strategy/strategy.h"

struct tree_node {
  struct tset left; /* enabled threads not yet begun here */
  uint32_t alternatives, threads;
  uint32_t tried; /* threads begun, the present one included */
};

/* Zeroed is empty, and has not begun. */
struct tree {
  struct schedule path;        /* the present execution's steps; path.steps.data[i] is taken at nodes.data[i] */
  VEC(struct tree_node) nodes; /* nodes.data[i] is the state before path.steps.data[i] */
  struct schedule prefix;      /* borrows path's array */
  bool started, resumed;       /* resumed: the deepest node's state is to be reached again, and its new step to be taken */
};

void tree_clear(struct tree *t);
void tree_release(struct tree *t);
/* Begins where these steps lead, of a tree that is empty: nothing is left to take before that, at as many nodes. */
void tree_begin_at(struct tree *t, const struct step *steps, size_t n);
/* Moves the deepest node on to its next step. False: it has none, and is gone. */
bool tree_turn(struct tree *t);
/* What leads to the deepest node, whose step has been chosen; at the beginning, nothing. */
const struct schedule *tree_prefix(struct tree *t);
/* Makes a node of the present state. It begins with the thread that made the last step, if that can go on: the first executions are the
 * natural ones then. */
struct tree_node *tree_enter(struct tree *t, const struct execution *x);
/* The deepest node's step, in its state. */
struct step tree_take(struct tree *t, const struct execution *x);
double tree_progress(const struct tree *t);
