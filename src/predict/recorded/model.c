#include "predict/recorded/model.h"

#include <string.h>

#include "predict/recorded/memory/values.h"

enum { WAIT_AS_IS, WAIT_AS_LOCK }; /* as release and acquire of its mutex alone */

static bool is_notification(const struct event *e) { return e->op == EVENT_SIGNAL || e->op == EVENT_BROADCAST; }

/* --- threads --- */

static uint32_t tid_of(struct recorded_model *m, uint32_t thread) {
  bool is_new = false;
  uint64_t *tid = hashmap_at(&m->tids, thread, m->threads.count, &is_new);
  if (!is_new) return (uint32_t)*tid;
  *vec_push(&m->threads) = thread;
  struct recorded_maker *t = &m->makers[*tid];
  vec_clear(&t->open);
  vec_clear(&t->due);
  vec_clear(&t->seen);
  vec_clear(&t->sections);
  t->last = RECORDED_NONE, t->round = 0, t->has_end = false, t->ending = 0;
  return (uint32_t)*tid;
}

/* RECORDED_NONE: it has no event in the window. */
static uint32_t tid_if_any(const struct recorded_model *m, uint64_t thread) {
  const uint64_t *tid = hashmap_find(&m->tids, thread);
  return tid ? (uint32_t)*tid : RECORDED_NONE;
}

/* --- waits --- */

/* The earliest notification that the wait, which began behind `since` events, may have ended by: it is taken. */
static bool take_note(struct recorded_model *m, uint64_t condition, uint64_t since, bool *before) {
  for (size_t i = 0; i < m->notes.count; i++) {
    struct recorded_note *n = &m->notes.data[i];
    if (n->condition != condition || n->at < since) continue;
    *before = n->at < m->state->events;
    if (!n->broadcast) {
      memmove(n, n + 1, (m->notes.count - i - 1) * sizeof *n);
      m->notes.count--;
    }
    return true;
  }
  return false;
}

/* Waits that no notification explains, or one before the window, tell nothing of the window's notifications. */
static void find_waits(struct recorded_model *m) {
  uint32_t enter[THREADS_MAX];
  bool any = m->state->waiting > 0;
  vec_clear(&m->waits);
  memset(vec_push_n(&m->waits, m->n), WAIT_AS_IS, m->n);
  vec_clear(&m->notes);
  for (uint32_t i = 0; i < m->n && !any; i++) any = recorded_is_wait(&m->window[i]);
  if (!any) return;
  memset(enter, 0xff, sizeof enter);
  for (size_t i = 0; i < m->state->notes.count; i++) *vec_push(&m->notes) = m->state->notes.data[i];
  for (uint32_t i = 0; i < m->n; i++) {
    const struct event *e = &m->window[i];
    uint32_t tid = tid_of(m, e->thread);
    uint64_t now = m->state->events + i;
    if (is_notification(e)) *vec_push(&m->notes) = (struct recorded_note){e->object, now, e->op == EVENT_BROADCAST};
    if (e->op == EVENT_WAIT_ENTER) enter[tid] = i;
    if (e->op != EVENT_WAIT_LEAVE || (e->flags & EVENT_TIMED_OUT)) continue;
    const struct recorded_thread *t = recorded_state_thread(m->state, e->thread);
    bool before = false, inside = enter[tid] != RECORDED_NONE;
    uint64_t since = inside ? m->state->events + enter[tid] : t->since;
    if ((inside || t->waits_at == e->object) && take_note(m, e->object, since, &before) && !before) continue;
    m->waits.data[i] = WAIT_AS_LOCK;
    if (inside) m->waits.data[enter[tid]] = WAIT_AS_LOCK;
  }
}

/* How the wait that is open before the window ends. */
static uint8_t open_wait(const struct recorded_model *m, uint32_t thread) {
  for (uint32_t i = 0; i < m->n; i++)
    if (m->window[i].thread == thread && m->window[i].op == EVENT_WAIT_LEAVE) return m->waits.data[i];
  return recorded_state_note(m->state, thread, false) ? WAIT_AS_LOCK : WAIT_AS_IS;
}

/* --- semaphores and barriers --- */

