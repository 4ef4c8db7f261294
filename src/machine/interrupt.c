/* What happens to a thread between two of its steps: a signal's handler begins, or a request for cancellation ends it whose type is
 * asynchronous.
 *
 * The thread stands before its pending step, or is blocked in it. While there is something that may happen to it, it has further
 * alternatives: behind those of the step itself, if that can be taken, one for each way in which it can be interrupted. So an interruption
 * is a step of the thread's own, and whether it comes before the next one is a choice; a signal may be late. Every other step of the thread
 * says that it could have been interrupted, by a read of a word of the machine's own, which sending a signal writes: strategies reverse
 * their order as that of any two accesses. An interruption itself says, too, that it looked at what the pending step needs, for whether
 * that step was an alternative depends on it.
 *
 * A handler runs in frames above those that it interrupts. When it returns, the pending step is there again as it was, like one that has
 * waited for other threads' steps; or the call ends with EINTR, where it can. What the handler touches of memory that the thread had before
 * is shared from then on, although it is one thread: so each place at which it makes a difference to the two is a step. The two have no
 * data races. Where a thread may be stopped for good, by its cancellation or by a handler that jumps or exits, all that it writes is a
 * step.
 *
 * Signals are words of the library models (models/libc/signal.c): two of each thread, two of the process and its table of actions. */
#include "machine/interrupt.h"

#include <signal.h>

#include "machine/memory/access.h"
#include "machine/memory/buffer.h"
#include "machine/sync/sync.h"

#define WORD_SIZE 8u
/* A handler may be interrupted by others, each of another signal: more than that is no program. */
#define DEPTH_MOST 100u

/* --- the models' words --- */

enum { BLOCKED = 0, PENDING = 8 };                /* of a thread */
enum { PROCESS_PENDING = 0, PROCESS_HANDLE = 8 }; /* of the process; HANDLE: the function that runs a handler */

static uint64_t own_word(const struct machine *m, const struct thread *t, uint64_t word) {
  return region_tls(t->tid) + m->signals_offset + word;
}

static uint64_t action_at(const struct machine *m, unsigned number) {
  return m->process_signals + SIGNAL_ACTIONS + number * sizeof(struct signal_action);
}
static const struct signal_action *action_of(const struct machine *m, unsigned number) { return host_at(action_at(m, number)); }

static uint64_t own_pending(const struct machine *m, const struct thread *t) { return memory_get(own_word(m, t, PENDING)); }
static uint64_t process_pending(const struct machine *m) { return memory_get(m->process_signals + PROCESS_PENDING); }
uint64_t signals_blocked(const struct machine *m, const struct thread *t) { return memory_get(own_word(m, t, BLOCKED)); }

bool signals_pending(const struct machine *m) {
  if (!m->interrupts || !m->process_signals) return false;
  uint64_t any = process_pending(m);
  for (uint32_t i = 0; i < m->ncreated; i++) {
    const struct thread *t = m->threads[m->created[i]];
    if (t->state == THREAD_LIVE) any |= own_pending(m, t);
  }
  return any;
}

/* --- words of the machine --- */

/* Stands for what may happen to the thread. No program can address it. */
static uint64_t request_of(const struct thread *t) { return thread_handle(t->tid) + 24; }

bool interrupt_word(const struct machine *m, uint32_t tid, uint64_t address) {
  return address == thread_handle(tid) + 24 || (m->signals_offset != UINT64_MAX && address - region_tls(tid) - m->signals_offset < 16);
}

bool machine_is_note(const struct machine *m, const struct event *e) {
  uint32_t tid = region_of(e->object);
  if (!(e->flags & EVENT_INTERNAL) || (e->op != EVENT_READ && e->op != EVENT_RMW)) return false;
  if (tid < THREADS_MAX && e->object == joined_word(tid)) return true;
  if (!m->interrupts) return false;
  if (m->process_signals && e->object == m->process_signals) return true;
  return in_arena(e->object, 1) && tid < THREADS_MAX && interrupt_word(m, tid, e->object);
}

/* What a step writes besides. As an RMW that waits for no buffer: nor does the step, for this. */
static void note_write(struct machine *m, struct thread *t, uint64_t word) {
  struct event *e = machine_record(m, t, EVENT_RMW, word, WORD_SIZE);
  e->order = ORDER_RELAXED, e->flags |= EVENT_CLOCK;
}

static void note_request(struct machine *m, struct thread *t, const struct thread *of) {
  if (!m->single) note_write(m, t, request_of(of));
}

/* Its own look at that. Others may end what could happen: they take the signal. */
static void note_look(struct machine *m, struct thread *t) {
  if (!m->process_signals) return;
  struct event *e = machine_record(m, t, EVENT_READ, request_of(t), WORD_SIZE);
  e->order = ORDER_RELAXED, e->flags |= EVENT_WAITS;
}

