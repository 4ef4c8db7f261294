/* Store buffers (docs/model.md, Memory models): what threads have stored under TSO and PSO and others cannot see yet. For src/machine
 * alone.
 *
 * The program's memory holds what everybody sees. While a thread runs, its own buffered stores are put in place (buffer_in()), and taken
 * out again when it stops (buffer_out()): so whatever it does in between, loads of any size and builtins alike, finds its newest stores,
 * byte by byte. Putting a store in place swaps its bytes with those in memory; the other way round, newest first, the same swap undoes it.
 * A new store takes the bytes that it overwrites, and so is one of those that are taken out.
 *
 * Stores are flushed by step-taking agents: under TSO one for each thread, under PSO one for each slot of a thread: each address that it
 * has stored to since its buffer was last empty for certain has one. Which slot depends on the thread's own history alone, and so does
 * which agent flushes a store. An agent's struct thread has a pending event and counts events, and nothing else; it never is THREAD_LIVE.
 *
 * Invariants:
 *   1. Outside of machine_step() no buffer is in place.
 *   2. `filled` has the threads whose buffer is not empty; they are live.
 *   3. What a buffered store overwrites is logged (memory_log()) before it is put in place for the first time since the last mark.
 *   4. Nothing that is not visible to other threads is buffered. */
#pragma once
#include "machine/internal.h"

/* A store. Its data are `size` bytes, and behind them `size` times SHADOW_UNINIT or 0. */
struct store {
  uint64_t address, size;
  uint64_t data;  /* where they begin in buffer->data */
  uint32_t event; /* index of its WRITE among its thread's events */
  uint32_t site;
  uint8_t agent; /* its tid */
  uint8_t order; /* enum event_order */
  bool over;     /* of the thread's own memory, which is gone: its flush changes nothing */
  bool freed;    /* of memory that another thread has freed since */
  bool unused[4];
};

struct buffer {
  VEC(struct store) stores; /* oldest first */
  VEC(uint8_t) data;
  VEC(uint64_t) slots;  /* PSO: the address of each slot */
  VEC(uint32_t) agents; /* by slot; kept over resets */
};

struct agent {
  uint32_t owner;
};

/* Stores that one thread may have in its buffer. An execution that would have more ends as MACHINE_LIMIT. */
#define STORES_MAX 64u

struct buffers {
  bool pso;
  bool overflow; /* a thread had more than STORES_MAX, or there were no agents left: the present step ends the execution */
  uint32_t nagents;
  struct tset filled;
  struct tset enabled, alive; /* what machine_enabled() and machine_alive() give */
  struct buffer of[AGENTS_FROM];
  struct agent agents[THREADS_MAX - AGENTS_FROM]; /* by tid - AGENTS_FROM; kept over resets */
};

void buffers_new(struct machine *m);
void buffers_free(struct machine *m);
/* The thread begins: so do its agents. */
void buffer_begin(struct machine *m, uint32_t thread);

/* The thread's step, an EVENT_BUFFERED write that has just been recorded, stores to [address, +size): to be called before it does. */
void buffer_issue(struct machine *m, const struct thread *t, uint64_t address, uint64_t size);
/* Puts the thread's stores in place, and takes them out. */
void buffer_in(struct machine *m, uint32_t thread);
void buffer_out(struct machine *m, uint32_t thread);
/* Every buffer but that of `except`, which is in place. */
void buffers_in(struct machine *m, uint32_t except);
void buffers_out(struct machine *m, uint32_t except);
/* The thread's memory [address, +size) goes out of use, or is freed by it. */
void buffers_forget(struct machine *m, uint32_t thread, uint64_t address, uint64_t size);
/* The same of what lay on its stack from `sp` on. */
void buffers_forget_stack(struct machine *m, uint32_t thread, uint64_t sp);

/* The thread takes a step that waited for its buffer to be empty. */
void buffer_drained(struct machine *m, uint32_t thread);
/* Symbolic data: what waits in the thread's buffer has its value. */
void buffer_fix(struct machine *m, uint32_t thread);
/* Does anything in a buffer depend on symbolic data? */
bool buffers_symbolic(const struct machine *m);
/* The step of an enabled agent. */
void buffer_flush(struct machine *m, uint32_t agent);
/* After a step: who can go on, agents included. */
void buffers_show(struct machine *m);

/* `size` <= 8 bytes as the thread sees them, at any time outside of steps. */
uint64_t buffer_peek(const struct machine *m, uint32_t thread, uint64_t address, uint64_t size);

/* For marks: appends the state to m->saved; brings it back and returns the end of what it read. */
void buffers_save(struct machine *m);
const unsigned char *buffers_load(struct machine *m, const unsigned char *from, uint32_t created);
struct fingerprint buffers_fingerprint(const struct machine *m);
