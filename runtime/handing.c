/* What threads hand on to each other: clocks, in happens-before and in the weak order. */
#include "analysis/seen.h"
#include "thread.h"

bool thread_learns(struct thread *t) {
  bool learns = t->seen.learning;
  __atomic_store_n(&t->seen.learning, true, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (UNLIKELY(__atomic_load_n(&t->seen.asked, __ATOMIC_RELAXED))) thread_tick(t);
  return learns;
}

HOT void take(struct thread *t, uint32_t *clock, epoch from, const uint32_t *at, uint32_t n) {
  if (from && clock[epoch_slot(from)] >= epoch_clock(from)) return;
  clocks_join(clock, at, n);
  if (n > t->n) t->n = n;
}
HOT void take_weak(struct thread *t, epoch from, const uint32_t *at, uint32_t n) {
  if (from && t->weak[epoch_slot(from)] >= epoch_clock(from)) return;
  bool learns = thread_learns(t);
  take(t, t->weak, 0, at, n);
  thread_has_learnt(t, learns);
}

void thread_acquire_lock(struct thread *t, const struct vclock *c) {
  if (c) take(t, t->clock, c->from, c->at, c->n);
}

void thread_acquire_weak_at(struct thread *t, epoch from, const uint32_t *at, uint32_t n) { take_weak(t, from, at, n); }

void thread_acquire_weak(struct thread *t, const struct vclock *weak) {
  if (t->weak && weak) take_weak(t, weak->from, weak->at, weak->n);
}

void thread_acquire(struct thread *t, const struct vclock *c) {
  if (!c) return;
  thread_acquire_lock(t, c);
  thread_acquire_weak(t, vclock_weak(c));
}

static void give(struct thread *t, const uint32_t *clock, struct vclock **c, bool join) {
  if (join)
    vclock_join(c, clock, t->n);
  else
    vclock_set(c, clock, t->n, hd_fast.epoch);
}
static void give_weakly(struct thread *t, struct vclock **c, bool join) {
  seen_hear(t);
  if (join)
    vclock_join_weak(c, t->weak, t->n);
  else
    vclock_set_weak(c, t->weak, t->n, hd_fast.epoch);
}

void thread_release_weak(struct thread *t, struct vclock **weak, bool join) {
  if (!t->weak) return;
  seen_hear(t);
  give(t, t->weak, weak, join);
  thread_tick(t);
}

void thread_release_weakly(struct thread *t, struct vclock **c, bool join) {
  if (!t->weak) return;
  give_weakly(t, c, join);
  thread_tick(t);
}

void thread_release_lock(struct thread *t, struct vclock **c, bool join) {
  give(t, t->clock, c, join);
  thread_tick(t);
}

static void release(struct thread *t, struct vclock **c, bool join) {
  give(t, t->clock, c, join);
  if (t->weak && *c) give_weakly(t, c, join);
  thread_tick(t);
}
void thread_release(struct thread *t, struct vclock **c) { release(t, c, false); }
void thread_release_join(struct thread *t, struct vclock **c) { release(t, c, true); }