bool machine_has_interrupts(const struct machine *m) { return m->interrupts; }

const struct event *machine_interruptible(struct machine *m, uint32_t thread) {
  const struct thread *t = m->threads[thread];
  if (!m->interrupts || !m->process_signals || t->pending.op == EVENT_FLUSH || t->state != THREAD_LIVE) return NULL;
  m->look = (struct event){.op = EVENT_READ, .order = ORDER_RELAXED, .flags = EVENT_WAITS, .thread = thread, .site = t->pending.site};
  m->look.object = request_of(t), m->look.size = WORD_SIZE;
  return &m->look;
}

/* At the site of the step, wherever the thread has gone on to since. */
void interrupt_note(struct machine *m, struct thread *t) {
  uint32_t site = m->site;
  if (m->trace.count > m->step_from) m->site = m->trace.data[m->step_from].site;
  note_look(m, t);
  if (t->cancel_asynchronous) cancel_note(m, t, t);
  m->site = site;
}

void interrupt_changed(struct machine *m, struct thread *t, const struct thread *of) {
  m->ncomputed = 0; /* it may be enabled now, or no longer */
  if (of) {
    note_request(m, t, of);
    return;
  }
  for (uint32_t i = 0; i < m->ncreated; i++) {
    const struct thread *other = m->threads[m->created[i]];
    if (other->state == THREAD_LIVE || !other->joined) note_request(m, t, other);
  }
}

/* --- what may happen --- */

/* A way in which the thread may be interrupted. */
struct interruption {
  unsigned number; /* of the signal; 0: it is cancelled */
  bool process;    /* one that was sent to the process */
  bool ends;       /* and the call that it is in ends, with EINTR if it can fail */
};

/* In a call like read() or write(), which a handler may call as well: for the thread it is done at once, where it does not wait. */
static bool in_kernel(const struct machine *m, const struct thread *t) { return m->files_lock && mutex_is_owned(t, m->files_lock); }

static bool stands(const struct machine *m, const struct thread *t) {
  if (in_kernel(m, t)) return false;
  if (t->state != THREAD_LIVE || t->atomic || t->pending.op == EVENT_END) return false;
  if (operation_crashed(m, t)) return false;
  return t->need != NEED_NEVER_MET || tset_has(&m->circling, t->tid) || tset_has(&m->unended, t->tid);
}

static bool is_met(const struct machine *m, const struct thread *t) {
  return sync_available(m, t, sync_need(t), t->pending.object, t->pending.value2);
}

/* Can a handler that runs now have come while the thread was blocked in a call that it ends? */
static bool ends_call(const struct machine *m, const struct thread *t, unsigned number) {
  bool restarts = action_of(m, number)->flags & SA_RESTART;
  switch (sync_need(t)) {
    case NEED_HANDLER:
      return true;
    case NEED_COUNT:
      return !(t->pending.flags & EVENT_TRY) && !restarts && !is_met(m, t);
    case NEED_BITS:
      return (t->pending.flags & EVENT_RESULT) && !is_met(m, t);
    case NEED_NOTHING:
      return t->pending.op == EVENT_YIELD && (t->pending.flags & EVENT_TIMED);
    case NEED_MUTEX:
    case NEED_READ_LOCK:
    case NEED_WRITE_LOCK:
    case NEED_SPIN:
    case NEED_SIGNAL:
    case NEED_ROUND:
    case NEED_END:
    case NEED_THREAD:
    case NEED_VALUE:
    case NEED_NEVER_MET:
      return false;
  }
  return false;
}

/* What waits for nothing but a handler began to do so in the same step as it let them in. */
static bool may_resume(const struct thread *t) { return sync_need(t) != NEED_HANDLER; }

/* Number `which` of the ways; how many there are is returned. Fewer than that: *out is not set. */
static uint32_t find(const struct machine *m, const struct thread *t, uint32_t which, struct interruption *out) {
  uint32_t n = 0;
  if (!stands(m, t)) return 0;
  uint64_t open = m->process_signals ? ~signals_blocked(m, t) : 0, sets[2] = {0};
  if (open) sets[0] = own_pending(m, t) & open, sets[1] = process_pending(m) & open;
  for (unsigned k = 0; k < 2; k++) {
    for (uint64_t rest = sets[k]; rest; rest &= rest - 1) {
      struct interruption x = {.number = (unsigned)__builtin_ctzll(rest) + 1, .process = k};
      if (may_resume(t) && n++ == which) *out = x;
      x.ends = true;
      if (ends_call(m, t, x.number) && n++ == which) *out = x;
    }
  }
  bool at_point = sync_need(t) == NEED_SIGNAL; /* it is a cancellation point, and knows better what to do */
  if (t->cancel_asynchronous && !at_point && cancel_due(m, t) && n++ == which) *out = (struct interruption){0};
  return n;
}

