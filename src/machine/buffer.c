#include "machine/buffer.h"

#include <string.h>

#include "machine/access.h"

void buffers_new(struct machine *m) {
  m->buffers = mem_alloc(sizeof *m->buffers);
  m->buffers->pso = m->options.memory == MEMORY_PSO;
}

void buffers_free(struct machine *m) {
  if (!m->buffers) return;
  for (uint32_t t = 0; t < AGENTS_FROM; t++) {
    vec_release(&m->buffers->of[t].stores);
    vec_release(&m->buffers->of[t].data);
  }
  mem_free(m->buffers, sizeof *m->buffers);
}

void buffer_begin(struct machine *m, uint32_t thread) {
  uint32_t agent = agent_of(thread);
  if (!m->threads[agent]) m->threads[agent] = mem_alloc(sizeof *m->threads[agent]);
  m->threads[agent]->tid = agent;
  m->threads[agent]->events = 0;
}

static inline bool overlap(const struct store *a, uint64_t address, uint64_t size) {
  return a->address < address + size && address < a->address + a->size;
}

/* --- what the thread sees --- */

/* Swaps the store's bytes with those in memory, and whether they were ever written. */
static void swap(struct machine *m, const struct store *s, uint8_t *data) {
  if (s->over || s->freed) return;
  memory_log(&m->memory, s->address, s->size);
  uint8_t *bytes = host_at(s->address), *shadow = shadow_at(s->address), *unwritten = data + s->size;
  for (uint64_t i = 0; i < s->size; i++) {
    uint8_t byte = bytes[i], was = shadow[i] & SHADOW_UNINIT;
    bytes[i] = data[i], data[i] = byte;
    shadow[i] = (uint8_t)((shadow[i] & ~SHADOW_UNINIT) | unwritten[i]), unwritten[i] = was;
  }
}

void buffer_in(struct machine *m, uint32_t thread) {
  struct buffer *b = &m->buffers->of[thread];
  for (size_t i = 0; i < b->stores.count; i++) swap(m, &b->stores.data[i], b->data.data + b->stores.data[i].data);
}

void buffer_out(struct machine *m, uint32_t thread) {
  struct buffer *b = &m->buffers->of[thread];
  for (size_t i = b->stores.count; i-- > 0;) swap(m, &b->stores.data[i], b->data.data + b->stores.data[i].data);
}

void buffers_in(struct machine *m, uint32_t except) {
  const struct tset *filled = &m->buffers->filled;
  for (uint32_t t = tset_next(filled, 0); t < AGENTS_FROM; t = tset_next(filled, t + 1))
    if (t != except) buffer_in(m, t);
}

void buffers_out(struct machine *m, uint32_t except) {
  for (uint32_t t = AGENTS_FROM; t-- > 0;)
    if (tset_has(&m->buffers->filled, t) && t != except) buffer_out(m, t);
}

void buffer_issue(struct machine *m, const struct thread *t, uint64_t address, uint64_t size) {
  struct buffer *b = &m->buffers->of[t->tid];
  const struct event *e = &vec_last(&m->trace);
  if (b->stores.count == STORES_MAX) {
    m->buffers->overflow = true;
    return;
  }
  struct store s = {.address = address, .size = size, .data = b->data.count, .event = e->index, .site = e->site, .order = e->order};
  uint8_t *data = vec_push_n(&b->data, 2 * size);
  memcpy(data, host_at(address), size);
  for (uint64_t i = 0; i < size; i++) data[size + i] = shadow_at(address)[i] & SHADOW_UNINIT;
  *vec_push(&b->stores) = s;
  tset_add(&m->buffers->filled, t->tid);
}

static void forget(struct machine *m, uint32_t owner, uint32_t thread, uint64_t address, uint64_t size) {
  struct buffer *b = &m->buffers->of[owner];
  for (size_t i = 0; i < b->stores.count; i++) {
    struct store *s = &b->stores.data[i];
    if (!overlap(s, address, size)) continue;
    if (owner == thread)
      s->over = true;
    else
      s->freed = true;
  }
}

void buffers_forget(struct machine *m, uint32_t thread, uint64_t address, uint64_t size) {
  const struct tset *filled = &m->buffers->filled;
  for (uint32_t t = tset_next(filled, 0); t < AGENTS_FROM; t = tset_next(filled, t + 1)) forget(m, t, thread, address, size);
}

