#include "machine/machine.h"

#include <stdio.h>
#include <string.h>

#include "machine/internal.h"
#include "machine/interpret/follow.h"
#include "machine/interpret/undefined.h"
#include "machine/memory/buffer.h"
#include "machine/symbolic/symbolic.h"
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
static void wait_for_change(struct machine *m, struct thread *t) {
  bool one = true;
  if (spin_leap(t)) return;
  spin_settle(t);
  if (m->symbolic) symbolic_waits(m, t);
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
  if (spin_check(m, t, pc_of(t))) wait_for_change(m, t);
}

/* The granted step happens now; false if the operation itself is still to come: the step was a wait, or a failure that others prevented. */
static bool take_granted(struct machine *m, struct thread *t, enum event_op op, uint64_t object) {
  t->granted = false;
  if ((op == EVENT_ACQUIRE || op == EVENT_SEM_WAIT) && t->noting && in_arena(object, 8))
    spin_note(m, t, pc_of(t), object, 8, memory_get(object), true);
  event_append(m, t, &t->pending);
  if (t->pending.op == EVENT_AWAIT) {
    t->awaited = t->pending.object, t->awaited_before = t->events;
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
  if (m->single) {
    bool once = !blocks && e->op != EVENT_FORK && e->op != EVENT_CHOICE;
    m->waits |= !once;
    return once;
  }
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
  return t->need == NEED_NOTHING || sync_step_enabled(m, t);
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
  tset_put(&m->enabled, t->tid, live && (!list || thread_enabled(m, t) || interrupts(m, t)));
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
      tset_put(&m->enabled, tid, thread_enabled(m, t) || interrupts(m, t));
    }
  } while (__builtin_expect(++w < m->words, 0));
}

/* Steps that change memory alone: they cannot give another thread a lock, a signal, a count or an end. */
static const uint64_t memory_steps =
    OP(READ) | OP(WRITE) | OP(RMW) | OP(FENCE) | OP(YIELD) | OP(AWAIT) | OP(CHOICE) | OP(FLUSH) | OP(OUTPUT);

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
static void settle_state(struct machine *m, struct thread *t, struct taken step) {
  m->exhausted = m->status == MACHINE_RUNNING && tset_empty(&m->alive);
  if (m->exhausted) m->exit_code = 0;
  if (m->exhausted && !heap_check_leaks(m)) m->status = MACHINE_DONE; /* the last thread has ended, and with it the process */
  if (m->status == MACHINE_RUNNING) {
    compute_enabled(m, t, step);
    bool blocked = t && t->need && t->state == THREAD_LIVE && !tset_has(&m->enabled, t->tid);
    bool ended = t && t->state == THREAD_ENDED && t->held;
    if (!(blocked && sync_partial_deadlock(m, t)) && !(ended && sync_left_waiting(m))) {
      if (!tset_empty(&m->enabled)) return;
      compute_all(m); /* what they need may be gone with a stack frame, which is no step */
      if (!tset_empty(&m->enabled) || (m->buffers && !tset_empty(&m->buffers->filled))) return;
      m->exhausted = true;
      struct tset vain = m->parked;
      tset_minus(&vain, &m->circling);
      if (tset_empty(&vain) && operations_may_block(m))
        m->status = MACHINE_DONE;
      else if (tset_empty(&vain))
        sync_deadlock(m);
      if (m->status == MACHINE_RUNNING) m->status = MACHINE_BLOCKED;
    }
  }
  m->enabled = (struct tset){0};
}

/* Was what the thread's last step did, from this event on, nothing that others could see, and why it failed nothing that they could change?
 */
static bool failed_alone(const struct machine *m, const struct thread *t, uint32_t from) {
  const uint32_t local = 1u << FINDING_ASSERTION | 1u << FINDING_ABORT | 1u << FINDING_NULL_DEREFERENCE | 1u << FINDING_DIVISION_BY_ZERO |
                         1u << FINDING_OVERFLOW | 1u << FINDING_UNCAUGHT_EXCEPTION;
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
  t->waiting = false;
  thread_changes(t);
  t->need = NEED_NEVER_MET;
  t->pending = (struct event){.op = EVENT_NONE, .thread = t->tid, .site = t->pending.site};
  m->status = MACHINE_RUNNING;
  machine_settle(m);
  if (m->buffers) buffers_show(m);
  return true;
}

const struct tset *machine_parked(const struct machine *m) { return &m->parked; }

