/* Semaphores of one process. They report errors through errno. */
#include <limits.h>

#include "machine/library/system.h"
#include "machine/memory/access.h"
#include "machine/sync/sync.h"
#include "machine/sync/table.h"

static struct semaphore *semaphore_at(uint64_t address) { return host_at(address); }

/* Cancelled: what it does otherwise depends on the count. */
static enum run cancelled(struct machine *m, struct thread *t, uint64_t address) {
  cancel_rename(m, t);
  if (!m->single) machine_record(m, t, EVENT_TRYFAIL, address, sizeof(struct semaphore))->flags |= EVENT_TIMED_OUT;
  return cancel_act(m, t);
}

static enum run wait(struct machine *m, struct thread *t, uint64_t address, uint8_t flags, uint64_t deadline, uint64_t *result) {
  if (interrupted_call(t)) return system_error(m, t, EINTR, result);
  if (!sync_possible(m, t, address, sizeof(struct semaphore))) return RUN_STOP;
  enum run run = flags & EVENT_TRY ? RUN_GO : cancel_enter(m, t);
  if (run != RUN_GO) return run;
  if (!sync_step(m, t, EVENT_SEM_WAIT, address, sizeof(struct semaphore), 0, NEED_COUNT, flags)) return RUN_YIELD;
  t->phase = 0;
  if (!sync_live(m, t, address, &sync_semaphore)) return RUN_STOP;
  if (t->cancel_taken) return cancelled(m, t, address);
  struct semaphore *x = semaphore_at(address);
  if (x->value) {
    sync_put(m, &x->value, x->value - 1);
    machine_last_event(m)->value = x->value;
    t->wrote = true;
    *result = 0;
    if (!(flags & EVENT_TRY)) cancel_note(m, t, t);
    return RUN_GO;
  }
  struct event *e = sync_fails(m, t, address);
  if (!(flags & EVENT_TIMED)) return system_error(m, t, EAGAIN, result);
  bool valid = sync_time_comes(m, t, deadline);
  e->flags |= EVENT_TIMED_OUT;
  cancel_note(m, t, t);
  return system_error(m, t, valid ? ETIMEDOUT : EINVAL, result);
}

BUILTIN(semaphore_wait) { return wait(m, t, args[0], 0, 0, result); }
BUILTIN(semaphore_trywait) { return wait(m, t, args[0], EVENT_TRY, 0, result); }
BUILTIN(semaphore_timedwait) { return wait(m, t, args[0], EVENT_TIMED, args[1], result); }

BUILTIN(semaphore_post) {
  uint64_t address = args[0];
  if (!sync_possible(m, t, address, sizeof(struct semaphore))) return RUN_STOP;
  if (!sync_step(m, t, EVENT_SEM_POST, address, sizeof(struct semaphore), 0, NEED_NOTHING, 0)) return RUN_YIELD;
  if (!sync_live(m, t, address, &sync_semaphore)) return RUN_STOP;
  struct semaphore *x = semaphore_at(address);
  if (x->value == INT_MAX) return system_error(m, t, EOVERFLOW, result);
  sync_put(m, &x->value, x->value + 1);
  machine_last_event(m)->value = x->value;
  t->wrote = true;
  *result = 0;
  return RUN_GO;
}

BUILTIN(semaphore_getvalue) {
  uint64_t address = args[0];
  *result = 0;
  if (sync_tells(t)) return sync_tell(m, t, args[1], 4, t->wait_ticket);
  if (!sync_possible(m, t, address, sizeof(struct semaphore))) return RUN_STOP;
  t->next_order = ORDER_RELAXED;
  if (!sync_visible(m, t, EVENT_READ, address, sizeof(uint32_t), 0, NEED_NOTHING, 0)) return RUN_YIELD;
  if (!sync_live(m, t, address, &sync_semaphore)) return RUN_STOP;
  uint32_t value = semaphore_at(address)->value;
  access_read_done(m, t, address, sizeof value, value);
  return sync_tell(m, t, args[1], 4, value);
}

BUILTIN(semaphore_init) {
  if ((uint32_t)args[2] > INT_MAX) return system_error(m, t, EINVAL, result);
  enum run run = sync_init(m, t, args[0], &sync_semaphore);
  if (run != RUN_GO) return run;
  sync_put(m, &semaphore_at(args[0])->value, (uint32_t)args[2]);
  *result = 0;
  return RUN_GO;
}

/* A thread that waits goes on, and is told that it uses what is destroyed. To ask here whether one waits would be wrong: to have come to
 * the wait is no step, so strategies need not explore that it has. */
BUILTIN(semaphore_destroy) {
  uint64_t address = args[0];
  enum run run = sync_destroy(m, t, address, &sync_semaphore);
  if (run != RUN_GO) return run;
  sync_seal_destroyed(m, address, &sync_semaphore);
  *result = 0;
  return RUN_GO;
}
