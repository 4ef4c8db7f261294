/* The state of the machine as a fingerprint: what makes a difference to what can follow, and nothing else.
 *
 * What is in it:
 *   - memory: content, and the expressions of symbolic bytes; which bytes are addressable, initialised; why the others are not; the
 * allocator's headers and queues (sizes, sites of allocation and release, quarantine); frontiers of stacks and heaps. So: globals,
 * thread-locals, stdio and file positions, synchronisation objects (owners, depths, robust faults, rounds, counts, seals), exit handlers;
 *   - threads: frames with their live slots, their expressions, which bits of them are undefined, how many inputs they were given, and the
 * stack pointers at their entry; the pending step as it was named (it may be older than the state that others have made since) and what it
 * needs; progress within builtins; waits; cancellation; children made so far, which give the next one's id; results; an exception under
 * way; what it knows of the time; frames' tags and their counter if there are jump buffers, which hold tags; requests for their
 * cancellation. Of a spinning one, that it waits, and for which values to change;
 *   - the clock, where the program looks at it: of two orders of looks one may come to a later time.
 *
 * What is not in it, and why that is right:
 *   - the reads that may turn out to be a loop's (spin.c) of a thread that does not wait: they decide how soon it will, and the turns of
 * the loop until then change nothing. What can follow in the end is the same;
 *   - what is above a stack's pointer: a pointer into it was made when it was in use, in every history;
 *   - output, which the program cannot read; names of events; what is derived (enabled, watched, single);
 *   - what is the same in all executions: ids of threads by their parents, files' contents, which memory is shared (when that changes, an
 *     exploration starts again).
 * The past matters to some findings: which signal was lost, where a lock was acquired, data races. That is in traces, and whoever cuts
 * executions short must see to it (states/past.h). */
#include "machine/internal.h"
#include "machine/memory/buffer.h"
#include "machine/symbolic/symbolic.h"
#include "machine/sync/sync.h"

/* Two independent sums of what is put in. */
struct sum {
  uint64_t a, b;
};

static inline void put(struct sum *s, uint64_t x) {
  s->a = (s->a ^ x) * 0xd6e8feb86659fd93u;
  s->a ^= s->a >> 29;
  s->b = (s->b + x) * 0x9e3779b97f4a7c15u;
  s->b ^= s->b >> 31;
}

/* `names`: of symbols, in a state that is compared with those of other inputs; its expressions stand for their values. NULL: by themselves.
 */
static void put_frames(struct machine *m, const struct thread *t, struct renaming *names, struct sum *s) {
  put(s, t->frames.count);
  if (m->jumps) put(s, t->serial);
  for (size_t i = 0; i < t->frames.count; i++) {
    const struct frame *frame = &t->frames.data[i];
    uint32_t n;
    const uint16_t *live = liveness_at(&m->liveness, frame->function, frame->pc, frame_calls(t, i), &n);
    const uint64_t *r = t->slots.data + frame->base;
    put(s, frame->pc | (uint64_t)(m->jumps ? frame->tag : frame->tag & FRAME_MODEL) << 32);
    put(s, frame->sp ^ frame->va << 20);
    for (uint32_t k = 0; k < n; k++) {
      uint64_t of = names ? symbolic_of(t, frame->base + live[k]) : 0;
      put(s, of ? renaming_hash(names, (struct expr){(uint32_t)(of - 1)}) : r[live[k]]);
    }
    for (uint32_t k = 0; !names && t->expressions.count && k < n; k++) put(s, symbolic_hash(m, t, frame->base + live[k]));
  }
  for (size_t i = 0; i < t->undefined.count; i++) put(s, t->undefined.data[i].slot), put(s, t->undefined.data[i].mask);
}

static void put_pending(const struct thread *t, struct sum *s) {
  const struct event *e = &t->pending;
  put(s, e->op | (uint64_t)e->order << 8 | (uint64_t)e->flags << 16 | (uint64_t)t->need << 24 | (uint64_t)t->waiting << 32);
  put(s, e->object);
  put(s, e->size ^ e->value2 << 8);
  for (uint32_t i = 0; t->waiting && i < t->spins; i++) {
    put(s, t->spin[i].address);
    put(s, t->spin[i].size);
    put(s, t->spin[i].value);
  }
}

/* Nobody can ask what its result was, or cancel it. */
static bool is_gone(const struct thread *t) { return t->state != THREAD_LIVE && (t->joined || t->detached); }

