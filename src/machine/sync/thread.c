/* Threads: creation, joining, ends. */
#include <string.h>

#include "machine/library/system.h"
#include "machine/memory/access.h"
#include "machine/memory/memory.h"
#include "machine/remark.h"
#include "machine/sync/settings.h"
#include "machine/sync/sync.h"
#include "machine/sync/table.h"

static enum run misuse(struct machine *m, struct thread *t, const struct thread *other, const char *what) {
  return machine_fail(m, t, FINDING_THREAD_MISUSE, "use", "%s %s", what, machine_thread_name(m, other->tid));
}

/* Whether a thread is detached decides what joining and detaching it comes to: joins read it and detaching writes it, atomically, which
 * orders nothing. Programs that detach no thread have none of that. */
#define DETACHED_SIZE 8
#define JOINED_SIZE   8

static void note_detached(struct machine *m, struct thread *t, const struct thread *child) {
  if (!m->detaches || m->single) return;
  struct event *e = machine_record(m, t, EVENT_READ, detached_word(child->tid), DETACHED_SIZE);
  e->order = ORDER_RELAXED, e->value = child->detached;
}

/* So does whether it has been joined. Nearly always one thread alone joins another: whether a second one is seen to do so, or to try, is
 * remembered, and from then on what joins of that thread find and change are atomic accesses as well. `op`: READ; or RMW: it is joined. */
void thread_note_joined(struct machine *m, struct thread *t, const struct thread *child, enum event_op op) {
  uint16_t *joiner = &m->joiners[child->tid], me = (uint16_t)(t->tid + 1);
  if (m->single || *joiner == me) return;
  if (*joiner == 0) {
    *joiner = me;
    m->memory.uses++;
    return;
  }
  m->memory.sharing_changed |= *joiner != JOINERS_MANY;
  *joiner = JOINERS_MANY;
  struct event *e = machine_record(m, t, op, joined_word(child->tid), JOINED_SIZE);
  e->order = ORDER_RELAXED, e->value = child->joined, e->value2 = op == EVENT_RMW;
}

/* Adds where it was detached to the finding just made. */
static enum run misuse_detached(struct machine *m, struct thread *t, const struct thread *child, const char *what) {
  misuse(m, t, child, what);
  for (size_t i = m->trace.count; i-- > 0;) {
    const struct event *e = &m->trace.data[i];
    if (e->op != EVENT_RMW || e->object != detached_word(child->tid) || e->value) continue;
    machine_fail_site(m, e->thread, e->site, "detached");
    break;
  }
  return RUN_STOP;
}

static bool is_function(const struct machine *m, uint64_t address) {
  return address >= TEXT_BASE && (address - TEXT_BASE) % 16 == 0 && (address - TEXT_BASE) / 16 < m->image->nfunctions;
}

/* The caller is told the new thread's name before there is the thread, as by the C library: a step of its own where others look there. */
static enum run tell_name(struct machine *m, struct thread *t, uint64_t to) {
  uint32_t tid = thread_next_child(m, t);
  uint64_t handle = tid < THREADS_MAX ? thread_handle(tid) : 0;
  if (handle) thread_reserve(m, tid);
  enum run run = access_plain_write(m, t, to, 8, handle);
  if (run == RUN_GO) memcpy(host_at(to), &handle, 8);
  return run;
}

/* What the caller has in a thread-local variable of its own, the new thread has in its instance of it. */
static void give_local(struct machine *m, const struct thread *t, const struct thread *child, uint64_t variable, uint64_t size) {
  uint64_t to = region_tls(child->tid) + (variable - region_tls(t->tid));
  for (uint64_t done = 0; done < size; done += 8) memory_put(&m->memory, to + done, memory_get(variable + done));
}