/* The counts before the window: what must have been there for all waits that ended. */
static void find_counts(struct recorded_model *m) {
  hashmap_clear(&m->counts);
  for (uint32_t i = m->n; i-- > 0;) { /* from behind: what is needed before each operation */
    const struct event *e = &m->window[i];
    if (e->op != EVENT_SEM_POST && e->op != EVENT_SEM_WAIT) continue;
    uint64_t *needed = hashmap_at(&m->counts, e->object, 0, NULL);
    if (e->op == EVENT_SEM_WAIT) ++*needed;
    if (e->op == EVENT_SEM_POST && *needed > 0) --*needed;
  }
  for (size_t i = 0; i < m->counts.cap; i++) {
    if (!m->counts.used[i]) continue;
    const uint64_t *had = hashmap_find(&m->state->counts, m->counts.keys[i]);
    if (had && *had > m->counts.values[i]) m->counts.values[i] = *had;
  }
}

/* --- events --- */

static struct event *emit(struct recorded_model *m, const struct event *e, uint32_t origin) {
  uint32_t tid = tid_of(m, e->thread);
  struct recorded_maker *t = &m->makers[tid];
  struct event *to = vec_push(&m->events);
  *to = *e;
  to->thread = tid, to->choice = 0, to->flags = 0;
  *vec_push(&m->origins) = origin;
  *vec_push(&m->starts) = (uint32_t)m->reads.count;
  for (size_t i = 0; i < t->due.count; i++) *vec_push(&m->reads) = t->due.data[i];
  vec_clear(&t->due);
  t->last = (uint32_t)m->events.count - 1;
  uint32_t begin = RECORDED_NONE;
  for (size_t i = 1; i < t->sections.count; i += 2)
    if (t->sections.data[i] < begin) begin = (uint32_t)t->sections.data[i];
  *vec_push(&m->regions) = begin;
  if (origin != RECORDED_NONE) m->places.data[origin] = t->last;
  return to;
}

static struct event *emit_made(struct recorded_model *m, enum event_op op, uint32_t thread, uint64_t object, uint64_t value2, bool shared) {
  struct event e = {.op = (uint8_t)op, .thread = thread, .object = object, .size = 1, .value2 = value2};
  struct event *to = emit(m, &e, RECORDED_NONE);
  to->flags = shared ? EVENT_SHARED_LOCK : 0;
  return to;
}

static void open_section(struct recorded_maker *t, uint64_t object, uint64_t begin) {
  *vec_push(&t->sections) = object;
  *vec_push(&t->sections) = begin;
}

static void close_section(struct recorded_maker *t, uint64_t object) {
  for (size_t i = t->sections.count; i > 0; i -= 2) {
    if (t->sections.data[i - 2] != object) continue;
    memmove(&t->sections.data[i - 2], &t->sections.data[i], (t->sections.count - i) * sizeof(uint64_t));
    t->sections.count -= 2;
    return;
  }
}

/* The thread has arrived at a barrier, and not left: others of the round may come yet, or may not. */
static void emit_arrival(struct recorded_model *m, uint32_t thread, const struct recorded_thread *t) {
  bool shared = recorded_owners_share(&m->owners, t->barrier);
  if (!shared && tid_if_any(m, thread) == RECORDED_NONE) return; /* no thread of the window's */
  struct recorded_owner *x = recorded_owners_object(&m->owners, t->barrier);
  uint32_t tid = tid_of(m, thread);
  m->makers[tid].round = (uint32_t)t->round;
  if (x->writes == 1 || t->round != x->reads || !shared) return;
  emit_made(m, EVENT_BARRIER_ENTER, thread, t->barrier, 0, false)->value = t->round;
  x->writes = m->makers[tid].last + 2;
}

