#include "report/held.h"

static void drop(struct held *held, uint64_t object) {
  for (size_t i = held->locks.count; i-- > 0;) {
    if (held->locks.data[i].object != object) continue;
    for (size_t k = i + 1; k < held->locks.count; k++) held->locks.data[k - 1] = held->locks.data[k];
    held->locks.count--;
    return;
  }
}

static void take(struct held *held, uint64_t object, uint64_t size, uint32_t event, bool shared) {
  *vec_push(&held->locks) = (struct held_lock){.object = object, .size = size, .event = event, .shared = shared};
}

void held_at(const struct event *trace, uint32_t upto, uint32_t thread, struct held *held) {
  for (uint32_t i = 0; i < upto; i++) {
    const struct event *e = &trace[i];
    if (e->thread != thread) continue;
    if (e->op == EVENT_ACQUIRE) take(held, e->object, e->size, i, e->flags & EVENT_SHARED_LOCK);
    if (e->op == EVENT_RELEASE) drop(held, e->object);
    if (e->op == EVENT_WAIT_ENTER && e->value2) drop(held, e->value2);
    if (e->op == EVENT_WAIT_LEAVE && e->value2) take(held, e->value2, 1, i, false);
  }
}

bool held_by(const struct event *trace, uint32_t upto, uint64_t object, uint32_t *thread, uint32_t *event) {
  bool taken = false;
  for (uint32_t i = 0; i < upto; i++) {
    const struct event *e = &trace[i];
    bool wait = e->op == EVENT_WAIT_ENTER || e->op == EVENT_WAIT_LEAVE;
    if ((wait ? e->value2 : e->object) != object) continue;
    if (e->op == EVENT_ACQUIRE || e->op == EVENT_WAIT_LEAVE) taken = true, *thread = e->thread, *event = i;
    if ((e->op == EVENT_RELEASE || e->op == EVENT_WAIT_ENTER) && taken && *thread == e->thread) taken = false;
  }
  return taken;
}

void held_release(struct held *held) { vec_release(&held->locks); }
