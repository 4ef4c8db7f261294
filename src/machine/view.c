/* Looking at a machine: what it could do next, what it did, where its threads are, and what an address is called. Nothing here changes it.
 */
#include "machine/machine.h"

#include <stdio.h>
#include <string.h>

#include "machine/internal.h"
#include "machine/memory/buffer.h"

enum machine_status machine_status(const struct machine *m) { return m->status; }
const struct tset *machine_enabled(const struct machine *m) { return m->buffers ? &m->buffers->enabled : &m->enabled; }
const struct tset *machine_alive(const struct machine *m) { return m->buffers ? &m->buffers->alive : &m->alive; }
const struct event *machine_pending(const struct machine *m, uint32_t thread) { return &m->threads[thread]->pending; }

bool machine_buffers(const struct machine *m) { return m->buffers != NULL; }

uint32_t machine_owner(const struct machine *m, uint32_t thread) {
  return m->buffers && thread >= AGENTS_FROM ? m->buffers->agents[thread - AGENTS_FROM].owner : thread;
}

bool machine_may_choose(const struct machine *m, uint32_t thread) {
  const struct thread *t = m->threads[thread];
  return step_may_choose(m, t) || (t->pending.op != EVENT_FLUSH && interrupts(m, t));
}

uint32_t machine_alternatives(const struct machine *m, uint32_t thread) {
  const struct thread *t = m->threads[thread];
  if (t->pending.op == EVENT_FLUSH || (!m->interrupts && !step_may_choose(m, t))) return 1; /* nearly always: without a call */
  return step_alternatives(m, t) + interrupts(m, t);
}

bool machine_interruption(const struct machine *m, uint32_t thread, uint32_t choice) {
  const struct thread *t = m->threads[thread];
  return m->interrupts && t->pending.op != EVENT_FLUSH && choice >= step_alternatives(m, t);
}

const struct event *machine_trace(const struct machine *m, uint32_t *count) {
  *count = (uint32_t)m->trace.count;
  return m->trace.data;
}

const struct finding *machine_finding(const struct machine *m) { return &m->finding; }
const struct diag *machine_diag(const struct machine *m) { return &m->diag; }
const struct text *machine_output(const struct machine *m, int fd) { return &m->output[fd - 1]; }
int machine_exit_code(const struct machine *m) { return m->exit_code; }
bool machine_exhausted(const struct machine *m) { return m->exhausted; }
bool machine_buffer_full(const struct machine *m) { return m->buffers && m->buffers->overflow; }

bool machine_sharing_changed(const struct machine *m) { return m->memory.sharing_changed || m->impatient.count; }

uint64_t machine_threads_known(const struct machine *m) { return m->children.count + (m->buffers ? m->buffers->nagents : 0); }
uint64_t machine_uses_known(const struct machine *m) { return m->memory.uses; }

void machine_share(struct machine *m, uint64_t address, uint64_t size) {
  if (size > 0 && size <= REGION_SIZE && in_arena(address, size) && region_of(address) == region_of(address + size - 1))
    memory_share(&m->memory, address, size);
}

struct machine_counts machine_counts(const struct machine *m) {
  return m->counts;
}
const char *machine_thread_name(const struct machine *m, uint32_t thread) {
  return thread < THREADS_MAX ? text_str(&m->names[thread]) : "?";
}

uint32_t machine_thread_find(const struct machine *m, const char *name) {
  for (uint32_t i = 0; i < THREADS_MAX; i++)
    if (m->names[i].count && strcmp(text_str(&m->names[i]), name) == 0) return i;
  return THREADS_MAX;
}

uint32_t machine_stack(const struct machine *m, uint32_t thread, uint32_t *sites, uint32_t max) {
  const struct thread *t = m->threads[thread];
  uint32_t n = 0;
  for (size_t i = t ? t->frames.count : 0; i-- > 0 && n < max;) sites[n++] = m->image->code_sites[t->frames.data[i].pc];
  return n;
}

static const struct frame *frame_at(const struct machine *m, uint32_t thread, uint32_t depth) {
  const struct thread *t = thread < THREADS_MAX ? m->threads[thread] : NULL;
  return t && depth < t->frames.count ? &t->frames.data[t->frames.count - 1 - depth] : NULL;
}

bool machine_frame(const struct machine *m, uint32_t thread, uint32_t depth, uint32_t *function, uint32_t *code) {
  const struct frame *frame = frame_at(m, thread, depth);
  if (frame) *function = frame->function, *code = frame->pc;
  return frame != NULL;
}

bool machine_in_loop(const struct machine *m, uint32_t thread, uint32_t *code) {
  const struct event *pending = machine_pending(m, thread);
  const struct thread *t = m->threads[thread];
  if (pending->op == EVENT_NONE || pending->op == EVENT_FLUSH || pending->op == EVENT_BEGIN || t->frames.count == 0) return false;
  *code = vec_last(&t->frames).pc;
  for (const struct frame *f = t->frames.data; f < t->frames.data + t->frames.count; f++)
    if (!(f->tag & FRAME_MODEL) && (m->image->sites[m->image->code_sites[f->pc]].flags & SITE_LOOP)) return true;
  return false;
}

bool machine_slot(const struct machine *m, uint32_t thread, uint32_t depth, uint32_t slot, uint64_t *value) {
  const struct frame *frame = frame_at(m, thread, depth);
  if (!frame) return false;
  const struct image_function *function = &m->image->functions[frame->function];
  if (slot >= function->slots + function->nconstants) return false;
  *value = m->threads[thread]->slots.data[frame->base + slot];
  return true;
}