bool machine_unended(const struct machine *m) { return !tset_empty(&m->unended); }

void machine_settle(struct machine *m) { settle_state(m, NULL, (struct taken){EVENT_NONE, ANY_OBJECT, 0}); }

/* Does settle_state() in the short way for most steps: `t` has touched memory alone, for a value in which nobody waits, or one object, and
 * somebody can go on. False: settle_state() has to, once threads that are new have run. */
static inline bool settled(struct machine *m, struct thread *t, struct taken *step, enum run run) {
  bool memory = memory_steps >> step->op & 1;
  /* One branch for all that is rare. */
  uint32_t rare = (uint32_t)(run ^ RUN_YIELD) | t->waiting | t->atomic | m->was_atomic | (m->ncreated ^ m->ncomputed) | m->nagain |
                  m->nspinning | m->remade;
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

/* A thread ends together with its last step; but if it has stored since it last waited for its buffer to be empty, its end waits for that,
 * and is a step. (Whether the buffer is empty now depends on others.) */
static bool end_later(struct machine *m, struct thread *t) {
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

bool machine_only_read(const struct machine *m, const struct thread *t) {
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
  if (m->single || t->atomic || own || m->finding.kind == FINDING_LEAK || machine_only_read(m, t)) return RUN_STOP;
  m->status = MACHINE_RUNNING;
  t->next_order = t->next_flags = 0;
  step_name(m, t, EVENT_YIELD, ORDER_PLAIN, EVENT_FAILS, 0, 0, 0);
  return RUN_YIELD;
}

BOTH enum run run_frames(struct machine *m, struct thread *t, enum run run, bool follows) {
  while (run == RUN_FRAME || run == RUN_SWITCH) {
    if (m->symbolic && !follows)
      run = interpret_symbolic(m, t);
    else if (t->undefined.count && !follows)
      run = interpret_checked(m, t);
    else
      run = follows ? interpret_followed(m, t) : interpret(m, t);
  }
  return run;
}

/* The thread stands in the midst of something, or has undefined values, or there is symbolic data. */
[[gnu::noinline]] static enum run go_on_rarely(struct machine *m, struct thread *t, bool follows) {
  if (t->rests) take_rest(m, t);
  return run_frames(m, t, t->leaves ? leave_go_on(m, t) : RUN_FRAME, follows);
}

/* It does not stand before its next step: has it failed? */
static enum run look_at_failure(struct machine *m, struct thread *t, enum run run) {
  if (run == RUN_STOP && m->status == MACHINE_FAILED) return failed(m, t);
  if (t->granted && event_fails(&t->pending)) take_failing(m, t); /* others prevented it */
  return run;
}

/* The thread ends with its step, if that is none of its own. With its thread-locals it ends at once: what a handler would use is gone, and
 * it could have been interrupted before. */
[[gnu::noinline]] static void end_thread(struct machine *m, struct thread *t) {
  bool closed = t->leaves == LEAVES_GRANTED;
  if (!thread_locals_end(m, t) && (closed || !interrupt_last(m, t)) && !end_later(m, t)) thread_end(m, t);
}

[[gnu::noinline]] static enum run end_run(struct machine *m, struct thread *t, enum run run, bool follows) {
  run = look_at_failure(m, t, run_frames(m, t, run, follows));
  if (run == RUN_END) end_thread(m, t);
  return run;
}

BOTH enum run go(struct machine *m, struct thread *t, bool follows) {
  m->step_jumps = 0, m->budget = BUDGET_SLICE, m->circle.looking = false;
  enum run run;
  if (__builtin_expect(t->rests | t->leaves | (m->symbolic != NULL), 0) || __builtin_expect(t->undefined.count != 0, 0))
    run = go_on_rarely(m, t, follows);
  else
    run = follows ? interpret_followed(m, t) : interpret(m, t);
  if (__builtin_expect(run == RUN_YIELD && !t->granted, 1)) return run;
  return end_run(m, t, run, follows);
}

void thread_run(struct machine *m, struct thread *t) { go(m, t, false); }

uint32_t step_alternatives(const struct machine *m, const struct thread *t) {
  if (m->interrupts && !thread_enabled(m, t)) return 0; /* it can only be interrupted */
  if (!step_may_choose(m, t)) return 1;
  return t->pending.op == EVENT_CHOICE ? (uint32_t)t->pending.size : sync_alternatives(m, t);
}

/* It has stopped to wait in a loop. */
static inline void wait_no_more(struct thread *t) {
  t->waiting = false;
  if (t->pending.op != EVENT_AWAIT) spin_clear(t);
}

/* Takes the step where threads may be interrupted: the pending one, or an interruption. */
[[gnu::noinline]] static enum run go_or_interrupt(struct machine *m, struct thread *t, bool follows) {
  m->step_jumps = 0, m->budget = BUDGET_SLICE, m->circle.looking = false;
  uint32_t ways = step_alternatives(m, t);
  bool interrupted = t->choice >= ways, alone = m->single; /* a join may make it so */
  enum run run = RUN_FRAME;
  if (interrupted) {
    t->granted = false;
    run = interrupt_take(m, t, t->choice - ways);
  } else {
    if (t->waiting) wait_no_more(t);
    if (t->rests) take_rest(m, t);
    if (t->leaves) run = leave_go_on(m, t);
  }
  run = look_at_failure(m, t, run_frames(m, t, run, follows));
  if (!interrupted && !alone) interrupt_note(m, t);
  if (run == RUN_END) end_thread(m, t);
  return run;
}

BOTH enum run go_granted(struct machine *m, struct thread *t, bool follows) {
  if (__builtin_expect(m->interrupts, 0)) return go_or_interrupt(m, t, follows);
  if (t->waiting) wait_no_more(t);
  return go(m, t, follows);
}

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
  if (t->granted) return go_granted(m, t, follows);
  thread_end(m, t);
  return RUN_END;
}

/* machine_step() of a thread under TSO and PSO. */
BOTH void step_thread(struct machine *m, struct thread *t, uint32_t choice, bool follows) {
  struct taken step = {t->pending.op, t->pending.object, m->trace.count};
  struct region *r = &m->memory.regions[t->tid];
  uint64_t sp = r->low_sp = r->sp;
  m->running = t->tid;
  thread_changes(t);
  bool drained = event_drains(&t->pending);
  m->step_from = step.events;
  if (drained) buffer_drained(m, t->tid);
  t->stored = !drained && (t->stored || (t->pending.flags & EVENT_BUFFERED && step.op == EVENT_WRITE));
  buffer_in(m, t->tid);
  enum run run = go_on(m, t, choice, follows);
  if (r->low_sp < sp) buffers_forget_stack(m, t->tid, r->low_sp);
  buffer_out(m, t->tid);
  if (settled(m, t, &step, run)) return;
  if ((m->nrun ^ m->ncreated) | m->nagain) follows ? run_new_followed(m) : run_new(m);
  step.object = changed_object(m, &step);
  settle_state(m, t, step);
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
  t->granted = true;
  thread_changes(t);
  t->choice = choice;
  enum run run = go_granted(m, t, follows);
  if (!settled(m, t, &step, run)) {
    if ((m->nrun ^ m->ncreated) | m->nagain) follows ? run_new_followed(m) : run_new(m);
    step.object = changed_object(m, &step);
    settle_state(m, t, step);
  }
  return m->status;
}

/* A step of an invocation of a specification's method, or of a scenario in which a thread crashes. */
[[gnu::noinline]] static enum machine_status step_noted(struct machine *m, uint32_t thread, uint32_t choice, bool follows) {
  bool own = thread < AGENTS_FROM || !m->buffers, inside = own && m->threads[thread]->operation;
  if (m->invocations && !follows) invocation_steps(m, m->threads[thread]);
  step(m, thread, choice, follows);
  if (m->invocations && !follows) invocation_stepped(m, m->threads[thread]);
  if (own && m->options.scenario && m->options.scenario->crashes) operation_stepped(m, m->threads[thread], inside);
  return m->status;
}

enum machine_status machine_step(struct machine *m, uint32_t thread, uint32_t choice) {
  if (__builtin_expect(m->notes_steps, 0)) return step_noted(m, thread, choice, false);
  return step(m, thread, choice, false);
}

enum machine_status machine_step_followed(struct machine *m, uint32_t thread, uint32_t choice) {
  return m->notes_steps ? step_noted(m, thread, choice, true) : step(m, thread, choice, true);
}

enum machine_status machine_step_watched(struct machine *m, uint32_t thread, uint32_t choice, const struct machine_watch *watch) {
  m->watch = watch;
  enum machine_status status = machine_step_followed(m, thread, choice);
  m->watch = NULL;
  return status;
}
