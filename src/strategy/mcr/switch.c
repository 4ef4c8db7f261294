#include "strategy/mcr/switch.h"

#include <string.h>

#include "base/hash.h"

enum { OF_PREFIX = 1, OF_FIRST = 2, OF_SECOND = 4 };

void mcr_switch_release(struct mcr_switch *w) {
  vec_release(&w->found);
  vec_release(&w->events);
  vec_release(&w->rest);
  vec_release(&w->joint);
  vec_release(&w->members);
  vec_release(&w->skip);
  vec_release(&w->later);
}

/* --- sections of locks --- */

/* The lock that the event takes (1) or gives back (-1); 0: none. */
static int lock_of(const struct event *e, uint64_t *lock) {
  *lock = e->op == EVENT_WAIT_ENTER || e->op == EVENT_WAIT_LEAVE ? e->value2 : e->object;
  if (e->op == EVENT_ACQUIRE) return 1;
  if (e->op == EVENT_RELEASE || (e->op == EVENT_WAIT_ENTER && *lock)) return -1;
  return e->op == EVENT_WAIT_LEAVE && *lock;
}

/* How often the events hold the lock for the thread. */
static int held(const struct mcr_trace *t, const uint32_t *events, uint32_t n, uint32_t thread, uint64_t lock) {
  int times = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t object;
    int by = t->events.data[events[i]].thread == thread ? lock_of(&t->events.data[events[i]], &object) : 0;
    if (by && object == lock) times += by;
  }
  return times;
}

/* Appends to the events from `first` on what their threads do up to the end of the sections that they are in. */
static void extend(struct mcr_switch *w, const struct mcr_trace *t, uint32_t first) {
  uint32_t n = (uint32_t)w->events.count - first;
  for (uint32_t i = 0; i < n; i++) {
    const struct event *a = &t->events.data[w->events.data[first + i]];
    uint64_t lock, object;
    if (lock_of(a, &lock) <= 0) continue;
    int times = held(t, w->events.data + first, (uint32_t)w->events.count - first, a->thread, lock);
    uint32_t last = 0;
    for (uint32_t k = first; k < w->events.count; k++)
      if (t->events.data[w->events.data[k]].thread == a->thread && w->events.data[k] > last) last = w->events.data[k];
    for (uint32_t e = last + 1; times > 0 && e < t->n; e++) {
      if (t->events.data[e].thread != a->thread) continue;
      *vec_push(&w->events) = e;
      int by = lock_of(&t->events.data[e], &object);
      if (by && object == lock) times += by;
    }
  }
}

/* --- sets of events --- */

static void mark(struct mcr_switch *w, const struct mcr_found *f, uint8_t bit) {
  for (uint32_t i = 0; i < f->all; i++) w->members.data[w->events.data[f->first + i]] |= bit;
}

static void unmark(struct mcr_switch *w, uint8_t bits) {
  for (size_t i = 0; i < w->members.count; i++) w->members.data[i] &= (uint8_t)~bits;
}

/* The prefix's events that are not in the set `bits`, with their values. */
static uint64_t rest_key(const struct mcr_switch *w, const struct mcr_trace *t, const struct mcr_found *f, uint8_t bits) {
  uint64_t key = 0;
  for (uint32_t i = 0; i < f->own; i++) {
    uint32_t event = w->events.data[f->first + i];
    const struct event *e = &t->events.data[event];
    if (w->members.data[event] & bits) continue;
    uint64_t name = hash_pair(hash_pair(e->thread, e->index), hash_pair(e->op, e->object));
    key += hash_pair(name, event == f->read ? hash_mix(f->value) : e->value);
  }
  return key;
}

void mcr_switch_begin(struct mcr_switch *w, const struct mcr_trace *t, uint32_t from) {
  vec_clear(&w->found);
  vec_clear(&w->events);
  vec_clear(&w->members);
  if (t->events.count) memset(vec_push_n(&w->members, t->events.count), 0, t->events.count);
  for (uint32_t i = from; i < t->prefix; i++) *vec_push(&w->events) = i;
  extend(w, t, 0);
  for (size_t i = 0; i < w->events.count; i++) w->members.data[w->events.data[i]] |= OF_PREFIX;
  vec_clear(&w->events);
}

