#include "predict/recorded/state.h"

#include <string.h>

struct recorded_thread *recorded_state_thread(struct recorded_state *s, uint32_t thread) {
  while (s->threads.count <= thread) *vec_push(&s->threads) = (struct recorded_thread){0};
  return &s->threads.data[thread];
}

void recorded_state_release(struct recorded_state *s) {
  for (size_t i = 0; i < s->threads.count; i++) {
    vec_release(&s->threads.data[i].held);
    vec_release(&s->threads.data[i].calls);
  }
  vec_release(&s->threads);
  vec_release(&s->notes);
  vec_release(&s->memory);
  hashmap_release(&s->granules);
  hashmap_release(&s->counts);
  hashmap_release(&s->barriers);
  hashmap_release(&s->last_notes);
}

/* --- locks and waits --- */

static void hold(struct recorded_thread *t, uint64_t lock, bool shared) {
  *vec_push(&t->held) = (struct recorded_held){lock, shared, false};
}

static void give_up(struct recorded_thread *t, uint64_t lock) {
  for (size_t i = t->held.count; i-- > 0;) {
    if (t->held.data[i].lock != lock) continue;
    memmove(&t->held.data[i], &t->held.data[i + 1], (t->held.count - i - 1) * sizeof t->held.data[0]);
    t->held.count--;
    return;
  }
}

bool recorded_state_note(struct recorded_state *s, uint32_t thread, bool take) {
  const struct recorded_thread *t = recorded_state_thread(s, thread);
  for (size_t i = 0; i < s->notes.count; i++) {
    struct recorded_note *n = &s->notes.data[i];
    if (n->condition != t->waits_at || n->at < t->since) continue;
    if (take && !n->broadcast) {
      memmove(n, n + 1, (s->notes.count - i - 1) * sizeof *n);
      s->notes.count--;
    }
    return true;
  }
  return false;
}

static void enter(struct recorded_state *s, const struct event *e) {
  struct recorded_thread *t = recorded_state_thread(s, e->thread);
  give_up(t, e->value2);
  for (size_t i = 0; i < t->held.count; i++) t->held.data[i].waited = true;
  s->waiting += t->waits_at == 0;
  t->waits_at = e->object, t->mutex = e->value2, t->since = s->events;
}

static void leave(struct recorded_state *s, const struct event *e) {
  struct recorded_thread *t = recorded_state_thread(s, e->thread);
  if (t->waits_at && !(e->flags & EVENT_TIMED_OUT)) (void)recorded_state_note(s, e->thread, true);
  s->waiting -= t->waits_at != 0;
  t->waits_at = 0;
  if (!(e->flags & EVENT_TIMED_OUT)) hold(t, e->value2, false);
  if (s->waiting == 0) vec_clear(&s->notes);
}

static void notify(struct recorded_state *s, const struct event *e) {
  *hashmap_at(&s->last_notes, e->object, 0, NULL) = s->events + 1;
  if (s->waiting) *vec_push(&s->notes) = (struct recorded_note){e->object, s->events, e->op == EVENT_BROADCAST};
}

static void count(struct recorded_state *s, const struct event *e) {
  uint64_t *n = hashmap_at(&s->counts, e->object, 0, NULL);
  if (e->op == EVENT_SEM_POST) ++*n;
  if (e->op == EVENT_SEM_WAIT && *n > 0) --*n;
}

/* Who arrives when others have left is in the next round. */
static void arrive(struct recorded_state *s, const struct event *e) {
  struct recorded_thread *t = recorded_state_thread(s, e->thread);
  uint64_t *round = hashmap_at(&s->barriers, e->object, 2, NULL);
  *round += *round & 1;
  t->barrier = e->object, t->round = *round / 2;
}

static void depart(struct recorded_state *s, const struct event *e) {
  struct recorded_thread *t = recorded_state_thread(s, e->thread);
  uint64_t *round = hashmap_at(&s->barriers, e->object, 2, NULL);
  if (t->barrier == e->object && t->round == *round / 2) *round |= 1;
  t->barrier = 0;
}

uint64_t recorded_state_round(const struct recorded_state *s, uint64_t barrier, bool *left) {
  const uint64_t *round = hashmap_find(&s->barriers, barrier);
  *left = round && (*round & 1);
  return round ? *round / 2 : 1;
}

/* --- calls --- */

static void call(struct recorded_thread *t, uint64_t method) { *vec_push(&t->calls) = method; }

