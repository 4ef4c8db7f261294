/* Spin locks. */
#include "machine/sync/sync.h"
#include "machine/sync/table.h"

static uint32_t word_at(uint64_t address) {
  uint32_t word;
  memcpy(&word, host_at(address), sizeof word);
  return word;
}
static uint32_t owner_of(uint64_t address) { return word_at(address) & SPIN_OWNER_MASK; }

static enum run own_deadlock(struct machine *m, struct thread *t, uint64_t address) {
  struct text name = {0};
  sync_name(m, address, &sync_spin, &name);
  machine_fail(m, t, FINDING_DEADLOCK, "waits for", "thread %s locks the %s, which it holds already", machine_thread_name(m, t->tid),
               text_str(&name));
  sync_add_holder(m, t->tid, address, 0);
  text_release(&name);
  return RUN_STOP;
}

static enum run lock(struct machine *m, struct thread *t, uint64_t address, uint8_t flags, uint64_t *result) {
  if (!sync_possible(m, t, address, SPIN_SIZE)) return RUN_STOP;
  if (!(flags & EVENT_TRY) && sync_usable(address, &sync_spin) && owner_of(address) == t->tid + 1) return own_deadlock(m, t, address);
  if (!sync_step(m, t, EVENT_ACQUIRE, address, SPIN_SIZE, 0, NEED_SPIN, flags)) return RUN_YIELD;
  if (!sync_live(m, t, address, &sync_spin)) return RUN_STOP;
  if (owner_of(address)) {
    sync_fails(m, t, address);
    spin_seen(m, t, owner_of(address) - 1, address);
    *result = EBUSY;
    return RUN_GO;
  }
  sync_put(m, host_at(address), (uint32_t)SPIN_LIVE + t->tid + 1);
  *result = 0;
  return RUN_GO;
}

BUILTIN(spinlock_lock) { return lock(m, t, args[0], 0, result); }
BUILTIN(spinlock_trylock) { return lock(m, t, args[0], EVENT_TRY, result); }

BUILTIN(spinlock_unlock) {
  uint64_t address = args[0];
  if (!sync_possible(m, t, address, SPIN_SIZE)) return RUN_STOP;
  if (!sync_step(m, t, EVENT_RELEASE, address, SPIN_SIZE, 0, NEED_NOTHING, 0)) return RUN_YIELD;
  if (!sync_live(m, t, address, &sync_spin)) return RUN_STOP;
  uint32_t owner = owner_of(address);
  if (owner == 0) return sync_misuse(m, t, address, &sync_spin, "unlock of the %s, which nobody holds");
  if (owner != t->tid + 1) {
    sync_misuse(m, t, address, &sync_spin, "unlock of the %s, which another thread holds");
    sync_add_holder(m, owner - 1, address, 0);
    return RUN_STOP;
  }
  if (t->seen) spin_released(m, t, address);
  sync_put(m, host_at(address), SPIN_LIVE);
  *result = 0;
  return RUN_GO;
}

BUILTIN(spinlock_init) {
  enum run run = sync_init(m, t, args[0], &sync_spin);
  *result = 0;
  return run;
}

BUILTIN(spinlock_destroy) {
  uint64_t address = args[0];
  enum run run = sync_destroy(m, t, address, &sync_spin);
  if (run != RUN_GO) return run;
  uint32_t owner = owner_of(address);
  if (owner) {
    sync_misuse(m, t, address, &sync_spin, "destruction of the %s while it is locked");
    sync_add_holder(m, owner - 1, address, 0);
    return RUN_STOP;
  }
  sync_seal_destroyed(m, address, &sync_spin);
  *result = 0;
  return RUN_GO;
}