/* Only of what the window is about. Waits first: the mutex that one gave up may be held by others since. */
static void emit_prefix(struct recorded_model *m) {
  for (size_t i = 0; i < m->state->threads.count; i++) {
    const struct recorded_thread *t = &m->state->threads.data[i];
    if (!t->waits_at || !recorded_owners_share(&m->owners, t->waits_at) || open_wait(m, (uint32_t)i) != WAIT_AS_IS) continue;
    emit_made(m, EVENT_ACQUIRE, (uint32_t)i, t->mutex, 0, false);
    emit_made(m, EVENT_WAIT_ENTER, (uint32_t)i, t->waits_at, t->mutex, false);
  }
  for (size_t i = 0; i < m->state->threads.count; i++) {
    const struct recorded_thread *t = &m->state->threads.data[i];
    for (size_t k = 0; k < t->held.count; k++) {
      if (recorded_owners_share(&m->owners, t->held.data[k].lock))
        emit_made(m, EVENT_ACQUIRE, (uint32_t)i, t->held.data[k].lock, 0, t->held.data[k].shared);
      if (tid_if_any(m, i) != RECORDED_NONE && !t->held.data[k].waited)
        open_section(&m->makers[tid_of(m, (uint32_t)i)], t->held.data[k].lock, 0);
    }
    if (t->barrier) emit_arrival(m, (uint32_t)i, t);
    for (size_t k = 0; k < t->calls.count; k++)
      if (tid_if_any(m, i) != RECORDED_NONE && m->region && m->region(m->data, t->calls.data[k]))
        open_section(&m->makers[tid_of(m, (uint32_t)i)], ~t->calls.data[k], 0);
  }
  m->prefix = (uint32_t)m->events.count;
}

/* All reads since the thread's last branch are what its next event depends on. */
static void branch(struct recorded_maker *t) {
  for (size_t i = 0; i < t->open.count; i++) *vec_push(&t->due) = t->open.data[i];
  vec_clear(&t->open);
}

/* What functions that are not recorded look at, and decide by it. */
static bool is_trusted(const struct recorded_model *m, const struct event *e) {
  return m->trusting && (e->op == EVENT_READ || e->op == RECORDED_BRANCH) && (e->flags & EVENT_OUTSIDE);
}

/* If they do so by nothing but what keeps their order. */
static void branch_outside(const struct recorded_model *m, struct recorded_maker *t) {
  size_t left = 0;
  for (size_t i = 0; i < t->open.count; i++) {
    uint32_t read = t->open.data[i];
    if (event_outside(&m->events.data[read]))
      *vec_push(&t->due) = read;
    else
      t->open.data[left++] = read;
  }
  t->open.count = left;
}

/* --- accesses --- */

/* What keeps the order of what is not recorded (model.h). */
static bool is_kept(const struct event *e) { return event_outside(e) && e->object >= RECORDED_ORDERS; }

static void emit_access(struct recorded_model *m, const struct event *e, uint32_t i) {
  struct recorded_maker *t = &m->makers[tid_of(m, e->thread)];
  bool decides = e->op == EVENT_RMW && !(e->flags & RECORDED_ALWAYS_WRITES);
  if (decides) branch(t); /* also of memory that no other thread touches */
  if (!recorded_owners_may_change(&m->owners, e) || (is_kept(e) && e->op != EVENT_RMW && m->trusting)) return;
  struct event *to = emit(m, e, i);
  if (e->op != EVENT_FREE && (e->flags & RECORDED_NO_VALUE)) to->flags = EVENT_BLANK;
  if (event_outside(e)) to->flags |= EVENT_OUTSIDE;
  if (is_kept(e)) {
    to->flags |= EVENT_KEPT;
    return;
  }
  recorded_values_name(m, to, m->state->events + i);
  if (e->op == EVENT_RMW && !decides) to->flags |= EVENT_RESULT;
  if (e->op != EVENT_WRITE && (e->flags & RECORDED_UNORDERED)) to->flags |= EVENT_TIMED_OUT;
  if (e->op == EVENT_READ && is_trusted(m, e))
    to->flags |= EVENT_UNUSED;
  else if (e->op == EVENT_READ || (e->op == EVENT_RMW && !decides))
    *vec_push(&t->open) = (uint32_t)m->events.count - 1;
}

/* The read whose value the branch uses as an address: the last one of that value, at the place that the branch names, since the thread's
 * last branch. If that is of memory that nobody else changes, it reads nothing else. */
