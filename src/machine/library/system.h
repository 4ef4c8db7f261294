/* Primitives of the library models, of <heddle.h> and of SV-COMP, and jumps (system.c, nondet.c, jump.c). */
#pragma once
#include "machine/internal.h"

extern const struct builtin nondet_builtins[];    /* nondet.c: __VERIFIER_nondet_*() */
extern const struct builtin input_builtins[];     /* symbolic/input.c: hd_symbolic() */
extern const struct builtin random_builtins[];    /* random.c: the sequence of random(3) */
extern const struct builtin jump_builtins[];      /* jump.c: setjmp and longjmp */
extern const struct builtin wide_builtins[];      /* atomic_wide.c: atomic accesses of 16 bytes */
extern const struct builtin property_builtins[];  /* property.c: events of properties */
extern const struct builtin operation_builtins[]; /* operation.c: operations of an object */
extern const struct builtin overflow_builtins[];  /* overflow.c: what clang's sanitizer for overflows calls */
extern const struct builtin signal_builtins[];    /* signal.c: waiting for signals */
extern const struct builtin path_builtins[];      /* path.c: which way branches go */

/* path.c: the thread's log, of main; and of a child that has just been made. */
void path_begin(struct machine *m);
void path_child(struct machine *m, struct thread *parent, struct thread *child);
/* The execution goes back to where it had made logs of so many threads. */
void path_forget(struct machine *m, size_t threads);
/* Executed apart, the program comes to the exit code of its run, or the execution is none of its log's. RUN_GO: it does. */
enum run path_exits(struct machine *m, struct thread *t);
/* symbolic/input.c: the next input of the thread, which a run had: these bytes; or NULL, those that the user has said, or else what is in
 * `bytes` already. `bytes` gets it. */
void input_recorded(struct machine *m, struct thread *t, const char *name, const uint8_t *given, uint8_t *bytes, size_t size);
/* A false assumption, or a true one, on which nothing depends. */
enum run system_assume_that(struct machine *m, struct thread *t, bool holds);

/* Writes `n` bytes of the source of that number, from `offset` on, to memory. */
enum run input_read(struct machine *m, struct thread *t, uint32_t source, uint64_t offset, uint64_t to, uint64_t n);
/* The thread is given its next input, of so many bytes; or a value of a type (symbolic_gives()). Holds until the next one. */
const struct given *input_give(struct machine *m, struct thread *t, const char *name, size_t size, bool value);
/* The thread has asked too often: DATA_CALLS. */
enum run input_stop(struct machine *m, struct thread *t);

/* A C library function fails: errno = code, result -1. */
enum run system_error(struct machine *m, struct thread *t, int code, uint64_t *result);

/* longjmp: the setjmp() of `buffer` returns again, with `value`. */
enum run jump_to(struct machine *m, struct thread *t, uint64_t buffer, uint64_t value);

/* The number of frames, up to that which filled the buffer; UINT32_MAX: none did, and jump_to() makes the finding. */
uint32_t jump_depth(uint64_t buffer);
/* The stack pointer of the call that filled it; UINT64_MAX: it is none of the thread's. */
uint64_t jump_stack(const struct thread *t, uint64_t buffer);
/* sync/thread.c: a thread that ends runs its innermost handler of pthread_cleanup_push(), which is there. */
enum run thread_cleanup(struct machine *m, struct thread *t);

/* A scheduling step that takes one of n alternatives; RUN_GO: *choice is set. n > 0. */
enum run system_choose(struct machine *m, struct thread *t, uint64_t n, uint64_t *choice);
