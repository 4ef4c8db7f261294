#include "streaming/sync.h"

#include <string.h>

#include "trace/recorded.h"

/* Kinds of objects in the one table. */
enum { KEY_SEMAPHORE, KEY_BARRIER, KEY_TAKEN, KEYS = 4 };

void sync_begin(struct sync *s, unsigned layers, unsigned strict, unsigned vain, const struct sync_hooks *hooks) {
  *s = (struct sync){.layers = layers, .strict = strict, .vain = vain, .hooks = hooks};
}

static void drop_all(struct sync *s, struct clock **at) {
  for (unsigned k = 0; k < s->layers; k++) clock_assign(&s->clocks, &at[k], NULL);
}

void sync_release(struct sync *s) {
  for (size_t i = 0; i < s->threads.count; i++) {
    struct thread *t = &s->threads.data[i];
    drop_all(s, t->knows), drop_all(s, t->woken);
    vec_release(&t->held);
  }
  for (size_t i = 0; i < s->meetings.count; i++) drop_all(s, s->meetings.data[i].told);
  locks_release(&s->locks, &s->clocks);
  vec_release(&s->threads);
  vec_release(&s->meetings);
  vec_release(&s->waiting);
  hashmap_release(&s->places);
  clocks_release(&s->clocks);
}

void sync_threads(struct sync *s, uint32_t number) {
  while (s->threads.count <= number) *vec_push(&s->threads) = (struct thread){.lockset = LOCKSET_UNKNOWN};
}

void sync_hand_on(struct sync *s, unsigned layer, uint32_t t, struct clock **to) {
  const struct thread *from = &s->threads.data[t];
  clock_join(&s->clocks, to, from->knows[layer]);
  if (!(s->strict >> layer & 1)) clock_raise(&s->clocks, to, t, from->time);
}

static void tell_all(struct sync *s, uint32_t t, struct clock **to) {
  for (unsigned k = 0; k < s->layers; k++) sync_hand_on(s, k, t, &to[k]);
}

static void learn_all(struct sync *s, uint32_t t, struct clock *const *from) {
  for (unsigned k = 0; k < s->layers; k++) sync_learn(s, k, t, from[k]);
}

static struct meeting *meeting_at(struct sync *s, uint64_t object, uint64_t round, unsigned kind) {
  bool is_new;
  uint64_t key = object * KEYS + kind + (kind == KEY_BARRIER ? (round & 1) << 1 : 0);
  uint64_t *place = hashmap_at(&s->places, key, s->meetings.count, &is_new);
  size_t i = *place;
  if (is_new) *vec_push(&s->meetings) = (struct meeting){.round = round};
  struct meeting *m = &s->meetings.data[i];
  if (m->round != round) { /* the round before the last one is over: this one could not have begun else */
    drop_all(s, m->told);
    m->round = round;
  }
  return m;
}

static void fork_or_join(struct sync *s, const struct event *e) {
  if (e->object >= THREAD_NUMBERS || e->object == e->thread) return;
  uint32_t child = (uint32_t)e->object;
  (void)sync_thread(s, child);
  if (e->op == EVENT_FORK)
    tell_all(s, e->thread, s->threads.data[child].knows);
  else if (!(e->flags & EVENT_TIMED_OUT))
    tell_all(s, child, s->threads.data[e->thread].knows);
}

static void notify(struct sync *s, const struct event *e) {
  for (size_t i = 0; i < s->waiting.count; i++) {
    struct thread *w = &s->threads.data[s->waiting.data[i]];
    if (w->condition == e->object && s->waiting.data[i] != e->thread) tell_all(s, e->thread, w->woken);
  }
}

static void wait_no_more(struct sync *s, uint32_t t) {
  for (size_t i = 0; i < s->waiting.count; i++) {
    if (s->waiting.data[i] != t) continue;
    s->waiting.data[i] = vec_pop(&s->waiting);
    break;
  }
}

static void wait_enter(struct sync *s, const struct event *e) {
  if (e->value2) s->hooks->release(s, e->thread, e->value2, false, e);
  wait_no_more(s, e->thread); /* as in a whole trace it does not */
  s->threads.data[e->thread].condition = e->object;
  *vec_push(&s->waiting) = e->thread;
}

/* A wait that is timed out takes its mutex by an ACQUIRE of its own. */
static void wait_leave(struct sync *s, const struct event *e) {
  struct thread *t = &s->threads.data[e->thread];
  wait_no_more(s, e->thread);
  t->condition = 0;
  if (!(e->flags & EVENT_TIMED_OUT)) {
    learn_all(s, e->thread, t->woken);
    if (e->value2) s->hooks->acquire(s, e->thread, e->value2, false, e);
  }
  drop_all(s, t->woken);
}