static void find_pointer(struct recorded_model *m, uint32_t i) {
  const struct event *e = &m->window[i];
  const struct recorded_maker *t = &m->makers[tid_of(m, e->thread)];
  if (e->value < POINTERS_FROM || e->object != e->value || !e->value2) return;
  for (size_t k = t->seen.count; k-- > 0;) {
    const struct event *r = &m->window[t->seen.data[k]];
    if (r->size != 8 || r->value != e->value || r->site != e->value2) continue;
    if (m->places.data[t->seen.data[k]] == RECORDED_NONE) return;
    *vec_push(&m->pointers) = (struct recorded_pointer){.branch = i, .read = t->seen.data[k], .to = t->last};
    return;
  }
}

/* The thread tries once more in vain, and has done nothing since: where the last time is, the others can be as well. So all of them are one
 * event. */
static bool tries_again(struct recorded_model *m, const struct event *e, uint32_t i) {
  const struct recorded_maker *t = &m->makers[tid_of(m, e->thread)];
  if (e->op != EVENT_TRYFAIL || t->last == RECORDED_NONE || t->due.count || m->origins.data[t->last] == RECORDED_NONE) return false;
  const struct event *last = &m->window[m->origins.data[t->last]];
  if (last->op != EVENT_TRYFAIL || last->object != e->object || last->flags != e->flags) return false;
  m->places.data[i] = t->last;
  m->origins.data[t->last] = i;
  return true;
}

static void emit_lock(struct recorded_model *m, const struct event *e, uint32_t i) {
  struct recorded_maker *t = &m->makers[tid_of(m, e->thread)];
  if (recorded_owners_share(&m->owners, e->object) && !tries_again(m, e, i))
    emit(m, e, i)->flags = e->flags & (EVENT_SHARED_LOCK | EVENT_TRY | EVENT_TIMED | EVENT_TIMED_OUT);
  if (e->op == EVENT_ACQUIRE) open_section(t, e->object, i + 1);
  if (e->op == EVENT_RELEASE) close_section(t, e->object);
}

/* Who waits lets others in, whatever locks it keeps. */
static void close_sections(struct recorded_maker *t) {
  size_t kept = 0;
  for (size_t i = 0; i + 1 < t->sections.count; i += 2) {
    if (t->sections.data[i] >> 63 == 0) continue; /* a lock; calls are told by ~ of their methods */
    t->sections.data[kept++] = t->sections.data[i];
    t->sections.data[kept++] = t->sections.data[i + 1];
  }
  t->sections.count = kept;
}

static void emit_wait(struct recorded_model *m, const struct event *e, uint32_t i) {
  struct recorded_maker *t = &m->makers[tid_of(m, e->thread)];
  bool enters = e->op == EVENT_WAIT_ENTER;
  struct event *to = emit(m, e, i);
  to->flags = e->flags & (EVENT_TIMED | EVENT_TIMED_OUT);
  if (m->waits.data[i] == WAIT_AS_LOCK) {
    to->op = enters ? EVENT_RELEASE : EVENT_ACQUIRE;
    to->object = e->value2, to->value2 = 0, to->flags = 0;
  }
  if (enters) close_sections(t);
  if (!enters && !(e->flags & EVENT_TIMED_OUT)) open_section(t, e->value2, i + 1);
}

/* A semaphore that was tried in vain: its count is 0 there, in any order. */
static void emit_vain(struct recorded_model *m, const struct event *e, uint32_t i) {
  if (recorded_owners_share(&m->owners, e->object) && !tries_again(m, e, i))
    emit(m, e, i)->flags = e->flags & (RECORDED_COUNT | EVENT_TIMED_OUT);
}

static void emit_semaphore(struct recorded_model *m, const struct event *e, uint32_t i) {
  uint64_t *n = hashmap_at(&m->counts, e->object, 0, NULL);
  *n = e->op == EVENT_SEM_POST ? *n + 1 : *n - 1;
  if (!recorded_owners_share(&m->owners, e->object)) return;
  struct event *to = emit(m, e, i);
  to->value = *n, to->flags = e->flags & (EVENT_TRY | EVENT_TIMED);
}

