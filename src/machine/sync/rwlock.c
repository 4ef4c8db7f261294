/* Read-write locks. A reader may pass waiting writers: those are the most executions that any preference allows. Locks of the kind
 * PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP are the exception: there a writer that waits keeps readers out, those as well that hold the
 * lock for reading already. */
#include "machine/sync/sync.h"
#include "machine/sync/table.h"

static struct rwlock *rwlock_at(uint64_t address) { return host_at(address); }

static struct tset holders_of(uint64_t address) {
  struct tset s;
  memcpy(&s, (const uint8_t *)host_at(address) + offsetof(struct rwlock, holders), sizeof s);
  return s;
}

static bool reads(const struct thread *t, uint64_t address) {
  struct tset s = holders_of(address);
  return rwlock_at(address)->readers && tset_has(&s, t->tid);
}

bool rwlock_used_by(const struct thread *t, uint64_t address) { return rwlock_at(address)->writer == t->tid + 1 || reads(t, address); }

static void set_holder(struct machine *m, uint64_t address, uint32_t tid, bool holds) {
  struct rwlock *x = rwlock_at(address);
  uint64_t at = address + offsetof(struct rwlock, holders) + tid / 64 * 8, word;
  memcpy(&word, host_at(at), sizeof word);
  sync_put64(m, at, holds ? word | 1ull << (tid & 63) : word & ~(1ull << (tid & 63)));
  sync_put(m, &x->readers, x->readers + (holds ? 1u : ~0u));
}

/* The thread's entry for further read locks of this lock, or NULL; a free one if `make`. */
static struct reader_hold *further(struct thread *t, uint64_t address, bool make) {
  for (unsigned i = 0; i < READER_HOLDS; i++)
    if (t->again[i].count && t->again[i].object == address) return &t->again[i];
  for (unsigned i = 0; make && i < READER_HOLDS; i++)
    if (!t->again[i].count) {
      t->again[i].object = address;
      return &t->again[i];
    }
  return NULL;
}

static enum run take(struct machine *m, struct thread *t, uint64_t address, bool shared) {
  struct rwlock *x = rwlock_at(address);
  if (m->single) sync_put(m, &x->early, m->site + 1);
  if (!shared) {
    sync_put(m, &x->writer, t->tid + 1);
    return RUN_GO;
  }
  if (!reads(t, address)) {
    set_holder(m, address, t->tid, true);
    return RUN_GO;
  }
  struct reader_hold *hold = further(t, address, true);
  if (!hold)
    return machine_unsupported(m, t, "a thread that holds more than %d read-write locks for reading several times over", READER_HOLDS);
  hold->count++;
  sync_put(m, &x->readers, x->readers + 1);
  return RUN_GO;
}

/* The thread asks for a lock that it must give up first. Who has it for writing is told so, as by glibc, however long it would wait. */
static enum run own_deadlock(struct machine *m, struct thread *t, uint64_t address, uint8_t flags, uint64_t deadline, uint64_t *result) {
  *result = flags & EVENT_TRY ? EBUSY : EDEADLK;
  if (flags & EVENT_TRY || rwlock_at(address)->writer == t->tid + 1) return RUN_GO;
  if (flags & EVENT_TIMED) {
    *result = sync_time_comes(m, t, deadline) ? ETIMEDOUT : EINVAL;
    return RUN_GO;
  }
  struct text name = {0};
  sync_name(m, address, &sync_rwlock, &name);
  machine_fail(m, t, FINDING_DEADLOCK, "waits for", "thread %s locks the %s for writing, which it holds for reading",
               machine_thread_name(m, t->tid), text_str(&name));
  sync_add_holder(m, t->tid, address, rwlock_at(address)->early);
  text_release(&name);
  return RUN_STOP;
}

/* Tells who holds the lock that `t` has found it held. */
static void noticed(struct machine *m, const struct thread *t, uint64_t address) {
  struct tset holders = holders_of(address);
  if (rwlock_at(address)->writer) tset_add(&holders, rwlock_at(address)->writer - 1);
  for (uint32_t i = tset_next(&holders, 0); i < THREADS_MAX; i = tset_next(&holders, i + 1)) spin_seen(m, t, i, address);
}

static bool writers_first(uint64_t address) {
  return rwlock_at(address)->kind == RWLOCK_WRITERS_FIRST && sync_usable(address, &sync_rwlock);
}

/* The present step looks at, or changes, how many writers wait: it depends on what others do so. */
static void note_waiting(struct machine *m, struct thread *t, uint64_t address, int change) {
  struct rwlock *x = rwlock_at(address);
  uint32_t before = x->waiting, after = before + (uint32_t)(change < 0 && before == 0 ? 0 : change);
  if (after != before) sync_put(m, &x->kind, x->kind | after << 16);
  m->remade |= change != 0; /* readers have to wait now, or no longer */
  if (m->single) return;
  struct event *e = machine_record(m, t, change ? EVENT_RMW : EVENT_READ, address + offsetof(struct rwlock, kind), 4);
  e->order = ORDER_RELAXED, e->value = before, e->value2 = change ? after : 0;
}

/* A writer that finds such a lock held waits from now on, for all to know: a step of its own. RUN_GO: it has the lock, or waits. */
static enum run begin_waiting(struct machine *m, struct thread *t, uint64_t address, bool *taken) {
  *taken = false;
  if (!sync_step(m, t, EVENT_ACQUIRE, address, sizeof(struct rwlock), 0, NEED_WRITE_LOCK, EVENT_TRY)) return RUN_YIELD;
  if (!sync_live(m, t, address, &sync_rwlock)) return RUN_STOP;
  *taken = sync_available(m, t, NEED_WRITE_LOCK, address, 0);
  if (*taken) return take(m, t, address, false);
  machine_last_event(m)->op = EVENT_TRYFAIL;
  note_waiting(m, t, address, 1);
  t->wrote = true;
  t->phase = 1;
  return RUN_GO;
}

