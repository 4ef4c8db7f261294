/* The search behind ORDER_ENGINE: conflict-driven clause learning (Marques-Silva, Sakallah: "GRASP", IEEE Trans. Computers 48(5), 1999;
 * watched literals and VSIDS as in Moskewicz et al.: "Chaff", DAC 2001; the literal block distance of learnt clauses as in Audemard, Simon:
 * "Predicting learnt clauses quality in modern SAT solvers", IJCAI 2009) over a partial order (porder.h). For the files search_*.c and
 * order.c.
 *
 * Literals are given as codes, those of struct order_lit: variable v is 2 * v, its negation 2 * v + 1; variable 0 is the constant true.
 * A variable is the order of two events, or a Boolean. Whatever the partial order knows of a pair that has a variable is on the trail: when
 * a row changes, the variables between its event and the events that it now covers are found in lists (`spans`), one for each event and
 * chain. So `a < b` and `c < d` with b <= c, d <= a exclude each other without a clause, and with them all longer cycles.
 *
 * Two ways to decide:
 * - candidates (search_candidate.c): lay out the events as observed, except where the partial order forbids it, and look at the clauses
 *   that this may break. None broken: that is the answer. Else decide a literal in each broken clause. Costs what differs from
 *   the observed order, not what is there; all that small problems need.
 * - activity (search_decide.c): every variable by VSIDS, once a query had some conflicts.
 *
 * 1. Decision level 0 holds facts. Facts, problem clauses and variables belong to the level of order_push() (`depth` here) at which they
 *    came, and go with it. A learnt clause has a `tag`: the greatest depth of all that it was learnt from.
 * 2. At depth 0 the facts' edges are settled in the partial order; above, an edge made at decision level 0 has the label
 *    LABEL_FACT + depth, any other edge the code of its literal.
 * 3. Clauses are addressed by a reference (search_clause.c); literals 0 and 1 of a clause of two or more are watched. */
#pragma once
#include "base/vec.h"
#include "order/order.h"
#include "order/porder.h"

#define REASON_NONE   0u
#define REASON_THEORY UINT32_MAX
#define REF_LEARNT    0x80000000u
#define REF_BINARY    0x40000000u
#define LABEL_FACT    0x80000000u
#define NO_EVENT      UINT32_MAX

/* What is touched whenever a literal becomes true. */
struct search_var {
  uint32_t a, b;   /* the positive literal says a < b; NO_EVENT: a Boolean */
  uint32_t level;  /* of decision, if assigned */
  uint32_t reason; /* a clause, REASON_*; the depth, if the level is 0 */
};

/* The rest of a variable: what decisions and conflicts need. */
struct search_rank {
  float activity;
  uint32_t heap;  /* place in the heap + 1, or 0 */
  uint32_t depth; /* at which it was made */
  uint32_t mark;  /* the clause, by its stamp, from whose literals it was found not to follow */
  bool phase;     /* to try first: what was observed, or what order_phase() says */
  bool saved;     /* what it was last, when deciding by activity */
  bool seen;      /* by the analysis of a conflict */
};

/* The literal with this code is true once the row of the event that has the list covers position `pos`. Of busy memory a list has
 * thousands of spans, and what became known lies anywhere in it: so some spans are stations, and each names the next one. */
struct search_span {
  uint32_t next;    /* code of the next, with a smaller position, + 1 */
  uint32_t station; /* code of the next station behind it, + 1; 0: none */
  porder_pos pos;
};

struct search_watch {
  uint32_t ref, blocker;
};

typedef VEC(struct search_watch) search_watches;

struct clause {
  uint32_t size; /* of the lits */
  uint32_t tag;
  uint32_t link;    /* problem clauses: the next one with the same support + 1; learnt ones: literal block distance */
  uint32_t support; /* problem clauses: a literal that is true as observed, or NO_SUPPORT; learnt ones: conflicts when last used */
  uint32_t lits[];
};

#define NO_SUPPORT   UINT32_MAX
#define CLAUSE_WORDS 4u

/* What order_push() remembers. */
struct search_level {
  uint32_t events, vars, trail, queue, theory, problem, learnts, units;
  struct porder_mark porder;
};

