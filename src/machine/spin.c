/* Spinning: a thread that returns to a point with the same local state, having changed nothing in between, waits until one of the
 * locations that it read in between changes.
 *
 * Only steps inside loops are looked at (SITE_LOOP of the instruction or of a call on the stack). Sections of locks count as changing
 * nothing once they are left: a loop that polls a flag under a mutex waits before its acquire, never inside. Locks that are held all the
 * while, from before the loop, make no difference. A wait that ended without a
 * signal counts as nothing, too. Writes to the thread's own memory are allowed if that memory is as it was.
 *
 * Why no execution is lost with the turns that a waiting thread does not take: a turn that changed nothing and that nobody noticed can be
 * left out, so whatever meets a later turn meets the first one in another execution. Who tries to lock what the thread holds does notice:
 *   A: while (pthread_mutex_trylock(&a)) { lock(&b); unlock(&b); lock(&c); unlock(&c); }
 *   B: x = trylock(&c);  y = trylock(&b);  both fail if B meets two turns of A.
 * So a section in which another thread failed to take the lock changes something. Not if that thread itself has waited for that lock alone
 * and fails once more: it goes round as well, and its turn can be left out together with this one. */
#include <string.h>

#include "machine/internal.h"
#include "machine/memory/buffer.h"
#include "machine/symbolic/symbolic.h"

bool spin_in_loop(const struct machine *m, const struct thread *t) {
  for (size_t i = t->frames.count; i-- > 0;)
    if (m->image->sites[m->image->code_sites[t->frames.data[i].pc]].flags & SITE_LOOP) return true;
  return false;
}

static void release(struct thread *t) {
  if (t->held) t->held--;
  for (uint32_t i = 0; i < t->spins; i++)
    if (t->spin[i].least > t->held) t->spin[i].least = t->held;
}

void spin_follow_event(struct thread *t, const struct event *e) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
  switch ((enum event_op)e->op) {
    case EVENT_TRYFAIL:
    case EVENT_ALLOC: /* of the thread's own stack, as the ends of its locals: the loop's next turn does the same */
      return;
    case EVENT_FREE:
      if (e->flags & EVENT_LOCAL) return;
      break;
    case EVENT_ACQUIRE:
      t->held++;
      return;
    case EVENT_RELEASE:
    case EVENT_WAIT_ENTER:
      release(t);
      return;
    case EVENT_WAIT_LEAVE: /* a wait that expired or woke by itself changed nothing */
      if (e->flags & EVENT_TIMED_OUT) return;
      t->held++;
      break;
    default:
      break;
  }
#pragma GCC diagnostic pop
  t->wrote = true;
}

void spin_follow_events(const struct machine *m, struct thread *t, size_t fresh) {
  size_t last = m->trace.count;
  for (size_t i = fresh < last ? last - fresh : 0; i < last; i++)
    if (spin_event_counts(t, &m->trace.data[i])) spin_follow_event(t, &m->trace.data[i]);
}

/* What happens to [from, to) in a hash. Bytes that other threads touch are left out, for what a thread does must depend on nothing but what
 * it did and read itself; and bytes that were never written, which still hold what an earlier execution left there. */
static uint64_t private_bytes_hash(uint64_t from, uint64_t to, uint64_t h) {
  for (uint64_t address = from; address + 8 <= to; address += 8) {
    uint64_t shadow, data = memory_get(address);
    memcpy(&shadow, shadow_at(address), sizeof shadow);
    uint64_t counts = shadow / SHADOW_OK & ~(shadow / SHADOW_UNINIT) & ~(shadow / SHADOW_SHARED) & 0x0101010101010101u;
    h = (h ^ (data & counts * 0xff)) * 0xd6e8feb86659fd93u;
    h ^= h >> 29;
  }
  return h;
}

/* The thread's own memory, as far as it is small: its stack with the thread-locals, and its heap. */
#define PRIVATE_MOST 16384u
static bool private_memory_hash(const struct machine *m, const struct thread *t, uint64_t *hash) {
  const struct region *r = &m->memory.regions[t->tid];
  uint64_t heap = region_base(t->tid) + REGION_STACK_SIZE, tls = region_tls(t->tid);
  if (r->sp - tls + (r->heap_top - heap) > PRIVATE_MOST) return false;
  *hash = private_bytes_hash(tls, r->sp, hash_pair(*hash, r->sp));
  *hash = private_bytes_hash(heap, r->heap_top, hash_pair(*hash, r->heap_top));
  if (m->symbolic) *hash = hash_pair(*hash, symbolic_private_hash(m, tls, r->sp) ^ symbolic_private_hash(m, heap, r->heap_top));
  return true;
}

