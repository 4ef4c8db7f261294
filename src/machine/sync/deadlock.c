/* Deadlocks: threads that need what each other holds; and threads that wait for a signal that is gone. */
#include "machine/sync/sync.h"

static bool may_give_up(const struct thread *t) { return t->pending.flags & (EVENT_TRY | EVENT_TIMED); }

static bool blocked(const struct machine *m, const struct thread *t) {
  return t->state == THREAD_LIVE && sync_need(t) != NEED_NOTHING && !sync_enabled(m, t) && !interrupts(m, t);
}

static void add_owner(struct tset *s, uint32_t owner) {
  if (owner > 0 && owner <= THREADS_MAX) tset_add(s, owner - 1);
}

/* Writers that a reader of this lock must let pass. */
static void add_waiting_writers(const struct machine *m, uint64_t object, struct tset *s) {
  for (uint32_t i = tset_next(&m->alive, 0); i < THREADS_MAX; i = tset_next(&m->alive, i + 1)) {
    const struct thread *t = m->threads[i];
    if (t->phase && sync_need(t) == NEED_WRITE_LOCK && t->pending.object == object) tset_add(s, i);
  }
}

/* The threads that must each do something before `t` can go on, as far as that is known. */
static struct tset blockers(const struct machine *m, const struct thread *t) {
  struct tset s = {0};
  bool point = sync_need(t) == NEED_SIGNAL || sync_need(t) == NEED_COUNT || sync_need(t) == NEED_END;
  point |= t->cancel_asynchronous;
  if (!blocked(m, t) || (point && cancel_possible(m, t))) return s; /* it may be cancelled yet */
  uint64_t object = t->pending.object;
  const struct rwlock *rw;
  switch (sync_need(t)) {
    case NEED_MUTEX:
      add_owner(&s, ((const struct mutex *)host_at(object))->owner);
      break;
    case NEED_SIGNAL:
      if (t->signalled) add_owner(&s, ((const struct mutex *)host_at(t->pending.value2))->owner);
      break;
    case NEED_READ_LOCK:
    case NEED_WRITE_LOCK:
      rw = host_at(object);
      add_owner(&s, rw->writer);
      if (sync_need(t) == NEED_WRITE_LOCK)
        for (unsigned i = 0; i < TSET_WORDS; i++) s.words[i] |= rw->holders.words[i];
      else if (rw->kind == RWLOCK_WRITERS_FIRST && rw->waiting)
        add_waiting_writers(m, object, &s);
      break;
    case NEED_SPIN:
      add_owner(&s, *(const uint32_t *)host_at(object) & SPIN_OWNER_MASK);
      break;
    case NEED_END:
      tset_add(&s, (uint32_t)object);
      break;
    case NEED_NOTHING:
    case NEED_NEVER_MET:
    case NEED_ROUND:
    case NEED_COUNT:
    case NEED_THREAD:
    case NEED_VALUE:
    case NEED_BITS:
    case NEED_HANDLER:
      break;
  }
  return s;
}

struct cycle {
  uint32_t threads[THREADS_MAX];
  uint32_t count;
};

/* Extends the path to `target` by depth first search. Threads in `seen` lead nowhere. */
static bool find_cycle(const struct machine *m, uint32_t from, uint32_t target, struct tset *seen, struct cycle *c) {
  c->threads[c->count++] = from;
  struct tset next = blockers(m, m->threads[from]);
  for (uint32_t i = tset_next(&next, 0); i < THREADS_MAX; i = tset_next(&next, i + 1)) {
    if (i == target) return true;
    if (tset_has(seen, i)) continue;
    tset_add(seen, i);
    if (find_cycle(m, i, target, seen, c)) return true;
  }
  c->count--;
  return false;
}

