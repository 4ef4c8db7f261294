/* What the files of src/causal share. Events are positions in the trace; places are events of the order problem. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"
#include "causal/causal.h"
#include "order/order.h"
#include "trace/tset.h"

#define NONE UINT32_MAX

/* What is known of each event of the trace. */
struct info {
  uint32_t place;        /* in the order: of the step, or of the flush of a buffered store */
  uint32_t before;       /* place of what the step comes after: the thread's last step that is no buffered store, its fork, or the start */
  uint32_t previous;     /* the thread's event before this one, or NONE */
  uint32_t next;         /* the one behind it, or NONE */
  uint32_t head;         /* first event of its step */
  uint32_t location;     /* of an access, or NONE */
  uint32_t chain;        /* of a buffered store under PSO */
  uint16_t slot;         /* its thread */
  bool buffered;         /* a store whose flush has a place of its own; not one of the prefix that was flushed there */
  struct order_lit keep; /* the event's result is as it was; of reads, if there are needs */
  struct order_lit past; /* recorded runs: of it and of all earlier reads of its thread */
};

struct thread {
  uint32_t tid, first, last; /* events; NONE */
  uint32_t fork, end;        /* the events that start and end it, or NONE */
  uint32_t place;            /* its last step that is no buffered store, or its fork, or the start */
  bool placed;               /* a step on its chain */
  uint32_t stores;           /* first of its flushes in `pending` that no fence came behind, or NONE */
  uint32_t issue;            /* while a witness is written: the first event that is not in it yet, or NONE */
  uint64_t waits_at;         /* while it is followed: condition variable, or 0 */
  bool signalled;
};

/* A flush that the thread's next fence has to wait for. */
struct pending {
  uint32_t place, next;
};

/* (object, size) of accesses and of operations. */
struct location {
  uint64_t object, size;
  uint32_t uses;        /* accesses */
  uint32_t cell, cells; /* what it is made of, if it has uses */
  uint32_t component;   /* set of locations that overlap */
  bool operated;        /* as a synchronisation object */
};

/* Locations that overlap, transitively. */
struct component {
  bool accessed, operated, frozen;
};

/* Bytes that every access touches together or not at all. */
struct cell {
  uint64_t address, size, initial;
  uint32_t first, count; /* entries, in the trace's order */
  uint32_t component;
  bool known; /* `initial`: before all entries, that is, behind the prefix */
  bool freed; /* in the prefix */
};

/* What a step does to a cell; one entry for each step and cell. */
struct entry {
  uint32_t event; /* the first that reads, or else that writes */
  uint32_t place;
  uint16_t slot;
  bool reads, writes, vague;      /* vague: what it leaves there is not known */
  bool watches;                   /* AWAIT: reads something else than `value` */
  bool odd;                       /* reads what no event of the trace has left there */
  bool blank_read, blank_written; /* the trace does not say the value (recorded runs): memory_reveal() finds one */
  uint64_t value, written;
};

enum object_kind { OBJECT_UNKNOWN, OBJECT_LOCK, OBJECT_CONDITION, OBJECT_SEMAPHORE, OBJECT_BARRIER };

/* A synchronisation object: its operations, and those parts of them that its kind has. */
struct object {
  uint64_t address;
  uint8_t kind;
  bool frozen;          /* its operations keep the trace's order */
  uint32_t first, last; /* operations */
  uint32_t part, parts; /* sections, waits */
  uint32_t pair, pairs; /* pairings */
  uint32_t count;       /* semaphore: before the first operation; barrier: threads of a round, or 0 */
};

struct operation {
  uint32_t event, next;
};

/* A lock is held from one event to another one. */
struct section {
  uint32_t acquire, release; /* events; release may be NONE */
  uint32_t depth;            /* while it is open: how often it is held */
  uint16_t slot;
  bool shared;
};

/* A wait at a condition variable. */
struct wait {
  uint32_t enter, leave; /* leave may be NONE */
  uint16_t slot;
  bool expired, woken;       /* left without a signal; signalled in the trace */
  bool settled;              /* signalled or left in the prefix */
  struct order_lit woken_by; /* one of the pairings found so far wakes it */
};