/* The local state; false if it is too large to be looked at. */
static bool local_state(struct machine *m, struct thread *t) {
  t->spin_state = thread_local_hash(m, t);
  if (t->wrote_private && !private_memory_hash(m, t, &t->spin_state)) return false;
  t->spin_known = true;
  return true;
}

uint64_t machine_turns(const struct machine *m, uint32_t thread) {
  const struct thread *t = m->threads[thread];
  if (!t || machine_pending(m, thread)->op == EVENT_FLUSH) return 0;
  uint64_t h = hash_mix(t->wrote | (uint64_t)t->wrote_private << 1 | (uint64_t)t->noting << 2 | (uint64_t)t->held << 3);
  for (uint32_t i = 0; i < t->spins; i++) {
    const struct spin_read *r = &t->spin[i];
    h = hash_pair(hash_pair(hash_pair(h, r->pc | (uint64_t)r->looks << 32), r->state), r->address);
    h = hash_pair(hash_pair(h, hash_pair(r->size << 1 | r->lock, r->value)), r->least);
    if (r->expression) h = hash_pair(h, symbolic_expression_hash(m, r->expression));
  }
  return h;
}

/* Did the thread stand there, holding the locks that it holds now, and has it held them since? */
static bool may_repeat(const struct thread *t, const struct spin_read *r, uint32_t pc) { return r->pc == pc && r->least == t->held; }

bool spin_check(struct machine *m, struct thread *t, uint32_t pc) {
  uint32_t i = 0;
  while (i < t->spins && !may_repeat(t, &t->spin[i], pc)) i++;
  if (i == t->spins || !local_state(m, t)) return false;
  for (; i < t->spins; i++) {
    if (!may_repeat(t, &t->spin[i], pc) || t->spin[i].state != t->spin_state) continue;
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
  if (!t->spin_known && !local_state(m, t)) {
    t->wrote = true; /* what is not remembered is not watched either */
    return;
  }
  if (t->spins == SPIN_READS) {
    memmove(t->spin, t->spin + 1, (SPIN_READS - 1) * sizeof *t->spin);
    t->spins--;
  }
  t->spin[t->spins++] = (struct spin_read){.pc = pc,
                                           .least = t->held,
                                           .state = t->spin_state,
                                           .address = address,
                                           .size = size,
                                           .value = value,
                                           .looks = t->looks,
                                           .lock = lock};
}

void spin_failed(struct thread *t, uint64_t lock) {
  if (!t->noting) return;
  struct spin_read *last = t->spins ? &t->spin[t->spins - 1] : NULL;
  if (last && last->lock && last->address == lock)
    last->lock = false;
  else
    t->wrote = true;
}

void spin_seen(struct machine *m, const struct thread *t, uint32_t holder, uint64_t lock) {
  bool waited = t->events == t->awaited_before + 1 && t->awaited == lock;
  if (waited || holder >= THREADS_MAX || !m->threads[holder]) return; /* a lock that was overwritten has any holder */
  uint64_t *seen = &m->threads[holder]->seen;
  *seen = *seen && *seen != lock ? ANY_OBJECT : lock;
  m->threads[holder]->saved = NOT_SAVED; /* of its state it is no part */
}

void spin_released(struct machine *m, struct thread *t, uint64_t lock) {
  if (t->seen != lock && t->seen != ANY_OBJECT) return;
  machine_last_event(m)->value = 1; /* it is told so: what the thread does next follows from what it did and saw */
  t->wrote = true;
  if (t->seen == lock || t->held <= 1) t->seen = 0;
}

void spin_settle(struct thread *t) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->spins; i++)
    if (!t->spin[i].lock) t->spin[kept++] = t->spin[i];
  if (kept) t->spins = kept;
}

/* Memory that is gone has changed: the next look at it fails. A request for cancellation is the machine's own and always there. */
static bool is_gone(const struct spin_read *r) {
  uint32_t owner = region_of(r->address);
  if (owner < THREADS_MAX && r->address == thread_handle(owner)) return false;
  for (uint64_t i = 0; i < r->size; i++)
    if (!(*shadow_at(r->address + i) & SHADOW_OK)) return true;
  return false;
}

bool spin_changed(const struct machine *m, const struct thread *t) {
  for (uint32_t i = 0; i < t->spins; i++) {
    uint64_t value = 0;
    if (is_gone(&t->spin[i])) return true;
    if (m->buffers)
      value = buffer_peek(m, t->tid, t->spin[i].address, t->spin[i].size);
    else
      memcpy(&value, host_at(t->spin[i].address), t->spin[i].size);
    if (value != t->spin[i].value) return true;
  }
  return false;
}
