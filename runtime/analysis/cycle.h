/* Threads that wait for each other in a circle, for locks: what lockorder.c finds possible and deadlock.c finds happening. */
#pragma once
#include "thread.h"

/* A lock that a thread holds or wants. */
struct hold {
  uint64_t lock;     /* sync.h: its id */
  uintptr_t address; /* where it is */
  uint32_t site;     /* where it was taken, or is asked for */
  uint8_t kind;      /* enum sync_kind */
  bool shared;
};

/* A thread that holds one lock and wants another, which the next of the cycle holds. */
struct waiter {
  uint32_t thread; /* its number */
  struct hold has, wants;
};

enum { CYCLE_MOST = 16 };
struct cycle {
  unsigned n; /* 1: a thread waits for itself */
  struct waiter waiters[CYCLE_MOST];
};

/* Reports it (report/cycle.c): it can happen, or it has happened. t is the calling thread. */
void cycle_possible(struct thread *t, const struct cycle *c);
void cycle_happened(struct thread *t, const struct cycle *c);
