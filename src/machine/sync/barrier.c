/* Barriers. Each thread takes a step to arrive and a step to leave, also the one that completes the round (or arrivals would not commute:
 * the last one would have a step fewer). That one is told so (PTHREAD_BARRIER_SERIAL_THREAD), as in glibc; which thread it is shows only
 * where the program looks at the result.
 *
 * A barrier may be destroyed, and initialised again, as soon as one thread of its round has left: glibc's destroy waits for the others.
 * Here they have nothing more to do with it. */
#include "machine/sync/sync.h"
#include "machine/sync/table.h"
#include "trace/event.h"

#define SERIAL_THREAD 0xffffffffu /* (uint32_t)PTHREAD_BARRIER_SERIAL_THREAD */

static struct barrier *barrier_at(uint64_t address) { return host_at(address); }

/* The thread arrives. True if it completes the round. */
static bool arrive(struct machine *m, struct thread *t, uint64_t address) {
  struct barrier *x = barrier_at(address);
  t->wait_object = address;
  t->wait_ticket = x->round;
  t->wrote = true;
  if (x->arrived + 1 < x->count) {
    sync_put(m, &x->arrived, x->arrived + 1);
    return false;
  }
  sync_put(m, &x->arrived, 0);
  sync_put(m, &x->round, x->round + 1);
  return true;
}

static void end_wait(struct thread *t) {
  t->phase = 0;
  t->wait_ticket = t->wait_object = t->wait_object2 = 0;
}

BUILTIN(barrier_wait) {
  uint64_t address = args[0];
  struct barrier *x = barrier_at(address);
  *result = 0;
  if (t->phase == 0) {
    if (t->kept) return sync_waits_within(m, t);
    if (!sync_possible(m, t, address, sizeof *x)) return RUN_STOP;
    uint8_t flags = sync_result_used(m, t) ? EVENT_RESULT : 0;
    if (!sync_visible(m, t, EVENT_BARRIER_ENTER, address, sizeof *x, 0, NEED_NOTHING, flags)) return RUN_YIELD;
    if (!sync_live(m, t, address, &sync_barrier)) return RUN_STOP;
    machine_last_event(m)->value = x->round;
    t->wait_object2 = arrive(m, t, address);
    machine_last_event(m)->value2 = t->wait_object2;
    t->phase = 1;
  }
  if (!sync_visible(m, t, EVENT_BARRIER_LEAVE, address, sizeof *x, 0, NEED_ROUND, 0)) return RUN_YIELD;
  if (t->wait_object && !sync_live(m, t, address, &sync_barrier)) return RUN_STOP;
  machine_last_event(m)->value = t->wait_ticket;
  if (t->wait_object2) *result = SERIAL_THREAD;
  end_wait(t);
  return RUN_GO;
}

/* Those that have arrived and not left. */
bool barrier_used_by(const struct thread *t, uint64_t address) {
  return (t->need == NEED_ROUND || t->kept == NEED_ROUND) && t->wait_object == address;
}

BUILTIN(barrier_init) {
  uint32_t count = (uint32_t)args[2];
  *result = EINVAL;
  if (count == 0) return RUN_GO;
  uint64_t attributes; /* which make no difference here */
  enum run run = sync_told(m, t, args[1], 4, &attributes);
  if (run == RUN_GO) run = sync_init(m, t, args[0], &sync_barrier);
  if (run != RUN_GO) return run;
  sync_told_end(t);
  sync_put(m, &barrier_at(args[0])->count, count);
  *result = 0;
  return RUN_GO;
}

/* Only threads of a round that is not complete make it wrong. */
BUILTIN(barrier_destroy) {
  uint64_t address = args[0];
  enum run run = sync_destroy(m, t, address, &sync_barrier);
  if (run != RUN_GO) return run;
  bool wrong = barrier_at(address)->arrived;
  if (wrong) sync_misuse(m, t, address, &sync_barrier, "destruction of the %s while threads wait at it");
  for (uint32_t i = tset_next(&m->alive, 0); i < THREADS_MAX; i = tset_next(&m->alive, i + 1)) {
    struct thread *other = m->threads[i];
    if (!barrier_used_by(other, address)) continue;
    if (wrong)
      machine_fail_site(m, i, other->pending.site, "waits");
    else
      other->wait_object = 0, thread_changes(other);
  }
  if (wrong) return RUN_STOP;
  sync_seal_destroyed(m, address, &sync_barrier);
  *result = 0;
  return RUN_GO;
}