void buffers_forget_stack(struct machine *m, uint32_t thread, uint64_t sp) {
  uint64_t end = region_base(thread) + REGION_STACK_SIZE;
  if (sp < end) buffers_forget(m, thread, sp, end - sp);
}

uint64_t buffer_peek(const struct machine *m, uint32_t thread, uint64_t address, uint64_t size) {
  const struct buffer *b = &m->buffers->of[thread];
  uint8_t bytes[8] = {0};
  memcpy(bytes, host_at(address), size < sizeof bytes ? size : sizeof bytes);
  for (size_t i = 0; i < b->stores.count; i++) {
    const struct store *s = &b->stores.data[i];
    if (s->over || s->freed || !overlap(s, address, size)) continue;
    for (uint64_t k = 0; k < size && k < sizeof bytes; k++)
      if (address + k - s->address < s->size) bytes[k] = b->data.data[s->data + (address + k - s->address)];
  }
  uint64_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

/* --- flushes --- */

/* May store `i` be flushed before those in front of it? Under PSO the order of stores that overlap is kept, and what came before a release
 * comes before it. */
static bool may_flush(const struct machine *m, const struct buffer *b, size_t i) {
  if (i == 0) return true;
  const struct store *s = &b->stores.data[i];
  if (!m->buffers->pso || s->order == ORDER_RELEASE) return false;
  for (size_t k = 0; k < i; k++)
    if (overlap(&b->stores.data[k], s->address, s->size)) return false;
  return true;
}

uint32_t buffer_alternatives(const struct machine *m, uint32_t thread) {
  const struct buffer *b = &m->buffers->of[thread];
  uint32_t n = 0;
  for (size_t i = 0; i < b->stores.count; i++) n += may_flush(m, b, i);
  return n;
}

static struct event flush_event(const struct machine *m, uint32_t thread, const struct store *s) {
  struct event e = {.op = EVENT_FLUSH, .order = s->order, .flags = m->buffers->pso ? EVENT_OVERTAKEN : 0};
  e.thread = agent_of(thread), e.site = s->site, e.object = s->address, e.size = s->size, e.value2 = s->event;
  memcpy(&e.value, m->buffers->of[thread].data.data + s->data, s->size < 8 ? s->size : 8);
  return e;
}

static void drop(struct machine *m, uint32_t thread, size_t i) {
  struct buffer *b = &m->buffers->of[thread];
  uint64_t from = b->stores.data[i].data, n = 2 * b->stores.data[i].size;
  memmove(b->data.data + from, b->data.data + from + n, b->data.count - from - n);
  b->data.count -= n;
  memmove(&b->stores.data[i], &b->stores.data[i + 1], (b->stores.count - i - 1) * sizeof *b->stores.data);
  b->stores.count--;
  for (; i < b->stores.count; i++) b->stores.data[i].data -= n;
  if (b->stores.count == 0) tset_remove(&m->buffers->filled, thread);
}

static bool addressable(const struct store *s) {
  for (uint64_t i = 0; i < s->size; i++)
    if (!(*shadow_at(s->address + i) & SHADOW_OK)) return false;
  return true;
}

static size_t store_of_choice(const struct machine *m, const struct buffer *b, uint32_t choice) {
  size_t i = 0;
  while (!may_flush(m, b, i) || choice-- > 0) i++;
  return i;
}

struct event machine_flush(const struct machine *m, uint32_t agent, uint32_t choice) {
  const struct buffer *b = &m->buffers->of[agent - AGENTS_FROM];
  return flush_event(m, agent - AGENTS_FROM, &b->stores.data[store_of_choice(m, b, choice)]);
}

void buffer_flush(struct machine *m, uint32_t thread, uint32_t choice) {
  struct buffer *b = &m->buffers->of[thread];
  struct thread *agent = m->threads[agent_of(thread)];
  size_t i = store_of_choice(m, b, choice);
  struct store s = b->stores.data[i];
  struct event e = flush_event(m, thread, &s);
  event_append(m, agent, &e);
  if (!s.over && (s.freed || !addressable(&s))) {
    m->site = s.site;
    access_fail_flush(m, m->threads[thread], s.address, s.size);
  } else {
    swap(m, &s, b->data.data + s.data);
  }
  drop(m, thread, i);
}

/* Nothing else runs inside an atomic section. */
static bool in_section(const struct machine *m) {
  for (uint32_t t = tset_next(&m->enabled, 0); t < THREADS_MAX; t = tset_next(&m->enabled, t + 1))
    if (m->threads[t]->atomic) return true;
  return false;
}

void buffers_show(struct machine *m) {
  struct buffers *all = m->buffers;
  if (all->overflow && m->status == MACHINE_RUNNING) m->status = MACHINE_LIMIT;
  if (m->status != MACHINE_RUNNING) m->enabled = (struct tset){0};
  all->enabled = m->enabled, all->alive = m->alive;
  bool flushes = m->status == MACHINE_RUNNING && !in_section(m);
  for (uint32_t t = tset_next(&all->filled, 0); t < AGENTS_FROM; t = tset_next(&all->filled, t + 1)) {
    m->threads[agent_of(t)]->pending = flush_event(m, t, &all->of[t].stores.data[0]);
    tset_add(&all->alive, agent_of(t));
    if (flushes) tset_add(&all->enabled, agent_of(t));
    if (event_drains(&m->threads[t]->pending)) tset_remove(&all->enabled, t);
  }
}

/* --- states --- */

/* A buffer is saved as [events of the agent, stores, bytes of data, 0: 32 bits each | stores | data, a multiple of 8 bytes]. */
void buffers_save(struct machine *m) {
  for (uint32_t i = 0; i < m->ncreated; i++) {
    const struct buffer *b = &m->buffers->of[m->created[i]];
    const uint32_t head[4] = {m->threads[agent_of(m->created[i])]->events, (uint32_t)b->stores.count, (uint32_t)b->data.count, 0};
    size_t stores = head[1] * sizeof *b->stores.data, data = (head[2] + 7) & ~7ull;
    unsigned char *to = vec_push_n(&m->saved, sizeof head + stores + data);
    memcpy(to, head, sizeof head);
    if (stores) memcpy(to + sizeof head, b->stores.data, stores);
    if (data) memcpy(to + sizeof head + stores, b->data.data, head[2]);
  }
}

const unsigned char *buffers_load(struct machine *m, const unsigned char *from, uint32_t created) {
  for (uint32_t i = 0; i < m->ncreated; i++) {
    vec_clear(&m->buffers->of[m->created[i]].stores);
    vec_clear(&m->buffers->of[m->created[i]].data);
  }
  m->buffers->filled = (struct tset){0};
  m->buffers->overflow = false;
  for (uint32_t i = 0; i < created; i++) {
    uint32_t head[4], thread = m->created[i];
    struct buffer *b = &m->buffers->of[thread];
    memcpy(head, from, sizeof head);
    from += sizeof head;
    m->threads[agent_of(thread)]->events = head[0];
    if (!head[1]) continue;
    memcpy(vec_push_n(&b->stores, head[1]), from, head[1] * sizeof *b->stores.data);
    from += head[1] * sizeof *b->stores.data;
    memcpy(vec_push_n(&b->data, head[2]), from, head[2]);
    from += (head[2] + 7) & ~7ull;
    tset_add(&m->buffers->filled, thread);
  }
  return from;
}

struct fingerprint buffers_fingerprint(const struct machine *m) {
  struct fingerprint f = {0};
  const struct tset *filled = &m->buffers->filled;
  for (uint32_t t = tset_next(filled, 0); t < AGENTS_FROM; t = tset_next(filled, t + 1)) {
    const struct buffer *b = &m->buffers->of[t];
    uint64_t h = b->stores.count;
    for (size_t i = 0; i < b->stores.count; i++) {
      const struct store *s = &b->stores.data[i];
      h = hash_pair(hash_pair(h, s->address), hash_pair(s->size, (uint64_t)s->site << 8 | s->order << 2 | s->over << 1 | s->freed));
    }
    fingerprint_xor(&f, fingerprint_of(agent_of(t) + 1, hash_bytes(b->data.data, b->data.count, h)));
  }
  return f;
}
