/* What a recorded run has come to: what of the events so far matters to those that follow, so that a window of the run can be looked at
 * without them: locks that are held, waits that have not ended, rounds of barriers, what memory holds, counts of semaphores, calls that
 * have not returned, threads that have ended. */
#pragma once
#include "base/hash.h"
#include "predict/recorded/memory/blocks.h"
#include "trace/contents.h"
#include "trace/recorded.h"

#define RECORDED_NONE UINT32_MAX

struct recorded_held {
  uint64_t lock;
  uint32_t site; /* where it was taken */
  bool shared;
  bool waited; /* the thread has waited since it took the lock: it let others in */
};

struct recorded_thread {
  VEC(struct recorded_held) held;
  VEC(uint64_t) calls;      /* methods whose calls have not returned */
  uint64_t waits_at, mutex; /* condition variable, 0: none; the mutex that it gave up for that */
  uint64_t since;           /* events before the wait */
  uint64_t barrier, round;  /* where it has arrived and not left, 0: nowhere; the round */
  bool ended;
};

/* A notification of which no wait is known yet that it ended because of it. */
struct recorded_note {
  uint64_t condition, at; /* events before it */
  bool broadcast;
};

/* Zeroed is ready for use: before the first event. */
struct recorded_state {
  uint64_t events;
  VEC(struct recorded_thread) threads; /* by number; those that had events, or were forked */
  VEC(struct recorded_note) notes;
  uint64_t waiting; /* threads that wait */
  struct contents memory;
  struct contents names; /* bytes of pointers that memory holds, as names (pointers.h); others are not known */
  struct blocks blocks;
  uint64_t allocations;      /* the last block's number */
  struct hashmap counts;     /* semaphore -> count, if it was 0 at first or as much as had to be */
  struct hashmap barriers;   /* barrier -> its present round, from 1 on, times two; plus 1: some thread has left that */
  struct hashmap last_notes; /* condition variable -> events before its last notification, and that */
};

/* What the event does to the locks that its thread holds. */
void recorded_thread_locks(struct recorded_thread *t, const struct event *e);
void recorded_state_take(struct recorded_state *s, const struct event *e);
struct recorded_thread *recorded_state_thread(struct recorded_state *s, uint32_t thread);
/* The barrier's present round (1: the first one), and whether some thread has left it. */
uint64_t recorded_state_round(const struct recorded_state *s, uint64_t barrier, bool *left);
/* The note that explains the end of the thread's wait, which is taken away if `take`. False: there is none. */
bool recorded_state_note(struct recorded_state *s, uint32_t thread, bool take);
void recorded_state_release(struct recorded_state *s);