struct search_unit {
  uint32_t code, tag;
};

/* In a layout: which events wait for an event to be laid out, as a list; the next one in the list that the event itself waits in. */
struct search_wait {
  uint32_t first, last, next; /* first, next: + 1, or 0 */
};

struct search_slot {
  uint32_t a, b, stamp, var;
};

struct search {
  struct porder porder;

  VEC(struct search_var) vars;
  VEC(struct search_rank) ranks; /* by variable */
  VEC(int8_t) values;            /* by code: 1 true, -1 false, 0 open */
  VEC(struct search_span) spans; /* by code */
  VEC(uint32_t) supported;       /* by code: newest problem clause that rests on it + 1 */
  VEC(uint32_t) booleans;        /* the variables that are */
  VEC(uint32_t) heads;           /* by event and chain: the list's first code + 1 */
  VEC(uint32_t) listed;          /* by event: chains c with a list have the bit c % 16 */
  struct search_slot *slots;     /* from pairs to variables */
  uint32_t slots_cap, slots_used, stamp;

  VEC(uint32_t) problem, learnt; /* clauses */
  VEC(uint32_t) learnts;         /* references, oldest first */
  uint32_t learnt_waste;         /* words of removed learnt clauses */
  uint32_t unsupported;          /* newest problem clause that rests on nothing + 1 */
  search_watches *watches;       /* by code; the clauses to look at when it becomes false */
  uint32_t watches_cap;
  VEC(struct search_unit) units; /* learnt */

  VEC(uint32_t) trail; /* codes that are true */
  VEC(uint32_t) marks; /* by decision level: the trail's length before */
  VEC(struct porder_mark) porder_marks;
  uint32_t queue, theory; /* how far clauses and the partial order have seen the trail */
  VEC(struct search_level) levels;
  uint32_t bad;      /* the least depth at which the problem is known to have no answer, + 1; 0: none */
  uint32_t too_long; /* the depth at which a chain got more than ORDER_CHAIN_MOST events, + 1; 0: none */

  VEC(uint32_t) heap;
  double bump;
  bool heap_full; /* it has all open variables */

  VEC(uint32_t) conflict, clause, scratch, stack, clear;
  VEC(uint32_t) stamps; /* by decision level */
  uint32_t stamp_now;
  uint32_t tag; /* of the clause being learnt */

  VEC(uint32_t) place; /* of each event in the candidate */
  VEC(uint32_t) deferred, broken;
  VEC(porder_pos) frontier;
  VEC(struct search_wait) waits;

  VEC(struct order_lit) core;
  const struct order_lit *assumed;
  size_t nassumed;
  enum order_answer answer;
  bool laid_out; /* the answer is in `place` */
  struct order_stats stats;
  uint64_t reduce_at;
};

static inline uint64_t search_effort(const struct search *s) { return s->stats.conflicts + s->stats.work / ORDER_WORK; }
static inline uint32_t search_depth(const struct search *s) { return (uint32_t)s->levels.count; }
static inline uint32_t search_level_now(const struct search *s) { return (uint32_t)s->marks.count; }

static inline struct clause *search_clause(const struct search *s, uint32_t ref) {
  uint32_t at = ref & ~(REF_LEARNT | REF_BINARY);
  return (struct clause *)(void *)((ref & REF_LEARNT ? s->learnt.data : s->problem.data) + at);
}

/* The events that the literal puts in order: *a < *b. False for a Boolean. */
static inline bool search_pair(const struct search *s, uint32_t code, uint32_t *a, uint32_t *b) {
  const struct search_var *v = &s->vars.data[code >> 1];
  if (v->a == NO_EVENT) return false;
  *a = code & 1 ? v->b : v->a;
  *b = code & 1 ? v->a : v->b;
  return true;
}

/* Makes a literal true. It must be open. The trail has room for all variables. */
static inline void search_assign(struct search *s, uint32_t code, uint32_t reason) {
  struct search_var *v = &s->vars.data[code >> 1];
  int8_t *values = s->values.data;
  uint32_t level = search_level_now(s);
  values[code] = 1;
  values[code ^ 1] = -1;
  v->level = level;
  v->reason = level ? reason : search_depth(s);
  s->trail.data[s->trail.count++] = code;
}