/* What a thread needs, in words, and whoever has it as a thread id, or THREADS_MAX. */
static void describe_need(const struct machine *m, const struct thread *t, struct text *out) {
  uint64_t object = t->pending.object;
  switch (sync_need(t)) {
    case NEED_MUTEX:
      sync_name(m, object, &sync_mutex, out);
      break;
    case NEED_READ_LOCK:
    case NEED_WRITE_LOCK:
      sync_name(m, object, &sync_rwlock, out);
      text_puts(out, sync_need(t) == NEED_READ_LOCK ? " for reading" : " for writing");
      break;
    case NEED_SPIN:
      sync_name(m, object, sync_spin_type(object), out);
      break;
    case NEED_SIGNAL:
      if (t->signalled)
        sync_name(m, t->pending.value2, &sync_mutex, out);
      else if (!image_library_condition(m->image, object, out))
        sync_name(m, object, &sync_cond, out);
      break;
    case NEED_ROUND:
      sync_name(m, object, &sync_barrier, out);
      break;
    case NEED_COUNT:
      sync_name(m, object, &sync_semaphore, out);
      break;
    case NEED_END:
      text_printf(out, "the end of thread %s", machine_thread_name(m, (uint32_t)object));
      break;
    case NEED_THREAD:
      text_puts(out, "the creation of a thread whose name it knows already");
      break;
    case NEED_VALUE:
      text_puts(out, t->wait_ticket == 0 ? "an initialisation that another thread began" : "a result that another thread owes");
      break;
    case NEED_BITS:
    case NEED_HANDLER:
      text_puts(out, "a signal");
      break;
    case NEED_NEVER_MET:
      text_puts(out, tset_has(&m->circling, t->tid) ? "nothing: it goes round in a circle" : "nothing: it has failed");
      break;
    case NEED_NOTHING:
      text_puts(out, "a change of what it reads in a loop");
      break;
  }
}

static bool holds_it(const struct thread *t) { return sync_need(t) != NEED_END; }

/* The lock that `t` needs and its early site. */
static uint64_t needed_lock(const struct thread *t, uint32_t *early) {
  uint64_t object = sync_need(t) == NEED_SIGNAL ? t->pending.value2 : t->pending.object;
  *early = sync_need(t) == NEED_MUTEX || sync_need(t) == NEED_SIGNAL           ? ((const struct mutex *)host_at(object))->early
           : sync_need(t) == NEED_READ_LOCK || sync_need(t) == NEED_WRITE_LOCK ? ((const struct rwlock *)host_at(object))->early
                                                                               : 0;
  return object;
}

/* Where the thread waits. A spinning one: the first of its loop's reads, whichever it stands before. */
static uint32_t waiting_site(const struct machine *m, const struct thread *t) {
  if (!t->waiting || t->spins == 0) return t->pending.site;
  uint32_t pc = t->spin[0].pc;
  for (uint32_t i = 1; i < t->spins; i++) pc = t->spin[i].pc < pc ? t->spin[i].pc : pc;
  return m->image->code_sites[pc];
}

static void add_waiting_site(struct machine *m, const struct thread *t) { machine_fail_site(m, t->tid, waiting_site(m, t), "waits for"); }

/* Makes the finding: its first sites are where the members wait, then where they hold what the others need. */
static void fail_at(struct machine *m, struct thread *t, enum finding_kind kind, const char *message) {
  m->site = waiting_site(m, t);
  machine_fail(m, t, kind, "waits for", "%s", message);
}

static void fail_cycle(struct machine *m, const struct cycle *c) {
  struct text message = {0};
  for (uint32_t i = 0; i < c->count; i++) {
    const struct thread *t = m->threads[c->threads[i]], *next = m->threads[c->threads[(i + 1) % c->count]];
    if (i == 0)
      text_printf(&message, "thread %s waits for ", machine_thread_name(m, t->tid));
    else
      text_puts(&message, ", which waits for ");
    describe_need(m, t, &message);
    if (holds_it(t)) text_printf(&message, " held by thread %s", machine_thread_name(m, next->tid));
  }
  fail_at(m, m->threads[c->threads[0]], FINDING_DEADLOCK, text_str(&message));
  text_release(&message);
  for (uint32_t i = 1; i < c->count; i++) add_waiting_site(m, m->threads[c->threads[i]]);
  for (uint32_t i = 0; i < c->count; i++) {
    const struct thread *t = m->threads[c->threads[i]];
    uint32_t early;
    if (!holds_it(t)) continue;
    uint64_t lock = needed_lock(t, &early);
    sync_add_holder(m, c->threads[(i + 1) % c->count], lock, early);
  }
}

