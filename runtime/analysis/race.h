/* Data races, as the analysis of accesses sees them. */
#pragma once
#include "analysis/access.h"
#include "report/origin.h"

/* A call of a method (action.h). */
struct spec_action;
struct race_call {
  const struct spec_action *action; /* NULL: it is none */
  uintptr_t object;
  uint64_t value;
  bool valued;
};

/* Two accesses to a byte that nothing orders. */
struct race {
  uintptr_t address;
  uint32_t mine, theirs; /* places */
  epoch epoch, when;     /* theirs, mine */
  enum site_kind kind;   /* mine */
  const struct thread_info *who, *other;
  struct origin origin;      /* of what is at the address, if that may be gone before it is told */
  bool predicted;            /* this run orders the two, by locks or in one thread; another may not */
  bool tasks;                /* one of the two is a task's, where a thread's tasks are told apart (openmp/actor.h) */
  bool late;                 /* theirs freed the block, and mine comes behind that */
  bool ends;                 /* one of the calls ends what the other one uses */
  struct race_call calls[2]; /* mine, theirs: instead of accesses */
};

/* The race of t's action with an earlier one to that byte. */
struct race race_of(const struct thread *t, uintptr_t address, uint32_t mine, enum site_kind kind, cell theirs, bool wrote, unsigned byte);

/* Reports it, unless these two places were reported before. */
void race_found(struct thread *t, const struct race *r);
/* Races there are what the program wants: they are not reported. */
void races_expected(uintptr_t address, size_t size);
