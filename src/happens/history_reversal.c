/* Operations that wait for others: could one have been taken earlier? (JACM 2017 version of source-DPOR, on disabling: a race between
 * two acquires is found although a release lies between them.)
 *
 * The question is about the state after the steps before `d` and those behind d that do not happen after it (notdep in the paper), less
 * the excluded ones. Only operations on the awaited object matter for it, and those are in the object's chain. */
#include "happens/history_chain.h"

enum lock_effect { LOCK_NONE, LOCK_TAKEN, LOCK_LEFT };

/* What an event does to a lock, and whether exclusively. */
static enum lock_effect effect_on(const struct event *e, uint64_t lock, bool *exclusive) {
  *exclusive = true;
  bool here = e->object == lock;
  if (here && e->op == EVENT_ACQUIRE) return *exclusive = !(e->flags & EVENT_SHARED_LOCK), LOCK_TAKEN;
  if (here && e->op == EVENT_RELEASE) return *exclusive = !(e->flags & EVENT_SHARED_LOCK), LOCK_LEFT;
  if (e->op == EVENT_WAIT_ENTER && e->value2 == lock) return LOCK_LEFT;
  if (e->op == EVENT_WAIT_LEAVE && e->value2 == lock) return LOCK_TAKEN;
  return LOCK_NONE;
}

static bool included(const struct history *h, uint32_t d, uint32_t step) {
  if (step <= d) return step < d;
  if (history_before(h, d, step)) return false;
  for (size_t i = 0; i < h->excluded.count; i++) {
    if (history_before(h, h->excluded.data[i], step)) return false;
  }
  return true;
}

/* One pass over the lock's chain; sets *again if a section had to be excluded, which can undo what was concluded before. From the end, a
 * thread holds the lock if it took it more often than it left it (locks for reading nest). */
static bool lock_pass(struct history *h, uint64_t lock, bool shared, uint32_t thread, uint32_t d, bool *again) {
  uint8_t left[THREADS_MAX] = {0};
  *again = false;
  for (uint32_t id = history_head(h, lock); id != NO_STEP; id = h->records.data[id].older) {
    const struct history_record *r = &h->records.data[id];
    uint32_t owner = h->steps.data[r->step].thread;
    bool exclusive;
    enum lock_effect effect = effect_on(&h->events.data[r->event], lock, &exclusive);
    if (effect == LOCK_NONE || !included(h, d, r->step)) continue;
    bool held = effect == LOCK_TAKEN && left[owner] == 0;
    if (effect == LOCK_LEFT) left[owner]++;
    if (effect == LOCK_TAKEN && left[owner] > 0) left[owner]--;
    if (held && owner != thread && (exclusive || !shared)) {
      if (r->step < d) return false;
      *vec_push(&h->excluded) = r->step;
      *again = true;
      return false;
    }
    if (exclusive && r->step < d) return true; /* nobody else held it then */
  }
  return true;
}

static enum reversal lock_free(struct history *h, uint64_t lock, bool shared, uint32_t thread, uint32_t d) {
  bool again, free;
  do free = lock_pass(h, lock, shared, thread, d, &again);
  while (again);
  return free ? REVERSAL_YES : REVERSAL_NO;
}

/* Was the waiting thread signalled in the state asked about? MAYBE: the signals' events cannot say. */
static enum reversal signalled(struct history *h, const struct event *later, uint32_t d, uint32_t previous) {
  if (later->thread >= 64) return REVERSAL_MAYBE;
  for (uint32_t id = history_head(h, later->object); id != NO_STEP; id = h->records.data[id].older) {
    const struct history_record *r = &h->records.data[id];
    const struct event *e = &h->events.data[r->event];
    if (previous != NO_STEP && r->step <= previous) break;
    if (e->object != later->object || (e->op != EVENT_SIGNAL && e->op != EVENT_BROADCAST)) continue;
    if (e->value >> later->thread & 1) return included(h, d, r->step) ? REVERSAL_YES : REVERSAL_NO;
  }
  return REVERSAL_NO;
}

/* The thread stood before this very step when `d` was taken: what was enabled then is known. */
static enum reversal observed(const struct history *h, uint32_t d, uint32_t thread, uint32_t previous, enum reversal otherwise) {
  if (previous != NO_STEP && d <= previous) return REVERSAL_MAYBE;
  return tset_has(&h->steps.data[d].enabled, thread) ? REVERSAL_YES : otherwise;
}

