/* Waiting for signals (models/libc/signal.c). A signal that a thread blocks is a bit of a word: the thread's own, or the process's.
 * Signals come from the program itself. A thread that waits for one that nobody in the program sends waits for the world outside, and is
 * not deadlocked: see sync/deadlock.c. */
#include "machine/library/system.h"
#include "machine/sync/sync.h"
#include "machine/sync/table.h"

/* unsigned __hd_signal_wait(uint64_t *own, uint64_t *shared, uint64_t set, int timed): takes the lowest bit of `set` that is in one of the
 * words; 0: its time was up */
static BUILTIN(signal_wait) {
  uint64_t own = args[0], shared = args[1], set = args[2];
  uint8_t flags = (uint32_t)args[3] ? EVENT_TIMED : 0;
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
  e->object = from, e->value = word, e->value2 = left;
  if (!there) e->op = EVENT_READ, t->wrote = true; /* these reads are not remembered (spin.c) */
  if (!there && m->buffers) e->flags |= EVENT_DRAINS;
  if (!m->single) {
    struct event *other = machine_record(m, t, EVENT_READ, from == own ? shared : own, 8);
    other->order = ORDER_RELAXED;
    other->value = memory_get(other->object);
  }
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

/* void *__hd_signal_states(unsigned i): that of the i-th thread there was; NULL: it has ended; -1: there was none */
static BUILTIN(signal_states) {
  uint32_t i = (uint32_t)args[0];
  *result = UINT64_MAX;
  return i < m->ncreated ? state_of(m, t, m->threads[m->created[i]], result) : RUN_GO;
}

const struct builtin signal_builtins[] = {
    {"__hd_signal_wait", signal_wait, 4}, {"__hd_signal_state", signal_state, 1}, {"__hd_signal_states", signal_states, 1}, {0}};