/* Turns the cycle so that its smallest thread comes first: one message, whichever step closed it. */
static void turn(struct cycle *c) {
  uint32_t first = 0;
  for (uint32_t i = 1; i < c->count; i++)
    if (c->threads[i] < c->threads[first]) first = i;
  struct cycle old = *c;
  for (uint32_t i = 0; i < c->count; i++) c->threads[i] = old.threads[(first + i) % c->count];
}

static bool fail_cycle_through(struct machine *m, uint32_t tid) {
  struct tset seen = {0};
  struct cycle c = {.count = 0};
  if (!find_cycle(m, tid, tid, &seen, &c)) return false;
  turn(&c);
  fail_cycle(m, &c);
  return true;
}

/* A thread that blocks on what a thread has that ended. */
static bool fail_orphan(struct machine *m, struct thread *t) {
  struct tset s = sync_need(t) == NEED_END ? (struct tset){0} : blockers(m, t);
  for (uint32_t i = tset_next(&s, 0); i < THREADS_MAX; i = tset_next(&s, i + 1)) {
    if (m->threads[i]->state != THREAD_ENDED) continue;
    struct text message = {0};
    uint32_t early;
    text_printf(&message, "thread %s waits for ", machine_thread_name(m, t->tid));
    describe_need(m, t, &message);
    text_printf(&message, " held by thread %s, which has ended", machine_thread_name(m, i));
    fail_at(m, t, FINDING_DEADLOCK, text_str(&message));
    text_release(&message);
    uint64_t lock = needed_lock(t, &early);
    sync_add_holder(m, i, lock, early);
    return true;
  }
  return false;
}

/* By far the most frequent: whom it waits for can go on. */
static bool holder_runs(const struct machine *m, const struct thread *t) {
  if (t->need == NEED_END && t->pending.op == EVENT_JOIN) return tset_has(&m->enabled, (uint32_t)t->pending.object);
  if (t->need != NEED_MUTEX || t->pending.op != EVENT_ACQUIRE) return false;
  uint32_t owner = ((const struct mutex *)host_at(t->pending.object))->owner;
  return owner > 0 && owner <= THREADS_MAX && tset_has(&m->enabled, owner - 1);
}

bool sync_partial_deadlock(struct machine *m, struct thread *t) {
  if (m->options.whole_deadlocks || holder_runs(m, t)) return false;
  if (sync_need(t) == NEED_NOTHING || t->state != THREAD_LIVE || may_give_up(t) || sync_enabled(m, t)) return false;
  return fail_cycle_through(m, t->tid) || fail_orphan(m, t);
}

bool sync_left_waiting(struct machine *m) {
  if (m->options.whole_deadlocks) return false;
  for (uint32_t i = tset_next(&m->watched, 0); i < THREADS_MAX; i = tset_next(&m->watched, i + 1)) {
    struct thread *t = m->threads[i];
    if (blocked(m, t) && !may_give_up(t) && fail_orphan(m, t)) return true;
  }
  return false;
}

/* The last signal of the condition variable that found nobody waiting: its thread and site; false if there was none, or if it is the
 * library's own: those who wait for that have looked before whether they have to. */
static bool lost_signal(const struct machine *m, uint64_t cond, uint32_t *thread, uint32_t *site) {
  struct text own = {0};
  bool library = image_library_condition(m->image, cond, &own);
  text_release(&own);
  if (library) return false;
  for (size_t i = m->trace.count; i-- > 0;) {
    const struct event *e = &m->trace.data[i];
    if ((e->op != EVENT_SIGNAL && e->op != EVENT_BROADCAST) || e->object != cond || e->value) continue;
    *thread = e->thread, *site = e->site;
    return true;
  }
  uint32_t early = ((const struct cond *)host_at(cond))->early;
  *thread = 0, *site = early - 1;
  return early != 0;
}

static bool fail_lost_wakeup(struct machine *m, struct thread *t) {
  uint32_t thread, site;
  if (sync_need(t) != NEED_SIGNAL || t->signalled || !lost_signal(m, t->pending.object, &thread, &site)) return false;
  struct text message = {0};
  text_printf(&message, "thread %s waits for ever on the ", machine_thread_name(m, t->tid));
  sync_name(m, t->pending.object, &sync_cond, &message);
  text_printf(&message, ", which thread %s signalled while nobody waited", machine_thread_name(m, thread));
  fail_at(m, t, FINDING_LOST_WAKEUP, text_str(&message));
  machine_fail_site(m, thread, site, "signals");
  text_release(&message);
  return true;
}

