#include "machine/machine.h"

#include <stdio.h>
#include <string.h>

#include "machine/internal.h"
#include "machine/interpret/follow.h"
#include "machine/interpret/undefined.h"
#include "machine/memory/buffer.h"
#include "machine/sync/sync.h"

/* --- events --- */

/* A loop that looks at the clock goes on as time does. So that it comes to its time-out soon, time leaps each time that it would wait:
 * by a millisecond, a second, a quarter of an hour, two weeks; then it waits as others do. */
static bool spin_leap(struct thread *t) {
  if (t->spin[0].looks == t->looks || t->leaps == 4) return false;
  t->ahead += 1ull << (20 + 10 * t->leaps++);
  t->spins = 0;
  return true;
}

/* While spinning on one location the pending read itself is disabled; on several, an AWAIT step stands in for it. */
static void wait_for_change(struct thread *t) {
  bool one = true;
  if (spin_leap(t)) return;
  spin_settle(t);
  for (uint32_t i = 1; i < t->spins; i++) one &= t->spin[i].address == t->spin[0].address && t->spin[i].size == t->spin[0].size;
  t->waiting = true;
  t->pending.flags |= EVENT_WAITS;
  if (one && (t->pending.op == EVENT_READ || t->pending.op == EVENT_RMW) && t->pending.object == t->spin[0].address) return;
  t->pending.op = EVENT_AWAIT;
  t->pending.flags &= EVENT_INTERNAL | EVENT_WAITS; /* the others are the operation's: a try-lock never blocks, but this step does */
  t->pending.object = one ? t->spin[0].address : 0;
  t->pending.size = one ? t->spin[0].size : UINT64_MAX;
}

static inline uint32_t pc_of(const struct thread *t) { return t->frames.count ? vec_last(&t->frames).pc : 0; }

void step_may_wait(struct machine *m, struct thread *t) {
  if (spin_check(m, t, pc_of(t))) wait_for_change(t);
}

/* The granted step happens now; false if the operation itself is still to come: the step was a wait, or a failure that others prevented. */
static bool take_granted(struct machine *m, struct thread *t, enum event_op op, uint64_t object) {
  t->granted = false;
  if (op == EVENT_ACQUIRE && t->noting && in_arena(object, 8)) spin_note(m, t, pc_of(t), object, 8, memory_get(object), true);
  event_append(m, t, &t->pending);
  if (t->pending.op == EVENT_AWAIT) {
    spin_clear(t);
    return false;
  }
  if (event_fails(&t->pending)) return false;
  t->next_order = t->next_flags = 0;
  return true;
}

/* Nobody can come between: one thread, or an atomic section. True: the operation is done at once. */
static bool alone(struct machine *m, struct thread *t, bool blocks) {
  struct event *e = &t->pending;
  if (m->single) return !blocks && e->op != EVENT_FORK && e->op != EVENT_CHOICE;
  e->flags |= EVENT_INTERNAL;
  if (blocks || e->op == EVENT_CHOICE) return false;
  event_append(m, t, e);
  return true;
}

bool machine_visible(struct machine *m, struct thread *t, enum event_op op, uint64_t object, uint64_t size, uint64_t value2, bool blocks) {
  if (t->granted && take_granted(m, t, op, object)) return true;
  uint8_t order = t->next_order, flags = t->next_flags;
  t->next_order = t->next_flags = 0;
  if (m->single || t->atomic) {
    t->pending = (struct event){.op = (uint8_t)op,
                                .order = order,
                                .flags = flags,
                                .thread = t->tid,
                                .site = m->site,
                                .object = object,
                                .size = size,
                                .value2 = value2};
    if (alone(m, t, blocks)) return true;
    if (m->single) return false;
    flags = t->pending.flags;
  }
  step_name(m, t, op, order, flags, object, size, value2);
  return false;
}

struct event *machine_record(struct machine *m, struct thread *t, enum event_op op, uint64_t object, uint64_t size) {
  struct event e = {.op = (uint8_t)op, .flags = EVENT_INTERNAL, .site = m->site, .object = object, .size = size};
  return event_append(m, t, &e);
}

/* --- how an execution ends --- */

enum run machine_stop(struct machine *m, enum machine_status status) {
  m->status = status;
  return RUN_STOP;
}

void machine_fail_site(struct machine *m, uint32_t thread, uint32_t site, const char *role) {
  struct finding_site *s = vec_push(&m->finding.sites);
  *s = (struct finding_site){.thread = thread, .site = site, .event = UINT32_MAX};
  snprintf(s->role, sizeof s->role, "%s", role);
}

void machine_blame_program(struct machine *m, const struct thread *t) {
  for (size_t i = t->frames.count; i-- > 0;) {
    const struct frame *frame = &t->frames.data[i];
    if (m->image->functions[frame->function].flags & FUNCTION_MODEL) continue;
    m->site = m->image->code_sites[frame->pc];
    return;
  }
}