/* Rounds have numbers: who arrives when others have left is in the next one. The last arrival of a round that has ended says so. */
static void emit_barrier(struct recorded_model *m, const struct event *e, uint32_t i) {
  struct recorded_maker *t = &m->makers[tid_of(m, e->thread)];
  struct recorded_owner *x = recorded_owners_object(&m->owners, e->object);
  if (!recorded_owners_share(&m->owners, e->object)) return;
  emit(m, e, i)->value2 = 0;
  if (e->op == EVENT_BARRIER_ENTER) {
    x->reads += x->writes == 1;
    x->writes = t->last + 2;
    t->round = x->reads;
  } else if (x->writes > 1 && t->round == x->reads) {
    m->events.data[x->writes - 2].value2 = 1;
    x->writes = 1;
  }
  m->events.data[t->last].value = t->round;
}

/* --- what nobody explains --- */

/* The thread has looked there before, at this place, and there was something else; nobody writes in the window what it has got now. (If
 * somebody does, it is the order that is not known: who was interrupted between an access and its record comes too late.) */
static bool is_unexplained(const struct recorded_model *m, uint32_t i) {
  const struct event *read = &m->window[i];
  bool again = false;
  if (!event_reads(read) || !(read->flags & RECORDED_UNORDERED) || (read->flags & RECORDED_DOUBTFUL)) return false;
  for (uint32_t k = 0; k < m->n; k++) {
    const struct event *e = &m->window[k];
    uint64_t written = e->op == EVENT_RMW ? e->value2 : e->value;
    again |= k < i && e->op == read->op && e->thread == read->thread && e->site == read->site && e->object == read->object;
    if (k != i && event_writes(e) && event_overlaps(e, read) && (e->size != read->size || written == read->value)) return false;
  }
  return again;
}

static void emit_cause(struct recorded_model *m, uint32_t thread, uint64_t object) {
  emit_made(m, EVENT_WRITE, thread, object, 0, false)->flags = EVENT_OUTSIDE | EVENT_KEPT;
}
/* No order of the recorder has these, nor memory that is used again. */
#define RECORDED_CAUSES (RECORDED_ORDERS | RECORDED_ORDERS >> 2 | RECORDED_ORDERS >> 3)
static uint64_t next_cause(struct recorded_model *m) { return RECORDED_CAUSES + 8 * ++m->causes; }

/* The thread comes behind all that others have done so far. */
static void follow_all(struct recorded_model *m, uint32_t thread) {
  uint32_t me = tid_of(m, thread);
  for (uint32_t i = 0; i < m->threads.count; i++) {
    struct recorded_maker *t = &m->makers[i];
    uint32_t last = t->last + 1; /* 0: none */
    if (i == me || last == 0 || m->followed[me][i] == last) continue;
    if (!t->has_end) {
      uint64_t object = next_cause(m);
      emit_cause(m, m->threads.data[i], object);
      emit_cause(m, thread, object);
    } else if (t->ending) {
      emit_cause(m, thread, t->ending);
    }
    m->followed[me][i] = t->last + 1;
  }
}

/* Before the thread's end. */
static void leave_cause(struct recorded_model *m, uint32_t thread) {
  if (!m->unexplained || m->trusting) return;
  m->makers[tid_of(m, thread)].ending = next_cause(m);
  emit_cause(m, thread, m->makers[tid_of(m, thread)].ending);
}

static void find_unexplained(struct recorded_model *m) {
  m->unexplained = false, m->causes = 0;
  for (uint32_t i = 0; i < m->n && !m->unexplained; i++) m->unexplained = is_unexplained(m, i);
  if (m->unexplained) memset(m->followed, 0, sizeof m->followed);
}

static void emit_join(struct recorded_model *m, const struct event *e, uint32_t i) {
  uint32_t child = tid_if_any(m, e->object);
  if (child == RECORDED_NONE || (e->flags & EVENT_TIMED_OUT)) return;
  if (!m->makers[child].has_end) {
    leave_cause(m, (uint32_t)e->object);
    m->makers[child].has_end = true;
    emit_made(m, EVENT_END, (uint32_t)e->object, child, 0, false);
  }
  emit(m, e, i)->object = child;
}

