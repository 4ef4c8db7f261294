/* Locks of one word: spin locks, and those of OpenMP. They differ in name, and in how they come about. */
#include "machine/sync/sync.h"
#include "machine/sync/table.h"

static uint32_t word_at(uint64_t address) {
  uint32_t word;
  memcpy(&word, host_at(address), sizeof word);
  return word;
}
static uint32_t owner_of(uint64_t address) { return word_at(address) & SPIN_OWNER_MASK; }

bool spin_used_by(const struct thread *t, uint64_t address) { return owner_of(address) == t->tid + 1; }

static enum run own_deadlock(struct machine *m, struct thread *t, uint64_t address, const struct sync_type *type) {
  struct text name = {0};
  sync_name(m, address, type, &name);
  machine_fail(m, t, FINDING_DEADLOCK, "waits for", "thread %s locks the %s, which it holds already", machine_thread_name(m, t->tid),
               text_str(&name));
  sync_add_holder(m, t->tid, address, 0);
  text_release(&name);
  return RUN_STOP;
}

static bool is_own(const struct thread *t, uint64_t address, const struct sync_type *type) {
  return sync_usable(address, type) && owner_of(address) == t->tid + 1;
}

static enum run lock(struct machine *m, struct thread *t, uint64_t address, const struct sync_type *type, uint8_t flags, uint64_t *result) {
  if (!sync_possible(m, t, address, SPIN_SIZE)) return RUN_STOP;
  if (!(flags & EVENT_TRY) && is_own(t, address, type)) return own_deadlock(m, t, address, type);
  if (!sync_step(m, t, EVENT_ACQUIRE, address, SPIN_SIZE, 0, NEED_SPIN, flags)) return RUN_YIELD;
  if (!sync_live(m, t, address, type)) return RUN_STOP;
  if (owner_of(address)) {
    sync_fails(m, t, address);
    spin_seen(m, t, owner_of(address) - 1, address);
    *result = EBUSY;
    return RUN_GO;
  }
  sync_put(m, host_at(address), type->live + t->tid + 1);
  *result = 0;
  return RUN_GO;
}

static enum run unlock(struct machine *m, struct thread *t, uint64_t address, const struct sync_type *type, uint64_t *result) {
  if (!sync_possible(m, t, address, SPIN_SIZE)) return RUN_STOP;
  if (!sync_step(m, t, EVENT_RELEASE, address, SPIN_SIZE, 0, NEED_NOTHING, 0)) return RUN_YIELD;
  if (!sync_live(m, t, address, type)) return RUN_STOP;
  uint32_t owner = owner_of(address);
  if (owner == 0) return sync_misuse(m, t, address, type, "unlock of the %s, which nobody holds");
  if (owner != t->tid + 1) {
    sync_misuse(m, t, address, type, "unlock of the %s, which another thread holds");
    sync_add_holder(m, owner - 1, address, 0);
    return RUN_STOP;
  }
  if (t->seen) spin_released(m, t, address);
  sync_put(m, host_at(address), type->live);
  *result = 0;
  return RUN_GO;
}

static enum run destroy(struct machine *m, struct thread *t, uint64_t address, const struct sync_type *type, uint64_t *result) {
  enum run run = sync_destroy(m, t, address, type);
  if (run != RUN_GO) return run;
  uint32_t owner = owner_of(address);
  if (owner) {
    sync_misuse(m, t, address, type, "destruction of the %s while it is locked");
    sync_add_holder(m, owner - 1, address, 0);
    return RUN_STOP;
  }
  sync_seal_destroyed(m, address, type);
  *result = 0;
  return RUN_GO;
}

static enum run init(struct machine *m, struct thread *t, uint64_t address, const struct sync_type *type, uint64_t *result) {
  *result = 0;
  return sync_init(m, t, address, type);
}

BUILTIN(spinlock_init) { return init(m, t, args[0], &sync_spin, result); }
BUILTIN(spinlock_destroy) { return destroy(m, t, args[0], &sync_spin, result); }
BUILTIN(spinlock_lock) { return lock(m, t, args[0], &sync_spin, 0, result); }
BUILTIN(spinlock_trylock) { return lock(m, t, args[0], &sync_spin, EVENT_TRY, result); }
BUILTIN(spinlock_unlock) { return unlock(m, t, args[0], &sync_spin, result); }

BUILTIN(omp_lock_init) { return init(m, t, args[0], &sync_omp_lock, result); }
BUILTIN(omp_lock_destroy) { return destroy(m, t, args[0], &sync_omp_lock, result); }
BUILTIN(omp_lock_set) { return lock(m, t, args[0], &sync_omp_lock, 0, result); }
BUILTIN(omp_lock_test) { return lock(m, t, args[0], &sync_omp_lock, EVENT_TRY, result); }
BUILTIN(omp_lock_unset) { return unlock(m, t, args[0], &sync_omp_lock, result); }
/* No step: nobody but the thread itself can change the answer. */
BUILTIN(omp_lock_is_own) {
  *result = sync_possible(m, t, args[0], SPIN_SIZE) && is_own(t, args[0], &sync_omp_lock);
  return RUN_GO;
}

BUILTIN(critical_enter) { return lock(m, t, args[0], &sync_critical, 0, result); }
BUILTIN(critical_leave) { return unlock(m, t, args[0], &sync_critical, result); }
