/* Symbolic data: bytes that hd_symbolic() has made an input, and what is computed from them.
 *
 * An exploration runs with one input: a model that gives each symbol a number, and all that the program does is done with these numbers. A
 * instance of the interpreter of its own (interpret_symbolic.c) carries along, for each slot and each byte of memory that depends on
 * symbols, the expression that it is. Wherever a value decides something, what makes it decide so is a *condition*: a branch's comparison,
 * or its inverse; that an address is what it is. Inputs that satisfy all conditions of an exploration do the same in it, whatever the
 * schedule, so nothing new can be seen of them: they are covered. When everything was explored with one input, the solver is asked for one
 * that is not covered (pending.h); when there is none, all inputs were explored with all schedules.
 *
 * What has no expression here (long double, addresses, what builtins are given, ...) is *fixed*: that it has its value is a condition.
 * Other values are then other inputs' business, which is slow and never wrong.
 *
 * Invariants:
 *   1. An expression's value under the model is what is in the slot or byte.
 *   2. What has been read, compared or waited for concretely by anybody but the interpreter has no expression, or its value is a condition.
 *   3. Expressions of slots and bytes belong to the machine's state: they go back with it, and its fingerprints have them. Conditions do
 *      not: they hold of an exploration. But where executions have no end (machine_explores_paths()), conditions are those of a path, and
 *      go back with it; states of all paths are compared, by what they say of the inputs that they still hold (live.c).
 *   4. A symbol's name is its thread, which of the thread's inputs it is, and which bytes of that: the same in every schedule. */
#pragma once
#include "machine/internal.h"
#include "machine/symbolic/pending.h"
#include "program/insn.h"
#include "value/living.h"
#include "value/renaming.h"

enum { LINE_BYTES = 64, SYMBOLIC_LINES = 4096 };

struct symbolic_undo {
  uint64_t address, before;
};

struct symbolic_mark {
  size_t undo, decisions;
};

/* What the first `count` decisions say of the inputs that a state still had (live.c). */
struct symbolic_reduced {
  size_t count;
  uint64_t prefix; /* a hash of these decisions */
  struct living living;
  VEC(uint64_t) gone; /* symbols that were in use in no such state before, and are not in this one */
};

/* Memory that was read at an address that depends on inputs. */
struct symbolic_table {
  VEC(uint8_t) bytes; /* as they were */
  struct expr_array array;
  size_t made; /* with the present input: bytes of all its arrays, and that stores have made */
};

/* Where the present store, whose address depends on inputs, may store: at each `size` bytes from `first` on, before `end`. */
struct symbolic_aim {
  bool set;
  uint64_t from, first, end; /* an address, and distances from it */
  struct expr index;         /* the distance at which it stores */
  struct expr before[8];     /* what was where it does with the present input */
};

/* What the present atomic update was given: one operand, or what is expected and what is stored. */
struct symbolic_update {
  uint64_t of[2], value[2]; /* as of a slot; values */
};

struct symbolic {
  struct value_pool *pool;
  struct value_solver *solver;
  struct value_model model;
  struct evaluator evaluator;     /* under the model */
  struct pending_inputs pending;  /* those that are not covered by the explorations so far */
  VEC(struct decision) decisions; /* of the present one */
  struct hashmap known;           /* ids of their conditions, which are all true under the model -> 1; 0: no more */
  bool apart;                     /* threads are executed apart (apart.c): decisions go back with the execution */
  uint64_t told;                  /* what woven code tells of a branch, or the exit code, as of a slot; apart */
  struct expr wanted;             /* apart: what the log says instead of what the thread has just come to; a constant: nothing */
  bool paths;                     /* decisions are those of the present execution so far (machine_explores_paths()) */
  const void *place;              /* the instruction that decides */
  struct hashmap bytes;           /* address -> expression of 8 bits (see symbolic_of()) */
  size_t nbytes;                  /* that have one */
  uint32_t lines[SYMBOLIC_LINES]; /* how many of these are in lines of LINE_BYTES whose number is equal modulo SYMBOLIC_LINES */
  uint64_t low, high;             /* they lie in [low, high) */
  struct fingerprint print;       /* of all of them */
  VEC(struct symbolic_undo) undo;
  VEC(struct symbolic_mark) marks; /* how many there were */
  bool builtin;                    /* a builtin function is being called: what it looks at is fixed */
  bool argument;                   /* it is klee_is_symbolic(), and its argument has an expression */
  uint64_t returned[2];            /* what it gives, as of a slot */
  VEC(struct symbolic_table) tables;
  struct hashmap table_at; /* place and size to the index of a table */
  struct renaming names;   /* of machine_live_state() */
  struct evaluator scratch;
  VEC(struct symbolic_reduced) reduced;
  struct hashmap gone; /* their symbols -> 1; 0: no more */
  struct symbolic_aim aimed;
  struct symbolic_update update;
  uint64_t looked; /* what the present load gives, as of a slot, whatever its address; 0: what memory has there */
};