/* Everybody that is left waits, and nobody for another's lock. */
static void fail_all(struct machine *m) {
  struct text message = {0};
  struct thread *first = NULL;
  bool spinning = true;
  for (uint32_t i = tset_next(&m->alive, 0); i < THREADS_MAX; i = tset_next(&m->alive, i + 1)) {
    struct thread *t = m->threads[i];
    if (!t->waiting && !tset_has(&m->circling, i)) spinning = false;
    text_printf(&message, "%sthread %s waits for ", first ? "; " : "", machine_thread_name(m, i));
    describe_need(m, t, &message);
    if (!first) first = t;
  }
  fail_at(m, first, spinning ? FINDING_LIVELOCK : FINDING_DEADLOCK, text_str(&message));
  text_release(&message);
  for (uint32_t i = tset_next(&m->alive, first->tid + 1); i < THREADS_MAX; i = tset_next(&m->alive, i + 1))
    add_waiting_site(m, m->threads[i]);
}

/* A thread has crashed in an operation, and others wait for ever in theirs. The main() around them waits for all, which says nothing. */
static bool fail_after_crash(struct machine *m) {
  struct text message = {0};
  struct thread *crashed = NULL;
  for (uint32_t i = tset_next(&m->alive, 0); i < THREADS_MAX && !crashed; i = tset_next(&m->alive, i + 1))
    if (operation_crashed(m, m->threads[i])) crashed = m->threads[i];
  if (!crashed) return false;
  text_printf(&message, "thread %s has crashed", machine_thread_name(m, crashed->tid));
  for (uint32_t i = tset_next(&m->alive, 1); i < THREADS_MAX; i = tset_next(&m->alive, i + 1)) {
    if (i == crashed->tid) continue;
    text_printf(&message, "; thread %s waits for ", machine_thread_name(m, i));
    describe_need(m, m->threads[i], &message);
  }
  m->site = crashed->pending.site;
  machine_fail(m, crashed, FINDING_DEADLOCK, "crashed", "%s", text_str(&message));
  for (uint32_t i = tset_next(&m->alive, 1); i < THREADS_MAX; i = tset_next(&m->alive, i + 1))
    if (i != crashed->tid) add_waiting_site(m, m->threads[i]);
  text_release(&message);
  return true;
}

/* Does the thread wait for a signal, or for the end of one that does? */
static bool waits_outside(const struct machine *m, const struct thread *t) {
  for (uint32_t i = 0; i < m->ncreated; i++) {
    if (sync_need(t) == NEED_BITS || sync_need(t) == NEED_HANDLER) return true;
    if (sync_need(t) != NEED_END) return false;
    t = m->threads[t->pending.object];
  }
  return false;
}

/* The process waits for a signal from outside, as a server does that has nothing to do: its main thread, or if that has ended, another. If
 * the main thread waits for anything else, threads that stand by for signals do not excuse it. */
static bool is_idle(const struct machine *m) {
  if (tset_has(&m->alive, 0)) return waits_outside(m, m->threads[0]);
  for (uint32_t i = tset_next(&m->alive, 0); i < THREADS_MAX; i = tset_next(&m->alive, i + 1))
    if (waits_outside(m, m->threads[i])) return true;
  return false;
}

void sync_deadlock(struct machine *m) {
  for (uint32_t i = tset_next(&m->alive, 0); i < THREADS_MAX; i = tset_next(&m->alive, i + 1))
    if (fail_cycle_through(m, i)) return;
  if (fail_after_crash(m)) return;
  for (uint32_t i = tset_next(&m->alive, 0); !is_idle(m) && i < THREADS_MAX; i = tset_next(&m->alive, i + 1))
    if (fail_lost_wakeup(m, m->threads[i])) return;
  for (uint32_t i = tset_next(&m->alive, 0); i < THREADS_MAX; i = tset_next(&m->alive, i + 1))
    if (fail_orphan(m, m->threads[i])) return;
  if (!is_idle(m)) fail_all(m);
}
