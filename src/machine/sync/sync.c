#include "machine/sync/sync.h"

#include "machine/memory/access.h"
#include "machine/memory/buffer.h"

static bool read_lock_free(uint64_t address) {
  const struct rwlock *x = host_at(address);
  bool passes = x->kind != RWLOCK_WRITERS_FIRST || x->waiting == 0;
  return (x->writer == 0 && passes) || !sync_usable(address, &sync_rwlock);
}

static bool write_lock_free(uint64_t address) {
  const struct rwlock *x = host_at(address);
  return (x->writer == 0 && x->readers == 0) || !sync_usable(address, &sync_rwlock);
}

static bool spin_free(uint64_t address) {
  uint32_t word;
  memcpy(&word, host_at(address), sizeof word);
  return (word & SPIN_OWNER_MASK) == 0 || !sync_usable(address, sync_spin_type(address));
}

static bool round_over(const struct thread *t, uint64_t address) {
  const struct barrier *x = host_at(address);
  return !t->wait_object || x->round != t->wait_ticket || !sync_usable(address, &sync_barrier);
}

static bool count_there(uint64_t address) {
  const struct semaphore *x = host_at(address);
  return x->value > 0 || !sync_usable(address, &sync_semaphore);
}

static bool value_there(const struct machine *m, const struct thread *t, uint64_t address) {
  uint32_t word;
  memcpy(&word, host_at(address), sizeof word);
  if (m->buffers) word = (uint32_t)buffer_peek(m, t->tid, address, sizeof word);
  return (word & t->wait_object2) == t->wait_ticket || !(*shadow_at(address) & SHADOW_OK);
}

bool sync_available(const struct machine *m, const struct thread *t, enum need need, uint64_t object, uint64_t value2) {
  switch (need) {
    case NEED_NOTHING:
      return true;
    case NEED_NEVER_MET:
    case NEED_HANDLER:
      return false;
    case NEED_MUTEX:
      return mutex_is_free(m, t, object);
    case NEED_READ_LOCK:
      return read_lock_free(object);
    case NEED_WRITE_LOCK:
      return write_lock_free(object);
    case NEED_SPIN:
      return spin_free(object);
    case NEED_SIGNAL:
      return t->signalled && mutex_is_free(m, t, value2);
    case NEED_ROUND:
      return round_over(t, object);
    case NEED_COUNT:
      return count_there(object);
    case NEED_END:
      return m->threads[object]->state == THREAD_ENDED ||
             (m->threads[object]->state != THREAD_NONE && m->threads[object]->detached); /* else it is wrong to wait for it */
    case NEED_THREAD:
      return m->threads[object < THREADS_MAX ? object : region_of(object)]->state != THREAD_NONE;
    case NEED_VALUE:
      return value_there(m, t, object);
    case NEED_BITS:
      return (memory_get(t->wait_object) | memory_get(t->wait_object2)) & t->wait_ticket;
  }
  return true;
}

/* May the step be taken though what it needs is not there? */
static bool does_without(const struct machine *m, const struct thread *t, enum need need, uint64_t object, uint8_t flags) {
  if (need == NEED_SIGNAL) return !t->signalled && ((flags & EVENT_TIMED) || m->options.spurious_wakeups);
  if (need == NEED_THREAD || (need == NEED_END && m->threads[object]->state == THREAD_NONE)) return false;
  return flags & (EVENT_TRY | EVENT_TIMED);
}

static bool is_cancellation_point(enum need need, uint8_t flags) {
  bool point = need == NEED_SIGNAL || need == NEED_COUNT || need == NEED_END || need == NEED_BITS || need == NEED_HANDLER;
  return point && !(flags & EVENT_TRY);
}

bool sync_at_cancellation_point(const struct thread *t) { return is_cancellation_point(sync_need(t), t->pending.flags); }

/* Does a request for cancellation end the step, whatever else it needs? */
static bool cancels_step(const struct machine *m, const struct thread *t, enum need need, uint64_t object, uint64_t mutex, uint8_t flags) {
  if (!is_cancellation_point(need, flags) || !cancel_due(m, t)) return false;
  if (need == NEED_BITS) return !sync_available(m, t, need, object, mutex);
  if (need != NEED_SIGNAL || !t->signalled) return true;
  /* Woken: it leaves with the mutex in any case, and must not have consumed a signal that another thread waits for. */
  return mutex_is_free(m, t, mutex) && cond_next_waiter(m, object, 0) == THREADS_MAX;
}