enum run machine_fail(struct machine *m, struct thread *t, enum finding_kind kind, const char *role, const char *format, ...) {
  vec_clear(&m->finding.sites);
  text_clear(&m->finding.message);
  m->finding.kind = kind;
  m->finding.confirmed = true;
  va_list args;
  va_start(args, format);
  text_vprintf(&m->finding.message, format, args);
  va_end(args);
  if (t) {
    machine_fail_site(m, t->tid, m->site, role);
    if (m->trace.count && vec_last(&m->trace).thread == t->tid && vec_last(&m->trace).site == m->site)
      m->finding.sites.data[0].event = (uint32_t)m->trace.count - 1;
  }
  return machine_stop(m, MACHINE_FAILED);
}

enum run machine_unsupported(struct machine *m, struct thread *t, const char *format, ...) {
  struct text what = {0}, where = {0};
  va_list args;
  va_start(args, format);
  text_vprintf(&what, format, args);
  va_end(args);
  image_site_text(m->image, m->site, &where);
  diag_set(&m->diag, ERR_UNSUPPORTED, "%s: %s (thread %s)", text_str(&where), text_str(&what), text_str(&m->names[t->tid]));
  text_release(&what);
  text_release(&where);
  return machine_stop(m, MACHINE_UNSUPPORTED);
}

/* --- enabled threads --- */

static inline bool thread_enabled(const struct machine *m, const struct thread *t) {
  if (t->waiting && !spin_changed(m, t)) return false;
  return t->need == NEED_NOTHING || sync_mutex_open(t) || sync_enabled(m, t);
}

void machine_watch(struct machine *m, const struct thread *t) {
  m->wants[t->tid] = t->need == NEED_SIGNAL ? ANY_OBJECT : t->pending.object;
}

[[gnu::noinline]] static void change_spinning(struct machine *m, const struct thread *t, bool spins) {
  m->nspinning += (uint32_t)spins - tset_has(&m->spinning, t->tid);
  tset_put(&m->spinning, t->tid, spins);
}

/* What `t` needs for its pending step, and whether it is there. */
static inline void compute(struct machine *m, struct thread *t) {
  bool live = t->state == THREAD_LIVE;
  bool spins = t->waiting || t->need == NEED_VALUE || t->need == NEED_BITS;
  uint8_t list = !live ? LIST_NONE : spins ? LIST_SPINNING : t->need ? LIST_WATCHED : LIST_NONE;
  if ((list | t->list) & LIST_SPINNING) change_spinning(m, t, list == LIST_SPINNING);
  t->list = list;
  tset_put(&m->watched, t->tid, list == LIST_WATCHED);
  machine_watch(m, t); /* looked at if it is watched */
  tset_put(&m->enabled, t->tid, live && (!list || thread_enabled(m, t)));
}

static void compute_all(struct machine *m) {
  m->enabled = (struct tset){0};
  for (uint32_t i = 0; i < m->ncreated; i++) compute(m, m->threads[m->created[i]]);
  for (uint32_t i = 0; i < m->ncreated; i++) {
    const struct thread *t = m->threads[m->created[i]];
    if (!t->atomic || !tset_has(&m->enabled, t->tid)) continue;
    m->enabled = (struct tset){0}; /* nothing else runs inside an atomic section */
    tset_add(&m->enabled, t->tid);
    return;
  }
}

/* Which of `threads` can go on now? Those alone are asked that need `object`. */
static inline void look_again(struct machine *m, const struct tset *threads, uint64_t object) {
  uint32_t w = 0;
  do { /* nearly always one word */
    for (uint64_t rest = threads->words[w]; rest; rest &= rest - 1) {
      uint32_t tid = w * 64 + (uint32_t)__builtin_ctzll(rest);
      if (object != ANY_OBJECT && m->wants[tid] != object && m->wants[tid] != ANY_OBJECT) continue;
      const struct thread *t = m->threads[tid];
      tset_put(&m->enabled, tid, thread_enabled(m, t));
    }
  } while (__builtin_expect(++w < m->words, 0));
}

/* Steps that change memory alone: they cannot give another thread a lock, a signal, a count or an end. */
#define OP(name) (1ull << EVENT_##name)
static const uint64_t memory_steps =
    OP(READ) | OP(WRITE) | OP(RMW) | OP(FENCE) | OP(YIELD) | OP(AWAIT) | OP(CHOICE) | OP(FLUSH) | OP(OUTPUT);
_Static_assert(EVENT_COUNT <= 64, "operations are bits of a word");

/* What a step was, as far as it matters to who can go on. */
struct taken {
  uint8_t op;
  uint64_t object;
  size_t events; /* there were before it */
};

/* The object that the step has changed, if it is the only one that others may need. */
static inline uint64_t changed_object(const struct machine *m, const struct taken *step) {
  const uint64_t one_object = OP(ACQUIRE) | OP(RELEASE) | OP(FORK) | OP(JOIN);
  return (one_object >> step->op & 1) && m->trace.count == step->events + 1 ? step->object : ANY_OBJECT;
}