static bool is_comparable(const struct mcr_trace *t, uint32_t read) {
  const struct event *e = &t->events.data[read];
  return !t->buffers && read < t->n && (e->op == EVENT_READ || e->op == EVENT_RMW || e->op == EVENT_CHOICE);
}

bool mcr_switch_found(struct mcr_switch *w, const struct mcr_trace *t, const struct causal_step *witness, uint32_t n, uint64_t value) {
  struct mcr_found *f = vec_push(&w->found);
  *f = (struct mcr_found){.first = (uint32_t)w->events.count, .read = witness[n - 1].event, .value = value};
  for (uint32_t i = 0; i < n; i++)
    if (!witness[i].flush) *vec_push(&w->events) = witness[i].event;
  f->own = (uint32_t)w->events.count - f->first;
  f->comparable = is_comparable(t, f->read);
  if (f->comparable) extend(w, t, f->first);
  f->all = (uint32_t)w->events.count - f->first;
  uint64_t key = rest_key(w, t, f, OF_PREFIX);
  for (size_t i = 0; i < w->skip.count && f->comparable; i++) f->skipped |= w->skip.data[i] == key;
  return f->skipped;
}

/* --- what a read returns --- */

static bool writes(const struct event *e) { return e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_FREE; }

/* What `read` finds after those of the joint sequence that come before it, and after the execution's prefix. False: not known. */
static bool value_of(struct mcr_switch *w, const struct mcr_trace *t, const struct mcr_found *f, const struct mcr_found *other,
                     uint64_t *value) {
  const struct event *r = &t->events.data[f->read];
  size_t at = 0;
  while (at < w->joint.count && w->joint.data[at] != f->read) at++;
  for (size_t i = at + t->prefix; i-- > 0;) {
    uint32_t event = i < t->prefix ? (uint32_t)i : w->joint.data[i - t->prefix];
    const struct event *e = &t->events.data[event];
    if (!writes(e) || e->object >= r->object + r->size || r->object >= e->object + e->size) continue;
    if (e->op == EVENT_FREE || event == other->read || e->object != r->object || e->size != r->size) return false;
    *value = e->op == EVENT_RMW ? e->value2 : e->value;
    return true;
  }
  return w->initial(w->data, r->object, (uint32_t)r->size, value);
}

/* Does the second one's read return its value in the first prefix with the rest of the second one behind it? */
static bool keeps_value(struct mcr_switch *w, const struct mcr_trace *t, const struct mcr_found *first, const struct mcr_found *second) {
  const struct event *e = &t->events.data[second->read];
  uint64_t value;
  if (e->op == EVENT_CHOICE) return true;
  if (e->size > 8) return false;
  vec_clear(&w->joint);
  unmark(w, OF_FIRST);
  mark(w, first, OF_FIRST);
  for (uint32_t i = 0; i < first->all; i++) *vec_push(&w->joint) = w->events.data[first->first + i];
  for (uint32_t i = 0; i < second->all; i++) {
    uint32_t event = w->events.data[second->first + i];
    if (!(w->members.data[event] & OF_FIRST)) *vec_push(&w->joint) = event;
  }
  return value_of(w, t, second, first, &value) && value == second->value;
}

static bool contains(const struct mcr_switch *w, const struct mcr_found *f, uint32_t event) {
  for (uint32_t i = 0; i < f->all; i++)
    if (w->events.data[f->first + i] == event) return true;
  return false;
}

void mcr_switch_compare(struct mcr_switch *w, const struct mcr_trace *t, uint32_t i) {
  const struct mcr_found *a = &w->found.data[i];
  for (uint32_t k = i + 1; k < w->found.count && a->comparable; k++) {
    const struct mcr_found *b = &w->found.data[k];
    if (!b->comparable || contains(w, a, b->read) || contains(w, b, a->read)) continue;
    if (!keeps_value(w, t, a, b) || !keeps_value(w, t, b, a)) continue;
    unmark(w, OF_FIRST);
    mark(w, a, OF_FIRST);
    *vec_push(&w->later) = rest_key(w, t, b, OF_FIRST);
  }
}

void mcr_switch_take(struct mcr_switch *w, uint32_t from) {
  vec_clear(&w->skip);
  for (size_t i = from; i < w->later.count; i++) *vec_push(&w->skip) = w->later.data[i];
  w->later.count = from;
}