[[nodiscard]] struct symbolic *symbolic_new(void);
void symbolic_free(struct symbolic *s);
void symbolic_mark(struct symbolic *s);
void symbolic_rollback(struct symbolic *s, size_t number);

/* --- slots: an expression of 64 bits is its id + 1; 0: none --- */
static inline uint64_t symbolic_of(const struct thread *t, uint32_t slot) {
  return slot < t->expressions.count ? t->expressions.data[slot] : 0;
}
void symbolic_set(struct thread *t, uint32_t slot, uint64_t expression);
/* It gets the expression's value: of up to 64 bits, extended by zeros. */
void symbolic_set_value(struct symbolic *s, struct thread *t, uint32_t slot, struct expr e);
/* All slots from `slot` on have none any more. */
static inline void symbolic_cut(struct thread *t, uint32_t slot) {
  if (t->expressions.count > slot) t->expressions.count = slot;
}
/* The builtin gives the input itself, of at most 16 bytes, in one slot or two; and then it has returned, to the caller's slots from `slot`
 * on. */
void symbolic_gives(struct machine *m, const struct given *input);
void symbolic_returned(struct machine *m, struct thread *t, uint32_t slot);
/* Of the slot's expression, the same in all schedules; 0: it has none. */
uint64_t symbolic_hash(const struct machine *m, const struct thread *t, uint32_t slot);
uint64_t symbolic_expression_hash(const struct machine *m, uint64_t expression);
/* The symbols of the input, in their order: as many as symbolic_symbols() says. */
size_t symbolic_symbols(const struct given *input);
struct symbol symbolic_symbol(struct machine *m, const struct given *input, size_t i);
/* Of all expressions of bytes there that other threads do not touch. */
uint64_t symbolic_private_hash(const struct machine *m, uint64_t from, uint64_t to);

/* live.c. What is kept of the states on the way to the present one. */
void symbolic_forget_reduced(struct symbolic *s);
/* The thread asks for another input. Has it had too many on its path, or in an exploration that is not one of paths `most`? Says the same
 * when a step is repeated. */
static inline bool symbolic_asks_too_often(const struct machine *m, const struct thread *t, uint32_t most) {
  return m->symbolic && t->inputs >= (m->symbolic->paths ? PATH_INPUTS_MOST : most);
}
/* state.c: machine_state(), where memory's expressions are left out and slots have `names` (NULL: their own). */
struct fingerprint machine_state_with(struct machine *m, struct renaming *names);

/* The least or the greatest of two: `less` says of which order. */
static inline struct expr symbolic_extreme(struct value_pool *p, enum expr_op less, bool least, struct expr x, struct expr y) {
  struct expr is = expr_binary(p, less, x, y);
  return least ? expr_ite(p, is, x, y) : expr_ite(p, is, y, x);
}

/* --- conditions --- */

/* Are there as many as the solver can be asked about? The execution then has to end: m->data_limit is set. */
bool symbolic_full(struct machine *m);
/* Forgets what was covered, and the present input. */
void symbolic_again(struct symbolic *s);
/* What the condition says, or its inverse, whichever is true, has decided something. Returns which. `which`: of the conditions that the
 * instruction may decide by. */
bool symbolic_decided(struct symbolic *s, struct expr condition, uint64_t which);
/* The slot has its value. It has no expression any more. */
void symbolic_fix(struct machine *m, struct thread *t, uint32_t slot);
/* The same of memory. */
void symbolic_fix_memory(struct machine *m, uint64_t address, uint64_t size);

/* The expression has its value; and which. */
void symbolic_fix_value(struct symbolic *s, struct expr e);
uint64_t symbolic_value(struct symbolic *s, struct expr e);

/* apart.c. The log says that what woven code has just told, as its lowest `bits`, is `logged`: so that it is becomes a condition, or, if it
 * is not, what is wanted. */
void apart_told(struct machine *m, uint32_t bits, uint64_t logged);
/* apart.c. The thread's next access is of [at, +size), which is `address`. True: it is a step, and this is kept for whoever asks
 * (apart_reached()); false: it is to be fixed. */
