/* The sets of reads that the second instance of the interpreter carries along (depend.h), and where they are kept: follow.c. What
 * instructions do to them is depend.c's.
 *
 * A set is a number: 0 is the empty one, others are nodes of a graph in which equal unions are one node. */
#pragma once
#include "base/hash.h"
#include "machine/internal.h"
#include "machine/interpret/depend.h"

#define READS_NONE 0u

struct reads_node {
  uint32_t left, right; /* left UINT32_MAX: one read, the event `right` */
  uint32_t stamp;       /* of the last walk that came by */
  uint32_t controls;    /* the thread, plus 1, whose list has all of it */
};

/* The instruction that a thread executes, or stands before. */
struct follow_insn {
  const union insn *ip; /* NULL: none */
  uint32_t tag, depth;  /* its frame */
  uint32_t slot, loads; /* so many slots get `data` when it is done */
  uint32_t data;        /* what is read */
  uint32_t value;       /* what a write's value was computed from */
  uint64_t to, size;    /* memory that gets `data` when it is done; size 0: none */
  bool external;        /* it calls what is not interpreted */
  bool compares;        /* a compare-exchange */
};

struct follow_thread {
  VEC(uint32_t) slots;   /* sets, parallel to the thread's slots */
  VEC(uint32_t) tags;    /* of its frames, as far as their slots are known */
  VEC(uint32_t) control; /* events */
  VEC(uint32_t) reads;   /* sets of one */
  uint32_t tid;
  uint32_t given;  /* the first of `control` that is in no list of an event that no buffer holds back */
  uint32_t stored; /* all that its stores were computed from */
  struct follow_insn now;
};

struct follow {
  VEC(struct reads_node) nodes;
  VEC(uint32_t) work;
  struct hashmap pairs;  /* of unions */
  struct hashmap memory; /* granules of 4 bytes */
  uint32_t stamp;
  uint32_t noted; /* events that have their lists */
  struct follow_thread *threads[THREADS_MAX];
};

struct follow *follow_new(void);
void follow_free(struct follow *f);
/* A new execution. */
void follow_begin(struct follow *f);
struct follow_thread *follow_thread(struct follow *f, uint32_t tid);

uint32_t reads_one(struct follow *f, uint32_t event);
uint32_t reads_union(struct follow *f, uint32_t a, uint32_t b);
/* The set's single reads, as sets: their events are nodes[].right. Valid until the next call. */
const uint32_t *reads_list(struct follow *f, uint32_t set, uint32_t *n);

/* What the memory's content was computed from. */
uint32_t memory_reads(struct follow *f, uint64_t address, uint64_t size);
void memory_reads_set(struct follow *f, struct follow_thread *t, uint64_t address, uint64_t size, uint32_t set);

/* All that the thread does from here on depends on the set. */
void follow_control(struct follow *f, struct follow_thread *t, uint32_t set);
/* The same of all that it has read. */
void follow_control_all(struct follow *f, struct follow_thread *t);

/* --- the interpreter's side (depend.c, interpret_followed.c) --- */

/* Before each instruction. */
void follow_insn(struct machine *m, struct thread *t, const struct frame *frame, const union insn *ip, const uint64_t *r);
enum run interpret_followed(struct machine *m, struct thread *t);
/* machine_step() with it (machine.c). */
enum machine_status machine_step_followed(struct machine *m, uint32_t thread, uint32_t choice);
