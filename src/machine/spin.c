/* Spinning: a thread that returns to a point with the same local state, having changed nothing in between, waits until one of the
 * locations that it read in between changes (check.md, "Spinning and non-termination").
 *
 * Only steps inside loops are looked at (SITE_LOOP of the instruction or of a call on the stack). Sections of locks count as changing
 * nothing once they are left: a loop that polls a flag under a mutex waits before its acquire, never inside. */
#include <string.h>

#include "machine/internal.h"

static bool in_loop(const struct machine *m, const struct thread *t) {
  for (size_t i = t->frames.count; i-- > 0;)
    if (m->image->sites[m->image->code_sites[t->frames.data[i].pc]].flags & SITE_LOOP) return true;
  return false;
}

/* Counts the locks that the thread holds, from its last event. */
static void follow_locks(const struct machine *m, struct thread *t) {
  if (t->counted == t->events || m->trace.count == 0) return;
  const struct event *e = &vec_last(&m->trace);
  t->counted = t->events;
  if (e->thread != t->tid) return;
  if (e->op == EVENT_ACQUIRE) t->held++;
  if (e->op == EVENT_RELEASE && t->held) t->held--;
  if (e->op != EVENT_READ && e->op != EVENT_RMW && e->op != EVENT_FENCE && e->op != EVENT_YIELD && e->op != EVENT_AWAIT &&
      e->op != EVENT_ACQUIRE && e->op != EVENT_RELEASE && e->op != EVENT_TRYFAIL)
    t->wrote = true;
}

bool spin_check(struct machine *m, struct thread *t, uint32_t pc) {
  follow_locks(m, t);
  if (t->wrote) t->spins = 0, t->wrote = false;
  t->noting = in_loop(m, t);
  t->spin_known = false;
  if (!t->noting || t->held || t->spins == 0) return false;
  t->spin_state = thread_local_hash(m, t);
  t->spin_known = true;
  for (uint32_t i = 0; i < t->spins; i++) {
    if (t->spin[i].pc != pc || t->spin[i].state != t->spin_state) continue;
    memmove(t->spin, t->spin + i, (t->spins - i) * sizeof *t->spin);
    t->spins -= i;
    return true;
  }
  return false;
}

void spin_note(struct machine *m, struct thread *t, uint32_t pc, uint64_t address, uint64_t size, uint64_t value, bool lock) {
  if (!t->noting) return;
  if (size > 8) { /* too large to be watched */
    t->wrote = true;
    return;
  }
  if (!t->spin_known) t->spin_state = thread_local_hash(m, t), t->spin_known = true;
  if (t->spins == SPIN_READS) {
    memmove(t->spin, t->spin + 1, (SPIN_READS - 1) * sizeof *t->spin);
    t->spins--;
  }
  t->spin[t->spins++] =
      (struct spin_read){.pc = pc, .state = t->spin_state, .address = address, .size = size, .value = value, .lock = lock};
}

void spin_settle(struct thread *t) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->spins; i++)
    if (!t->spin[i].lock) t->spin[kept++] = t->spin[i];
  if (kept) t->spins = kept;
}

bool spin_changed(const struct thread *t) {
  for (uint32_t i = 0; i < t->spins; i++) {
    uint64_t value = 0;
    memcpy(&value, host_at(t->spin[i].address), t->spin[i].size);
    if (value != t->spin[i].value) return true;
  }
  return false;
}