/* Only `t` has moved since the last time, and threads may have begun. */
static inline void compute_after(struct machine *m, struct thread *t, struct taken step) {
  compute(m, t);
  for (; m->ncomputed < m->ncreated; m->ncomputed++) compute(m, m->threads[m->created[m->ncomputed]]);
  if (m->remade) step.object = ANY_OBJECT;
  if (!(memory_steps >> step.op & 1) || t->state != THREAD_LIVE || m->remade) look_again(m, &m->watched, step.object);
  m->remade = false;
  if (m->nspinning) look_again(m, &m->spinning, ANY_OBJECT);
}

static inline void compute_enabled(struct machine *m, struct thread *t, struct taken step) {
  bool all = !t || t->atomic || m->was_atomic;
  m->was_atomic = t && t->atomic;
  if (!all) {
    compute_after(m, t, step);
    return;
  }
  compute_all(m);
  m->ncomputed = m->ncreated;
}

/* Settles what state the step led to. */
static void settle(struct machine *m, struct thread *t, struct taken step) {
  m->exhausted = m->status == MACHINE_RUNNING && tset_empty(&m->alive);
  if (m->exhausted) m->exit_code = 0, m->status = MACHINE_DONE;
  if (m->status == MACHINE_RUNNING) {
    compute_enabled(m, t, step);
    bool blocked = t && t->need && t->state == THREAD_LIVE && !tset_has(&m->enabled, t->tid);
    if (!(blocked && sync_partial_deadlock(m, t))) {
      if (!tset_empty(&m->enabled)) return;
      compute_all(m); /* what they need may be gone with a stack frame, which is no step */
      if (!tset_empty(&m->enabled) || (m->buffers && !tset_empty(&m->buffers->filled))) return;
      m->exhausted = true;
      struct tset vain = m->parked;
      tset_minus(&vain, &m->circling);
      if (tset_empty(&vain)) sync_deadlock(m);
      if (m->status == MACHINE_RUNNING) m->status = MACHINE_BLOCKED;
    }
  }
  m->enabled = (struct tset){0};
}

/* Was what the thread's last step did, from this event on, nothing that others could see, and why it failed nothing that they could change?
 */
static bool failed_alone(const struct machine *m, const struct thread *t, uint32_t from) {
  const uint32_t local = 1u << FINDING_ASSERTION | 1u << FINDING_ABORT | 1u << FINDING_NULL_DEREFERENCE | 1u << FINDING_DIVISION_BY_ZERO |
                         1u << FINDING_UNCAUGHT_EXCEPTION;
  if (m->status != MACHINE_FAILED || !(local >> m->finding.kind & 1) || m->single || t->atomic || t->state != THREAD_LIVE) return false;
  for (uint32_t i = from; i < m->trace.count; i++) {
    const struct event *e = &m->trace.data[i];
    if ((e->op != EVENT_READ && !event_fails(e)) || e->thread != t->tid) return false;
  }
  return true;
}

bool machine_park(struct machine *m, uint32_t thread, uint32_t from) {
  struct thread *t = m->threads[thread < AGENTS_FROM || !m->buffers ? thread : 0];
  if (t->tid != thread || !failed_alone(m, t, from)) return false;
  tset_add(&m->parked, thread);
  t->waiting = t->own_known = false;
  t->need = NEED_NEVER_MET;
  t->pending = (struct event){.op = EVENT_NONE, .thread = t->tid, .site = t->pending.site};
  m->status = MACHINE_RUNNING;
  machine_settle(m);
  if (m->buffers) buffers_show(m);
  return true;
}

const struct tset *machine_parked(const struct machine *m) { return &m->parked; }

bool machine_unended(const struct machine *m) { return !tset_empty(&m->unended); }

void machine_settle(struct machine *m) { settle(m, NULL, (struct taken){EVENT_NONE, ANY_OBJECT, 0}); }

/* Does settle() in the short way for most steps: `t` has touched memory alone, for a value in which nobody waits, or one object, and
 * somebody can go on. False: settle() has to. */
static inline bool settled(struct machine *m, struct thread *t, struct taken *step, enum run run) {
  bool memory = memory_steps >> step->op & 1;
  /* One branch for all that is rare. */
  uint32_t rare = (uint32_t)(run ^ RUN_YIELD) | t->waiting | t->atomic | m->was_atomic | (m->ncreated ^ m->ncomputed) |
                  (uint32_t)m->nspinning | m->remade;
  if (rare) return false;
  if (memory & !(t->need | t->list)) return true; /* it stays enabled, as does everybody who was */
  if (!memory) {
    step->object = changed_object(m, step);
    if (step->object == ANY_OBJECT) return false;
  }
  compute(m, t);
  if (t->list == LIST_SPINNING) return false;
  if (!memory) look_again(m, &m->watched, step->object);
  return tset_has(&m->enabled, t->tid) || (!sync_partial_deadlock(m, t) && !tset_empty(&m->enabled));
}