uint32_t interrupts_of(const struct machine *m, const struct thread *t) {
  struct interruption unused;
  return find(m, t, UINT32_MAX, &unused);
}

/* A step before the thread's end that does nothing. It has no place: which step was the last one before it depends on what memory is
 * shared. */
static void stand_before_end(struct thread *t) {
  t->pending = (struct event){.op = EVENT_YIELD, .thread = t->tid};
  t->need = NEED_NOTHING, t->choice = 0;
  t->leaves = LEAVES_LAST;
}

bool interrupt_last(struct machine *m, struct thread *t) {
  if (t->leaves == LEAVES_ENDS || m->single || !m->interrupts || !m->process_signals) return false;
  stand_before_end(t);
  return true;
}

bool cancel_returns(struct machine *m, struct thread *t) {
  bool asked = t->leaves == LEAVES_ENDS;
  t->leaves = LEAVES_NOTHING;
  if (asked || m->single || !t->cancel_asynchronous || !cancel_possible(m, t)) return false;
  stand_before_end(t);
  return true;
}

/* --- it happens --- */

static void note_state(struct machine *m, struct thread *t, enum event_op op, uint64_t object, uint64_t size) {
  machine_record(m, t, op, object, size)->order = ORDER_RELAXED;
}

/* The interruption looks at what the pending step needs, as at memory. */
static void note_need(struct machine *m, struct thread *t) {
  const struct event p = t->pending;
  if (p.op == EVENT_JOIN) {
    struct event *e = machine_record(m, t, EVENT_JOIN, p.object, 0);
    e->flags |= EVENT_TIMED_OUT;
    e->value = m->threads[p.object]->state != THREAD_LIVE;
  } else if (p.op == EVENT_AWAIT) {
    note_state(m, t, EVENT_AWAIT, p.object, p.size);
  } else if (t->waiting || t->need != NEED_NOTHING || p.op == EVENT_SIGNAL) {
    if (p.size) note_state(m, t, EVENT_READ, p.object, p.size);
    if (p.op == EVENT_WAIT_LEAVE && p.value2) note_state(m, t, EVENT_READ, p.value2, sizeof(struct mutex));
  }
}

/* The thread takes a signal that it does not block: the mask of the handler is in force from now on. Other events of that are left to the
 * caller. */
void signal_take(struct machine *m, struct thread *t, unsigned number, bool process, uint64_t mask) {
  uint64_t from = process ? m->process_signals + PROCESS_PENDING : own_word(m, t, PENDING), bit = 1ull << (number - 1);
  const struct signal_action *action = action_of(m, number);
  uint64_t at = action_at(m, number);
  memory_put(&m->memory, from, memory_get(from) & ~bit);
  if (access_shared(m, t, at, sizeof *action, false)) machine_record(m, t, EVENT_READ, at, sizeof *action)->order = ORDER_RELAXED;
  mask |= action->mask | (action->flags & SA_NODEFER ? 0 : bit);
  memory_put(&m->memory, own_word(m, t, BLOCKED), mask & ~(1ull << (SIGKILL - 1) | 1ull << (SIGSTOP - 1)));
}

static void record_signal(struct machine *m, struct thread *t, const struct interruption *x, bool drains) {
  uint64_t word = x->process ? m->process_signals + PROCESS_PENDING : own_word(m, t, PENDING), before = memory_get(word);
  struct event e = {.op = EVENT_RMW, .order = ORDER_ACQ_REL, .site = m->site, .object = word, .size = WORD_SIZE, .value = before};
  e.flags = (uint8_t)(EVENT_WAITS | (drains ? 0 : EVENT_CLOCK));
  e.value2 = before & ~(1ull << (x->number - 1));
  event_append(m, t, &e);
  note_write(m, t, own_word(m, t, BLOCKED));
  note_look(m, t);
  /* A request that comes before it is another way to take the step, and gives the interruption another number. */
  if (t->cancel_asynchronous || sync_at_cancellation_point(t)) cancel_note(m, t, t);
  if (x->process) interrupt_changed(m, t, NULL);
}

static bool keeps_fields(enum need need) { return need == NEED_SIGNAL || need == NEED_ROUND || need == NEED_VALUE || need == NEED_BITS; }

