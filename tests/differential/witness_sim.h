/* The reference's machine: runs events of random traces by the definition of each operation, one transition after the other, with store
 * buffers. It shares nothing with src/causal but struct event, and knows no axioms: what it can do is what is possible. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "trace/event.h"

#define SIM_THREADS 4u
#define SIM_BYTES   16u
#define SIM_LOCKS   2u
#define SIM_BUFFER  8u
#define SIM_LENGTH  24u /* most events of a thread */
#define SIM_TRACE   (SIM_THREADS * SIM_LENGTH)

#define SIM_MEMORY  0x1000u
#define SIM_LOCK    0x2000u /* lock i: + 64 i, size 40; likewise the others */
#define SIM_COND    0x3000u
#define SIM_SEM     0x4000u
#define SIM_BARRIER 0x5000u

enum sim_memory { SIM_SC, SIM_TSO, SIM_PSO };

struct sim_store {
  uint8_t at, size, release, value[8];
};

/* Compared and hashed as bytes: no padding, no pointers. */
struct sim_state {
  uint8_t position[SIM_THREADS]; /* events of the thread that were executed */
  uint8_t begun, freed;          /* bit sets: threads; words of 4 bytes that were freed */
  uint8_t writer[SIM_LOCKS];     /* thread + 1 */
  uint8_t readers[SIM_LOCKS];    /* bit set */
  uint8_t waiting[SIM_THREADS];  /* condition variable + 1 */
  uint8_t signalled;             /* bit set */
  uint8_t count;                 /* of the semaphore */
  uint8_t arrived, round, ticket[SIM_THREADS];
  uint8_t stores[SIM_THREADS];
  uint8_t memory[SIM_BYTES];
  struct sim_store buffer[SIM_THREADS][SIM_BUFFER];
};

/* A trace, and its events by thread. */
struct sim {
  enum sim_memory memory;
  uint32_t threads, barrier; /* barrier: threads that it takes */
  uint8_t initial_count;
  uint8_t initial[SIM_BYTES];
  uint32_t n;
  uint32_t pending; /* events behind those: what blocked threads stood before */
  struct event trace[SIM_TRACE + SIM_THREADS];
  uint32_t length[SIM_THREADS];
  uint32_t by_thread[SIM_THREADS][SIM_LENGTH]; /* positions in the trace */
  uint32_t flushes;
  struct sim_flushed {
    uint32_t event, at; /* the store of `event` was flushed when there were `at` events */
  } flushed[SIM_TRACE];
  uint32_t prefix; /* events that are fixed */
  bool cut;        /* nothing comes behind the step of the last event */
};

void sim_begin(const struct sim *x, struct sim_state *s);
/* The event of `x` that comes `ahead` events behind where the thread stands; NULL behind its last. */
const struct event *sim_next(const struct sim *x, const struct sim_state *s, uint32_t thread, uint32_t ahead);

/* Most outcomes of one operation. */
#define SIM_OUTCOMES 16u
/* What `e`'s operation can do in this state: the events that it would be recorded as. None: it is blocked (or an error). `seen`: what the
 * thread last read from there. `e` may be an event that was executed, or one whose result is still to be filled in. */
uint32_t sim_outcomes(const struct sim *x, const struct sim_state *s, const struct event *e, uint64_t seen, struct event *out);
/* Executes an event that sim_outcomes() gave. */
void sim_apply(const struct sim *x, struct sim_state *s, const struct event *e);
/* Flushes: how many stores of the thread could be the next to reach memory, and doing it. */
uint32_t sim_flushes(const struct sim *x, const struct sim_state *s, uint32_t thread);
void sim_flush(const struct sim *x, struct sim_state *s, uint32_t thread, uint32_t which);

/* The same for the thread's i-th store: may it be next, and doing it. */
bool sim_may_flush(const struct sim *x, const struct sim_state *s, uint32_t thread, uint32_t i);
void sim_flush_at(struct sim_state *s, uint32_t thread, uint32_t i);

/* Runs the prefix as it was. `issued`: the events whose stores are buffered then. */
void sim_replay(const struct sim *x, struct sim_state *s, uint32_t issued[SIM_THREADS][SIM_BUFFER]);
/* Takes the thread's i-th store out of `issued` before it is flushed. */
void sim_forget(const struct sim_state *s, uint32_t thread, uint32_t i, uint32_t issued[SIM_THREADS][SIM_BUFFER]);

/* The pending event of the thread, or NULL. */
const struct event *sim_pending(const struct sim *x, uint32_t thread);
/* What the thread last read at `e`'s place before its event `index`; 256 or more: nothing. */
uint64_t sim_seen(const struct sim *x, uint32_t thread, uint32_t index, const struct event *e);
/* The length of the step that begins at the thread's event `index`: 1, or an atomic section. */
uint32_t sim_step_length(const struct sim *x, uint32_t thread, uint32_t index);

static inline bool sim_is_access(const struct event *e) {
  return e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_FREE;
}
static inline bool sim_overlap(const struct event *a, const struct event *b) {
  return a->object < b->object + b->size && b->object < a->object + a->size;
}