static void emit_thread(struct recorded_model *m, const struct event *e, uint32_t i) {
  uint32_t tid = tid_of(m, e->thread), child = tid_if_any(m, e->object);
  if (e->op == EVENT_END && !m->makers[tid].has_end) {
    leave_cause(m, e->thread);
    m->makers[tid].has_end = true;
    emit(m, e, i)->object = tid;
  }
  if (e->op == EVENT_FORK && child != RECORDED_NONE) emit(m, e, i)->object = child;
  if (e->op == EVENT_JOIN) emit_join(m, e, i);
}

/* --- memory that is used again --- */

/* A read decides as those of the program do. */
static void emit_reuse(struct recorded_model *m, uint32_t thread, const struct reuse_event *x) {
  struct event e = {.op = EVENT_WRITE, .thread = thread, .object = reuse_object(x->pair), .size = 2, .order = ORDER_SEQ_CST};
  if (x->kind == REUSE_END) e.value = 1;
  if (x->kind == REUSE_BEGIN) e.object++, e.size = 1, e.value = 1;
  if (x->kind == REUSE_READ) e.op = EVENT_READ, e.value = 0x0101;
  struct event *to = emit(m, &e, RECORDED_NONE);
  if (x->kind != REUSE_READ) to->flags = EVENT_RESULT;
  if (x->kind == REUSE_READ) *vec_push(&m->makers[to->thread].open) = (uint32_t)m->events.count - 1;
}

static void take(struct recorded_model *m, uint32_t i) {
  const struct event *e = &m->window[i];
  struct recorded_maker *t = &m->makers[tid_of(m, e->thread)];
  m->trusts |= is_trusted(m, e);
  if (m->unexplained && !m->trusting && is_unexplained(m, i)) follow_all(m, e->thread);
  if (recorded_is_access(e)) emit_access(m, e, i);
  if (e->op == EVENT_READ && !is_kept(e)) *vec_push(&t->seen) = i;
  if (e->op == EVENT_FORK || e->op == EVENT_JOIN || e->op == EVENT_END) emit_thread(m, e, i);
  bool vain = e->op == EVENT_TRYFAIL && (e->flags & RECORDED_COUNT);
  if (vain) emit_vain(m, e, i);
  if (e->op == EVENT_ACQUIRE || e->op == EVENT_RELEASE || (e->op == EVENT_TRYFAIL && !vain)) emit_lock(m, e, i);
  if (recorded_is_wait(e)) emit_wait(m, e, i);
  if (is_notification(e) && recorded_owners_share(&m->owners, e->object)) emit(m, e, i)->value = 0;
  if (e->op == EVENT_SEM_POST || e->op == EVENT_SEM_WAIT) emit_semaphore(m, e, i);
  if (e->op == EVENT_BARRIER_ENTER || e->op == EVENT_BARRIER_LEAVE) emit_barrier(m, e, i);
  if (e->op == RECORDED_INITIAL) contents_begin(&m->fresh, e);
  if (e->op == EVENT_ALLOC && e->size) blocks_begin(&m->blocks, e, ++m->allocations);
  if (e->op == RECORDED_POINT) emit(m, e, i)->op = EVENT_YIELD;
  if (e->op == RECORDED_BRANCH) {
    find_pointer(m, i);
    if (is_trusted(m, e))
      branch_outside(m, t);
    else
      branch(t);
    vec_clear(&t->seen);
  }
  bool region = (e->op == RECORDED_CALL || e->op == RECORDED_RETURN) && m->region && m->region(m->data, e->object);
  if (region && e->op == RECORDED_CALL) open_section(t, ~e->object, i + 1);
  if (region && e->op == RECORDED_RETURN) close_section(t, ~e->object);
}

uint64_t recorded_model_begin(struct recorded_model *m, struct recorded_state *state, const struct event *window, uint32_t n) {
  m->state = state, m->window = lives_tell_apart(&m->lives, window, n), m->n = n;
  if (!m->window) return UINT64_MAX;
  vec_clear(&m->threads);
  hashmap_clear(&m->tids);
  for (uint32_t i = 0; i < n; i++) (void)tid_of(m, m->window[i].thread);
  recorded_owners_find(&m->owners, state, m->window, n);
  return recorded_owners_measure(&m->owners);
}

