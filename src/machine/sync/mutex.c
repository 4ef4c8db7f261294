/* Mutexes: normal, recursive, error-checking, adaptive; robust; try, timed. A timed lock that finds the mutex free takes it; one that finds
 * it held may wait or may expire there and then, which is what a failed try-lock does. */
#include "machine/sync/settings.h"
#include "machine/sync/sync.h"
#include "machine/sync/table.h"

static struct mutex *mutex_at(uint64_t address) { return host_at(address); }

static bool owner_died(const struct machine *m, const struct mutex *x) {
  const struct thread *t = (x->kind & MUTEX_ROBUST) && x->owner <= THREADS_MAX ? m->threads[x->owner - 1] : NULL;
  return t && (t->state == THREAD_ENDED || operation_crashed(m, t));
}

/* Most are addressable from end to end, written, and initialised statically: that is quick to tell. */
static inline bool usable(uint64_t address) {
  const uint64_t every = 0x0101010101010101ull, want = every * SHADOW_OK, mask = every * (SHADOW_OK | SHADOW_READONLY | SHADOW_UNINIT);
  const uint64_t *shadow = (const uint64_t *)shadow_at(address);
  uint64_t wrong = mutex_at(address)->seal | (mutex_at(address)->owner && !sync_marked(address));
  for (unsigned i = 0; i < sizeof(struct mutex) / 8; i++) wrong |= (shadow[i] ^ want) & mask;
  return __builtin_expect(wrong == 0, 1) || sync_usable(address, &sync_mutex);
}

bool mutex_is_free(const struct machine *m, const struct thread *t, uint64_t address) {
  const struct mutex *x = mutex_at(address);
  if (x->owner == 0) return true;
  return x->owner == t->tid + 1 || owner_died(m, x) || !usable(address);
}

bool mutex_used_by(const struct thread *t, uint64_t address) { return mutex_at(address)->owner == t->tid + 1; }

bool mutex_is_owned(const struct thread *t, uint64_t address) { return mutex_used_by(t, address) && usable(address); }

static void set_owner(struct machine *m, uint64_t address, uint32_t owner, uint32_t depth) {
  sync_put64(m, address, owner | (uint64_t)depth << 32);
}

uint64_t mutex_take(struct machine *m, struct thread *t, uint64_t address) {
  struct mutex *x = mutex_at(address);
  if (x->fault == FAULT_UNRECOVERABLE) return ENOTRECOVERABLE;
  if (x->owner == t->tid + 1) {
    set_owner(m, address, x->owner, x->depth + 1);
    return 0;
  }
  bool died = x->owner != 0;
  set_owner(m, address, t->tid + 1, 0);
  if (x->kind & MUTEX_CEILING) settings_hold_ceiling(m, t->tid, x->ceiling, true);
  if (m->single) sync_put(m, &x->early, m->site + 1);
  if (died || x->fault == FAULT_INCONSISTENT) {
    sync_put(m, &x->fault, FAULT_INCONSISTENT);
    return EOWNERDEAD;
  }
  return 0;
}

void mutex_give(struct machine *m, uint64_t address) {
  struct mutex *x = mutex_at(address);
  if (x->depth) {
    set_owner(m, address, x->owner, x->depth - 1);
    return;
  }
  if (x->kind & MUTEX_CEILING) settings_hold_ceiling(m, x->owner - 1, x->ceiling, false);
  set_owner(m, address, 0, 0);
  if (x->early) sync_put(m, &x->early, 0);
  if (x->fault == FAULT_INCONSISTENT) sync_put(m, &x->fault, FAULT_UNRECOVERABLE);
}

/* sync_live() says what is wrong with it. */
[[gnu::noinline, gnu::cold]] static enum run unusable(struct machine *m, struct thread *t, uint64_t address) {
  sync_live(m, t, address, &sync_mutex);
  return RUN_STOP;
}

/* The thread locks a mutex that it owns: nobody else can tell, so this is no step. */
static enum run relock(struct machine *m, struct thread *t, uint64_t address, uint8_t flags, uint64_t deadline, uint64_t *result) {
  enum mutex_kind kind = (enum mutex_kind)(mutex_at(address)->kind & MUTEX_KIND_MASK);
  if (kind == MUTEX_RECURSIVE) {
    *result = mutex_take(m, t, address);
  } else if (flags & EVENT_TRY) {
    *result = EBUSY;
  } else if (kind == MUTEX_ERRORCHECK) {
    *result = EDEADLK;
  } else if (flags & EVENT_TIMED) {
    *result = sync_time_comes(m, t, deadline) ? ETIMEDOUT : EINVAL;
  } else {
    struct text name = {0};
    sync_name(m, address, &sync_mutex, &name);
    machine_fail(m, t, FINDING_DEADLOCK, "waits for", "thread %s locks the %s, which it holds already", machine_thread_name(m, t->tid),
                 text_str(&name));
    sync_add_holder(m, t->tid, address, mutex_at(address)->early);
    text_release(&name);
    return RUN_STOP;
  }
  return RUN_GO;
}

