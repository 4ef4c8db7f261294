/* The maximal causal model of one execution (docs/model.md): what else any program could have done that did this.
 *
 * causal_build() takes a trace and puts what must hold in every reordering into an order problem, once; then many questions are asked of
 * it, each by push, ask and pop. An answer is yes, with a *witness*: a list of the trace's events that can be executed in that order, in
 * which every read but the last returns what it returned in the trace. Sources: Huang and Huang, "Maximal causality reduction for TSO and
 * PSO", OOPSLA 2016 (the thesis, sections 3.1 to 3.3), with the correction of docs/model.md, and without its ordering of events that
 * a witness does not contain.
 *
 * How it is encoded. One event of the problem, the *end*, stands where the witness ends: "e is part of the witness" is the order literal
 * `e < end`, so closure under must-happen-before comes for free, and what is asked of a read is asked of the end. Under TSO and PSO a
 * buffered store's place in the order is its flush; loads, fences and synchronisation are on the thread's chain, flushes on chains of
 * their own.
 *
 * What is a read: READ, RMW and AWAIT; ACQUIRE, TRYFAIL and SEM_WAIT with EVENT_TRY or EVENT_TIMED, and JOIN with one of them (result: 1,
 * it got what it asked for, or 0); WAIT_LEAVE (1: signalled, 0: it left without); SIGNAL and BROADCAST (result: the set of threads woken);
 * CHOICE; BARRIER_ENTER with EVENT_RESULT (1: it completes the round).
 *
 * Not modelled exactly; where an answer would depend on it, it is CAUSAL_UNKNOWN, never a wrong no:
 *   - accesses of more than 8 bytes (recorded runs: CAUSAL_WIDE bytes), and all that overlap with them; memory whose content no event
 * explains (written where nothing is recorded); accesses to the bytes of synchronisation objects (initialisation, destruction,
 * sem_getvalue); bytes used again after a free. They keep the trace's order under SC, and are in no witness under TSO and PSO. What they
 * return is never asked;
 *   - locks that are released by a thread that did not acquire them (robust mutexes, locks held before recording began), semaphores whose
 *     count changes without an event, barriers that more threads use than a round takes, condition variables with waiters of tid 64 or
 *     more: their operations keep the trace's order;
 *   - AWAIT of several locations, and events of an atomic section behind a point at which it was blocked: in no witness;
 *   - operations inside atomic sections that may block: other threads may run before these, which is left out;
 *   - frees under TSO and PSO: stores that are still buffered when memory is freed are left out;
 *   - values that were in memory before the first write, if the caller cannot tell them (causal_options.initial) and no read did;
 *   - broadcasts that could wake more than CAUSAL_WAITERS threads: which subsets is not asked;
 *   - results of a JOIN, wait or semaphore that come from a request for cancellation.
 * A READ or RMW with EVENT_WAITS may be found to return a value with which it would not be enabled, if what it waits for is a condition
 * (hd_await) rather than a change: then the witness cannot be followed in its last step.
 *
 * Recorded runs (causal_options.recorded) differ from the machine's executions in what a thread can see:
 *   - whom a notification wakes is nobody's result: any thread that waits, by a signal one, and none only if nobody does. The values of
 * SIGNAL and BROADCAST are not looked at;
 *   - what memory held before the first write is like no other value, if neither a read nor the caller tells it: nothing sound can be said
 * of programs that depend on it;
 *   - what is written depends on all earlier reads of the thread, and on its own; no matter which the event depends on. A WRITE with
 *     EVENT_RESULT always writes the same, and on a READ with EVENT_UNUSED nothing depends;
 *   - of a READ or RMW with EVENT_TIMED_OUT nobody knows which write it read from (RECORDED_UNORDERED), as of one that returned what is not
 * there: its memory keeps the trace's order, and it is not known what depends on its result;
 *   - of an access with EVENT_BLANK, or of more than 8 bytes, the values are not known. What it wrote is what the next reads of the trace
 *     found there, and else like no other value; it read what was there;
 *   - accesses with EVENT_KEPT, which all accesses of their object have then, keep the trace's order; nothing else is known of them, and no
 *     question may be about them;
 *   - a read-modify-write with EVENT_RESULT (RECORDED_ALWAYS_WRITES) may read another value, and writes something, like a read with a write
 *     behind it.
 *
 * Under TSO and PSO the trace has the program's events alone, stores where they were issued. Which events wait for the buffer is decided by
 * place_drains() (place.c); the machine's store buffers must do the same.
 *
 * 1. The trace and what comes with it belong to the caller and must not change until the next causal_build().
 * 2. Memory is kept from one trace to the next; after the first traces nothing is allocated.
 * 3. A witness is valid until the next call. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "trace/event.h"

struct causal;
struct order;

enum causal_memory { CAUSAL_SC, CAUSAL_TSO, CAUSAL_PSO };

/* Largest accesses of recorded runs; of those of more than 8 bytes nobody knows the values. */
#define CAUSAL_WIDE 4096u
/* Most threads, waiting at one condition variable, whose subsets are asked for. */
#define CAUSAL_WAITERS 5u
/* Most threads in one deadlock's cycle. */
#define CAUSAL_CYCLE 8u

