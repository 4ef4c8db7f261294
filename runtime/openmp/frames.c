#include "openmp/frames.h"

#include "intercept/intercept.h"
#include "openmp/actor.h"

enum { ENDS = 32 };

/* When frames ended on a thread's stack. What lies below a limit is gone if the clock knows of it. Later entries have lower limits: one
 * with a higher limit makes those before it needless. */
struct frames {
  struct rt_lock lock;
  unsigned count;
  struct {
    uintptr_t limit;
    struct vclock *clock;
  } at[ENDS];
};

void frames_end(uintptr_t limit) {
  enum { NEXT = 512 }; /* bytes that will be used at once: what is forgotten needs no look */
  struct thread *t = watched();
  if (!t || !t->weak) return;
  thread_enter(t);
  struct frames *f = t->info->frames;
  if (!f && (f = rt_alloc(sizeof *f))) {
    rt_zero(f, sizeof *f);
    __atomic_store_n(&t->info->frames, f, __ATOMIC_RELEASE);
  }
  if (f) {
    rt_lock(&f->lock);
    unsigned n = f->count;
    while (n > 0 && f->at[n - 1].limit <= limit) n--;
    if (n == ENDS) n--, limit = f->at[n].limit; /* more is gone then than is true */
    f->at[n].limit = limit;
    vclock_set(&f->at[n].clock, t->clock, t->n, 0);
    f->count = n + 1;
    rt_unlock(&f->lock);
  }
  thread_leave(t);
  access_forget(limit - NEXT, NEXT);
}

static bool has(const struct frames *f, uintptr_t address, epoch e) {
  unsigned n = f->count;
  while (n > 0 && f->at[n - 1].limit <= address) n--;
  const struct vclock *c = n > 0 ? f->at[n - 1].clock : NULL;
  return c && epoch_slot(e) < c->n && c->at[epoch_slot(e)] >= epoch_clock(e);
}

bool frames_ended(const struct thread *t, uintptr_t address, epoch e) {
  const struct thread_info *i = t->info;
  if (address - i->memory.from >= i->memory.to - i->memory.from) i = thread_with_memory(address, 0);
  struct frames *f = i ? __atomic_load_n(&i->frames, __ATOMIC_ACQUIRE) : NULL;
  if (!f) return false;
  rt_lock(&f->lock);
  bool ended = has(f, address, e);
  rt_unlock(&f->lock);
  return ended;
}