[[gnu::noinline]] static bool priority_is_above(const struct machine *m, const struct thread *t, uint64_t address) {
  return usable(address) && settings_priority(m, t) > mutex_at(address)->ceiling;
}

/* Whose priority is above the ceiling must not lock it, and is told so at once. */
static inline bool above_ceiling(const struct machine *m, const struct thread *t, uint64_t address) {
  return __builtin_expect(mutex_at(address)->kind & MUTEX_CEILING, 0) && priority_is_above(m, t, address);
}

/* `deadline`: looked at if flags has EVENT_TIMED. */
static inline __attribute__((always_inline)) enum run lock(struct machine *m, struct thread *t, uint64_t address, uint8_t flags,
                                                           uint64_t deadline, uint64_t *result) {
  if (!sync_possible(m, t, address, sizeof(struct mutex))) return RUN_STOP;
  if (mutex_is_owned(t, address)) return relock(m, t, address, flags, deadline, result);
  if (above_ceiling(m, t, address)) flags = EVENT_TRY;
  if (!sync_step(m, t, EVENT_ACQUIRE, address, sizeof(struct mutex), 0, NEED_MUTEX, flags)) return RUN_YIELD;
  if (!usable(address)) return unusable(m, t, address);
  sync_mark(m, address, &sync_mutex);
  if (m->initialises) sync_mark_used(m, address, &sync_mutex);
  if (above_ceiling(m, t, address)) {
    machine_last_event(m)->op = EVENT_TRYFAIL;
    *result = EINVAL;
    return RUN_GO;
  }
  if (mutex_is_free(m, t, address)) {
    *result = mutex_take(m, t, address);
    return RUN_GO;
  }
  struct event *e = sync_fails(m, t, address);
  spin_seen(m, t, mutex_at(address)->owner - 1, address);
  *result = EBUSY;
  if (flags & EVENT_TIMED) {
    *result = sync_time_comes(m, t, deadline) ? ETIMEDOUT : EINVAL;
    e->flags |= EVENT_TIMED_OUT;
  }
  return RUN_GO;
}

BUILTIN(mutex_lock) { return lock(m, t, args[0], 0, 0, result); }
BUILTIN(mutex_trylock) { return lock(m, t, args[0], EVENT_TRY, 0, result); }
BUILTIN(mutex_timedlock) { return lock(m, t, args[0], EVENT_TIMED, args[1], result); }

static enum run unlock_by_other(struct machine *m, struct thread *t, uint64_t address, uint64_t *result) {
  const struct mutex *x = mutex_at(address);
  enum mutex_kind kind = (enum mutex_kind)(x->kind & MUTEX_KIND_MASK);
  bool tells = kind == MUTEX_ERRORCHECK || kind == MUTEX_RECURSIVE || (x->kind & MUTEX_ROBUST);
  *result = EPERM;
  if (tells && sync_result_used(m, t)) return RUN_GO;
  if (x->owner == 0) return sync_misuse(m, t, address, &sync_mutex, "unlock of the %s, which nobody holds");
  uint32_t owner = x->owner - 1;
  sync_misuse(m, t, address, &sync_mutex, "unlock of the %s, which another thread holds");
  sync_add_holder(m, owner, address, x->early);
  return RUN_STOP;
}

BUILTIN(mutex_unlock) {
  uint64_t address = args[0];
  if (!sync_possible(m, t, address, sizeof(struct mutex))) return RUN_STOP;
  bool inner = mutex_at(address)->depth > 0 && mutex_is_owned(t, address);
  if (!inner && !sync_step(m, t, EVENT_RELEASE, address, sizeof(struct mutex), 0, NEED_NOTHING, 0)) return RUN_YIELD;
  if (!usable(address)) return unusable(m, t, address);
  if (m->initialises) sync_mark_used(m, address, &sync_mutex);
  *result = 0;
  if (!mutex_used_by(t, address)) return unlock_by_other(m, t, address, result);
  if (t->seen && !inner) spin_released(m, t, address);
  mutex_give(m, address);
  return RUN_GO;
}

/* The mutex's kind, from a pthread_mutexattr_t as glibc lays it out. */
/* A mutex's attributes in glibc's layout (models/libc/attr.c). */
enum { ATTRIBUTE_ROBUST = 1 << 30, PROTOCOL_SHIFT = 28, PROTOCOL_PROTECT = 2, CEILING_SHIFT = 12, CEILING_MASK = 0xfff, CEILING_LEAST = 1 };