struct causal_options {
  enum causal_memory memory;
  bool spurious_wakeups; /* a wait may end without a signal and without a time-out */
  bool thorough;         /* ask the engine even where a part of the trace is a witness: it may find a shorter one */
  bool recorded;         /* a run of a native program, see below; CAUSAL_SC, with needs */
  uint64_t budget;       /* effort of the order engine for one question (order.h); 0: no bound */
  /* The bytes [address, address + size), size <= 8, before the first write, as a little-endian number. False: not known. May be NULL. */
  bool (*initial)(void *data, uint64_t address, uint32_t size, uint64_t *value);
  void *data;
};

/* Which reads of its thread an event depends on (docs/model.md, Dependency), as positions in the trace of earlier events of the same
 * thread, or of itself: event i, to happen as it did, on reads[starts[i]] .. reads[starts[i + 1] - 1]; what it writes also on the same part
 * of `values`, which matters where a read takes its value from it (`values`, `value_starts`: NULL: that is among the first). What an event
 * needs those behind it in its thread need, too, and need not repeat, unless it is a store that may be buffered.
 *
 * `loose`: of a read that is asked about, that holds as well (MCR-S; thesis, section 4.2); else all earlier reads of its thread stay as
 * they were (MCR-S+, section 4.3.1). */
struct causal_needs {
  const uint32_t *starts, *reads;
  const uint32_t *value_starts, *values;
  bool loose;
};

/* The store of `event` was flushed when the trace had `at` events. */
struct causal_flush {
  uint32_t event, at;
};

/* An execution. The first `prefix` events (whole steps) are fixed: witnesses are what can follow them, and do not contain them. `flushes`:
 * TSO and PSO, those within the prefix, in their order; stores of the prefix that are not named are still buffered behind it. `needs`:
 * NULL for the setting `all`, in which an event depends on all earlier reads of its thread.
 *
 * `kept`: NULL, or for each event whether every witness has to contain it, with the result that it had, in whatever order. A read's witness
 * then ends in what is kept and has not come before the read; but a read whose step does more than reading (a read-modify-write, a lock
 * taken, a section that writes) stays the last event, since what it would leave behind is not known. Explorers that fix the order of what
 * they have decided (`prefix`) lose outcomes, RWC under TSO for one: what must stay are the results.
 *
 * `cut`: the step of the last event ended the execution for all (exit, a failure): in a witness nothing comes behind it.
 *
 * `pending`: behind the n events, at most one a thread, what live threads stood before, blocked, when the execution ended. They have no
 * result, and are in no witness but as its last event. Questions about reads miss what only they would show: an execution that
 * differs from this one by going on where this one was blocked. */
struct causal_trace {
  const struct event *events;
  uint32_t n, prefix, pending;
  bool cut;
  const bool *kept;
  const struct causal_flush *flushes;
  uint32_t flush_count;
  const struct causal_needs *needs;
};

enum causal_answer { CAUSAL_NO, CAUSAL_YES, CAUSAL_UNKNOWN };

[[nodiscard]] struct causal *causal_new(const struct causal_options *options);
void causal_free(struct causal *c);

/* Takes a new trace. The order problem is built when the first question needs it. */
void causal_build(struct causal *c, const struct causal_trace *trace);
/* Why answers about this trace may be CAUSAL_UNKNOWN: the first thing that is not modelled; NULL: nothing. */
const char *causal_limit(struct causal *c);
/* Of the next questions, instead of causal_options.budget. */
void causal_set_budget(struct causal *c, uint64_t budget);
/* Was the last answer CAUSAL_UNKNOWN because its budget was spent? */
bool causal_gave_up(const struct causal *c);

/* Events below are positions in the trace, behind the prefix. */

/* Is the event a read, and what did it return? */
bool causal_is_read(const struct event *r, uint64_t *result);
/* The other results that `r` could have, judged by what is cheap to know (must-happen-before): at most `most` of them into `out`, and
 * returns how many there are. `*all` (may be NULL): these are all that a reordering of the trace can give; else there may be others, that
 * cannot be asked for. */
