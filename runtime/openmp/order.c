#include "openmp/order.h"

#include "intercept/intercept.h"
#include "record/record.h"

static struct thread *present(void) {
  struct thread *t = watched();
  return t && !t->ignore_sync ? t : NULL;
}

/* In a trace. No other order has or had the number, which is as good as an address, of which there is none. */
static uint64_t number_of(struct order *o) {
  enum { NO_ADDRESS = 56 };
  static uint64_t numbers;
  if (!o->number) o->number = 1ull << NO_ADDRESS | __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
  return o->number;
}
static void record(struct thread *t, struct order *o, void (*tells)(struct thread *, uint64_t, struct told *)) {
  thread_enter(t);
  rt_lock(&o->lock);
  tells(t, number_of(o), &o->told);
  rt_unlock(&o->lock);
  thread_leave(t);
}

void order_release(struct order *o) {
  struct thread *t = present();
  if (!t) return;
  if (UNLIKELY(recording)) {
    record(t, o, record_hands_on);
    return;
  }
  thread_enter(t); /* a signal's handler may want the same lock */
  rt_lock(&o->lock);
  thread_release_join(t, &o->clock);
  hard_join(&o->hard, &t->hard);
  t->hard.open = false;
  rt_unlock(&o->lock);
  thread_leave(t);
}

void order_acquire(struct order *o) {
  struct thread *t = present();
  if (!t) return;
  if (UNLIKELY(recording)) {
    if (__atomic_load_n(&o->told.times, __ATOMIC_ACQUIRE)) record(t, o, record_takes);
    return;
  }
  thread_enter(t);
  rt_lock(&o->lock);
  thread_acquire(t, o->clock);
  hard_join(&t->hard, &o->hard);
  rt_unlock(&o->lock);
  thread_leave(t);
}

void order_copy(struct order *to, struct order *from) {
  if (UNLIKELY(recording)) {
    order_acquire(from), order_release(to);
    return;
  }
  struct thread *t = thread_lock_self(&from->lock);
  const struct vclock *c = from->clock, *weak = vclock_weak(c);
  if (c) vclock_join(&to->clock, c->at, c->n);
  if (weak) vclock_join_weak(&to->clock, weak->at, weak->n);
  to->hard = from->hard;
  thread_unlock_self(t, &from->lock);
}

void order_drop(struct order *o) { vclock_free(o->clock); }
