/* What each thread of a recorded run did, found by executing it apart (machine/apart.h): its steps that others could see, with expressions
 * for what it read and wrote, and the conditions under which it goes the way that its log says. CLAP (Huang, Zhang, Dolby, PLDI 2013),
 * section 3.1; the formula that stands on it is in formula.h.
 *
 * Rule: whatever the order of the threads' steps is, if each read finds a value that some step before it has written there, and all
 * conditions hold, then each thread does what is listed here. So orders can be looked for without the program. */
#pragma once
#include "base/err.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "trace/event.h"
#include "value/eval.h"

struct machine;
struct path_log;

#define NO_EXPR ((struct expr){UINT32_MAX})

struct apart_event {
  uint8_t op, order, flags; /* as of struct event */
  uint32_t thread, site;
  uint64_t object, size;
  uint64_t value;      /* of semaphores and barriers, as of struct event */
  uint64_t mutex;      /* of WAIT_ENTER and WAIT_LEAVE */
  struct expr read;    /* READ, RMW: the symbol of what it found; else NO_EXPR */
  struct expr written; /* WRITE, RMW: what is there behind it */
  struct expr address; /* READ, WRITE, RMW whose address depends on what the thread has read: that; `object` is it with what was assumed */
  uint64_t initial;    /* READ, WRITE, RMW: what was there before the first step */
  uint64_t bits;       /* of its log that its thread had gone before */
  bool needed;         /* the run had it; it may not have come to others, which are behind the last bit of their thread's log */
  bool hidden;         /* with what was assumed, no other thread uses that memory */
};

/* A value that somebody has written there. */
struct apart_stored {
  uint64_t value;
  uint32_t next; /* index + 1 of another one of the same memory */
};

static inline bool apart_reads(const struct apart_event *e) { return e->read.id != NO_EXPR.id; }
static inline bool apart_writes(const struct apart_event *e) { return e->written.id != NO_EXPR.id; }
static inline bool apart_accesses(const struct apart_event *e) { return apart_reads(e) || apart_writes(e); }

/* What the semaphore had before this SEM_POST or SEM_WAIT, in the order in which the threads were executed apart. */
static inline uint64_t apart_count_before(const struct apart_event *e) { return e->op == EVENT_SEM_POST ? e->value - 1 : e->value + 1; }

/* Events are in some order in which each thread's are in theirs. */
struct apart {
  struct machine *machine; /* borrowed: expressions belong to it */
  VEC(struct apart_event) events;
  VEC(struct expr) conditions;
  VEC(bool) fixes; /* by condition: it is none of the log's: an address, or something else that has no expression, is what was assumed */
  struct hashmap used;      /* by byte: who uses it (threads.c) */
  struct hashmap stored_at; /* by address and size: index + 1 of the last value that was found to be written there, in any round */
  VEC(struct apart_stored) stored;
  bool reaches;     /* events have addresses that depend on what was read */
  bool takes;       /* threads at the ends of their logs go on to take locks before the one that fails fails */
  uint32_t failing; /* the thread that fails with its last event, or behind it */
};

/* `m` has machine_options.apart and .paths. ERR_UNSUPPORTED: this run's threads cannot be executed apart, and why. */
[[nodiscard]] enum err apart_execute(struct apart *a, struct machine *m, const struct path_log *log, struct diag *d);
/* Once more, with these values of symbols assumed at first. */
[[nodiscard]] enum err apart_again(struct apart *a, const struct path_log *log, const struct value_model *values, struct diag *d);
void apart_release(struct apart *a);
/* The same without hidden events, and with what was assumed of addresses as conditions: for who knows nothing of addresses. Released with
 * apart_release(). */
void apart_assumed(const struct apart *a, struct apart *to);

/* ERR_UNSUPPORTED: what the thread does there cannot be taken up, and why. */
enum err apart_refuse(const struct machine *m, uint32_t thread, uint32_t site, const char *why, struct diag *d);
