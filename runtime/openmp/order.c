#include "openmp/order.h"

#include "intercept/intercept.h"

static struct thread *present(void) {
  struct thread *t = watched();
  return t && !t->ignore_sync ? t : NULL;
}

void order_release(struct order *o) {
  struct thread *t = present();
  if (!t) return;
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
  thread_enter(t);
  rt_lock(&o->lock);
  thread_acquire(t, o->clock);
  hard_join(&t->hard, &o->hard);
  rt_unlock(&o->lock);
  thread_leave(t);
}

void order_drop(struct order *o) { vclock_free(o->clock); }