/* --- threads --- */

/* Tids of threads are below this. */
static uint32_t tid_limit(const struct machine *m) { return m->buffers ? AGENTS_FROM : THREADS_MAX; }

/* Numbers are few. A thread that has made so many others gives theirs again: a child that it has joined itself is over for everybody whom
 * the next one can meet, so that both could as well be one thread that goes on. Its number, its name and its memory serve the next. (If
 * another thread had joined it, nothing would order its end before the next one's beginning. And what it still holds is its own.) */
#define CHILDREN_APART (tid_limit(m) / 8)

static struct thread *find_joined_child(struct machine *m, const struct thread *parent) {
  struct thread *found = NULL;
  if (parent->children < CHILDREN_APART) return NULL;
  for (uint32_t i = 0; i < m->ncreated; i++) { /* the first one made: tids mean nothing in another process */
    struct thread *t = m->threads[m->created[i]];
    bool over = t->state == THREAD_ENDED && t->joined && t->maker == parent->tid && t->joiner == parent->tid && t != m->threads[0];
    if (over && t->held == 0 && (!found || t->ordinal < found->ordinal)) found = t;
  }
  return found;
}

/* A number that no thread of this execution has. */
static uint32_t tid_of_child(struct machine *m, const struct thread *parent, uint32_t ordinal) {
  uint32_t limit = tid_limit(m);
  bool is_new = false;
  uint64_t *tid = hashmap_at(&m->children, (uint64_t)parent->tid << 32 | ordinal, THREADS_MAX, &is_new);
  if (!is_new) return (uint32_t)*tid;
  uint32_t wanted = parent->tid == 0 && ordinal < limit ? ordinal : 1;
  while (wanted < limit && m->names[wanted].count) wanted++;
  if (parent->tid != 0 || wanted >= limit) { /* grandchildren from the middle, so that main's children keep their numbers */
    for (wanted = limit / 2; wanted < limit && m->names[wanted].count;) wanted++;
    if (wanted == limit)
      for (wanted = 1; wanted < limit && m->names[wanted].count;) wanted++;
  }
  *tid = wanted < limit ? wanted : THREADS_MAX;
  if (wanted < limit) text_printf(&m->names[wanted], "%s.%u", text_str(&m->names[parent->tid]), ordinal);
  return (uint32_t)*tid;
}

static void thread_clear(struct machine *m, struct thread *t, uint32_t tid) {
  memset(t, 0, offsetof(struct thread, spin)); /* what follows is counted, or kept */
  t->tid = tid, t->state = THREAD_LIVE, t->low = region_base(tid);
  vec_clear(&t->frames);
  vec_clear(&t->slots);
  vec_clear(&t->undefined);
  tset_add(&m->alive, tid);
}

static struct thread *thread_begin(struct machine *m, uint32_t tid) {
  struct thread *t = m->threads[tid];
  if (!t) t = m->threads[tid] = mem_alloc(sizeof *t);
  thread_clear(m, t, tid);
  m->created[m->ncreated++] = (uint8_t)tid;
  if (m->words <= tid / 64) m->words = tid / 64 + 1;
  region_begin(&m->memory, tid, m->image->tls, m->image->header->tls_size, m->image->header->tls_align);
  if (m->buffers) buffer_begin(m, tid);
  return t;
}

/* Its events and its children go on being counted where the one before it stopped. */
static void thread_begin_again(struct machine *m, struct thread *t) {
  uint32_t events = t->events, children = t->children, ordinal = t->ordinal;
  thread_clear(m, t, t->tid);
  t->events = events, t->counted = events, t->children = children, t->ordinal = ordinal;
  m->again[m->nagain++] = (uint8_t)t->tid;
  region_begin_again(&m->memory, t->tid, m->image->tls, m->image->header->tls_size);
  if (m->buffers) buffer_drained(m, t->tid);
}

uint32_t thread_next_child(struct machine *m, const struct thread *parent) {
  const struct thread *t = find_joined_child(m, parent);
  return t ? t->tid : tid_of_child(m, parent, parent->children + 1);
}

static struct thread *make_child(struct machine *m, struct thread *parent) {
  struct thread *t = find_joined_child(m, parent);
  if (t) {
    thread_begin_again(m, t);
  } else {
    uint32_t ordinal = ++parent->children, tid = tid_of_child(m, parent, ordinal);
    if (tid == THREADS_MAX) {
      machine_unsupported(m, parent, "more than %u threads at a time%s", tid_limit(m), m->buffers ? " with store buffers" : "");
      return NULL;
    }
    t = thread_begin(m, tid);
    t->ordinal = ordinal;
  }
  t->maker = parent->tid;
  return t;
}