/* `holds`: signal `from` wakes the wait `to` (an index); or the wait `to` (an event) takes what `from` (an event, or NONE: the semaphore's
 * initial count) posted. */
struct pairing {
  uint32_t from, to;
  struct order_lit holds;
};

/* What quick.c knows of a cell: its last write (an index into c->writes), and the last free. `odd`: not all that happened is known. */
struct quick_cell {
  uint32_t last, freed;
  bool odd;
};
struct quick_write {
  uint32_t event, before; /* the write before it; NONE */
  bool vague;
  uint64_t value;
};

struct pair {
  uint32_t before, after;
};

/* Of a thread's operations of a semaphore (tally.c): what those up to `event` come to, which may come behind the place where they are
 * counted, as the next one may come before it; NONE: it cannot, or there is none. */
struct moment {
  int64_t sum;
  uint32_t event, next;
};

/* A read's value of one cell, and the writes that it may be from: `sources` of them. */
struct origin_value {
  uint32_t event, source, sources;
};

/* What origin.c works with. Rows have a number for each thread: up to which of its events behind the prefix. */
struct origins {
  VEC(uint32_t) ordinals;           /* of each event behind the prefix: the how manieth it is of its thread, from 1 on */
  VEC(uint32_t) starts, members;    /* of each thread, where its events begin in `members` */
  VEC(uint32_t) sources;            /* events */
  VEC(struct origin_value) values;  /* in the order of their events */
  VEC(uint32_t) rows, pasts, reads; /* of each event: its origins; those of the values of reads that it need not need; of its own value */
  uint32_t row[THREADS_MAX], past[THREADS_MAX], common[THREADS_MAX];
};

struct causal {
  struct causal_options options;
  struct order *order;
  const struct event *trace;
  const struct causal_needs *needs;
  uint32_t n, prefix, all; /* events executed; fixed; with those that were pending */
  bool cut;                /* nothing comes behind the step of the last event */
  const bool *kept;        /* events in every witness; or NULL */
  const struct causal_flush *flushes;
  uint32_t flush_count;
  const char *limit;
  bool approximate;       /* something is left out that `exact` does not guard: no means unknown */
  bool guarded;           /* `exact` is in use */
  bool gave_up;           /* the last question's budget was spent */
  struct order_lit exact; /* assumed in every question: what is not modelled keeps its order */
  uint32_t start, end;    /* places: of all of the prefix; of the end */
  uint32_t here;          /* where the read that a question is about happens: the end, or a place before it */
  uint32_t chains;
  uint16_t slot_of[THREADS_MAX]; /* tid to slot + 1 */
  uint32_t fork_of[THREADS_MAX]; /* tid to the event that forked it */
  VEC(struct info) info;
  VEC(struct thread) threads;
  VEC(struct pending) pending;
  VEC(struct location) locations;
  VEC(struct component) components;
  VEC(struct cell) cells;
  VEC(struct entry) entries;
  VEC(struct object) objects;
  VEC(struct operation) operations;
  VEC(struct section) sections;
  VEC(struct wait) waits;
  VEC(struct pairing) pairings;
  VEC(struct pair) pairs; /* pairs that keep their order because of `exact` */
  struct hashmap index;   /* of locations; of objects; of chains */
  VEC(uint32_t) sorted;
  VEC(struct order_lit) clause, alternatives, numbers;
  VEC(struct moment) moments;
  VEC(uint32_t) candidates;
  VEC(uint64_t) values;
  bool is_built;         /* the order problem is */
  bool is_quick, locks;  /* quick.c can be asked; there are sections */
  uint32_t words;        /* of a set of events */
  VEC(uint64_t) closure; /* of each event, the set of those that it needs in the trace's order */
  VEC(uint64_t) must;    /* of those that must happen before it */
  VEC(uint64_t) parts;   /* sets */
  VEC(struct quick_cell) quick;
  VEC(struct quick_write) writes;
  VEC(uint32_t) chained;
  struct origins origins;
  /* the last witness */
  VEC(uint32_t) linear, position, work, event_at;
  VEC(uint8_t) wanted;
  VEC(struct causal_step) steps;
};