void recorded_model_make(struct recorded_model *m, bool (*region)(void *data, uint64_t method), void *data) {
  m->region = region, m->data = data, m->trusts = false;
  vec_clear(&m->events);
  vec_clear(&m->origins);
  vec_clear(&m->regions);
  vec_clear(&m->pointers);
  vec_clear(&m->starts);
  vec_clear(&m->reads);
  vec_clear(&m->places);
  recorded_values_begin(m);
  memset(vec_push_n(&m->places, m->n), 0xff, m->n * sizeof(uint32_t));
  find_unexplained(m);
  find_waits(m);
  find_counts(m);
  reuse_find(&m->reuse, m->state, m->window, m->n, m->cautious);
  emit_prefix(m);
  const struct reuse_event *x = m->reuse.events.data, *end = x + m->reuse.events.count;
  for (uint32_t i = 0; i < m->n; i++) {
    for (; x < end && x->position == i && x->kind != REUSE_END; x++) emit_reuse(m, m->window[i].thread, x);
    take(m, i);
    for (; x < end && x->position == i; x++) emit_reuse(m, m->window[i].thread, x);
  }
  *vec_push(&m->starts) = (uint32_t)m->reads.count;
  m->needs = (struct causal_needs){.starts = m->starts.data, .reads = m->reads.data};
}

struct causal_trace recorded_model_trace(const struct recorded_model *m) {
  return (struct causal_trace){.events = m->events.data, .n = (uint32_t)m->events.count, .prefix = m->prefix, .needs = &m->needs};
}

/* All of the thread's events before the position that were not put yet. */
static void put_up_to(const struct recorded_model *m, uint64_t thread, uint32_t to, uint32_t *next,
                      void (*put)(void *data, uint32_t position), void *data) {
  for (; *next < to; ++*next)
    if (m->window[*next].thread == thread) put(data, *next);
}

void recorded_model_steps(const struct recorded_model *m, const struct causal *c, void (*put)(void *data, uint32_t position), void *data) {
  uint32_t n, next[THREADS_MAX] = {0};
  const struct causal_step *steps = causal_witness(c, &n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t origin = m->origins.data[steps[i].event], tid = steps[i].thread;
    if (origin == RECORDED_NONE) continue;
    const struct event *e = &m->window[origin];
    uint32_t child = e->op == EVENT_JOIN && !(e->flags & EVENT_TIMED_OUT) ? tid_if_any(m, e->object) : RECORDED_NONE;
    if (child != RECORDED_NONE) put_up_to(m, e->object, origin, &next[child], put, data); /* its end need not be in the run */
    put_up_to(m, e->thread, origin + 1, &next[tid], put, data);
  }
}

uint64_t recorded_model_unexplained(const struct recorded_model *m, uint32_t n) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &m->window[i];
    bool reads = (e->op == EVENT_READ || e->op == EVENT_RMW) && !event_outside(e);
    count += reads && (e->flags & RECORDED_UNORDERED) && m->places.data[i] != RECORDED_NONE;
  }
  return count;
}

void recorded_model_release(struct recorded_model *m) {
  vec_release(&m->events);
  vec_release(&m->origins);
  vec_release(&m->places);
  vec_release(&m->threads);
  vec_release(&m->regions);
  vec_release(&m->pointers);
  vec_release(&m->starts);
  vec_release(&m->reads);
  recorded_owners_release(&m->owners);
  lives_release(&m->lives);
  reuse_release(&m->reuse);
  contents_release(&m->fresh);
  contents_release(&m->memory);
  contents_release(&m->names);
  contents_release(&m->lost);
  blocks_release(&m->blocks);
  vec_release(&m->notes);
  vec_release(&m->waits);
  hashmap_release(&m->tids);
  hashmap_release(&m->counts);
  hashmap_release(&m->users);
  for (uint32_t i = 0; i < THREADS_MAX; i++) {
    vec_release(&m->makers[i].open);
    vec_release(&m->makers[i].due);
    vec_release(&m->makers[i].seen);
    vec_release(&m->makers[i].sections);
  }
}