struct thread *thread_create(struct machine *m, struct thread *parent, uint64_t function, uint64_t argument) {
  uint64_t index = (function - TEXT_BASE) / 16;
  if (function < TEXT_BASE || index >= m->image->nfunctions) {
    machine_fail(m, parent, FINDING_OUT_OF_BOUNDS, "call", "the start routine of a new thread is no function of the program");
    return NULL;
  }
  struct thread *t = make_child(m, parent);
  if (!t) return NULL;
  t->stage = STAGE_START;
  m->single = false;
  m->stores_long = m->buffers != NULL;
  m->unjoined++;
  return frame_push(m, t, (uint32_t)index, &argument, 1) ? t : NULL;
}

void thread_joined(struct machine *m, struct thread *t) {
  t->joined = true;
  if (--m->unjoined == 0 && !m->options.see_alone) m->single = m->stores_long = true;
}

struct thread *thread_of_handle(struct machine *m, uint64_t handle) {
  uint32_t tid = region_of(handle);
  if (!in_arena(handle, 1) || tid >= THREADS_MAX || handle != thread_handle(tid) || !m->threads[tid]) return NULL;
  return m->threads[tid]->state == THREAD_NONE ? NULL : m->threads[tid];
}

void thread_end(struct machine *m, struct thread *t) {
  if (t->events) m->site = t->pending.site; /* it ends together with that step */
  spin_follow(m, t);                        /* does it still hold locks? */
  machine_record(m, t, EVENT_END, t->tid, 0)->flags = 0;
  t->state = THREAD_ENDED;
  t->pending = (struct event){.op = EVENT_END, .thread = t->tid};
  tset_remove(&m->alive, t->tid);
  vec_clear(&t->undefined);
  stack_restore(&m->memory, t->tid, region_tls(t->tid) + m->image->header->tls_size + 16);
  thread_locals_close(m, t);
}

/* Nearly every thread: the models have nothing to do when it ends. */
static bool leaves_nothing(const struct machine *m, const struct thread *t) {
  if (m->destructors_offset == UINT64_MAX || m->values_offset == UINT64_MAX) return false;
  uint64_t tls = region_tls(t->tid);
  return memory_get(tls + m->destructors_offset) == 0 && *(const uint32_t *)host_at(tls + m->values_offset) == 0;
}

enum run thread_bottom(struct machine *m, struct thread *t, uint64_t result) {
  switch ((enum thread_stage)t->stage) {
    case STAGE_CTORS:
      if (t->ctor < m->image->nctors) return frame_push(m, t, m->image->ctors[t->ctor++].function, NULL, 0) ? RUN_FRAME : RUN_STOP;
      t->stage = STAGE_MAIN;
      return frame_push(m, t, m->image->header->main, m->arguments, 3) ? RUN_FRAME : RUN_STOP;
    case STAGE_MAIN:
      t->stage = STAGE_EXIT;
      m->exit_code = (int)(result & 255);
      if (m->model_main_exit == UINT32_MAX) return heap_check_leaks(m) ? RUN_STOP : machine_stop(m, MACHINE_DONE);
      return frame_push(m, t, m->model_main_exit, &result, 1) ? RUN_FRAME : RUN_STOP;
    case STAGE_EXIT:
      return machine_stop(m, MACHINE_DONE);
    case STAGE_START:
      t->result = result;
      t->stage = STAGE_DESTRUCTORS;
      if (m->model_thread_exit == UINT32_MAX || leaves_nothing(m, t)) return RUN_END;
      return frame_push(m, t, m->model_thread_exit, NULL, 0) ? RUN_FRAME : RUN_STOP;
    case STAGE_DESTRUCTORS:
      return RUN_END;
  }
  return RUN_END;
}

/* A thread ends together with its last step; but if it has stored since it last waited for its buffer to be empty, its end waits for that,
 * and is a step. (Whether the buffer is empty now depends on others.) */
[[gnu::noinline]] static bool end_later(struct machine *m, struct thread *t) {
  if (!t->stored || m->single) return false;
  t->pending = (struct event){.op = EVENT_END, .thread = t->tid, .site = t->pending.site, .object = t->tid};
  t->choice = 0;
  return true;
}

/* What follows exists twice: for the interpreter, and for the one that is followed (depend.c). `follows` is constant wherever it is given.
 */
#define BOTH [[gnu::always_inline]] static inline

static void take_failing(struct machine *m, struct thread *t) {
  t->granted = false;
  event_append(m, t, &t->pending);
}

/* The step has nothing but its event: the thread goes on where it was. */
[[gnu::noinline, gnu::cold]] static void take_rest(struct machine *m, struct thread *t) {
  t->rests = false;
  take_failing(m, t);
}

/* Has the present step done nothing that others could see, so that what `t` does next could as well belong to what it did before? */
static bool only_read(const struct machine *m, const struct thread *t) {
  for (size_t i = m->step_from; i < m->trace.count; i++) {
    if (m->trace.data[i].op != EVENT_READ || m->trace.data[i].thread != t->tid) return false;
  }
  return m->trace.count > m->step_from;
}

