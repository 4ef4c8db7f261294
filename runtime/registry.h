/* All threads that there are and were, and the slots of clocks that they are in: what thread.c, slots.c and who.c have in common. */
#pragma once
#include "thread.h"

enum { INFOS = 1 << 24 };

struct registry {
  struct rt_lock lock;
  struct thread *live;
  struct {
    struct thread_info *last; /* its newest thread */
    uint32_t final;           /* the clock of its last thread's end */
    bool free;
    uint32_t when; /* it became free: a count */
  } slots[SLOTS];
  struct vclock *ended; /* what the threads that have ended knew */
  uint32_t freed;       /* slots, so far */
  uint32_t nslots;      /* slots 1 .. nslots have been used; 0 is nobody's */
  struct thread_info **infos;
  uint32_t ninfos;
  uint32_t nlive;
  uint32_t nseats; /* all that there were */
  size_t due;      /* what may be spent on settling */
};
extern struct registry registry;

/* What follows is under the registry's lock. A slot for what t does; 0 if all are in use. */
uint32_t slot_take(struct thread *t);
/* t does what it does in that slot from now on, which `info` says of it. */
void slot_seat(struct thread *t, uint32_t slot, struct thread_info *info);
/* It is free. `final`: the clock of the end of what was done in it. */
void slot_give(uint32_t slot, uint32_t final);
/* Most are left to threads. */
bool slots_abound(void);
/* threads_settle(). */
void slots_settle(void);