static struct interrupted *push(struct machine *m, struct thread *t, bool ends) {
  struct interrupted *s = vec_push(&t->interrupted);
  *s = (struct interrupted){.pending = t->pending,
                            .exception = t->exception,
                            .selector = t->selector,
                            .adjusted = t->adjusted,
                            .wait_object = t->wait_object,
                            .wait_object2 = t->wait_object2,
                            .wait_ticket = t->wait_ticket,
                            .sp = m->memory.regions[t->tid].sp,
                            .depth = (uint32_t)t->frames.count,
                            .slots = (uint32_t)t->slots.count,
                            .phase = t->phase,
                            .carried = t->carried,
                            .spins = t->spins,
                            .need = t->need,
                            .leaves = t->leaves,
                            .kept = t->kept,
                            .waiting = t->waiting,
                            .ends = ends};
  memcpy(s->spin, t->spin, t->spins * sizeof *t->spin);
  if (keeps_fields((enum need)t->need) && !ends) t->kept = t->need;
  t->phase = t->carried = t->spins = 0;
  t->need = NEED_NOTHING, t->leaves = LEAVES_NOTHING;
  t->waiting = t->noting = t->spin_known = t->rests = false;
  t->next_order = t->next_flags = 0;
  t->floor = s->depth;
  t->span = 0;
  return s;
}

uint64_t thread_span(const struct machine *m, const struct thread *t) {
  return t->interrupted.count || may_be_abandoned(m, t) ? 0 : m->own_span;
}

/* As it was, or with the interruption further out. */
static void pop(struct machine *m, struct thread *t) {
  t->kept = vec_last(&t->interrupted).kept;
  t->interrupted.count--;
  t->floor = t->interrupted.count ? vec_last(&t->interrupted).depth : 0;
  t->span = thread_span(m, t);
}

enum run interrupt_take(struct machine *m, struct thread *t, uint32_t which) {
  struct interruption x = {0};
  find(m, t, which, &x);
  bool drains = m->buffers && event_drains(&t->pending);
  m->site = t->pending.site;
  m->insn_from = m->trace.count;
  if (x.number == 0) {
    cancel_note(m, t, t);
    vec_last(&m->trace).flags = drains ? EVENT_DRAINS : 0;
    note_need(m, t);
    t->wait_object = t->wait_object2 = t->wait_ticket = 0;
    t->waiting = false, t->need = NEED_NOTHING, t->leaves = LEAVES_NOTHING;
    t->next_order = t->next_flags = 0;
    return cancel_act(m, t);
  }
  if (t->interrupted.count == DEPTH_MOST) return machine_unsupported(m, t, "more than %u signal handlers within each other", DEPTH_MOST);
  record_signal(m, t, &x, drains);
  note_need(m, t);
  uint64_t arguments[2] = {x.number, signals_blocked(m, t)};
  signal_take(m, t, x.number, x.process, arguments[1]);
  uint64_t function = (memory_get(m->process_signals + PROCESS_HANDLE) - TEXT_BASE) / 16;
  push(m, t, x.ends);
  t->wrote = true;
  return frame_push(m, t, (uint32_t)function, arguments, 2) ? RUN_FRAME : RUN_STOP;
}

enum run interrupt_over(struct machine *m, struct thread *t) {
  const struct interrupted *s = &vec_last(&t->interrupted);
  bool ends = s->ends;
  pop(m, t);
  t->exception = s->exception, t->selector = s->selector, t->adjusted = s->adjusted;
  t->slots.count = s->slots;
  if (ends) {
    t->phase = 0;
    t->wait_object = t->wait_object2 = t->wait_ticket = 0;
    t->interrupted_call = true;
    return RUN_FRAME;
  }
  t->pending = s->pending;
  t->need = s->need, t->leaves = s->leaves;
  t->phase = s->phase, t->carried = s->carried;
  if (!keeps_fields((enum need)s->need))
    t->wait_object = s->wait_object, t->wait_object2 = s->wait_object2, t->wait_ticket = s->wait_ticket;
  t->waiting = s->waiting;
  t->spins = s->spins;
  memcpy(t->spin, s->spin, s->spins * sizeof *t->spin);
  return RUN_YIELD;
}

/* What was not a step was taken for something that nobody sees the half of. */
static void learn_abandons(struct machine *m) {
  if (m->abandons) return;
  m->abandons = m->memory.sharing_changed = true;
  for (uint32_t i = 0; i < m->ncreated; i++) thread_changes(m->threads[m->created[i]]); /* their spans will be others */
}

void interrupts_end(struct machine *m, const struct thread *t) {
  if (t->interrupted.count) learn_abandons(m);
}

enum run interrupts_may_leave(struct machine *m, struct thread *t) {
  if (t->kept != NEED_SIGNAL) return RUN_GO;
  return machine_unsupported(m, t,
                             "the end of a thread, or a jump, in a signal handler that has interrupted a wait for a condition variable");
}

void interrupts_leave(struct machine *m, struct thread *t) {
  while (t->interrupted.count && vec_last(&t->interrupted).depth >= t->frames.count) {
    learn_abandons(m);
    pop(m, t);
    t->wait_object = t->wait_object2 = t->wait_ticket = 0;
    t->phase = t->carried = 0;
  }
}