/* The thread has come to a failure. That ends the execution for all, so it is a step of its own, and what the others do between the
 * thread's last step and its failure is not lost. Not if that last step was a read, which they could have come before; nor if it is the
 * operation's own that fails. The instruction has done nothing yet: it is executed again when the step is granted. */
[[gnu::noinline, gnu::cold]] static enum run failed(struct machine *m, struct thread *t) {
  if (t->granted && event_fails(&t->pending)) {
    take_failing(m, t);
    m->finding.sites.data[0].event = (uint32_t)m->trace.count - 1;
    return RUN_STOP;
  }
  bool own = t->granted || m->trace.count > m->insn_from;
  if (m->single || t->atomic || own || m->finding.kind == FINDING_LEAK || only_read(m, t)) return RUN_STOP;
  m->status = MACHINE_RUNNING;
  t->next_order = t->next_flags = 0;
  step_name(m, t, EVENT_YIELD, ORDER_PLAIN, EVENT_FAILS, 0, 0, 0);
  return RUN_YIELD;
}

BOTH enum run go(struct machine *m, struct thread *t, bool follows) {
  m->step_jumps = 0, m->budget = BUDGET_SLICE, m->circle.looking = false;
  if (__builtin_expect(t->rests, 0)) take_rest(m, t);
  enum run run = __builtin_expect(t->leaves, 0) ? leave_go_on(m, t) : RUN_FRAME;
  while (run == RUN_FRAME || run == RUN_SWITCH) {
    if (__builtin_expect(t->undefined.count != 0, 0) && !follows)
      run = interpret_checked(m, t);
    else
      run = follows ? interpret_followed(m, t) : interpret(m, t);
  }
  if (__builtin_expect(run == RUN_STOP, 0) && m->status == MACHINE_FAILED)
    run = failed(m, t);
  else if (__builtin_expect(t->granted, 0) && event_fails(&t->pending)) /* others prevented it */
    take_failing(m, t);
  if (run == RUN_END && !thread_locals_end(m, t) && !end_later(m, t)) thread_end(m, t);
  return run;
}

void thread_run(struct machine *m, struct thread *t) { go(m, t, false); }

BOTH void run_created(struct machine *m, bool follows) {
  while (m->nrun < m->ncreated && m->status == MACHINE_RUNNING) go(m, m->threads[m->created[m->nrun++]], follows);
  if (m->nagain == 0) return;
  for (uint32_t i = 0; i < m->nagain && m->status == MACHINE_RUNNING; i++) go(m, m->threads[m->again[i]], follows);
  m->nagain = m->ncomputed = 0; /* `enabled` knows nothing of them */
}

[[gnu::noinline]] static void run_new(struct machine *m) { run_created(m, false); }
[[gnu::noinline]] static void run_new_followed(struct machine *m) { run_created(m, true); }

BOTH enum run go_on(struct machine *m, struct thread *t, uint32_t choice, bool follows) {
  t->choice = choice;
  t->granted = t->pending.op != EVENT_END;
  if (t->granted) return go(m, t, follows);
  thread_end(m, t);
  return RUN_END;
}

/* machine_step() of a thread under TSO and PSO. */
BOTH void step_thread(struct machine *m, struct thread *t, uint32_t choice, bool follows) {
  struct taken step = {t->pending.op, t->pending.object, m->trace.count};
  struct region *r = &m->memory.regions[t->tid];
  uint64_t sp = r->low_sp = r->sp;
  m->running = t->tid;
  t->own_known = false;
  bool drained = event_drains(&t->pending);
  m->step_from = step.events;
  if (drained) buffer_drained(m, t->tid);
  t->stored = !drained && (t->stored || (t->pending.flags & EVENT_BUFFERED && step.op == EVENT_WRITE));
  if (t->waiting) {
    t->waiting = false;
    if (step.op != EVENT_AWAIT) spin_clear(t);
  }
  buffer_in(m, t->tid);
  enum run run = go_on(m, t, choice, follows);
  if (r->low_sp < sp) buffers_forget_stack(m, t->tid, r->low_sp);
  buffer_out(m, t->tid);
  if ((m->nrun ^ m->ncreated) | m->nagain) follows ? run_new_followed(m) : run_new(m);
  if (settled(m, t, &step, run)) return;
  step.object = changed_object(m, &step);
  settle(m, t, step);
}

BOTH enum machine_status step_either(struct machine *m, uint32_t thread, uint32_t choice, bool follows) {
  m->counts.steps++;
  if (thread < AGENTS_FROM) {
    step_thread(m, m->threads[thread], choice, follows);
  } else {
    buffer_flush(m, thread);
    machine_settle(m);
  }
  buffers_show(m);
  return m->status;
}

[[gnu::noinline]] static enum machine_status step_with_buffers(struct machine *m, uint32_t thread, uint32_t choice) {
  return step_either(m, thread, choice, false);
}

[[gnu::noinline]] static enum machine_status step_with_buffers_followed(struct machine *m, uint32_t thread, uint32_t choice) {
  return step_either(m, thread, choice, true);
}