/* A semaphore's count in the state asked about: that behind the last operation before d (or before the first of all), and the posts
 * behind d that are included; posts commute with each other, so there may be some. */
static enum reversal count_there(const struct history *h, const struct event *later, uint32_t d, bool blocked) {
  uint64_t posts = 0, base = !blocked; /* no operation before: the wait could be taken at first, or not */
  bool waits = false;
  for (uint32_t id = history_head(h, later->object); id != NO_STEP; id = h->records.data[id].older) {
    const struct history_record *r = &h->records.data[id];
    const struct event *e = &h->events.data[r->event];
    if (e->object != later->object) continue;
    if (r->step < d) {
      base = e->op == EVENT_TRYFAIL ? 0 : e->value;
      break;
    }
    base = e->op == EVENT_SEM_POST ? e->value - 1 : e->op == EVENT_SEM_WAIT ? e->value + 1 : 0;
    if (!included(h, d, r->step)) continue;
    posts += e->op == EVENT_SEM_POST;
    waits |= e->op == EVENT_SEM_WAIT;
  }
  return waits ? REVERSAL_MAYBE : base + posts > 0 ? REVERSAL_YES : REVERSAL_NO;
}

/* Have all threads of the round arrived in the state asked about? */
static enum reversal round_over(const struct history *h, const struct event *later, uint32_t d, bool blocked) {
  if (blocked) return REVERSAL_NO;
  for (uint32_t id = history_head(h, later->object); id != NO_STEP; id = h->records.data[id].older) {
    const struct history_record *r = &h->records.data[id];
    const struct event *e = &h->events.data[r->event];
    bool needed = e->op == EVENT_BARRIER_ENTER && e->object == later->object && e->value == later->value;
    if (needed && !included(h, d, r->step)) return REVERSAL_NO;
  }
  return REVERSAL_YES;
}

/* Has the joined thread ended in the state asked about? One without a step of its own ends with the one that makes it. */
static bool ended_without(const struct history *h, const struct event *later, uint32_t d) {
  uint32_t end = later->object < THREADS_MAX ? history_previous(h, (uint32_t)later->object) : NO_STEP;
  return end != NO_STEP && !history_before(h, d, end);
}

static bool covers(const struct event *outer, const struct event *inner) {
  return outer->object <= inner->object && outer->object + outer->size >= inner->object + inner->size;
}

/* Does it change its object as others do that it commutes with (see commute() in event.c)? */
static bool has_its_like(const struct event *e) {
  bool lock = e->op == EVENT_ACQUIRE || e->op == EVENT_RELEASE;
  return (lock && (e->flags & EVENT_SHARED_LOCK)) || e->op == EVENT_SEM_POST || e->op == EVENT_BARRIER_ENTER;
}

/* A wait `a` of thread p for a change of what it watches. Never YES: that would hide the steps that are ordered before d (settle() in
 * history.c), and each of them may have disabled a where the later ones enabled it again.
 *
 * Why reversing all of them, executed waits and those that are pending at the end alike, loses nothing. Suppose that E.w'.a.. has no
 * initial that is explored at E, and choose the step q explored there that is independent of the longest w'; a depends on q. If a is
 * enabled behind E.q.w' as well, the usual argument holds. Else q disables it, so q writes every byte in which what is watched differs,
 * behind E.w', from what p has seen. By induction some execution F has E.q.w' as a prefix of its trace; in it p executes a later, or it is
 * pending at the end, or it sleeps there, and then it was executed earlier in an execution that is equal so far. So the race of q and a
 * is looked at in F, and an initial r of v = notdep(q).a is explored at E. A step of w', or a itself, would be an initial of w'.a:
 * contradiction. Others are independent of w'; of a too, and then w' was not the longest, or r writes something watched. But r is
 * independent of q, so it leaves alone the bytes that differ: a is enabled behind E.r.w', where the usual argument holds for r and a.
 *
 * NO: where a was disabled before d, and d touches all that it watches, nothing that is independent of d enables it; but if d is a read, a
 * flush of a store that its thread had buffered may; and if d is one of several readers that leave a lock, another of them. */
