/* Waiting for signals (models/libc/signal.c). A signal that a thread blocks is a bit of a word: the thread's own, or the process's.
 * Signals come from the program itself. A thread that waits for one that nobody in the program sends waits for the world outside, and is
 * not deadlocked: see sync/deadlock.c. */
#include "machine/interrupt.h"
#include "machine/library/system.h"
#include "machine/memory/access.h"
#include "machine/sync/sync.h"
#include "machine/sync/table.h"

enum { WAIT_TIMED = 1, WAIT_INTERRUPTIBLE = 2, WAIT_INTERRUPTED = -1 };

/* int __hd_signal_wait(uint64_t *own, uint64_t *shared, uint64_t set, int how): takes the lowest bit of `set` that is in one of the words;
 * 0: its time was up; -1: a handler has interrupted it */
static BUILTIN(signal_wait) {
  uint64_t own = args[0], shared = args[1], set = args[2];
  uint8_t flags = (uint8_t)((args[3] & WAIT_TIMED ? EVENT_TIMED : 0) | (args[3] & WAIT_INTERRUPTIBLE ? EVENT_RESULT : 0));
  *result = (uint64_t)WAIT_INTERRUPTED;
  if (interrupted_call(t)) return RUN_GO;
  if (t->kept) return sync_waits_within(m, t);
  if (!sync_possible(m, t, own, 8) || !sync_possible(m, t, shared, 8)) return RUN_STOP;
  enum run run = cancel_enter(m, t);
  if (run != RUN_GO) return run;
  t->wait_object = own, t->wait_object2 = shared, t->wait_ticket = set;
  t->next_order = ORDER_ACQ_REL;
  /* As long as it waits, it is the process's word that matters to the order of steps: another thread may take what is there. */
  if (!sync_visible(m, t, EVENT_RMW, shared, 8, 0, NEED_BITS, flags)) return RUN_YIELD;
  t->phase = 0;
  t->wait_object = t->wait_object2 = t->wait_ticket = 0;
  uint64_t from = memory_get(own) & set ? own : shared, word = memory_get(from), there = word & set;
  uint64_t left = there ? word & ~(there & -there) : word;
  struct event *e = machine_last_event(m);
  e->object = from, e->value = word, e->value2 = left, e->flags &= (uint8_t)~EVENT_RESULT;
  if (!there) e->op = EVENT_READ, t->wrote = true; /* these reads are not remembered (spin.c) */
  if (!there && m->buffers) e->flags |= EVENT_DRAINS;
  if (!m->single) {
    struct event *other = machine_record(m, t, EVENT_READ, from == own ? shared : own, 8);
    other->order = ORDER_RELAXED;
    other->value = memory_get(other->object);
  }
  if (from == shared && there && m->interrupts) interrupt_changed(m, t, NULL);
  if (t->cancel_taken) return cancel_act(m, t);
  *result = there ? (uint64_t)__builtin_ctzll(there) + 1 : 0;
  cancel_note(m, t, t);
  return there ? access_write(m, t, from, 8, left) : RUN_GO;
}

/* The variable of thread `other`, 0 if it has ended: a step that looks whether it has. */
static enum run state_of(struct machine *m, struct thread *t, const struct thread *other, uint64_t *result) {
  if (!sync_visible(m, t, EVENT_JOIN, other->tid, 0, 0, sync_need_of(other), EVENT_TRY)) return RUN_YIELD;
  struct event *e = machine_last_event(m);
  e->flags |= EVENT_TIMED_OUT;
  e->value = other->state != THREAD_LIVE; /* else it could not have come behind the end (history_chain.c) */
  *result = other->state == THREAD_LIVE ? region_tls(other->tid) + m->signals_offset : 0;
  return RUN_GO;
}

/* void *__hd_signal_state(pthread_t thread): the thread's variable of the models; NULL: it has ended, or never was */
static BUILTIN(signal_state) {
  const struct thread *other = thread_told(m, args[0]);
  *result = 0;
  return other ? state_of(m, t, other, result) : RUN_GO;
}

/* The thread, which may have ended. */
static struct thread *thread_of_state(const struct machine *m, uint64_t state) {
  uint32_t tid = region_of(state);
  return in_arena(state, 16) && tid < THREADS_MAX ? m->threads[tid] : NULL;
}

static void add_signal(struct machine *m, uint64_t word, uint64_t bit) {
  uint64_t before = memory_get(word);
  struct event *e = machine_last_event(m);
  e->value = before, e->value2 = before | bit;
  memory_put(&m->memory, word, before | bit);
}

