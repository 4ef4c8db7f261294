/* What a thread leaves to the one that joins it, found by its handle. Handles are used again; each use has an `ending` of its own, owned by
 * the thread, by its creator as long as it creates it, by the table of handles, and by whoever is joining it. */
#pragma once
#include <pthread.h>

#include "analysis/hard.h"
#include "clock.h"

struct ending {
  struct vclock *last; /* the thread's clock at its end; NULL before */
  struct hard hard;    /* how far it got */
  struct ending *next; /* in the table */
  pthread_t id;
  const struct thread_info *thread; /* NULL: the main one */
  uint32_t owners;
  bool mapped, unmapped; /* is or was in the table; has left it, or never comes there */
  bool parents;          /* of a process that this one was forked from */
};

/* Owned by the thread and by its creator. NULL if memory is exhausted: joining it tells nothing then. */
struct ending *ending_new(const struct thread_info *thread, bool detached);
/* Puts it into the table, unless that was done. */
void ending_map(struct ending *e, pthread_t id);
void ending_unmap(struct ending *e);
/* The handle's present one, owned by the caller; NULL if there is none. */
struct ending *ending_of(pthread_t id);
void ending_drop(struct ending *e);
/* Of the threads with a number above `last` that were neither joined nor detached the first one; NULL if there is none. */
const struct thread_info *ending_without_join(uint32_t last);
void endings_before_fork(void);
void endings_after_fork(bool child);
