#include "predict/recorded/state.h"

#include <string.h>

#include "predict/recorded/memory/pointers.h"

#define FIRST_ROUND 2u /* of a barrier, see `barriers` */

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
  contents_release(&s->memory);
  contents_release(&s->names);
  blocks_release(&s->blocks);
  hashmap_release(&s->counts);
  hashmap_release(&s->barriers);
  hashmap_release(&s->last_notes);
}

/* --- locks and waits --- */

static void hold(struct recorded_thread *t, const struct event *e, uint64_t lock, bool shared) {
  *vec_push(&t->held) = (struct recorded_held){.lock = lock, .site = e->site, .shared = shared};
}

static void give_up(struct recorded_thread *t, uint64_t lock) {
  for (size_t i = t->held.count; i-- > 0;) {
    if (t->held.data[i].lock != lock) continue;
    memmove(&t->held.data[i], &t->held.data[i + 1], (t->held.count - i - 1) * sizeof t->held.data[0]);
    t->held.count--;
    return;
  }
}

void recorded_thread_locks(struct recorded_thread *t, const struct event *e) {
  if (e->op == EVENT_ACQUIRE) hold(t, e, e->object, e->flags & EVENT_SHARED_LOCK);
  if (e->op == EVENT_RELEASE) give_up(t, e->object);
  if (e->op == EVENT_WAIT_ENTER) give_up(t, e->value2);
  if (e->op == EVENT_WAIT_LEAVE && !(e->flags & EVENT_TIMED_OUT)) hold(t, e, e->value2, false);
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
  recorded_thread_locks(t, e);
  for (size_t i = 0; i < t->held.count; i++) t->held.data[i].waited = true;
  s->waiting += t->waits_at == 0;
  t->waits_at = e->object, t->mutex = e->value2, t->since = s->events;
}

static void leave(struct recorded_state *s, const struct event *e) {
  struct recorded_thread *t = recorded_state_thread(s, e->thread);
  if (t->waits_at && !(e->flags & EVENT_TIMED_OUT)) (void)recorded_state_note(s, e->thread, true);
  s->waiting -= t->waits_at != 0;
  t->waits_at = 0;
  recorded_thread_locks(t, e);
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
  uint64_t *round = hashmap_at(&s->barriers, e->object, FIRST_ROUND, NULL);
  *round += *round & 1;
  t->barrier = e->object, t->round = *round / 2;
}

static void depart(struct recorded_state *s, const struct event *e) {
  struct recorded_thread *t = recorded_state_thread(s, e->thread);
  uint64_t *round = hashmap_at(&s->barriers, e->object, FIRST_ROUND, NULL);
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

static void forget(struct recorded_state *s, const struct event *e) {
  contents_forget(&s->memory, e->object, e->size);
  contents_forget(&s->names, e->object, e->size);
}

static void access(struct recorded_state *s, const struct event *e) {
  if (e->size > 8 || (e->flags & RECORDED_NO_VALUE)) {
    if (e->op != EVENT_READ) forget(s, e);
    return;
  }
  unsigned size = (unsigned)e->size;
  struct contents_word w = contents_word_of(e->op == EVENT_RMW ? e->value2 : e->value, size);
  if (size == 0) return;
  if (e->op == EVENT_READ && (e->flags & RECORDED_UNORDERED) && (e->flags & RECORDED_DOUBTFUL)) return; /* it may have come before */
  if (e->op == EVENT_READ && pointers_same(contents_read(&s->memory, e->object, size), w)) return;
  uint64_t block = size == 8 && pointers_may_be(w.value) ? blocks_at(&s->blocks, w.value) : 0;
  if (block)
    contents_write(&s->names, e->object, size, contents_word_of(pointers_name(e->op, w.value, block, s->events), size));
  else
    contents_forget(&s->names, e->object, size);
  contents_write(&s->memory, e->object, size, w);
}

/* What was in the block's memory before was another object. */
static void begin_objects(struct hashmap *objects, const struct event *alloc, uint64_t value) {
  for (size_t i = 0; i < objects->cap; i++)
    if (objects->used[i] && objects->keys[i] - alloc->object < alloc->size) objects->values[i] = value;
}

static void begin_block(struct recorded_state *s, const struct event *e) {
  forget(s, e);
  if (e->size == 0) return;
  blocks_begin(&s->blocks, e, ++s->allocations);
  begin_objects(&s->counts, e, 0);
  begin_objects(&s->barriers, e, FIRST_ROUND);
}

/* --- events --- */

void recorded_state_take(struct recorded_state *s, const struct event *e) {
  struct recorded_thread *t = recorded_state_thread(s, e->thread);
  switch (e->op) {
    case EVENT_READ:
    case EVENT_WRITE:
    case EVENT_RMW:
      access(s, e);
      break;
    case EVENT_FREE:
      forget(s, e);
      break;
    case EVENT_ALLOC:
      begin_block(s, e);
      break;
    case RECORDED_INITIAL:
      contents_begin(&s->memory, e);
      contents_forget(&s->names, e->object, e->size);
      break;
    case EVENT_ACQUIRE:
    case EVENT_RELEASE:
      recorded_thread_locks(t, e);
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