BOTH enum machine_status step(struct machine *m, uint32_t thread, uint32_t choice, bool follows) {
  if (__builtin_expect(m->buffers != NULL, 0))
    return follows ? step_with_buffers_followed(m, thread, choice) : step_with_buffers(m, thread, choice);
  struct thread *t = m->threads[thread];
  struct taken step = {t->pending.op, t->pending.object, m->trace.count};
  m->counts.steps++;
  m->step_from = step.events;
  t->granted = true, t->own_known = false;
  t->choice = choice;
  if (t->waiting) {
    t->waiting = false;
    if (step.op != EVENT_AWAIT) spin_clear(t);
  }
  enum run run = go(m, t, follows);
  if ((m->nrun ^ m->ncreated) | m->nagain) follows ? run_new_followed(m) : run_new(m);
  if (!settled(m, t, &step, run)) {
    step.object = changed_object(m, &step);
    settle(m, t, step);
  }
  return m->status;
}

enum machine_status machine_step(struct machine *m, uint32_t thread, uint32_t choice) { return step(m, thread, choice, false); }

enum machine_status machine_step_followed(struct machine *m, uint32_t thread, uint32_t choice) { return step(m, thread, choice, true); }

/* --- views --- */

enum machine_status machine_status(const struct machine *m) { return m->status; }
const struct tset *machine_enabled(const struct machine *m) { return m->buffers ? &m->buffers->enabled : &m->enabled; }
const struct tset *machine_alive(const struct machine *m) { return m->buffers ? &m->buffers->alive : &m->alive; }
const struct event *machine_pending(const struct machine *m, uint32_t thread) { return &m->threads[thread]->pending; }

uint32_t machine_owner(const struct machine *m, uint32_t thread) {
  return m->buffers && thread >= AGENTS_FROM ? m->buffers->agents[thread - AGENTS_FROM].owner : thread;
}

bool machine_may_choose(const struct machine *m, uint32_t thread) {
  const uint64_t several = OP(CHOICE) | OP(SIGNAL) | OP(JOIN) | OP(WAIT_LEAVE) | OP(SEM_WAIT);
  const struct thread *t = m->threads[thread];
  /* One branch for the caller: a join, which is the usual one of these, mostly has no choice. */
  uint32_t chooses = (uint32_t)(t->pending.op != EVENT_JOIN) | (t->pending.flags & (EVENT_TRY | EVENT_TIMED)) | (uint32_t)m->cancels;
  return (several >> t->pending.op & 1) & (chooses != 0);
}

uint32_t machine_alternatives(const struct machine *m, uint32_t thread) {
  const struct thread *t = m->threads[thread];
  if (!machine_may_choose(m, thread)) return 1;
  return t->pending.op == EVENT_CHOICE ? (uint32_t)t->pending.size : sync_alternatives(m, t);
}

const struct event *machine_trace(const struct machine *m, uint32_t *count) {
  *count = (uint32_t)m->trace.count;
  return m->trace.data;
}

const struct finding *machine_finding(const struct machine *m) { return &m->finding; }
const struct diag *machine_diag(const struct machine *m) { return &m->diag; }
const struct text *machine_output(const struct machine *m, int fd) { return &m->output[fd - 1]; }
int machine_exit_code(const struct machine *m) { return m->exit_code; }
bool machine_exhausted(const struct machine *m) { return m->exhausted; }
bool machine_sharing_changed(const struct machine *m) { return m->memory.sharing_changed || m->impatient.count; }

uint64_t machine_threads_known(const struct machine *m) { return m->children.count + (m->buffers ? m->buffers->nagents : 0); }
uint64_t machine_uses_known(const struct machine *m) { return m->memory.uses; }

void machine_share(struct machine *m, uint64_t address, uint64_t size) {
  if (size > 0 && size <= REGION_SIZE && in_arena(address, size) && region_of(address) == region_of(address + size - 1))
    memory_share(&m->memory, address, size);
}

struct machine_counts machine_counts(const struct machine *m) {
  return m->counts;
}
const char *machine_thread_name(const struct machine *m, uint32_t thread) {
  return thread < THREADS_MAX ? text_str(&m->names[thread]) : "?";
}

uint32_t machine_thread_find(const struct machine *m, const char *name) {
  for (uint32_t i = 0; i < THREADS_MAX; i++)
    if (m->names[i].count && strcmp(text_str(&m->names[i]), name) == 0) return i;
  return THREADS_MAX;
}

uint32_t machine_stack(const struct machine *m, uint32_t thread, uint32_t *sites, uint32_t max) {
  const struct thread *t = m->threads[thread];
  uint32_t n = 0;
  for (size_t i = t ? t->frames.count : 0; i-- > 0 && n < max;) sites[n++] = m->image->code_sites[t->frames.data[i].pc];
  return n;
}

static const struct frame *frame_at(const struct machine *m, uint32_t thread, uint32_t depth) {
  const struct thread *t = thread < THREADS_MAX ? m->threads[thread] : NULL;
  return t && depth < t->frames.count ? &t->frames.data[t->frames.count - 1 - depth] : NULL;
}