bool machine_peek(const struct machine *m, uint64_t address, uint32_t n, uint64_t *value) {
  *value = 0;
  return n <= 8 && machine_read(m, address, n, value);
}

bool machine_read(const struct machine *m, uint64_t address, uint64_t n, void *to) {
  (void)m;
  if (!in_arena(address, n)) return false;
  for (uint64_t i = 0; i < n; i++)
    if (!(*shadow_at(address + i) & SHADOW_OK)) return false;
  memcpy(to, host_at(address), n);
  return true;
}

bool machine_store(const struct machine *m, uint32_t thread, uint32_t i, struct machine_store *to) {
  const struct buffer *b = m->buffers && thread < AGENTS_FROM ? &m->buffers->of[thread] : NULL;
  if (!b || i >= b->stores.count) return false;
  const struct store *s = &b->stores.data[i];
  *to = (struct machine_store){.address = s->address, .size = s->size, .site = s->site};
  uint64_t size = s->size < sizeof to->value ? s->size : sizeof to->value;
  bool in_place = m->watch && m->running == thread;
  uint8_t *bytes = (uint8_t *)&to->value;
  memcpy(bytes, in_place ? host_at(s->address) : (const void *)(b->data.data + s->data), size);
  /* A store in place has kept what was there before: those behind this one are undone, newest first. */
  for (size_t k = b->stores.count - 1; in_place && k > i; k--) {
    const struct store *later = &b->stores.data[k];
    for (uint64_t n = 0; n < size; n++)
      if (s->address + n - later->address < later->size) bytes[n] = b->data.data[later->data + (s->address + n - later->address)];
  }
  return true;
}

bool machine_initial(const struct machine *m, uint64_t address, uint32_t n, uint64_t *value) {
  return in_arena(address, n) && n <= 8 && memory_initial(&m->memory, address, n, value);
}

const struct image *machine_image(const struct machine *m) { return m->image; }
const struct machine_options *machine_options(const struct machine *m) { return &m->options; }

static void block_text(const struct machine *m, const struct heap_block *block, uint64_t address, struct text *out) {
  struct text where = {0};
  image_site_text(m->image, block->alloc_site, &where);
  text_printf(out, "heap block of %llu bytes from %s", (unsigned long long)block->size, text_str(&where));
  if (address != block->address) text_printf(out, " %+lld", (long long)(address - block->address));
  text_release(&where);
}

/* The variable of a frame of thread `tid` that covers the address: "pool.stop in main". */
static bool local_text(const struct machine *m, uint32_t tid, uint64_t address, uint64_t size, struct text *out) {
  const struct thread *t = tid < THREADS_MAX ? m->threads[tid] : NULL;
  for (size_t i = t && t->state == THREAD_LIVE ? t->frames.count : 0; i-- > 0;) {
    const struct frame *frame = &t->frames.data[i];
    for (uint32_t k = 0; k < m->image->nlocals; k++) {
      const struct image_local *l = &m->image->locals[k];
      if (l->function != frame->function || !l->in_memory || frame->pc < l->from || frame->pc >= l->to) continue;
      uint64_t offset = address - t->slots.data[frame->base + l->slot], bytes = m->image->types[l->type].size;
      if (offset >= bytes || size > bytes - offset) continue;
      text_puts(out, image_string(m->image, l->name));
      image_path_text(m->image, l->type, offset, size, out);
      text_printf(out, " in %s", image_string(m->image, m->image->functions[l->function].name));
      return true;
    }
  }
  return false;
}

uint64_t machine_blocks_from(uint32_t site) { return hash_pair(2, site); }

uint64_t machine_object_of(const struct machine *m, uint64_t address) {
  struct heap_block block;
  if (!in_arena(address, 1)) return 0;
  if (region_of(address) == UINT32_MAX) return hash_pair(1, image_variable_at(m->image, address));
  return heap_find(m, address, &block) ? machine_blocks_from(block.alloc_site) : hash_pair(3, address);
}

void machine_object_text(const struct machine *m, uint64_t address, uint64_t size, struct text *out) {
  struct heap_block block;
  if (!in_arena(address, 1)) {
    text_puts(out, address < 65536 ? "null" : "no object");
  } else if (region_of(address) == UINT32_MAX) {
    if (!image_address_text(m->image, address, size, out)) text_puts(out, "unnamed global");
  } else if (heap_find(m, address, &block)) {
    block_text(m, &block, address, out);
  } else {
    uint32_t tid = region_of(address);
    if (address >= history_word() && address < ended_bytes() + SCENARIO_THREADS) {
      text_puts(out, "which operations have ended");
      return;
    }
    if (address == clock_word() || address == property_word()) {
      text_puts(out, address == clock_word() ? "the clock" : "what properties have seen");
      return;
    }
    if (local_text(m, tid, address, size, out)) return;
    const char *what = address == thread_handle(tid)     ? "cancellation request"
                       : address == detached_word(tid)   ? "detached state"
                       : address == joined_word(tid)     ? "joined state"
                       : interrupt_word(m, tid, address) ? "signals"
                                                         : "local variable";
    text_printf(out, "%s of thread %s", what, machine_thread_name(m, tid));
  }
}
