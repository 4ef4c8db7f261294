#include "predict/recorded/model.h"

/* What building a model may cost; windows are made smaller for that, but not smaller than this. */
#define SHAPE_MOST   20000000u
#define WINDOW_LEAST 64u

/* How many threads hold the object before the window, wait for it, or have arrived at it. */
static void count_user(struct hashmap *users, uint64_t object) { ++*hashmap_at(users, object, 0, NULL); }

static void count_users(struct recorded_model *m, struct recorded_state *state) {
  hashmap_clear(&m->users);
  for (uint32_t i = 0; i < state->threads.count; i++) {
    const struct recorded_thread *t = &state->threads.data[i];
    for (size_t k = 0; k < t->held.count; k++) count_user(&m->users, t->held.data[k].lock);
    if (t->waits_at && !recorded_state_note(state, i, false)) count_user(&m->users, t->waits_at);
    if (t->barrier) count_user(&m->users, t->barrier);
  }
}

/* Those who use what the window uses are counted once: then nobody does. */
static uint64_t take_users(struct recorded_model *m, uint64_t object) {
  uint64_t *users = hashmap_find(&m->users, object), n = users ? *users : 0;
  if (users) *users = 0;
  return n;
}

/* The model has the threads of the window's events, and those that use something before the window which an event is about (emit_prefix()).
 * A thread may be counted more than once. */
uint32_t recorded_model_fits(struct recorded_model *m, struct recorded_state *state, const struct event *window, uint32_t n) {
  uint64_t more = 0;
  count_users(m, state);
  hashmap_clear(&m->tids);
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &window[i];
    (void)hashmap_at(&m->tids, e->thread, 0, NULL);
    if (e->op >= EVENT_ACQUIRE && e->op <= EVENT_SEM_WAIT) more += take_users(m, e->object);
    if (recorded_is_wait(e)) more += take_users(m, e->value2);
    if (m->tids.count + more > RECORDED_THREADS) return i;
  }
  return n;
}

uint32_t recorded_model_measure(struct recorded_model *m, struct recorded_state *state, const struct event *window, uint32_t n) {
  n = recorded_model_fits(m, state, window, n);
  while (recorded_model_begin(m, state, window, n) > SHAPE_MOST && n > WINDOW_LEAST) n = n / 2;
  return n;
}
