/* The strategy's rooms: unfolding.c grows the tree, excluded.c says what need not be taken, extension.c which alternatives there are,
 * order.c which of them comes next. */
#pragma once
#include "base/deadline.h"
#include "happens/history.h"
#include "happens/section.h"
#include "states/visited.h"
#include "strategy/strategy.h"
#include "strategy/unfolding/cutoff.h"
#include "strategy/unfolding/sequence.h"

/* An event that is excluded, as all configurations with it have been explored, and that could be taken here: nothing that depends on it has
 * been since. Or one that is a cutoff: configurations with it need not be explored, but those that could be given it must. */
struct disabled {
  uint32_t thread, choice;
  uint32_t alternatives;  /* that its thread's step has */
  uint32_t event, events; /* in disabled_events */
  bool ends;              /* it ended the execution for everybody, so everything depends on it */
  bool cutoff;
};

/* What was begun at a node and is left for later, when alternatives are not taken depth-first: its step there, and the nodes below. */
struct branch {
  struct step step;
  uint32_t alternatives; /* the node's, for the step */
  VEC(struct node) nodes;
  VEC(struct step) steps;        /* of those nodes */
  VEC(struct disabled) disabled; /* theirs; as in the strategy, counted from the branch's beginning */
  VEC(struct event) events;
  uint64_t pending;    /* alternatives that are not taken yet, in all */
  uint32_t shallowest; /* and how deep the first of them lies */
};

struct node {
  struct tset enabled;
  struct tset chosen;    /* threads whose other choices are among `todo`, or were */
  uint32_t alternatives; /* of the present step's thread; 0: not known yet */
  uint32_t first_disabled, disabled, first_event;
  bool explored;             /* a step that is no cutoff was taken, and all behind it */
  bool ended;                /* the present step, or a later one of the section that it begins, ended an execution for everybody */
  bool excluded;             /* the present step is among what is excluded: it was left for later, or is done */
  struct sequence rest;      /* to be taken behind the present step */
  VEC(struct sequence) todo; /* alternatives to the present step */
  VEC(struct branch) branches;
};

/* Steps whose order is to be reversed. */
struct race {
  uint32_t earlier, later;
  uint32_t since; /* history.since of the later one */
  bool ends;      /* it ended the execution for everybody */
};

struct strategy {
  struct history history;
  struct sections sections;      /* kept over restarts */
  struct schedule path, prefix;  /* prefix borrows path's array */
  VEC(struct node) nodes;        /* nodes.data[i] is the state before path.steps.data[i] */
  VEC(struct disabled) disabled; /* those of a node lie behind those of the nodes below it */
  VEC(struct event) disabled_events;
  VEC(struct fingerprint) names; /* by step of the history: canonical names, which are made of what is done and the causes' names */
  struct visited events;         /* the names of all events */
  VEC(struct race) races;        /* of the steps that are new in the present execution */
  uint32_t known;                /* so many steps of it were looked at before: they are those of an earlier one */
  bool complete;                 /* it went on until nothing was left to do */
  bool started, resumed;
  struct cutoffs cutoffs;
  bool cut_off;     /* the present execution's last step is a cutoff */
  bool leaf;        /* the present execution has come to where all that could be taken is excluded or a cutoff, and some is one; its node is
                       there */
  bool ready;       /* a cutoff has ended the last execution, and the next one goes on with something else in its place */
  bool lost;        /* the machine does not stand where the execution is */
  bool careful;     /* a step may end an execution for others, and so depend on everything, or go another way than it was seen to: it is not
                       known what it commutes with before it is taken */
  bool learnt;      /* since the last restart */
  bool livelocks;   /* are looked for */
  bool interrupted; /* threads may interrupt each other: see unfolding_limit() */
  enum unfolding_order order; /* unfolding_ended() may change it */
  uint64_t seed, random;
  uint64_t extensions, alternatives, repeated;
};

/* --- unfolding.c --- */

void unfolding_pop_node(struct strategy *s);
/* Gives the deepest node this one of its alternatives as its next step. False: it is repeated, and dropped. */
bool unfolding_take(struct strategy *s, size_t i);

/* --- order.c --- */

/* With its branches. */
void unfolding_release_node(struct node *n);
/* Takes an alternative somewhere in the tree; false: there is none left. */
bool unfolding_choose(struct strategy *s);
/* The deepest node has nothing to take: it goes, unless branches are left at it. */
void unfolding_drop_node(struct strategy *s);
/* The present execution ended for everybody within a section that began at this node. */
void unfolding_ended(struct strategy *s, uint32_t node);

/* --- excluded.c --- */

const struct event *unfolding_excluded_events(const struct strategy *s, const struct disabled *d);
bool unfolding_is_excluded(const struct strategy *s, const struct node *n, uint32_t thread, uint32_t choice);
bool unfolding_fully_excluded(const struct strategy *s, const struct node *n, uint32_t thread);
/* A new node excludes what the one before it does, but for what the step between them is in conflict with. */
void unfolding_inherit_excluded(struct strategy *s, struct node *n, const struct event *events, uint32_t count);
/* All configurations with the deepest node's event have been explored, or will be from a branch; or it is a cutoff. */
void unfolding_exclude_present(struct strategy *s, bool cutoff);
/* The same of the event of another node of the path, for that node's copy, whose events come behind `first`. */
struct disabled unfolding_excluded(const struct strategy *s, uint32_t node, uint32_t first, bool cutoff);
/* Does every configuration that the sequence leads to have an event in it, or can it be given one, that is excluded at the node? */
bool unfolding_is_repeated(const struct strategy *s, const struct node *n, const struct sequence *q);
/* Nothing but cutoffs is left at the deepest node. */
bool unfolding_only_cutoffs(const struct strategy *s);
/* Is a cutoff among what is excluded at the deepest node? */
bool unfolding_has_cutoffs(const struct strategy *s);
/* From now on, the whole of an alternative is not known before it is taken: see `careful`. */
void unfolding_be_careful(struct strategy *s);

/* --- extension.c --- */

/* Enters the steps behind the known part of the execution and notes their races. */
void unfolding_enter_new_steps(struct strategy *s, const struct execution *x, bool cut);
/* Once all of the execution is known. */
void unfolding_reverse_races(struct strategy *s);
/* What threads that are blocked at the end are about to do. */
void unfolding_reverse_blocked(struct strategy *s, const struct execution *x, const struct tset *blocked);
/* The cutoffs at the end of the execution, whose last node has them: what they could have come before. */
void unfolding_reverse_cutoffs(struct strategy *s);
/* Drops the noted races of the last step, after looking at them if that is wanted. */
void unfolding_settle_last_races(struct strategy *s, bool look);
/* The last step ended the execution for everybody: sees to what the others could have done instead of the step at `node`. */
void unfolding_go_on_without(struct strategy *s, uint32_t node);