static enum run create(struct machine *m, struct thread *t, const uint64_t *args, uint64_t local, uint64_t size, uint64_t *result) {
  struct thread_wish wish;
  enum run run = settings_look(m, t, args[1]);
  if (run != RUN_GO) return run;
  if (settings_read(m, t, args[1], &wish) != RUN_GO || access_check(m, t, args[0], 8, true) != RUN_GO) return RUN_STOP;
  *result = EINVAL;
  if (!wish.possible) {
    sync_told_end(t);
    return RUN_GO;
  }
  if (!is_function(m, args[2]))
    return machine_fail(m, t, FINDING_THREAD_MISUSE, "call", "pthread_create with a start routine that is no function of the program");
  if (t->phase != PHASE_NAMED) {
    run = tell_name(m, t, args[0]);
    if (run != RUN_GO) return run;
    t->phase = PHASE_NAMED;
  }
  if (!sync_step(m, t, EVENT_FORK, THREADS_MAX, 0, 0, NEED_NOTHING, 0)) return RUN_YIELD;
  sync_told_end(t);
  struct thread *child = thread_create(m, t, args[2], args[3]);
  if (!child) { /* its step forks nobody */
    machine_last_event(m)->op = EVENT_YIELD;
    return RUN_STOP;
  }
  machine_last_event(m)->object = child->tid;
  thread_locals_begin(m, t, child);
  m->remade = true; /* others may wait for it */
  child->detached = wish.detached;
  if (wish.stack) remark(m, t, REMARK_STACK);
  if (m->cancels) memory_put(&m->memory, thread_handle(child->tid), 0);
  settings_give(m, t, child, &wish);
  give_local(m, t, child, local, size);
  t->wrote = true;
  *result = 0;
  return RUN_GO;
}

BUILTIN(thread_builtin_create) { return create(m, t, args, 0, 0, result); }
/* The model's variable args[4] of args[5] bytes, a multiple of 8. */
BUILTIN(thread_builtin_create_with) { return create(m, t, args, args[4], args[5], result); }

/* What it does otherwise depends on whether the child has ended. */
static enum run join_cancelled(struct machine *m, struct thread *t, const struct thread *child) {
  cancel_rename(m, t);
  if (!m->single) machine_record(m, t, EVENT_JOIN, child->tid, 0)->flags |= EVENT_TIMED_OUT;
  thread_note_joined(m, t, child, EVENT_READ);
  return cancel_act(m, t);
}

static enum run join(struct machine *m, struct thread *t, uint64_t handle, uint64_t to, uint8_t flags, uint64_t deadline,
                     uint64_t *result) {
  if (sync_tells(t)) {
    *result = 0;
    return sync_tell(m, t, to, 8, t->wait_ticket);
  }
  struct thread *child = thread_told(m, handle);
  if (!child) return machine_fail(m, t, FINDING_THREAD_MISUSE, "use", "join of something that is no thread");
  if (child == t) return misuse(m, t, child, "join of the calling thread");
  enum run run = flags & EVENT_TRY ? RUN_GO : cancel_enter(m, t);
  if (run != RUN_GO) return run;
  if (!sync_step(m, t, EVENT_JOIN, child->tid, 0, 0, NEED_END, flags)) return RUN_YIELD;
  t->phase = 0;
  if (child->joined) {
    misuse(m, t, child, "second join of thread");
    thread_note_joined(m, t, child, EVENT_READ);
    return RUN_STOP;
  }
  if (child->detached) {
    machine_last_event(m)->flags |= EVENT_TIMED_OUT; /* it need not have waited for the end */
    machine_last_event(m)->value = child->state == THREAD_ENDED;
    note_detached(m, t, child);
    thread_note_joined(m, t, child, EVENT_READ);
    return misuse_detached(m, t, child, "join of the detached thread");
  }
  if (t->cancel_taken) return join_cancelled(m, t, child);
  if (child->state != THREAD_ENDED || t->choice == 1) {
    bool valid = !(flags & EVENT_TIMED) || sync_time_comes(m, t, deadline);
    machine_last_event(m)->flags |= EVENT_TIMED_OUT;
    *result = !valid ? EINVAL : flags & EVENT_TIMED ? ETIMEDOUT : EBUSY;
    note_detached(m, t, child);
    thread_note_joined(m, t, child, EVENT_READ);
    if (!(flags & EVENT_TRY)) cancel_note(m, t, t);
    return RUN_GO;
  }
  note_detached(m, t, child);
  thread_note_joined(m, t, child, EVENT_RMW);
  if (!(flags & EVENT_TRY)) cancel_note(m, t, t);
  cancel_note(m, t, child); /* a thread that is joined must not be cancelled after that */
  child->joiner = t->tid;
  thread_joined(m, child);
  *result = 0;
  return sync_tell(m, t, to, 8, child->result);
}