uint32_t causal_values(struct causal *c, uint32_t r, uint64_t *out, uint32_t most, bool *all);
/* Can `r` return `value`, all earlier reads of its thread being as they were, and all that others need? The witness ends in r. */
enum causal_answer causal_read(struct causal *c, uint32_t r, uint64_t value);

/* The same, and of these events at least one is no part of the witness: it can come later. */
enum causal_answer causal_read_before(struct causal *c, uint32_t r, uint64_t value, const uint32_t *later, uint32_t n);

/* Can the pending event `p` (n or more) be executed, all earlier reads of its thread being as they were? For one with EVENT_WAITS ask with
 * causal_read() for the values instead. The witness ends in p. */
enum causal_answer causal_reach(struct causal *c, uint32_t p);

/* Can both accesses, of different threads, be next? The witness ends in a, b. Whether they conflict is the caller's business. Under TSO and
 * PSO, too: a store is next when it could be issued. */
enum causal_answer causal_race(struct causal *c, uint32_t a, uint32_t b);
/* Accesses of two threads: each of `firsts` with each of `seconds`; `frees`: the latter free the memory. */
struct causal_rivals {
  const uint32_t *firsts, *seconds;
  uint32_t n, m;
  bool frees;
};
/* Recorded runs: is there a pair of these of which causal_race(), or with `frees` causal_use_after_free(), would say yes? One question for
 * all; then `*a` and `*b` are such a pair (a of `firsts`), and there is no witness. No read-modify-write of a pair may have to write what a
 * read of the other side reads (causal_race()): there the answer may be a wrong yes. */
enum causal_answer causal_rival(struct causal *c, const struct causal_rivals *rivals, uint32_t n, uint32_t *a, uint32_t *b);
/* Can the access `use` come after `free`? The witness ends in it. */
enum causal_answer causal_use_after_free(struct causal *c, uint32_t free, uint32_t use);
/* Can `b`, by another thread, come between `a` and `last`, accesses of one thread? The witness ends in `last`. */
enum causal_answer causal_between(struct causal *c, uint32_t a, uint32_t b, uint32_t last);
/* Recorded runs: can the read `r` return `value`, and its thread go on up to its event `to` (r, or one behind it)? The witness ends in
 * `to`. */
enum causal_answer causal_goes_on(struct causal *c, uint32_t r, uint64_t value, uint32_t to);
/* Can the thread stand before its wait, `enter`, with all notifications of the condition variable behind it? `enter` is not part of the
 * witness. */
enum causal_answer causal_lost(struct causal *c, uint32_t enter);

/* Acquires, one of each of `n` threads, in the order of the cycle: each waits for a lock that the thread of the one behind it holds. The
 * first is that of the smallest tid. */
struct causal_cycle {
  uint32_t n, acquires[CAUSAL_CYCLE];
};
/* The cycles that a look at each thread alone allows, pending acquires included: at most `most` into `out`, and returns how many there are.
 * Only ACQUIREs that wait for ever count. `*all` (may be NULL): these are all; else looking for them took too long. */
uint32_t causal_cycles(struct causal *c, struct causal_cycle *out, uint32_t most, bool *all);
/* Can the threads stand before the cycle's acquires, blocked by each other? The acquires are not part of the witness. */
enum causal_answer causal_deadlock(struct causal *c, const struct causal_cycle *cycle);

/* An order of some events, none of which is a buffered store: `events` happen; and of each clause, pairs[starts[k]] .. pairs[starts[k + 1]
 * - 1], there is a pair whose first event comes before its second one. One of the two is among `events`; the other one may be left out of
 * the witness, as if it came behind all. `exact`: of each of `events`, whether it happens with the result and the arguments that it had
 * (causal_needs: `values`); else that is only so if there are no needs. */
struct causal_pair {
  uint32_t first, second;
};
struct causal_arrangement {
  const uint32_t *events;
  const bool *exact;
  uint32_t n;
  const struct causal_pair *pairs;
  const uint32_t *starts;
  uint32_t clauses;
};
/* Is there one? The witness contains `events`. */
enum causal_answer causal_arrange(struct causal *c, const struct causal_arrangement *a);

/* One step of a witness: the event, or (TSO, PSO) the flush of the store that the event issued. */
struct causal_step {
  uint32_t event;         /* position in the trace */
  uint32_t thread, index; /* its name */
  uint32_t choice;        /* the alternative to take (machine.h), in the state that the witness leads to */
  bool flush;
};
/* The last question's witness, after CAUSAL_YES. Events of one step (EVENT_INTERNAL) follow one another. */
const struct causal_step *causal_witness(const struct causal *c, uint32_t *n);

/* For statistics and for recording problems; do not change it. */
struct order *causal_order(struct causal *c);