/* Calls within that one have ended, too, if by other ways than returning. */
static void end_call(struct recorded_thread *t, uint64_t method) {
  for (size_t i = t->calls.count; i-- > 0;) {
    if (t->calls.data[i] != method) continue;
    t->calls.count = i;
    return;
  }
}

/* --- memory --- */

static struct recorded_granule *granule_at(struct recorded_state *s, uint64_t granule) {
  bool is_new = false;
  uint64_t *at = hashmap_at(&s->granules, granule, s->memory.count, &is_new);
  if (is_new) *vec_push(&s->memory) = (struct recorded_granule){0};
  return &s->memory.data[*at];
}

static void set_byte(struct recorded_granule *g, uint32_t byte, uint64_t value) {
  g->value = (g->value & ~(0xffull << 8 * byte)) | (value & 0xff) << 8 * byte;
  g->known |= (uint8_t)(1u << byte);
}

static void store(struct recorded_state *s, uint64_t address, uint64_t size, uint64_t value) {
  struct recorded_granule *g = granule_at(s, address / 8);
  if (size == 8 && address % 8 == 0) {
    *g = (struct recorded_granule){value, 0xff};
    return;
  }
  for (uint64_t i = 0; i < size; i++) {
    if ((address + i) % 8 == 0) g = granule_at(s, (address + i) / 8);
    set_byte(g, (uint32_t)((address + i) % 8), value >> 8 * i);
  }
}

/* Granules beyond what is known need not be looked at one by one. */
static void forget(struct recorded_state *s, uint64_t address, uint64_t size) {
  if (size == 0) return;
  uint64_t first = address / 8, last = (address + size - 1) / 8;
  if (last - first < s->memory.count) {
    for (uint64_t granule = first; granule <= last; granule++) {
      uint64_t *at = hashmap_find(&s->granules, granule);
      if (at) s->memory.data[*at].known = 0;
    }
    return;
  }
  for (size_t i = 0; i < s->granules.cap; i++)
    if (s->granules.used[i] && s->granules.keys[i] >= first && s->granules.keys[i] <= last) s->memory.data[s->granules.values[i]].known = 0;
}

bool recorded_state_memory(const struct recorded_state *s, uint64_t address, uint32_t size, uint64_t *value) {
  *value = 0;
  for (uint32_t i = 0; i < size; i++) {
    const uint64_t *at = hashmap_find(&s->granules, (address + i) / 8);
    const struct recorded_granule *g = at ? &s->memory.data[*at] : NULL;
    uint32_t byte = (uint32_t)((address + i) % 8);
    if (!g || !(g->known >> byte & 1)) return false;
    *value |= (g->value >> 8 * byte & 0xff) << 8 * i;
  }
  return true;
}

static void access(struct recorded_state *s, const struct event *e) {
  if (e->size > 8 || (e->flags & RECORDED_NO_VALUE) || e->op == EVENT_FREE || e->op == EVENT_ALLOC) {
    if (e->op != EVENT_READ) forget(s, e->object, e->size);
    return;
  }
  if (e->size > 0) store(s, e->object, e->size, e->op == EVENT_RMW ? e->value2 : e->value);
}

/* --- events --- */

void recorded_state_take(struct recorded_state *s, const struct event *e) {
  struct recorded_thread *t = recorded_state_thread(s, e->thread);
  switch (e->op) {
    case EVENT_READ:
    case EVENT_WRITE:
    case EVENT_RMW:
    case EVENT_FREE:
    case EVENT_ALLOC:
      access(s, e);
      break;
    case EVENT_ACQUIRE:
      hold(t, e->object, e->flags & EVENT_SHARED_LOCK);
      break;
    case EVENT_RELEASE:
      give_up(t, e->object);
      break;
    case EVENT_WAIT_ENTER:
      enter(s, e);
      break;
    case EVENT_WAIT_LEAVE:
      leave(s, e);
      break;
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
      notify(s, e);
      break;
    case EVENT_SEM_POST:
    case EVENT_SEM_WAIT:
      count(s, e);
      break;
    case EVENT_BARRIER_ENTER:
      arrive(s, e);
      break;
    case EVENT_BARRIER_LEAVE:
      depart(s, e);
      break;
    case RECORDED_CALL:
      call(t, e->object);
      break;
    case RECORDED_RETURN:
      end_call(t, e->object);
      break;
    case EVENT_END:
      t->ended = true;
      break;
    default:
      break;
  }
  s->events++;
}