static void meet(struct sync *s, const struct event *e, unsigned kind, bool tells) {
  struct meeting *m = meeting_at(s, e->object, kind == KEY_BARRIER ? e->value : 0, kind);
  if (tells)
    tell_all(s, e->thread, m->told);
  else if (!(e->flags & EVENT_TIMED_OUT))
    learn_all(s, e->thread, m->told);
}

/* A semaphore: by what its count was posted, taken away. */
static void count(struct sync *s, const struct event *e) {
  if (e->op != EVENT_TRYFAIL) meet(s, e, KEY_SEMAPHORE, e->op == EVENT_SEM_POST);
  if (e->op == EVENT_SEM_POST || (e->op == EVENT_SEM_WAIT && (e->flags & EVENT_TIMED_OUT))) return;
  struct meeting *m = meeting_at(s, e->object, 0, KEY_TAKEN);
  for (unsigned k = 0; k < s->layers; k++) {
    if (!(s->vain >> k & 1)) continue;
    if (e->op == EVENT_SEM_WAIT)
      sync_hand_on(s, k, e->thread, &m->told[k]);
    else
      sync_learn(s, k, e->thread, m->told[k]);
  }
}

static bool is_count(const struct event *e) {
  return e->op == EVENT_SEM_POST || e->op == EVENT_SEM_WAIT || (e->op == EVENT_TRYFAIL && (e->flags & RECORDED_COUNT));
}

void sync_event(struct sync *s, const struct event *e) {
  bool shared = e->flags & EVENT_SHARED_LOCK;
  if (e->op == EVENT_ACQUIRE)
    s->hooks->acquire(s, e->thread, e->object, shared, e);
  else if (e->op == EVENT_RELEASE)
    s->hooks->release(s, e->thread, e->object, shared, e);
  else if (is_count(e))
    count(s, e);
  else if (e->op == EVENT_TRYFAIL)
    s->hooks->refused(s, e->thread, e->object, e);
  else if (e->op == EVENT_FORK || e->op == EVENT_JOIN)
    fork_or_join(s, e);
  else if (e->op == EVENT_WAIT_ENTER)
    wait_enter(s, e);
  else if (e->op == EVENT_WAIT_LEAVE)
    wait_leave(s, e);
  else if (e->op == EVENT_SIGNAL || e->op == EVENT_BROADCAST)
    notify(s, e);
  else if (e->op == EVENT_BARRIER_ENTER || e->op == EVENT_BARRIER_LEAVE)
    meet(s, e, KEY_BARRIER, e->op == EVENT_BARRIER_ENTER);
}

void sync_lock_taken(struct sync *s, unsigned layer, uint32_t t, uint32_t lock, bool shared) {
  struct lock *l = &s->locks.all.data[lock];
  struct clock **knows = &s->threads.data[t].knows[layer];
  clock_learn(&s->clocks, knows, &l->told[layer]);
  if (!shared) clock_join(&s->clocks, knows, l->readers[layer]);
}

void sync_lock_given(struct sync *s, unsigned layer, uint32_t t, uint32_t lock, bool shared, bool mine) {
  struct lock *l = &s->locks.all.data[lock];
  struct clock *knows = s->threads.data[t].knows[layer];
  uint32_t time = sync_time(s, layer, t);
  if (shared)
    sync_hand_on(s, layer, t, &l->readers[layer]);
  else if (mine) /* it knows what was told before */
    known_set(&s->clocks, &l->told[layer], knows, t, time);
  else
    known_add(&s->clocks, &l->told[layer], knows, t, time);
}

/* --- where the order of the run is not known --- */

void sync_learn_of_all(struct sync *s, unsigned layer, uint32_t t) {
  for (uint32_t i = 0; i < s->threads.count; i++) {
    const struct thread *other = &s->threads.data[i];
    if (i != t && other->time)
      clock_learn(&s->clocks, &s->threads.data[t].knows[layer], &(struct known){other->knows[layer], i, other->time});
  }
}

void sync_meet(struct sync *s, unsigned layer) {
  struct clock *all = NULL;
  for (uint32_t i = 0; i < s->threads.count; i++) {
    const struct thread *t = &s->threads.data[i];
    if (t->time) clock_learn(&s->clocks, &all, &(struct known){t->knows[layer], i, t->time});
  }
  for (uint32_t i = 0; i < s->threads.count; i++) clock_join(&s->clocks, &s->threads.data[i].knows[layer], all);
  clock_drop(&s->clocks, all);
}