/* --- literals and clauses (causal.c) --- */

static inline bool before(const struct causal *c, uint32_t a, uint32_t b) { return order_before(c->order, a, b); }
static inline struct order_lit less(struct causal *c, uint32_t a, uint32_t b) { return order_less(c->order, a, b); }
/* The step is part of the witness; is not. */
static inline struct order_lit inside(struct causal *c, uint32_t place) { return order_less(c->order, place, c->end); }
static inline struct order_lit outside(struct causal *c, uint32_t place) { return order_less(c->order, c->end, place); }
static inline uint32_t place_of(const struct causal *c, uint32_t event) { return c->info.data[event].place; }
/* Of recorded runs: whatever its thread has read. */
static inline bool writes_always_the_same(const struct event *e) { return e->op == EVENT_WRITE && (e->flags & EVENT_RESULT); }
static inline void clause_begin(struct causal *c) { vec_clear(&c->clause); }
static inline void clause_or(struct causal *c, struct order_lit l) { *vec_push(&c->clause) = l; }
static inline void clause_end(struct causal *c) { order_clause(c->order, c->clause.data, c->clause.count); }
void clause2(struct causal *c, struct order_lit a, struct order_lit b);
void clause3(struct causal *c, struct order_lit a, struct order_lit b, struct order_lit d);
/* Builds the order problem, unless that is done. */
void prepare(struct causal *c);
/* Something is not modelled: the first reason is kept. */
void limited(struct causal *c, const char *why);
/* The negation of the assumption that what is not modelled keeps its order: the first literal of every clause that says so. */
struct order_lit unless_exact(struct causal *c);
/* `a` comes before `b`, and is part of every witness that has `b`, if what is not modelled keeps its order. Events. */
void keep_order(struct causal *c, uint32_t a, uint32_t b);
/* The event is in no witness, if what is not modelled keeps its order. */
void keep_out(struct causal *c, uint32_t event);

/* --- places (place.c) --- */

/* Threads, steps, locations and cells of the trace. */
void places_number(struct causal *c);
/* A place for each step, with what must happen before what. */
void places_build(struct causal *c);
/* Must the thread's earlier stores have been flushed when the event happens? */
bool place_drains(const struct causal *c, const struct event *e);

/* --- without the engine (quick.c) --- */

void quick_build(struct causal *c);
/* Can the read return the value behind a part of the trace? If so, the witness is written. */
bool quick_read(struct causal *c, uint32_t r, uint64_t value);
/* The values that must-happen-before lets the read return. False: there may be others. */
bool quick_values(struct causal *c, uint32_t r, void (*add)(void *data, uint64_t value), void *data);

/* --- memory (memory.c, value.c) --- */

/* Gives every access its location, and cuts locations into cells. */
void memory_locate(struct causal *c);
/* Adds the event, which has its place, to the cells that it touches. */
void memory_add(struct causal *c, uint32_t event);
/* The event of the prefix has reached memory. */
void memory_settle(struct causal *c, uint32_t event);
/* All accesses have been added: what cannot be modelled, and that reads keep their values. */
void memory_finish(struct causal *c);
/* Is the event a read-modify-write that is part of a witness only if it reads what it read? */
bool memory_is_strict(const struct causal *c, uint32_t event);
/* The bytes of an access's value that belong to the cell. */
uint64_t cell_value(const struct cell *x, const struct event *e, uint64_t value);
/* Does the event's step touch the cell before the event? Then `*value` is what it finds there. */
bool step_leaves(const struct causal *c, const struct cell *x, uint32_t event, uint64_t *value);
/* Do its accesses keep the trace's order (EVENT_KEPT)? */
bool cell_is_kept(const struct causal *c, const struct cell *x);
/* The last write by the thread among the cell's first `position` entries; NULL: none. */
const struct entry *cell_own_write(const struct causal *c, const struct cell *x, uint16_t slot, uint32_t position);

