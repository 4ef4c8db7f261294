/* Recording: what the program does goes into a trace file (src/trace/format.h) and nothing is analysed. Accesses come from code that is
 * woven for it (src/weave/recording.h), by hooks.c; all else from the functions that stand before the C library's.
 *
 * Each thread has a buffer of its own, in a file that is mapped: nothing of it is shared, and no thread waits for another. Signals that
 * come while a thread encodes an event are handled afterwards (intercept/signal.c). */
#pragma once
#include "sync.h"
#include "trace/encoding.h"
#include "trace/event.h"

/* Of the calling thread. */
struct recorder {
  bool ready;      /* it has a buffer, and is not at it */
  bool fresh;      /* it has read something since its last BRANCH */
  bool ended;      /* it begins no other */
  bool joins;      /* it is within pthread_join() */
  uint8_t outside; /* calls that are under way of functions that are not recorded (outside.h); what is known of them, or NULL */
  void *under_way;
  bool text;        /* what a call reads has an end that it finds there (intercept/text.h) */
  uint32_t site;    /* of what it called last */
  uintptr_t copied; /* of what is copied to or from there the values are in `values`, as they were copied: memory may be others' by now */
  const void *values;
  uint32_t until_time;       /* so many accesses */
  unsigned char *at, *limit; /* in the buffer: where to encode, and up to where there is room for an event */
  struct trace_slot *slot;
  struct trace_coder *coder;
  struct thread *thread;
  uint64_t count;           /* of its events */
  uint32_t index, sequence; /* of its slot; of its next block */
};
extern __thread struct recorder hd_recorder __attribute__((tls_model("initial-exec")));

/* Longer ranges are recorded without values. Bytes for what is known of calls that are under way. */
enum { RECORD_VALUES = 256, RECORD_UNDER_WAY = 4096 };
/* n bytes were copied, at most RECORD_VALUES; `values` has them. */
HOT void record_copies(const void *at, const void *values) { hd_recorder.values = values, hd_recorder.copied = (uintptr_t)at; }

/* Events are recorded. Looked at before each call of what is below. */
extern bool recording;
/* Writes of the C library are told when they are done, so that a record has what was written; not so if a witness is carried out. */
extern bool enforcing;
HOT bool records_behind(void) { return recording && !enforcing; }
/* From now on, into that file, of which the newest part is kept if `ring` is not 0. The process ends if it cannot be made. `program`: whose
 * trace it is, as BUILD:PATH; NULL: that of the file that runs, whose build nobody knows. It must stay. */
void record_start(const char *file, uint64_t ring, const char *program);
/* The process ends in order, here and now. */
void record_finish(void);
void record_before_fork(void);
/* The calling thread is at its buffer. */
HOT bool record_is_busy(void) { return hd_recorder.slot && !hd_recorder.ready; }
void record_after_fork(bool child);
/* In the child: its file gets the names of places and methods, too. */
void modules_after_fork(void);
void calls_after_fork(void);

/* The thread that t is about to create. */
void record_fork(struct thread *t, const struct thread_info *child, const void *argument);
void record_begin(struct thread *t);
void record_end(struct thread *t);
/* What the calling thread does now is not recorded, or again: it is the runtime's. */
void record_pause(bool on);
void record_join(struct thread *t, const struct thread_info *child);

/* Is what t does recorded, here and now? Ask before a number is taken for it: one that nobody has is missed by who reads the trace. */
bool record_goes_on(struct thread *t);
/* An event of t, at the place that it called from. */
void record_event(struct thread *t, const struct trace_event *e);
/* One of synchronisation, with the next number of the object: nobody else can take one just now, or it does not matter who does. */
void record_sync(struct thread *t, enum trace_op op, struct sync *s, unsigned flags, uint64_t value2);
/* A lock that was not to be had. */
void record_refused(struct thread *t, struct sync *s, bool shared);
/* A semaphore whose count was 0, under s->lock, with the next number. */
void record_vain(struct thread *t, struct sync *s);
/* The same of two objects: a wait's. */
void record_wait(struct thread *t, enum trace_op op, struct sync *condition, struct sync *mutex);
/* Orders that no other event is for, by an address: what was done so far comes before what is done by those who take it. Nobody else is at
 * `told`. */
void record_hands_on(struct thread *t, uint64_t address, struct told *told);
void record_takes(struct thread *t, uint64_t address, struct told *told);
/* What code that is not recorded does: it was done `times` before there, by which all stays in the order of the run (kept.h). */
void record_keeps(struct thread *t, uint64_t number, uint64_t times);
/* The same, as a read and a write, or a read alone: nobody knows whether they order anything. */
void record_passes(struct thread *t, uint64_t number, const struct told *before, bool changes);
/* In the child of a fork: it counts from 1 on. */
void record_counts_anew(void);
void record_fence(struct thread *t, int order);
/* What a call of a library reads or writes. */
void record_range(struct thread *t, uintptr_t address, size_t size, bool writes);
/* What a function that is not recorded may read before it is called: up to 256 bytes, as they are; and has written, if nobody else has: up
 * to the end of a word of eight bytes. */
void record_looked(struct thread *t, uintptr_t address, const void *bytes, size_t size);
void record_left(struct thread *t, uintptr_t address, const void *bytes, size_t size);
void record_access(struct thread *t, uintptr_t address, size_t size, enum site_kind kind, uintptr_t pc); /* the same */
/* What t does from now on depends on what it has read. */
void record_decides(struct thread *t);
/* The same, on what a function that is not recorded has found: that it returns may depend on it. */
void record_decided_outside(struct thread *t);
/* Blocks of memory. */
void record_block(struct thread *t, enum trace_op op, uintptr_t address, size_t size);
/* An atomic operation, under s->lock: `order` as C numbers it. RMW: RECORD_ALWAYS_WRITES if it is no compare-exchange. */
enum { RECORD_ALWAYS_WRITES = 32 /* RECORDED_ALWAYS_WRITES (trace/recorded.h) */, RECORD_COUNT = 32 /* RECORDED_COUNT */ };
void record_atomic(struct thread *t, enum trace_op op, struct sync *s, unsigned flags, unsigned size, int order, uint64_t value,
                   uint64_t value2);
