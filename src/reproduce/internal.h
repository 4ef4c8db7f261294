/* The parts of a formula (formula.h), for the files of this folder.
 *
 *   formula.c   events, and what must come before what; the whole, and the plan
 *   locks.c     sections of locks; waits, semaphores and barriers
 *   reads.c     which writes each read may find
 *   fewer.c     what makes the problem smaller before it is asked
 *   values.c    what the engine's order makes of values, and what it is told of them
 *   script.c    the whole for other solvers */
#pragma once
#include "base/hash.h"
#include "order/order.h"
#include "reproduce/formula.h"
#include "value/circuit.h"
#include "value/eval.h"

#define NOBODY       UINT32_MAX
#define CLAUSES_MOST ((uint64_t)20 << 20)
#define GATES_MOST   ((size_t)4 << 20)

/* What an event of `apart` is in the problem of order: numbers of its nodes. */
struct place {
  uint32_t step;                  /* on its thread's chain */
  uint32_t visible;               /* where it is seen: its flush, or `step` */
  uint32_t own;                   /* of a read: the thread's last write there before it, as an event; NOBODY */
  uint32_t next;                  /* of a write: the thread's next one there; NOBODY */
  uint32_t until;                 /* of a read: the last step of those that find the same (fewer_reads()) */
  uint32_t first_source, sources; /* of a read; */
  uint32_t settled;               /* of one that can find one thing only: the write; NOBODY: what was there at first */
  uint32_t found;                 /* that which it finds in the present solution */
};

/* Memory that threads use, always by accesses of this address and size. */
struct location {
  uint64_t object, size;
  VEC(uint32_t) writes; /* events */
  VEC(uint32_t) reads;
};

/* A read may find what `write` wrote; NOBODY: what was there at first. */
struct source {
  uint32_t write;
  struct order_lit is;
  uint32_t number; /* of `is`: the so many'th Boolean */
  bool valued;     /* the values have been said to be equal */
};

/* A section of a lock. */
struct section {
  uint64_t lock;
  uint32_t thread, from, to; /* events; `to` NOBODY: it is not left */
  bool shared;
};

/* Events or nodes. */
struct event_list {
  VEC(uint32_t) of;
};

/* How it is asked. */
struct formula_way {
  bool fewer;       /* a smaller problem, which may lack solutions (fewer.c) */
  bool any_address; /* without what was assumed of addresses: its solutions say what else to assume */
  bool as_is;       /* nothing of it is solved while it is made */
};

struct formula {
  const struct apart *a;
  enum machine_memory memory;
  struct formula_way way;
  struct value_pool *pool;
  struct order *o;
  struct circuit *circuit;
  uint32_t nodes, failure, booleans;
  VEC(struct place) places; /* by event */
  VEC(struct location) locations;
  struct hashmap location_of; /* address -> index + 1 */
  VEC(struct source) sources;
  VEC(struct expr) conditions;
  VEC(struct expr) read;    /* by event: the symbol of what it found; NO_EXPR */
  VEC(struct expr) written; /* by event */
  VEC(struct expr) becomes; /* by event: what its symbol is known to be; NO_EXPR */
  VEC(uint32_t) leader;     /* by event: the read that finds the same; NOBODY */
  VEC(struct substitution) substitutions;
  struct hashmap in_writes;          /* symbols in what is written -> 1 */
  struct hashmap conditions_known;   /* ids -> 1 */
  VEC(uint32_t) first_due, next_due; /* conditions by the last read that they are about: index + 1; by condition */
  VEC(struct section) sections;
  struct hashmap chain_at;
  uint32_t nchains;
  struct event_list last_flush[THREADS_MAX]; /* flushes that the thread's next step that drains waits for: the last of each chain */
  struct event_list flushes[THREADS_MAX];    /* since the thread's last step that drains */
  struct hashmap reader;                     /* symbol -> event that read it */
  struct hashmap alone;                      /* symbol -> list of conditions of it alone, as indices of `conditions` + 1 */
  VEC(uint32_t) next_alone;                  /* by condition */
  VEC(bool) said;                            /* by condition: it is part of the problem */
  VEC(struct order_lit) clause;
  VEC(uint32_t) sequence;   /* nodes in order */
  VEC(uint32_t) node_event; /* by node: event * 2, + 1: its flush; NOBODY */
  struct value_model values;
  struct evaluator evaluator;
  VEC(uint32_t) unfit;   /* reads that find larger numbers than their symbols have room for */
  struct hashmap needed; /* symbols to be given bits -> 1 */
  VEC(uint32_t) waiting;
  struct formula_counts *counts;
  struct diag *d;
};

enum err formula_cannot(struct formula *f, const struct apart_event *e, const char *why);

static inline const struct apart_event *event_at(const struct formula *f, uint32_t i) { return &f->a->events.data[i]; }

/* A clause: its literals one by one, and then its end. */
static inline void clause_add(struct formula *f, struct order_lit l) { *vec_push(&f->clause) = l; }
static inline void clause_end(struct formula *f) {
  order_clause(f->o, f->clause.data, f->clause.count);
  f->counts->clauses++;
  f->counts->literals += f->clause.count;
  vec_clear(&f->clause);
}

static inline struct order_lit add_boolean(struct formula *f) {
  f->booleans++;
  return order_var(f->o);
}

/* What is done with a formula that has been made. */
typedef enum err formula_use(struct formula *f, void *data);
/* `record`: where the problem of order is written down; or NULL. */
[[nodiscard]] enum err formula_make(const struct apart *a, enum machine_memory memory, enum order_kind solver, struct formula_way way,
                                    struct order_record *record, formula_use *use, void *data, struct formula_counts *counts,
                                    struct diag *d);

/* locks.c */
[[nodiscard]] enum err locks_add(struct formula *f);

/* reads.c. Which accesses there are to each location, and the thread's own write before each read. */
[[nodiscard]] enum err reads_locate(struct formula *f);
/* What each read can find, by what is known so far; reads with a leader have no sources of their own. */
[[nodiscard]] enum err reads_find_sources(struct formula *f);
/* The same as clauses. */
[[nodiscard]] enum err reads_add(struct formula *f);
static inline struct source *source_at(struct formula *f, uint32_t read, uint32_t i) {
  return &f->sources.data[f->places.data[read].first_source + i];
}
static inline bool has_leader(const struct formula *f, uint32_t read) { return f->leader.data[read] != NOBODY; }
static inline uint32_t reader_of(const struct formula *f, struct symbol s) { return (uint32_t)*hashmap_find(&f->reader, s.id); }

/* fewer.c. Symbols that can have one value only are replaced by it. */
[[nodiscard]] enum err fewer_settle(struct formula *f);
/* Before and behind that: what makes a smaller problem, whose solutions are solutions, though there may be others. */
void fewer_bits(struct formula *f);
void fewer_reads(struct formula *f);
/* The read's symbol is a new one. */
void fewer_note_symbol(struct formula *f, uint32_t read);

/* values.c. The engine has an answer: what it makes of values. `*hold`: all conditions do; else the problem has become larger. */
[[nodiscard]] enum err values_check(struct formula *f, bool *hold);