/* In how many ways the step can be taken without being cancelled. */
static uint32_t ways(const struct machine *m, const struct thread *t, enum need need, uint64_t object, uint64_t value2, uint8_t flags) {
  bool there = sync_available(m, t, need, object, value2);
  /* A thread ends together with its last step, but it may take its time: until it is joined nobody can tell. */
  if (need == NEED_END && there) return flags & (EVENT_TRY | EVENT_TIMED) ? 2 : 1;
  if (need == NEED_SIGNAL && !t->signalled && (flags & EVENT_TIMED) && m->options.spurious_wakeups) return 2;
  return there || does_without(m, t, need, object, flags) ? 1 : 0;
}

bool sync_visible(struct machine *m, struct thread *t, enum event_op op, uint64_t object, uint64_t size, uint64_t value2, enum need need,
                  uint8_t flags) {
  t->need = (uint8_t)need;
  if (!t->granted) t->choice = 0; /* a step that is taken without being scheduled has no alternatives */
  t->next_flags = flags;
  bool cancelled = m->cancels && cancels_step(m, t, need, object, value2, flags);
  /* Asked where the machine would not stop otherwise. */
  bool blocks = (m->single || t->atomic) && need != NEED_NOTHING && !cancelled && !does_without(m, t, need, object, flags) &&
                !sync_available(m, t, need, object, value2);
  if (!machine_visible(m, t, op, object, size, value2, blocks)) return false;
  t->cancel_taken = cancelled && t->choice >= ways(m, t, need, object, value2, flags);
  t->need = NEED_NOTHING;
  return true;
}

enum run sync_tell(struct machine *m, struct thread *t, uint64_t to, uint32_t n, uint64_t value) {
  t->phase = PHASE_TELL, t->carried = 0, t->wait_ticket = value;
  enum run run = to ? access_store(m, t, to, &value, n) : RUN_GO;
  if (run == RUN_GO) t->phase = 0, t->wait_ticket = 0;
  return run;
}

enum run sync_told(struct machine *m, struct thread *t, uint64_t from, uint32_t n, uint64_t *value) {
  if (t->phase == 0) {
    enum run run = from ? access_plain_read(m, t, from, n) : RUN_GO;
    if (run != RUN_GO) return run;
    t->phase = PHASE_TOLD, t->wait_ticket = 0;
    if (from) memcpy(&t->wait_ticket, host_at(from), n < 8 ? n : 8);
  }
  *value = t->wait_ticket;
  return RUN_GO;
}

enum run sync_waits_within(struct machine *m, struct thread *t) {
  return machine_unsupported(m, t, "a wait in a signal handler that has interrupted another wait is not supported");
}

bool sync_result_used(const struct machine *m, const struct thread *t) { return m->image->code[vec_last(&t->frames).pc].c != 0; }

bool sync_enabled(const struct machine *m, const struct thread *t) {
  enum need need = sync_need(t);
  if (need == NEED_NOTHING) return true;
  if (m->cancels && cancels_step(m, t, need, t->pending.object, t->pending.value2, t->pending.flags)) return true;
  return does_without(m, t, need, t->pending.object, t->pending.flags) || sync_available(m, t, need, t->pending.object, t->pending.value2);
}

uint32_t sync_alternatives(const struct machine *m, const struct thread *t) {
  if (t->pending.op == EVENT_SIGNAL) {
    const struct cond *x = host_at(t->pending.object);
    return sync_usable(t->pending.object, &sync_cond) && x->waiters > 1 ? x->waiters : 1;
  }
  enum need need = sync_need(t);
  if (need != NEED_SIGNAL && need != NEED_COUNT && need != NEED_END) return 1;
  uint32_t n = ways(m, t, need, t->pending.object, t->pending.value2, t->pending.flags);
  if (m->cancels && cancels_step(m, t, need, t->pending.object, t->pending.value2, t->pending.flags)) n++;
  return n ? n : 1;
}