static void note_mask(struct machine *m, struct thread *t, const struct thread *of) {
  if (m->single) return;
  struct event *e = machine_record(m, t, EVENT_READ, region_tls(of->tid) + m->signals_offset, 8);
  e->order = ORDER_RELAXED;
  e->value = signals_blocked(m, of);
}

/* The step looks whether that thread has ended, which may be a step without any other event. */
static void note_life(struct machine *m, struct thread *t, const struct thread *of) {
  struct event *e = machine_record(m, t, EVENT_JOIN, of->tid, 0);
  e->flags |= EVENT_TIMED_OUT;
  e->value = of->state != THREAD_LIVE;
}

static bool blocks(const struct machine *m, const struct thread *t, uint64_t bit) { return signals_blocked(m, t) & bit; }

/* int __hd_signal_send(void *state, int number, int fatal): the signal is there for that thread, another one. 1: it is fatal, and the
 * thread does not block it. */
static BUILTIN(signal_send) {
  uint64_t word = args[0] + 8, bit = 1ull << (args[1] - 1);
  t->next_order = ORDER_RELEASE;
  if (!sync_visible(m, t, EVENT_RMW, word, 8, 0, NEED_NOTHING, 0)) return RUN_YIELD;
  struct thread *other = thread_of_state(m, args[0]);
  *result = 0;
  if (!other) return RUN_GO;
  bool live = other->state == THREAD_LIVE, open = !blocks(m, other, bit); /* it could have come before the end, to the same effect */
  *result = live && open && args[2];
  t->wrote = true;
  if (!*result) add_signal(m, word, bit);
  note_mask(m, t, other);
  if (open) interrupt_changed(m, t, other);
  return RUN_GO;
}

static bool waits_for(const struct thread *t, uint64_t bit) { return t->need == NEED_BITS && (t->wait_ticket & bit); }

/* int __hd_signal_post(int number, int fatal): the signal is there for whoever takes it. 1: it is fatal, and somebody does not block it. 2:
 * nobody else can take it, and the caller does: it is not left there. */
static BUILTIN(signal_post) {
  uint64_t word = m->process_signals, bit = 1ull << (args[0] - 1);
  t->next_order = ORDER_RELEASE;
  if (!sync_visible(m, t, EVENT_RMW, word, 8, 0, NEED_NOTHING, 0)) return RUN_YIELD;
  bool own = !blocks(m, t, bit), others = false, waits = false;
  for (uint32_t i = 0; i < m->ncreated; i++) {
    const struct thread *other = m->threads[m->created[i]];
    if (other == t) continue;
    if (m->buffers && !m->single) note_life(m, t, other);
    if (other->state != THREAD_LIVE) continue;
    others |= !blocks(m, other, bit);
    waits |= waits_for(other, bit);
    note_mask(m, t, other);
  }
  t->wrote = true;
  *result = args[1] && (own || others) ? 1 : own && !others && !waits ? 2 : 0;
  if (*result == 0) add_signal(m, word, bit);
  interrupt_changed(m, t, NULL);
  return RUN_GO;
}

/* The lowest signal that is there and not in `mask`, of the thread itself first; 0: none. */
static unsigned next_signal(const struct machine *m, const struct thread *t, uint64_t mask, bool *process) {
  uint64_t own = memory_get(region_tls(t->tid) + m->signals_offset + 8) & ~mask, shared = memory_get(m->process_signals) & ~mask;
  *process = !own;
  return own ? (unsigned)__builtin_ctzll(own) + 1 : shared ? (unsigned)__builtin_ctzll(shared) + 1 : 0;
}

/* The present step has set the mask. Takes a signal that it lets in. */
static unsigned let_in(struct machine *m, struct thread *t, uint64_t mask) {
  uint64_t at = region_tls(t->tid) + m->signals_offset;
  bool process;
  unsigned number = next_signal(m, t, mask, &process);
  machine_last_event(m)->value = mask;
  memory_put(&m->memory, at, mask);
  t->wrote = true;
  if (!m->single) {
    machine_record(m, t, number && !process ? EVENT_RMW : EVENT_READ, at + 8, 8)->order = ORDER_ACQ_REL;
    machine_record(m, t, number && process ? EVENT_RMW : EVENT_READ, m->process_signals, 8)->order = ORDER_ACQ_REL;
  }
  if (number) signal_take(m, t, number, process, mask);
  if (number && process && m->interrupts) interrupt_changed(m, t, NULL);
  return number;
}

/* unsigned __hd_signal_mask(struct hd_signals *own, uint64_t mask): the thread blocks these signals. If one is there that it does not
 * block, it takes it, with the mask of its handler. */