static enum run lock(struct machine *m, struct thread *t, uint64_t address, uint8_t flags, uint64_t deadline, uint64_t *result) {
  bool shared = flags & EVENT_SHARED_LOCK;
  if (!sync_possible(m, t, address, sizeof(struct rwlock))) return RUN_STOP;
  const struct rwlock *x = rwlock_at(address);
  if (sync_usable(address, &sync_rwlock) && (x->writer == t->tid + 1 || (!shared && reads(t, address))))
    return own_deadlock(m, t, address, flags, deadline, result);
  enum need need = shared ? NEED_READ_LOCK : NEED_WRITE_LOCK;
  *result = 0;
  if (!shared && !(flags & EVENT_TRY) && t->phase == 0 && writers_first(address)) {
    bool taken;
    enum run run = begin_waiting(m, t, address, &taken);
    if (run != RUN_GO || taken) return run;
  }
  if (!sync_step(m, t, EVENT_ACQUIRE, address, sizeof(struct rwlock), 0, need, flags)) return RUN_YIELD;
  bool waited = t->phase;
  t->phase = 0;
  if (!sync_live(m, t, address, &sync_rwlock)) return RUN_STOP;
  if (waited || (shared && x->kind == RWLOCK_WRITERS_FIRST)) note_waiting(m, t, address, waited ? -1 : 0);
  *result = 0;
  if (sync_available(m, t, need, address, 0)) return take(m, t, address, shared);
  struct event *e = sync_fails(m, t, address);
  noticed(m, t, address);
  *result = EBUSY;
  if (flags & EVENT_TIMED) {
    *result = sync_time_comes(m, t, deadline) ? ETIMEDOUT : EINVAL;
    e->flags |= EVENT_TIMED_OUT;
  }
  return RUN_GO;
}

BUILTIN(rwlock_rdlock) { return lock(m, t, args[0], EVENT_SHARED_LOCK, 0, result); }
BUILTIN(rwlock_tryrdlock) { return lock(m, t, args[0], EVENT_SHARED_LOCK | EVENT_TRY, 0, result); }
BUILTIN(rwlock_timedrdlock) { return lock(m, t, args[0], EVENT_SHARED_LOCK | EVENT_TIMED, args[1], result); }
BUILTIN(rwlock_wrlock) { return lock(m, t, args[0], 0, 0, result); }
BUILTIN(rwlock_trywrlock) { return lock(m, t, args[0], EVENT_TRY, 0, result); }
BUILTIN(rwlock_timedwrlock) { return lock(m, t, args[0], EVENT_TIMED, args[1], result); }

BUILTIN(rwlock_unlock) {
  uint64_t address = args[0];
  if (!sync_possible(m, t, address, sizeof(struct rwlock))) return RUN_STOP;
  struct rwlock *x = rwlock_at(address);
  bool writes = x->writer == t->tid + 1;
  if (!sync_step(m, t, EVENT_RELEASE, address, sizeof(struct rwlock), 0, NEED_NOTHING, writes ? 0 : EVENT_SHARED_LOCK)) return RUN_YIELD;
  /* It may have been the other one when the step was named: the lock may have been overwritten since. */
  struct event *e = machine_last_event(m);
  e->flags = (uint8_t)((e->flags & ~EVENT_SHARED_LOCK) | (writes ? 0 : EVENT_SHARED_LOCK));
  if (!sync_live(m, t, address, &sync_rwlock)) return RUN_STOP;
  if (x->early) sync_put(m, &x->early, 0);
  if (t->seen) spin_released(m, t, address);
  *result = 0;
  struct reader_hold *hold = further(t, address, false);
  if (writes) {
    sync_put(m, &x->writer, 0);
  } else if (hold) {
    if (--hold->count == 0) hold->object = 0;
    sync_put(m, &x->readers, x->readers - 1);
  } else if (reads(t, address)) {
    set_holder(m, address, t->tid, false);
  } else {
    return sync_misuse(m, t, address, &sync_rwlock, "unlock of the %s, which the thread does not hold");
  }
  return RUN_GO;
}

BUILTIN(rwlock_init) {
  uint64_t kind; /* the first word of its attributes */
  enum run run = sync_told(m, t, args[1], 4, &kind);
  if (run == RUN_GO) run = sync_init(m, t, args[0], &sync_rwlock);
  if (run != RUN_GO) return run;
  sync_told_end(t);
  if (kind) sync_put(m, &rwlock_at(args[0])->kind, (uint32_t)kind);
  *result = 0;
  return RUN_GO;
}

BUILTIN(rwlock_destroy) {
  uint64_t address = args[0];
  enum run run = sync_destroy(m, t, address, &sync_rwlock);
  if (run != RUN_GO) return run;
  const struct rwlock *x = rwlock_at(address);
  if (x->writer || x->readers) {
    struct tset readers = holders_of(address);
    uint32_t holder = x->writer ? x->writer - 1 : tset_next(&readers, 0);
    sync_misuse(m, t, address, &sync_rwlock, "destruction of the %s while it is locked");
    if (holder < THREADS_MAX) sync_add_holder(m, holder, address, x->early);
    return RUN_STOP;
  }
  sync_seal_destroyed(m, address, &sync_rwlock);
  *result = 0;
  return RUN_GO;
}