BUILTIN(thread_builtin_join) { return join(m, t, args[0], args[1], 0, 0, result); }
BUILTIN(thread_builtin_tryjoin) { return join(m, t, args[0], args[1], EVENT_TRY, 0, result); }
BUILTIN(thread_builtin_timedjoin) { return join(m, t, args[0], args[1], EVENT_TIMED, args[2], result); }

BUILTIN(thread_builtin_detach) {
  struct thread *other = thread_told(m, args[0]);
  if (!other) return machine_fail(m, t, FINDING_THREAD_MISUSE, "use", "detach of something that is no thread");
  t->next_order = ORDER_RELAXED;
  if (!sync_visible(m, t, EVENT_RMW, detached_word(other->tid), DETACHED_SIZE, 0, sync_need_of(other), 0)) return RUN_YIELD;
  struct event *e = machine_last_event(m);
  e->value = other->detached, e->value2 = 1;
  if (other->joined) return misuse(m, t, other, "detach of the joined thread");
  if (other->detached) return misuse_detached(m, t, other, "second detach of thread");
  other->detached = t->wrote = true;
  thread_changes(other);
  m->remade = true; /* a join of it need not wait */
  settings_detach(m, t, other);
  *result = 0;
  return RUN_GO;
}

BUILTIN(thread_builtin_self) {
  *result = thread_handle(t->tid);
  return RUN_GO;
}

/* The caller's thread-local variable args[1] in another thread: a step that looks whether that has ended. */
BUILTIN(thread_builtin_local_of) {
  const struct thread *other = thread_of_handle(m, args[0]);
  *result = other == t ? args[1] : 0;
  if (!other || other == t) return RUN_GO;
  if (!sync_visible(m, t, EVENT_JOIN, other->tid, 0, 0, NEED_NOTHING, EVENT_TRY)) return RUN_YIELD;
  struct event *e = machine_last_event(m);
  e->flags |= EVENT_TIMED_OUT;
  e->value = other->state != THREAD_LIVE; /* else it could not have come behind the end (history_chain.c) */
  if (other->state == THREAD_LIVE) *result = region_tls(other->tid) + (args[1] - region_tls(t->tid));
  return RUN_GO;
}

BUILTIN(thread_builtin_equal) {
  *result = args[0] == args[1];
  return RUN_GO;
}

/* Any step may be followed by another thread's as it is: yielding adds no execution. */
BUILTIN(thread_builtin_yield) {
  *result = 0;
  return RUN_GO;
}

/* --- ends --- */

/* glibc's __pthread_unwind_buf_t: a jump buffer of 72 bytes (`cleanup` of C without exceptions jumps there), and spare words. */
enum { CLEANUP_SIZE = 104, CLEANUP_PREVIOUS = 72 };

enum run thread_cleanup(struct machine *m, struct thread *t) {
  uint64_t buffer = t->cleanup, previous;
  if (access_read(m, t, buffer + CLEANUP_PREVIOUS, 8, &previous) != RUN_GO) return RUN_STOP;
  enum run run = jump_to(m, t, buffer, 1);
  if (run == RUN_FRAME) t->cleanup = previous; /* else it fails, perhaps twice: see failed() in machine.c */
  return run;
}

BUILTIN(thread_builtin_exit) { return thread_exit(m, t, args[0]); }

BUILTIN(thread_builtin_cleanup_push) {
  if (access_check(m, t, args[0], CLEANUP_SIZE, true) != RUN_GO) return RUN_STOP;
  enum run run = access_write(m, t, args[0] + CLEANUP_PREVIOUS, 8, t->cleanup);
  t->cleanup = args[0];
  return run;
}

BUILTIN(thread_builtin_cleanup_pop) { return access_read(m, t, args[0] + CLEANUP_PREVIOUS, 8, &t->cleanup); }

BUILTIN(thread_builtin_cleanup_next) { return thread_exit(m, t, t->result); }