/* All of a thread's state but requests for its cancellation, which are in memory. Whatever changes it calls thread_changes(). */
static struct fingerprint thread_state(struct machine *m, const struct thread *t, struct renaming *names) {
  const struct region *r = &m->memory.regions[t->tid];
  struct sum s = {t->tid + 1, ~t->tid};
  put(&s, t->stored); /* its end will be a step */
  put(&s, t->children | (uint64_t)t->phase << 32);
  if (t->inputs && !names) put(&s, t->inputs);
  for (uint32_t i = 0; t->phase && i < t->carried; i++) put(&s, t->slots.data[t->slots.count - t->carried + i]);
  put(&s, t->stage | (uint64_t)t->forced << 8 | (uint64_t)t->cancel_disabled << 9 | (uint64_t)t->cancel_asynchronous << 10 |
              (uint64_t)t->leaves << 11 | (uint64_t)t->atomic << 16 | (uint64_t)t->ctor << 32);
  if (t->need == NEED_NEVER_MET) {
    /* What it would have done next makes no difference any more; but others that wait for it are deadlocked if it goes round in a circle.
     */
    put(&s, NEED_NEVER_MET | (uint64_t)tset_has(&m->circling, t->tid) << 8 | (uint64_t)tset_has(&m->unended, t->tid) << 9);
  } else if (t->state == THREAD_LIVE) {
    put_frames(m, t, names, &s);
    put_pending(t, &s);
    put(&s, r->sp);
    put(&s, r->heap_top);
    put(&s, t->cleanup);
    if (m->options.paths) put(&s, t->path_at), put(&s, t->made);
    if (r->stack_high) put(&s, t->ends_at); /* its thread-locals may be shared, and findings name that place */
    if (t->wait_object | t->wait_object2 | t->wait_ticket) put(&s, t->wait_object), put(&s, t->wait_object2), put(&s, t->wait_ticket);
    put(&s, t->exception);
    put(&s, t->selector);
    put(&s, t->adjusted);
    for (uint32_t i = 0; i < READER_HOLDS; i++) {
      if (t->again[i].count) put(&s, t->again[i].object), put(&s, t->again[i].count);
    }
    if (t->reached | t->ahead) put(&s, t->reached), put(&s, t->ahead);
    if (t->naps) put(&s, t->naps);
    for (size_t i = 0; i < t->interrupted.count; i++) put(&s, interrupted_hash(t, &t->interrupted.data[i]));
    if (t->interrupted_call) put(&s, 2);
    if (t->looks) put(&s, t->looks | (uint64_t)t->leaps << 32);
    if (t->operation_steps) put(&s, t->operation_steps);
    if (t->row_place) put(&s, t->row_place + t->row);
  }
  bool gone = is_gone(t);
  uint64_t life = t->state | (uint64_t)t->detached << 8 | (uint64_t)t->joined << 9 | (uint64_t)t->signalled << 10;
  struct fingerprint f = fingerprint_of(s.a + life, gone ? 0 : t->result);
  return (struct fingerprint){f.lo, f.hi + s.b};
}

static struct fingerprint own_state(struct machine *m, struct thread *t) {
  if (!t->own_known) t->own = thread_state(m, t, NULL);
  t->own_known = true;
  return t->own;
}

/* No program can address requests for cancellation, so memory's sum does not have them. */
static inline struct fingerprint requests_state(const struct machine *m) {
  struct fingerprint f = {0, 0};
  for (uint32_t i = 0; i < m->ncreated; i++) {
    const struct thread *t = m->threads[m->created[i]];
    if (!is_gone(t)) fingerprint_xor(&f, fingerprint_of(thread_handle(t->tid), memory_get(thread_handle(t->tid))));
  }
  return f;
}

struct fingerprint machine_state_with(struct machine *m, struct renaming *names) {
  struct fingerprint f = memory_state(&m->memory);
  for (uint32_t i = 0; i < m->ncreated; i++) {
    struct thread *t = m->threads[m->created[i]];
    fingerprint_xor(&f, names ? thread_state(m, t, names) : own_state(m, t));
  }
  if (m->symbolic && !names) fingerprint_xor(&f, m->symbolic->print);
  if (m->cancels) fingerprint_xor(&f, requests_state(m));
  if (m->buffers) fingerprint_xor(&f, buffers_fingerprint(m));
  f.lo += (uint64_t)(unsigned)m->exit_code * 0x9e3779b97f4a7c15u;
  if (m->history) f.hi += hash_mix(memory_get(history_word()));
  if (m->monitor) f.lo += hash_mix(memory_get(property_word()));
  if (m->clocked) f.hi += hash_mix(memory_get(clock_word())); /* as requests for cancellation: memory's sum does not have it */
  return f;
}

struct fingerprint machine_state(struct machine *m) {
  return machine_state_with(m, NULL);
}