bool machine_frame(const struct machine *m, uint32_t thread, uint32_t depth, uint32_t *function, uint32_t *code) {
  const struct frame *frame = frame_at(m, thread, depth);
  if (frame) *function = frame->function, *code = frame->pc;
  return frame != NULL;
}

bool machine_in_loop(const struct machine *m, uint32_t thread, uint32_t *code) {
  const struct event *pending = machine_pending(m, thread);
  const struct thread *t = m->threads[thread];
  if (pending->op == EVENT_NONE || pending->op == EVENT_FLUSH || pending->op == EVENT_BEGIN || t->frames.count == 0) return false;
  *code = vec_last(&t->frames).pc;
  for (const struct frame *f = t->frames.data; f < t->frames.data + t->frames.count; f++)
    if (!(f->tag & FRAME_MODEL) && (m->image->sites[m->image->code_sites[f->pc]].flags & SITE_LOOP)) return true;
  return false;
}

bool machine_slot(const struct machine *m, uint32_t thread, uint32_t depth, uint32_t slot, uint64_t *value) {
  const struct frame *frame = frame_at(m, thread, depth);
  if (!frame || slot >= m->image->functions[frame->function].slots) return false;
  *value = m->threads[thread]->slots.data[frame->base + slot];
  return true;
}

bool machine_peek(const struct machine *m, uint64_t address, uint32_t n, uint64_t *value) {
  (void)m;
  *value = 0;
  if (!in_arena(address, n) || n > 8) return false;
  for (uint32_t i = 0; i < n; i++)
    if (!(*shadow_at(address + i) & SHADOW_OK)) return false;
  memcpy(value, host_at(address), n);
  return true;
}

bool machine_initial(const struct machine *m, uint64_t address, uint32_t n, uint64_t *value) {
  return in_arena(address, n) && n <= 8 && memory_initial(&m->memory, address, n, value);
}

const struct image *machine_image(const struct machine *m) { return m->image; }
const struct machine_options *machine_options(const struct machine *m) { return &m->options; }

static void block_text(const struct machine *m, const struct heap_block *block, uint64_t address, struct text *out) {
  struct text where = {0};
  image_site_text(m->image, block->alloc_site, &where);
  text_printf(out, "heap block of %llu bytes from %s", (unsigned long long)block->size, text_str(&where));
  if (address != block->address) text_printf(out, " %+lld", (long long)(address - block->address));
  text_release(&where);
}

/* The variable of a frame of thread `tid` that covers the address: "pool.stop in main". */
static bool local_text(const struct machine *m, uint32_t tid, uint64_t address, uint64_t size, struct text *out) {
  const struct thread *t = tid < THREADS_MAX ? m->threads[tid] : NULL;
  for (size_t i = t && t->state == THREAD_LIVE ? t->frames.count : 0; i-- > 0;) {
    const struct frame *frame = &t->frames.data[i];
    for (uint32_t k = 0; k < m->image->nlocals; k++) {
      const struct image_local *l = &m->image->locals[k];
      if (l->function != frame->function || !l->in_memory || frame->pc < l->from || frame->pc >= l->to) continue;
      uint64_t offset = address - t->slots.data[frame->base + l->slot], bytes = m->image->types[l->type].size;
      if (offset >= bytes || size > bytes - offset) continue;
      text_puts(out, image_string(m->image, l->name));
      image_path_text(m->image, l->type, offset, size, out);
      text_printf(out, " in %s", image_string(m->image, m->image->functions[l->function].name));
      return true;
    }
  }
  return false;
}

uint64_t machine_blocks_from(uint32_t site) { return hash_pair(2, site); }

uint64_t machine_object_of(const struct machine *m, uint64_t address) {
  struct heap_block block;
  if (!in_arena(address, 1)) return 0;
  if (region_of(address) == UINT32_MAX) return hash_pair(1, image_variable_at(m->image, address));
  return heap_find(m, address, &block) ? machine_blocks_from(block.alloc_site) : hash_pair(3, address);
}

void machine_object_text(const struct machine *m, uint64_t address, uint64_t size, struct text *out) {
  struct heap_block block;
  if (!in_arena(address, 1)) {
    text_puts(out, address < 65536 ? "null" : "no object");
  } else if (region_of(address) == UINT32_MAX) {
    if (!image_address_text(m->image, address, size, out)) text_puts(out, "unnamed global");
  } else if (heap_find(m, address, &block)) {
    block_text(m, &block, address, out);
  } else {
    uint32_t tid = region_of(address);
    if (address == clock_word()) {
      text_puts(out, "the clock");
      return;
    }
    if (local_text(m, tid, address, size, out)) return;
    const char *what = address == thread_handle(tid) ? "cancellation request" : "local variable";
    text_printf(out, "%s of thread %s", what, machine_thread_name(m, tid));
  }
}