/* A read of a cell: by the step at `place`, whose entry is the cell's `position`-th, or by the end in its stead. */
struct reading {
  const struct cell *cell;
  uint32_t place, position;
  uint16_t slot;
};
/* Entries (indices; NONE: the initial value) that the reading could take its value from, by must-happen-before; in c->candidates. */
void reading_candidates(struct causal *c, const struct reading *r);
/* May it come before every write, by must-happen-before? */
bool reading_may_be_initial(const struct causal *c, const struct reading *r);
/* Unless `guard` holds, the reading returns `value`. False: it cannot. */
bool reading_returns(struct causal *c, const struct reading *r, struct order_lit guard, uint64_t value);
/* Unless `guard` holds, one of the readings does not return its value. */
bool readings_differ(struct causal *c, const struct reading *r, const uint64_t *values, uint32_t n, struct order_lit guard);
/* Where a read's entry stands in the cell. */
uint32_t cell_position(const struct causal *c, const struct cell *x, uint32_t place);

/* Recorded runs: puts before each event what each way to come to it has (origin.c). All accesses have been added. */
void origins_find(struct causal *c);

/* --- synchronisation objects (object.c, lock.c, condition.c, count.c) --- */

void objects_build(struct causal *c);
struct object *object_at(struct causal *c, uint64_t address);
/* The mutex that a wait gives up or takes back; 0: none. */
uint64_t wait_mutex(const struct event *e);
void object_freeze(struct causal *c, struct object *x, const char *why);

void lock_build(struct causal *c, struct object *x);
/* At the end, the lock can be taken by the thread; it cannot (false: it always can). */
void lock_free_at_end(struct causal *c, const struct object *x, uint16_t slot, bool shared);
bool lock_held_at_end(struct causal *c, const struct object *x, uint16_t slot, bool shared);
/* Does the section keep the thread from taking the lock? */
static inline bool section_blocks(const struct section *s, uint16_t slot, bool shared) { return s->slot != slot && !(s->shared && shared); }

void condition_build(struct causal *c, struct object *x);
bool is_notification(const struct event *e);
/* At the end, the notification of `event` would wake the threads of `set` and no others. False: it cannot. */
bool condition_wakes_at_end(struct causal *c, const struct object *x, uint32_t event, uint64_t set);
/* The wait that `leave` ends, as an index into c->waits; NONE. */
uint32_t condition_wait(const struct causal *c, const struct object *x, uint32_t leave);
/* At the end, the wait that `leave` ends has been signalled, or has not. False: it cannot. */
bool condition_woken_at_end(struct causal *c, const struct object *x, uint32_t leave, bool woken);

void semaphore_build(struct causal *c, struct object *x);
/* Recorded runs (tally.c): each wait has something to take, and what was tried in vain has nothing. */
void semaphore_tally(struct causal *c, const struct object *x);
/* Not of recorded runs. At the end, the count is positive, or 0. False: it cannot be. */
bool semaphore_at_end(struct causal *c, const struct object *x, bool positive);

void barrier_build(struct causal *c, struct object *x);
/* At the end, the arrival of `event` completes its round, or does not. */
bool barrier_at_end(struct causal *c, const struct object *x, uint32_t event, bool completes);

/* --- questions (ask.c, rival.c) and witnesses (witness.c) --- */

/* Asks the engine, within the budget. */
enum order_answer question_solve(struct causal *c);
/* The engine said no: is that so whatever becomes of what is not modelled? */
bool question_is_exact(const struct causal *c);

/* What the witness's last step is for. */
enum goal { GOAL_READ, GOAL_RACE, GOAL_FREED, GOAL_DEADLOCK, GOAL_VALUE, GOAL_ARRANGED };
/* Adds a step to the witness. */
void witness_put(struct causal *c, uint32_t event, bool flush);
/* `changed`: the event whose result is another one, or NONE. */
void witness_choose(struct causal *c, uint32_t changed, uint64_t result);
/* Takes the witness from the engine's answer: what `last[0..n-1]` need, in order, and then those themselves (not for a deadlock).
 * `result`: what last[0] returns, if it is a read's question. GOAL_ARRANGED: `last` are in the order, where it puts them. */
void witness_write(struct causal *c, enum goal goal, const uint32_t *last, uint32_t n, uint64_t result);
