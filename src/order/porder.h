/* A partial order over chains: what is known so far about which event comes before which.
 *
 * Each event has a row: for each chain, the position (from 1) of the latest event there that is known to come before it or to be it; 0:
 * none. So `a <= b` is one comparison, and rows are always closed: what follows from the edges is known. Adding an edge joins the row of
 * its source into all events that follow its target; rows that change are logged, so that the newest edges can be taken back.
 *
 * 1. row(x)[chain of x] == position of x; along a chain each component only grows.
 * 2. The log keeps for each event the versions of its row, newest first; a version names the edge that made it. That is enough to say
 *    which edges make `a <= b`: the edge that made it known, and what was known before it of `a <= source` and `target <= b`.
 *    Such a path has, of all paths, the earliest latest edge: few literals, of early decisions.
 * 3. Edges are added and taken back as on a stack; events too, but below all edges that touch them. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* A position in a chain. */
typedef int16_t porder_pos;
/* Rows are joined in such pieces; a row's length is a multiple. */
#define PORDER_LANES 8
typedef porder_pos porder_lanes __attribute__((vector_size(2 * PORDER_LANES), may_alias));

#define PORDER_NONE UINT32_MAX

struct porder_event {
  uint32_t next;    /* in its chain, or PORDER_NONE */
  uint32_t version; /* its newest change + 1; 0: the row is as it was at the start */
  uint32_t out;     /* its newest edge + 1; 0: none */
  uint16_t chain;
  porder_pos pos;
};

struct porder_edge {
  uint32_t source, target, next; /* next: the source's edge before + 1 */
  uint32_t label;                /* the caller's */
};

struct porder_change {
  uint32_t event, previous; /* previous: its version before */
  uint32_t edge;
  uint32_t grown; /* chains c whose component grew have the bit c % 16 */
};

typedef VEC(uint32_t) porder_members;

struct porder {
  uint32_t chains, stride; /* stride: lanes of a row, chains rounded up */
  VEC(struct porder_event) events;
  VEC(porder_pos) rows;
  VEC(porder_pos) seen;    /* of each event, for each chain, how many events were added before it, or are it: the row as observed */
  VEC(porder_pos) counts;  /* of each chain */
  porder_members *members; /* of each chain: its events; `members_cap` chains have room */
  uint32_t members_cap;
  VEC(struct porder_edge) edges;
  VEC(struct porder_change) changes;
  VEC(porder_pos) old; /* of each change, the row before */
  VEC(uint32_t) stack;
};

/* A point to come back to. */
struct porder_mark {
  uint32_t edges, changes;
};

void porder_release(struct porder *p);
/* Empty, with that many chains. */
void porder_clear(struct porder *p, uint32_t chains);
/* The next event of `chain`; the events of the other chains are not related to it. Beyond ORDER_CHAIN_MOST events of a chain positions
 * stay the same, and nothing that is said of such events means anything. */
uint32_t porder_event(struct porder *p, uint32_t chain);
/* Takes back the newest events, down to `count` of them. No edge may touch them. */
void porder_forget(struct porder *p, uint32_t count);

static inline porder_pos *porder_row(const struct porder *p, uint32_t e) { return p->rows.data + (size_t)e * p->stride; }

/* a <= b, as far as it is known. */
static inline bool porder_before(const struct porder *p, uint32_t a, uint32_t b) {
  const struct porder_event *e = &p->events.data[a];
  return porder_row(p, b)[e->chain] >= e->pos;
}

/* The lanes of one piece in which `a` is more than `b`, a bit each. */
static inline uint32_t porder_more(const porder_lanes *a, const porder_lanes *b) {
  typedef char bytes __attribute__((vector_size(16)));
  typedef short words __attribute__((vector_size(16)));
  words more = (words)(*a > *b), none = {0};
  return (uint32_t)__builtin_ia32_pmovmskb128((bytes)__builtin_ia32_packsswb128(more, none));
}

/* The event that comes last, by number, of all that `e` must come after and itself. */
static inline uint32_t porder_latest(const struct porder *p, uint32_t e) {
  const porder_pos *row = porder_row(p, e), *seen = p->seen.data + (size_t)e * p->stride;
  uint32_t latest = e;
  for (uint32_t i = 0; i < p->stride; i += PORDER_LANES) {
    uint32_t more = porder_more((const porder_lanes *)(row + i), (const porder_lanes *)(seen + i));
    for (; more; more &= more - 1) {
      uint32_t c = i + (uint32_t)__builtin_ctz(more), other = p->members[c].data[row[c] - 1];
      if (other > latest) latest = other;
    }
  }
  return latest;
}

static inline struct porder_mark porder_mark(const struct porder *p) {
  return (struct porder_mark){(uint32_t)p->edges.count, (uint32_t)p->changes.count};
}

/* Adds source < target, which must neither be known nor contradict what is known. It logs one change for each event whose row grew. */
void porder_add(struct porder *p, uint32_t source, uint32_t target, uint32_t label);
/* Takes back all since `m`, newest first. */
void porder_undo(struct porder *p, struct porder_mark m);
/* Empties the log: all edges so far are for good, and explain nothing. */
void porder_settle(struct porder *p);
/* Calls `take(to, label)` for each logged edge of a path that makes a <= b; b's row must say so. */
void porder_explain(const struct porder *p, uint32_t a, uint32_t b, void (*take)(void *to, uint32_t label), void *to);
