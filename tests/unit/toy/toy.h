/* A toy machine behind machine.h: small table-driven programs of threads over shared bytes, locks, condition variables, semaphores and
 * barriers. It shares no code with the real machine, so that a mistake in one is not repeated in the other. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define TOY_THREADS 4
#define TOY_OPS     12

enum toy_op_kind {
  TOY_READ,      /* size bytes at `at` into the register */
  TOY_WRITE,     /* value */
  TOY_WRITE_REG, /* register + value */
  TOY_ADD,       /* atomically; old value into the register */
  TOY_CAS,       /* 0 -> value; old value into the register */
  TOY_LOCK,      /* at: mutex */
  TOY_UNLOCK,
  TOY_TRYLOCK,   /* on failure skips `skip` operations */
  TOY_TIMEDLOCK, /* the same */
  TOY_WAIT,      /* at: condition variable; value: mutex */
  TOY_TIMEDWAIT,
  TOY_SIGNAL,
  TOY_BROADCAST,
  TOY_POST, /* at: semaphore */
  TOY_SEM_WAIT,
  TOY_TRY_SEM_WAIT, /* on failure skips `skip` operations */
  TOY_BARRIER,      /* at: barrier; value: 1 if the result is looked at */
  TOY_READ_LOCK,    /* at: rwlock */
  TOY_WRITE_LOCK,
  TOY_TRY_WRITE_LOCK, /* on failure skips `skip` operations */
  TOY_READ_UNLOCK,
  TOY_WRITE_UNLOCK,
  TOY_CHOOSE,   /* 0..value-1 into the register */
  TOY_SKIP_IF,  /* not a step: skips `skip` operations if the register is value */
  TOY_ASSERT,   /* not a step: fails if the register is value */
  TOY_ASSUME,   /* not a step: false if the register is value */
  TOY_LOOP,     /* not a step: goes back to the operation `skip` */
  TOY_AWAIT,    /* waits until the bytes are not value; reads them */
  TOY_SECTION,  /* the next `skip` operations (accesses only) are one step */
  TOY_FREE,     /* size bytes */
  TOY_FORK,     /* value: thread */
  TOY_JOIN,     /* value: thread */
  TOY_TRY_JOIN, /* on failure skips `skip` operations */
  TOY_EXIT,
  TOY_YIELD,
  TOY_FENCE,
  TOY_KINDS
};

struct toy_op {
  uint8_t kind, at, size, value, skip;
  uint8_t order; /* of accesses and fences: enum event_order */
};

struct toy_program {
  uint32_t threads;
  uint32_t length[TOY_THREADS];
  struct toy_op ops[TOY_THREADS][TOY_OPS];
  uint8_t memory[16];
  uint8_t semaphores[2];
  uint8_t barriers[2]; /* number of threads */
};

struct machine;
struct machine *toy_new(const struct toy_program *p);
void toy_free(struct machine *m);
/* From the next execution on, the byte accesses to [from, to) are visible only once two threads touched them in one execution. */
void toy_hide(struct machine *m, uint8_t from, uint8_t to);
/* From now on, neither states nor outcomes have what threads have read, but for their registers: more ways lead to the same state. */
void toy_forget(struct machine *m);