bool apart_reaches(struct machine *m, struct thread *t, struct expr address, uint64_t at, uint64_t size);

/* --- memory --- */

/* address.c. The load or store that comes next is of [at, +size), which is `address`; what is stored is defined. False: it is to be fixed.
 */
bool symbolic_address(struct machine *m, struct expr address, uint64_t at, uint64_t size, bool load);
/* The store at symbolic_address() was done, at the address that it has with the present input. */
void symbolic_stored_somewhere(struct symbolic *s, struct expr value, uint64_t at, uint64_t size);
void symbolic_release_tables(struct symbolic *s);
/* False: no byte there has an expression. */
bool symbolic_touches(const struct symbolic *s, uint64_t address, uint64_t size);
/* What memory has there. */
struct expr symbolic_memory_byte(const struct symbolic *s, uint64_t address);
/* Memory was written, or is new, and nothing in it is symbolic. */
void symbolic_forget(struct machine *m, uint64_t address, uint64_t size);
/* `size` bytes, at most 8, were loaded from there to the slot, or stored. */
void symbolic_loaded(struct machine *m, struct thread *t, uint32_t slot, uint64_t address, uint64_t size);
void symbolic_stored(struct machine *m, struct thread *t, uint32_t slot, uint64_t address, uint64_t size);
/* The same of a layout's leaves (image.h), whose slots are from `slot` on. Leaves of bits have to be fixed before. */
void symbolic_loaded_layout(struct machine *m, struct thread *t, uint32_t slot, uint64_t address, uint32_t layout);
void symbolic_stored_layout(struct machine *m, struct thread *t, uint32_t slot, uint64_t address, uint32_t layout);
void symbolic_copied(struct machine *m, uint64_t to, uint64_t from, uint64_t size);
/* The expression of a byte as symbolic_of() gives them; the byte has another one from now on; of one that waits in a buffer: it has its
 * value. */
uint64_t symbolic_byte(const struct machine *m, uint64_t address);
void symbolic_put(struct symbolic *s, uint64_t address, uint64_t of);
void symbolic_fix_expression(struct machine *m, uint64_t of);
/* [address, +size) holds the lowest bytes of the expression. */
void symbolic_put_value(struct symbolic *s, uint64_t address, uint64_t size, struct expr e);
/* [address, +size) holds the bytes from `offset` on of an input, whose bytes symbolic_bytes() gave. */
void symbolic_made(struct machine *m, const struct given *input, uint64_t offset, uint64_t address, uint64_t size);
void symbolic_bytes(struct machine *m, const struct given *input, uint8_t *bytes);
/* Is what the next atomic update is made of to be fixed? In a loop that may have no end values come back, where expressions of them grow.
 */
enum { UPDATES_UNTIL = 64 }; /* events of an execution */
static inline bool symbolic_fixes_updates(const struct machine *m) {
  return m->symbolic->paths || (m->trace.count > UPDATES_UNTIL && !m->symbolic->apart);
}
/* atomic.c. The instruction at `ip`, OP_ATOMIC_RMW or OP_ATOMIC_CAS, was done at the address, its results are in the slots from `slot` on;
 * before, it had these operands: of OP_ATOMIC_CAS what is expected and what is stored. */
void symbolic_operands(struct symbolic_update *u, const struct thread *t, const struct frame *frame, const uint64_t *r,
                       const uint32_t slots[2]);
void symbolic_updated(struct machine *m, struct thread *t, uint32_t slot, const union insn *ip, uint64_t address);
void symbolic_exchanged(struct machine *m, struct thread *t, uint32_t slot, const union insn *ip, uint64_t address);
/* The thread has read that. If it looks for a change, values are compared if it comes to wait (symbolic_waits()): where the expression goes
 * that it has read. NULL: nowhere, memory there has none. */
uint64_t *symbolic_seen(struct machine *m, struct thread *t, uint64_t address, uint64_t size);
/* The thread is about to wait until something that it has read changes. */
void symbolic_waits(struct machine *m, const struct thread *t);

/* --- the interpreter's side --- */

/* symbolic_insn.c. Before the instruction at `ip`: what it computes has its expression, what it decides is a condition. Loads and stores
 * get theirs by those above when they are done. */
void symbolic_insn(struct machine *m, struct thread *t, struct frame *frame, const union insn *ip, const uint64_t *r);
enum run interpret_symbolic(struct machine *m, struct thread *t);