static BUILTIN(signal_mask) {
  t->next_order = ORDER_RELAXED;
  if (!sync_visible(m, t, EVENT_WRITE, region_tls(t->tid) + m->signals_offset, 8, 0, NEED_NOTHING, 0)) return RUN_YIELD;
  *result = let_in(m, t, args[1]);
  return RUN_GO;
}

/* unsigned __hd_signal_suspend(uint64_t mask): the same, and if there is no signal, waits until a handler has run; then 0. */
static BUILTIN(signal_suspend) {
  *result = 0;
  if (interrupted_call(t)) return RUN_GO;
  if (t->phase == 0) {
    enum run run = cancel_test(m, t);
    if (run != RUN_GO) return run;
    t->phase = 1;
  }
  if (t->phase == 1) {
    t->next_order = ORDER_RELAXED;
    if (!sync_visible(m, t, EVENT_WRITE, region_tls(t->tid) + m->signals_offset, 8, 0, NEED_NOTHING, 0)) return RUN_YIELD;
    *result = let_in(m, t, args[0]);
    if (*result) {
      t->phase = 0;
      return RUN_GO;
    }
    t->phase = 2;
  }
  if (!sync_visible(m, t, EVENT_YIELD, 0, 0, 0, NEED_HANDLER, 0)) return RUN_YIELD;
  cancel_rename(m, t); /* nothing else ends it here */
  return cancel_act(m, t);
}

/* uint64_t __hd_signal_enter(struct hd_signals *own, int number): the thread runs the handler of a signal that was not pending. Its mask
 * before. */
static BUILTIN(signal_enter) {
  uint64_t before = signals_blocked(m, t), word = region_tls(t->tid) + m->signals_offset;
  t->next_order = ORDER_RELAXED;
  if (!sync_visible(m, t, EVENT_WRITE, word, 8, 0, NEED_NOTHING, 0)) return RUN_YIELD;
  uint64_t own = memory_get(word + 8);
  signal_take(m, t, (unsigned)args[1], false, before);
  memory_put(&m->memory, word + 8, own);
  machine_last_event(m)->value = signals_blocked(m, t);
  *result = before;
  return RUN_GO;
}

/* void __hd_signal_action(uint64_t *action, const uint64_t *set, uint64_t *old): what is done when a signal comes; either may be NULL. The
 * handler, the mask's word, the flags. A step where several threads change them. */
static BUILTIN(signal_action) {
  uint64_t at = args[0], words[3], old;
  if (args[1])
    for (unsigned i = 0; i < 3; i++)
      if (access_read(m, t, args[1] + 8 * i, 8, &words[i]) != RUN_GO) return RUN_STOP;
  if (t->granted || access_shared(m, t, at, sizeof words, args[1])) {
    t->next_order = ORDER_ACQ_REL;
    if (!sync_visible(m, t, args[1] ? EVENT_RMW : EVENT_READ, at, sizeof words, 0, NEED_NOTHING, 0)) return RUN_YIELD;
  }
  t->wrote = true;
  for (unsigned i = 0; i < 3; i++) {
    old = memory_get(at + 8 * i);
    if (args[1]) memory_put(&m->memory, at + 8 * i, words[i]);
    if (args[2] && access_write(m, t, args[2] + 8 * i, 8, old) != RUN_GO) return RUN_STOP;
  }
  return RUN_GO;
}

/* int __hd_sleep(void): a sleep ends. 0: a handler has interrupted it. */
static BUILTIN(signal_sleep) {
  *result = 0;
  if (interrupted_call(t)) return RUN_GO;
  if (!sync_visible(m, t, EVENT_YIELD, 0, 0, 0, NEED_NOTHING, EVENT_TIMED)) return RUN_YIELD;
  *result = 1;
  return RUN_GO;
}

/* int __hd_has_timers(void): only programs that link the timers look at what these send with signals. */
static BUILTIN(signal_has_timers) {
  (void)t, (void)args;
  *result = m->timers;
  return RUN_GO;
}

const struct builtin signal_builtins[] = {{"__hd_signal_wait", signal_wait, 4},
                                          {"__hd_signal_state", signal_state, 1},
                                          {"__hd_signal_send", signal_send, 3},
                                          {"__hd_signal_post", signal_post, 2},
                                          {"__hd_signal_mask", signal_mask, 2},
                                          {"__hd_signal_suspend", signal_suspend, 1},
                                          {"__hd_signal_enter", signal_enter, 2},
                                          {"__hd_signal_action", signal_action, 3},
                                          {"__hd_sleep", signal_sleep, 0},
                                          {"__hd_has_timers", signal_has_timers, 0},
                                          {0}};