static enum reversal value_changed(const struct history *h, uint32_t d, const struct event *earlier, const struct event *later,
                                   uint32_t previous) {
  bool stood_there = previous == NO_STEP || d > previous;
  bool was_enabled = tset_has(&h->steps.data[d].enabled, later->thread);
  if (!stood_there || was_enabled || !earlier || !covers(earlier, later)) return REVERSAL_MAYBE;
  bool only_reads = earlier->op == EVENT_READ || earlier->op == EVENT_AWAIT;
  return (h->buffers && only_reads) || has_its_like(earlier) ? REVERSAL_MAYBE : REVERSAL_NO;
}

bool history_remakes(const struct event *earlier, const struct event *later) {
  const uint64_t changes = 1ull << EVENT_WRITE | 1ull << EVENT_RMW | 1ull << EVENT_FLUSH | 1ull << EVENT_ALLOC | 1ull << EVENT_FREE;
  const uint64_t waits = 1ull << EVENT_ACQUIRE | 1ull << EVENT_SEM_WAIT | 1ull << EVENT_WAIT_LEAVE | 1ull << EVENT_BARRIER_LEAVE;
  bool lives = earlier->op == EVENT_ALLOC || earlier->op == EVENT_FREE;
  return (changes >> earlier->op & 1) && (lives || (waits >> later->op & 1));
}

/* long: one case an operation */
static enum reversal reversal_of_kind(struct history *h, uint32_t d, const struct event *earlier, const struct event *later,
                                      uint32_t previous, bool blocked) {
  switch ((enum event_op)later->op) {
    case EVENT_ACQUIRE:
      return lock_free(h, later->object, later->flags & EVENT_SHARED_LOCK, later->thread, d);
    case EVENT_WAIT_LEAVE: {
      /* Signalled, it needs its mutex; before that, it can only expire, if it can, and needs nothing. */
      enum reversal s = signalled(h, later, d, previous);
      if (s == REVERSAL_NO) return observed(h, d, later->thread, previous, REVERSAL_NO);
      uint64_t mutex = later->value2;
      enum reversal free = mutex ? lock_free(h, mutex, false, later->thread, d) : REVERSAL_YES;
      return s == REVERSAL_MAYBE ? s : free;
    }
    case EVENT_SEM_WAIT:
      return count_there(h, later, d, blocked);
    case EVENT_JOIN:
      if (later->flags & EVENT_TIMED_OUT) return REVERSAL_MAYBE; /* of a detached thread, which is wrong at once */
      return !earlier ? REVERSAL_MAYBE : ended_without(h, later, d) ? REVERSAL_YES : REVERSAL_NO;
    case EVENT_BARRIER_LEAVE:
      return round_over(h, later, d, blocked);
    case EVENT_AWAIT:
    case EVENT_READ:
    case EVENT_RMW:
      return later->flags & EVENT_WAITS ? value_changed(h, d, earlier, later, previous) : REVERSAL_YES;
    case EVENT_NONE:
    case EVENT_BEGIN:
    case EVENT_END:
    case EVENT_FORK:
    case EVENT_WRITE:
    case EVENT_FENCE:
    case EVENT_RELEASE:
    case EVENT_TRYFAIL:
    case EVENT_WAIT_ENTER:
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
    case EVENT_BARRIER_ENTER:
    case EVENT_SEM_POST:
    case EVENT_OUTPUT:
    case EVENT_ALLOC:
    case EVENT_FREE:
    case EVENT_CHOICE:
    case EVENT_ATOMIC:
    case EVENT_YIELD:
    case EVENT_FLUSH:
    case EVENT_COUNT:
      return REVERSAL_YES;
  }
  return REVERSAL_YES;
}

enum reversal history_reversal(struct history *h, uint32_t d, const struct event *earlier, const struct event *later, uint32_t previous,
                               bool blocked) {
  vec_clear(&h->excluded);
  if (later->flags & (EVENT_TRY | EVENT_TIMED) && later->op != EVENT_WAIT_LEAVE) return REVERSAL_YES;
  if (earlier && history_remakes(earlier, later)) return REVERSAL_MAYBE;
  enum reversal r = reversal_of_kind(h, d, earlier, later, previous, blocked);
  bool object =
      later->op == EVENT_ACQUIRE || later->op == EVENT_WAIT_LEAVE || later->op == EVENT_SEM_WAIT || later->op == EVENT_BARRIER_LEAVE;
  bool remade = r == REVERSAL_NO && object && (history_remade(h, later->object) || (later->value2 && history_remade(h, later->value2)));
  return remade ? REVERSAL_MAYBE : r;
}