static uint32_t kind_of_attributes(uint64_t attributes) {
  bool has_ceiling = (attributes >> PROTOCOL_SHIFT & 3) == PROTOCOL_PROTECT;
  return (uint32_t)(attributes & MUTEX_KIND_MASK) | (attributes & ATTRIBUTE_ROBUST ? (uint32_t)MUTEX_ROBUST : 0) |
         (has_ceiling ? (uint32_t)MUTEX_CEILING : 0);
}

BUILTIN(mutex_init) {
  uint64_t attributes;
  enum run run = sync_told(m, t, args[1], 4, &attributes);
  if (run == RUN_GO) run = sync_init(m, t, args[0], &sync_mutex);
  if (run != RUN_GO) return run;
  sync_told_end(t);
  struct mutex *x = mutex_at(args[0]);
  uint32_t ceiling = (uint32_t)(attributes >> CEILING_SHIFT) & CEILING_MASK;
  sync_put(m, &x->kind, kind_of_attributes(attributes));
  if (x->kind & MUTEX_CEILING) sync_put(m, &x->ceiling, ceiling ? ceiling : CEILING_LEAST);
  *result = 0;
  return RUN_GO;
}

BUILTIN(mutex_destroy) {
  uint64_t address = args[0];
  enum run run = sync_destroy(m, t, address, &sync_mutex);
  if (run != RUN_GO) return run;
  const struct mutex *x = mutex_at(address);
  uint32_t waiter = cond_waiter_with(m, address);
  if (x->owner) {
    sync_misuse(m, t, address, &sync_mutex, "destruction of the %s while it is locked");
    sync_add_holder(m, x->owner - 1, address, x->early);
    return RUN_STOP;
  }
  if (waiter != THREADS_MAX) {
    sync_misuse(m, t, address, &sync_mutex, "destruction of the %s while a thread waits on a condition variable with it");
    machine_fail_site(m, waiter, m->threads[waiter]->pending.site, "waits");
    return RUN_STOP;
  }
  sync_seal_destroyed(m, address, &sync_mutex);
  *result = 0;
  return RUN_GO;
}

BUILTIN(mutex_consistent) {
  uint64_t address = args[0];
  if (!sync_possible(m, t, address, sizeof(struct mutex)) || !sync_live(m, t, address, &sync_mutex)) return RUN_STOP;
  struct mutex *x = mutex_at(address);
  bool can = mutex_is_owned(t, address) && x->fault == FAULT_INCONSISTENT;
  if (can) sync_put(m, &x->fault, FAULT_NONE);
  *result = can ? 0 : EINVAL;
  return RUN_GO;
}

/* Only mutexes that have a ceiling tell it. */
BUILTIN(mutex_getprioceiling) {
  *result = 0;
  if (sync_tells(t)) return sync_tell(m, t, args[1], 4, t->wait_ticket);
  if (!sync_possible(m, t, args[0], sizeof(struct mutex))) return RUN_STOP;
  t->next_order = ORDER_RELAXED;
  if (!sync_visible(m, t, EVENT_READ, args[0], sizeof(struct mutex), 0, NEED_NOTHING, 0)) return RUN_YIELD;
  if (!sync_live(m, t, args[0], &sync_mutex)) return RUN_STOP;
  const struct mutex *x = mutex_at(args[0]);
  *result = x->kind & MUTEX_CEILING ? 0 : EINVAL;
  return *result ? RUN_GO : sync_tell(m, t, args[1], 4, x->ceiling);
}

/* Locks the mutex, without regard to its present ceiling, changes that, and gives it back: one step. */
BUILTIN(mutex_setprioceiling) {
  uint64_t address = args[0];
  uint32_t ceiling = (uint32_t)args[1];
  if (sync_tells(t)) {
    *result = 0;
    return sync_tell(m, t, args[2], 4, t->wait_ticket);
  }
  if (!sync_possible(m, t, address, sizeof(struct mutex))) return RUN_STOP;
  struct mutex *x = mutex_at(address);
  *result = EINVAL;
  if (!usable(address)) return unusable(m, t, address);
  if (!(x->kind & MUTEX_CEILING) || ceiling < CEILING_LEAST || ceiling > PRIORITY_MOST) return RUN_GO;
  bool own = mutex_is_owned(t, address);
  if (!own && !sync_step(m, t, EVENT_ACQUIRE, address, sizeof(struct mutex), 0, NEED_MUTEX, 0)) return RUN_YIELD;
  if (!usable(address)) return unusable(m, t, address);
  uint32_t before = x->ceiling;
  if (own) settings_hold_ceiling(m, t->tid, before, false);
  sync_put(m, &x->ceiling, ceiling);
  if (own) settings_hold_ceiling(m, t->tid, ceiling, true);
  if (!own && !m->single) machine_record(m, t, EVENT_RELEASE, address, sizeof(struct mutex));
  *result = 0;
  return sync_tell(m, t, args[2], 4, before);
}