/* search.c. These six do what order.h says of their namesakes. */
void search_release(struct search *s);
void search_clear(struct search *s, uint32_t chains);
uint32_t search_event(struct search *s, uint32_t chain);
void search_push(struct search *s);
void search_pop(struct search *s);
enum order_answer search_solve(struct search *s, const struct order_lit *assumptions, size_t n, uint64_t budget);
/* Back to decision level `level`: what was assigned above it is open again. */
void search_cancel(struct search *s, uint32_t level);
/* The problem has no answer at this depth and above. */
void search_set_bad(struct search *s, uint32_t depth);
/* Opens a decision level. */
void search_open(struct search *s);

/* The last span above `pos` in the list that begins with code + 1; 0: there is none. */
static inline uint32_t search_last_above(const struct search_span *spans, uint32_t n, porder_pos pos) {
  if (!n || spans[n - 1].pos <= pos) return 0;
  for (;;) {
    uint32_t station = spans[n - 1].station, next = spans[n - 1].next;
    if (station && spans[station - 1].pos > pos)
      n = station;
    else if (next && spans[next - 1].pos > pos)
      n = next;
    else
      return n;
  }
}

/* search_var.c. The code of `a < b`, a != b; the variable is made if there is none. `decided`: that of a constant if it is known already.
 */
uint32_t search_less(struct search *s, uint32_t a, uint32_t b, bool decided);
/* The code of a fresh Boolean, positive. */
uint32_t search_boolean(struct search *s);
/* The variable of the code is tried so that the code holds, first. */
void search_phase(struct search *s, uint32_t code);
/* Forgets the newest variables, down to `count`. */
void search_forget_vars(struct search *s, uint32_t count);

/* search_clause.c. Adds a problem clause at the present depth: order_clause(). */
void search_add(struct search *s, const struct order_lit *lits, size_t n);
/* Adds the learnt clause s->clause with s->tag; its literal 0 is open, 1 of the greatest level. `distance`: how many decision levels its
 * literals are of. Returns its reference. */
uint32_t search_learn(struct search *s, uint32_t distance);
/* Forgets problem clauses from word `at` of their store on. */
void search_forget_problem(struct search *s, uint32_t at);
/* Forgets learnt clauses, of those from `from` on, whose tag is above `tag`. */
void search_forget_learnt(struct search *s, uint32_t from, uint32_t tag);
/* Throws away the worse half of the learnt clauses. */
void search_reduce(struct search *s);

/* search_propagate.c */
/* All consequences. False: s->conflict holds literals that are all false and cannot be. s->tag: what that used besides. */
bool search_propagate(struct search *s);
/* A fact: a < b. */
void search_edge(struct search *s, uint32_t a, uint32_t b);
/* Puts into s->scratch the literals whose truth made `code` true, each negated; raises s->tag by what it used besides. */
void search_reason(struct search *s, uint32_t code);

/* search_analyze.c */
/* From the conflict to a clause, learnt; goes back and makes its literal true. At decision level 0 the problem is bad. */
bool search_analyze(struct search *s);
/* The assumptions that make the assumption `code` false. */
void search_core(struct search *s, uint32_t code);

/* search_decide.c. VSIDS: a variable took part in a conflict; a conflict has been dealt with, and those before it count for less. */
void search_bump(struct search *s, uint32_t var);
void search_decay(struct search *s);
/* The variable is open, or no more: into the heap of those to decide (not twice), out of it. */
void search_heap_insert(struct search *s, uint32_t var);
void search_heap_remove(struct search *s, uint32_t var);
/* Decides the most active open variable. False: there is none. */
bool search_decide(struct search *s);

/* search_candidate.c */
/* Lays out a candidate. True: it is an answer. Else s->broken has the clauses it breaks. */
bool search_candidate(struct search *s);
/* Does the literal hold in the candidate? */
bool search_holds(const struct search *s, uint32_t code);
/* Decides a literal of a broken clause that is still not satisfied. False: no such clause left. */
bool search_repair(struct search *s);
/* order_linear(). */
void search_linear(struct search *s, uint32_t *out);
