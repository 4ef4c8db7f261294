#include "openmp/order.h"

#include "intercept/intercept.h"
#include "record/record.h"

static struct thread *present(void) {
  struct thread *t = watched();
  return t && !t->ignore_sync ? t : NULL;
}

static char recorded; /* a record tells no orders apart: it has more than there are */

void order_release(struct order *o) {
  struct thread *t = present();
  if (!t) return;
  if (UNLIKELY(recording)) {
    sync_release(t, (uintptr_t)&recorded, SYNC_OTHER);
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
    sync_acquire(t, (uintptr_t)&recorded);
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
  struct thread *t = thread_enter_self();
  rt_lock(&from->lock);
  const struct vclock *c = from->clock, *weak = vclock_weak(c);
  if (c) vclock_join(&to->clock, c->at, c->n);
  if (weak) vclock_join_weak(&to->clock, weak->at, weak->n);
  to->hard = from->hard;
  rt_unlock(&from->lock);
  thread_leave_self(t);
}

void order_drop(struct order *o) { vclock_free(o->clock); }
