/* The 128-bit fingerprint of a state: memory that differs from the initial state, and what is live in each thread. Thread ids and
 * addresses do not depend on the schedule, so equal states have equal fingerprints. */
#include "machine/internal.h"
#include "machine/memory/buffer.h"
#include "machine/symbolic/symbolic.h"

static uint64_t frame_hash(struct machine *m, const struct thread *t, size_t i, uint64_t h) {
  const struct frame *frame = &t->frames.data[i];
  uint32_t n;
  const uint16_t *live = liveness_at(&m->liveness, frame->function, frame->pc, frame_calls(t, i), &n);
  const uint64_t *r = t->slots.data + frame->base;
  h = (h ^ frame->pc) * 0x9e3779b97f4a7c15u;
  for (uint32_t s = 0; s < n; s++) h = (h ^ r[live[s]]) * 0xd6e8feb86659fd93u, h ^= h >> 29;
  for (uint32_t s = 0; t->expressions.count && s < n; s++) h = hash_pair(h, symbolic_hash(m, t, frame->base + live[s]));
  return h;
}

uint64_t thread_local_hash(struct machine *m, const struct thread *t) {
  uint64_t h = t->frames.count;
  if (t->path_at) h = hash_pair(h, t->path_at);
  for (size_t i = 0; i < t->frames.count; i++) h = frame_hash(m, t, i, h);
  for (size_t i = 0; i < t->undefined.count; i++) h = hash_pair(h, hash_pair(t->undefined.data[i].slot, t->undefined.data[i].mask));
  return h;
}

/* The spins are those of a wait, or decide nothing (state.c). */
uint64_t interrupted_hash(const struct thread *t, const struct interrupted *s) {
  const struct event *e = &s->pending;
  uint64_t h = hash_pair(s->depth | (uint64_t)s->ends << 32 | (uint64_t)s->kept << 40,
                         s->phase | (uint64_t)s->need << 32 | (uint64_t)s->leaves << 40);
  h = hash_pair(h, hash_pair(e->op | (uint64_t)e->order << 8 | (uint64_t)e->flags << 16 | (uint64_t)s->waiting << 32, e->object));
  h = hash_pair(h, hash_pair(e->size, e->value2));
  h = hash_pair(h, hash_pair(s->wait_object, hash_pair(s->wait_object2, s->wait_ticket)));
  h = hash_pair(h, hash_pair(s->exception, hash_pair(s->selector, s->adjusted)));
  for (uint32_t i = 0; s->waiting && i < s->spins; i++)
    h = hash_pair(h, hash_pair(s->spin[i].address, hash_pair(s->spin[i].size, s->spin[i].value)));
  for (uint32_t i = 0; s->phase && i < s->carried; i++) h = hash_pair(h, t->slots.data[s->slots - s->carried + i]);
  return h;
}

static struct fingerprint thread_print(struct machine *m, const struct thread *t) {
  uint64_t flags = t->state | (uint64_t)t->stage << 8 | (uint64_t)t->detached << 16 | (uint64_t)t->joined << 17 |
                   (uint64_t)t->signalled << 18 | (uint64_t)t->forced << 19 | (uint64_t)t->phase << 20 | (uint64_t)t->atomic << 40;
  uint64_t cancel = (uint64_t)t->cancel_disabled | (uint64_t)t->cancel_asynchronous << 2 |
                    (m->cancels && t->state == THREAD_LIVE ? memory_get(thread_handle(t->tid)) << 1 : 0);
  uint64_t h = hash_pair(flags, t->children | cancel << 32);
  if (t->state == THREAD_ENDED) return fingerprint_of(t->tid + 1, hash_pair(h, t->joined ? 0 : t->result));
  h = hash_pair(h, hash_pair(t->wait_object, t->wait_object2));
  h = hash_pair(h, hash_pair(t->wait_ticket, t->cleanup));
  for (uint32_t i = 0; i < READER_HOLDS; i++) h = t->again[i].count ? hash_pair(h, hash_pair(t->again[i].object, t->again[i].count)) : h;
  for (uint32_t i = 0; t->phase && i < t->carried; i++) h = hash_pair(h, t->slots.data[t->slots.count - t->carried + i]);
  if (t->stage == STAGE_DESTRUCTORS) h = hash_pair(h, t->result);
  if (t->inputs) h = hash_pair(h, t->inputs);
  if (t->stored) h = hash_pair(h, 1);             /* its end will be a step */
  if (t->looks) h = hash_pair(h, clock_looks(t)); /* a loop that looks at the clock comes out of it when it is time */
  for (size_t i = 0; i < t->interrupted.count; i++) h = hash_pair(h, interrupted_hash(t, &t->interrupted.data[i]));
  if (t->interrupted_call) h = hash_pair(h, 2);
  if (t->reached | t->ahead) h = hash_pair(h, hash_pair(t->reached, hash_pair(t->ahead, t->naps)));
  h = hash_pair(h, m->memory.regions[t->tid].sp); /* alloca() in a loop */
  return fingerprint_of(t->tid + 1, hash_pair(h, thread_local_hash(m, t)));
}

struct fingerprint machine_threads_fingerprint(struct machine *m) {
  struct fingerprint f = {0};
  for (uint32_t i = 0; i < m->ncreated; i++) fingerprint_xor(&f, thread_print(m, m->threads[m->created[i]]));
  if (m->buffers) fingerprint_xor(&f, buffers_fingerprint(m));
  if (m->history) fingerprint_xor(&f, fingerprint_of(history_word(), memory_get(history_word())));
  if (m->monitor) fingerprint_xor(&f, fingerprint_of(property_word(), memory_get(property_word())));
  return f;
}

/* Memory that a turn of a loop forgets makes a difference, be it empty: there is less left. Where the next block will be does not: in a
 * turn that frees what it allocates, a thread comes back to its state, whatever address it was given. */
struct fingerprint machine_fingerprint(struct machine *m) {
  struct fingerprint f = memory_fingerprint(&m->memory);
  fingerprint_xor(&f, heap_fingerprint(m));
  fingerprint_xor(&f, machine_threads_fingerprint(m));
  if (m->symbolic) fingerprint_xor(&f, m->symbolic->print);
  return f;
}
