#include "machine/memory/buffer.h"

#include <string.h>

#include "machine/memory/access.h"
#include "machine/symbolic/symbolic.h"

void buffers_new(struct machine *m) {
  m->buffers = mem_alloc(sizeof *m->buffers);
  m->buffers->pso = m->options.memory == MEMORY_PSO;
}

void buffers_free(struct machine *m) {
  if (!m->buffers) return;
  for (uint32_t t = 0; t < AGENTS_FROM; t++) {
    vec_release(&m->buffers->of[t].stores);
    vec_release(&m->buffers->of[t].data);
    vec_release(&m->buffers->of[t].slots);
    vec_release(&m->buffers->of[t].agents);
  }
  mem_free(m->buffers, sizeof *m->buffers);
}

static void agents_begin(struct machine *m, const struct buffer *b) {
  for (size_t i = 0; i < b->agents.count; i++) m->threads[b->agents.data[i]]->events = 0;
}

void buffer_begin(struct machine *m, uint32_t thread) {
  vec_clear(&m->buffers->of[thread].slots);
  agents_begin(m, &m->buffers->of[thread]);
}

void buffer_drained(struct machine *m, uint32_t thread) { vec_clear(&m->buffers->of[thread].slots); }

/* The agent of the thread's slot, perhaps a new one; THREADS_MAX: there are no more. */
static uint32_t agent_at(struct machine *m, uint32_t thread, size_t slot) {
  struct buffers *all = m->buffers;
  struct buffer *b = &all->of[thread];
  if (slot < b->agents.count) return b->agents.data[slot];
  if (all->nagents == THREADS_MAX - AGENTS_FROM) return THREADS_MAX;
  uint32_t tid = AGENTS_FROM + all->nagents;
  all->agents[all->nagents++].owner = thread;
  *vec_push(&b->agents) = tid;
  text_printf(&m->names[tid], "%s's stores", text_str(&m->names[thread]));
  m->threads[tid] = mem_alloc(sizeof *m->threads[tid]);
  m->threads[tid]->tid = tid;
  return tid;
}

static uint32_t agent_for(struct machine *m, uint32_t thread, uint64_t address) {
  struct buffer *b = &m->buffers->of[thread];
  size_t slot = 0;
  while (m->buffers->pso && slot < b->slots.count && b->slots.data[slot] != address) slot++;
  if (m->buffers->pso && slot == b->slots.count) *vec_push(&b->slots) = address;
  return agent_at(m, thread, slot);
}

static inline bool overlap(const struct store *a, uint64_t address, uint64_t size) {
  return a->address < address + size && address < a->address + a->size;
}

/* --- what the thread sees --- */

/* Of a store of `size` bytes are kept: the bytes, whether each was never written, and, where there is symbolic data, 8 bytes for the
 * expression of each (symbolic_byte()). */
static uint64_t kept(const struct machine *m, uint64_t size) { return size * (m->symbolic ? 10 : 2); }

static void swap_expressions(struct machine *m, const struct store *s, uint8_t *expressions) {
  for (uint64_t i = 0; i < s->size; i++) {
    uint64_t of, was = symbolic_byte(m, s->address + i);
    memcpy(&of, expressions + 8 * i, sizeof of);
    symbolic_put(m->symbolic, s->address + i, of);
    memcpy(expressions + 8 * i, &was, sizeof was);
  }
}

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
  if (m->symbolic) swap_expressions(m, s, data + 2 * s->size);
}

static bool is_symbolic(const struct buffer *b) {
  for (size_t i = 0; i < b->stores.count; i++) {
    const struct store *s = &b->stores.data[i];
    const uint8_t *expressions = b->data.data + s->data + 2 * s->size;
    for (uint64_t k = 0; k < 8 * s->size; k++)
      if (expressions[k]) return true;
  }
  return false;
}

bool buffers_symbolic(const struct machine *m) {
  for (uint32_t k = 0; m->symbolic && k < m->ncreated; k++)
    if (is_symbolic(&m->buffers->of[m->created[k]])) return true;
  return false;
}

void buffer_fix(struct machine *m, uint32_t thread) {
  struct buffer *b = &m->buffers->of[thread];
  for (size_t i = 0; i < b->stores.count; i++) {
    const struct store *s = &b->stores.data[i];
    uint8_t *expressions = b->data.data + s->data + 2 * s->size;
    for (uint64_t k = 0; k < s->size; k++) {
      uint64_t of;
      memcpy(&of, expressions + 8 * k, sizeof of);
      if (of) symbolic_fix_expression(m, of);
    }
    memset(expressions, 0, 8 * s->size);
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
  uint32_t agent = agent_for(m, t->tid, address);
  if (b->stores.count == STORES_MAX || agent == THREADS_MAX) {
    m->buffers->overflow = true;
    return;
  }
  struct store s = {.address = address, .size = size, .data = b->data.count, .event = e->index, .site = e->site};
  s.agent = (uint8_t)agent, s.order = e->order;
  uint8_t *data = vec_push_n(&b->data, kept(m, size));
  memcpy(data, host_at(address), size);
  for (uint64_t i = 0; i < size; i++) data[size + i] = shadow_at(address)[i] & SHADOW_UNINIT;
  for (uint64_t i = 0; m->symbolic && i < size; i++) memcpy(data + 2 * size + 8 * i, &(uint64_t){symbolic_byte(m, address + i)}, 8);
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

static struct event flush_event(const struct machine *m, uint32_t thread, const struct store *s) {
  struct event e = {.op = EVENT_FLUSH, .order = s->order, .thread = s->agent, .site = s->site, .object = s->address, .size = s->size};
  e.value2 = flush_value2(thread, s->event);
  memcpy(&e.value, m->buffers->of[thread].data.data + s->data, s->size < 8 ? s->size : 8);
  return e;
}

static void drop(struct machine *m, uint32_t thread, size_t i) {
  struct buffer *b = &m->buffers->of[thread];
  uint64_t from = b->stores.data[i].data, n = kept(m, b->stores.data[i].size);
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

/* The agent's oldest store. */
static size_t first_of(const struct buffer *b, uint32_t agent) {
  size_t i = 0;
  while (b->stores.data[i].agent != agent) i++;
  return i;
}

uint32_t machine_oldest_flush(const struct machine *m, uint32_t thread) {
  if (!m->buffers || thread >= AGENTS_FROM) return THREADS_MAX;
  const struct buffer *b = &m->buffers->of[thread];
  for (size_t i = 0; i < b->stores.count; i++)
    if (tset_has(&m->buffers->enabled, b->stores.data[i].agent) && may_flush(m, b, i)) return b->stores.data[i].agent;
  return THREADS_MAX;
}

void buffer_flush(struct machine *m, uint32_t agent) {
  uint32_t thread = m->buffers->agents[agent - AGENTS_FROM].owner;
  struct buffer *b = &m->buffers->of[thread];
  size_t i = first_of(b, agent);
  struct store s = b->stores.data[i];
  if (m->symbolic && m->nspinning) buffer_fix(m, thread); /* somebody waits for a change: is it one? */
  struct event e = flush_event(m, thread, &s);
  event_append(m, m->threads[agent], &e);
  m->site = s.site;
  if (!s.over && (s.freed || !addressable(&s))) {
    access_fail_flush(m, m->threads[thread], s.address, s.size);
  } else if (s.over || access_flush(m, m->threads[thread], s.address, s.size) == RUN_GO) {
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

/* The agents of the thread's stores: what each flushes next, and whether it may now. */
static void show(struct machine *m, uint32_t thread, bool flushes) {
  struct buffers *all = m->buffers;
  const struct buffer *b = &all->of[thread];
  for (size_t i = 0; i < b->stores.count; i++) {
    uint32_t agent = b->stores.data[i].agent;
    if (tset_has(&all->alive, agent)) continue;
    tset_add(&all->alive, agent);
    m->threads[agent]->pending = flush_event(m, thread, &b->stores.data[i]);
    if (flushes && may_flush(m, b, i)) tset_add(&all->enabled, agent);
  }
}

void buffers_show(struct machine *m) {
  struct buffers *all = m->buffers;
  if (all->overflow && m->status == MACHINE_RUNNING) m->status = MACHINE_LIMIT;
  if (m->status != MACHINE_RUNNING) m->enabled = (struct tset){0};
  all->enabled = m->enabled, all->alive = m->alive;
  bool flushes = m->status == MACHINE_RUNNING && !in_section(m);
  for (uint32_t t = tset_next(&all->filled, 0); t < AGENTS_FROM; t = tset_next(&all->filled, t + 1)) {
    show(m, t, flushes);
    if (event_drains(&m->threads[t]->pending)) tset_remove(&all->enabled, t);
  }
}

/* --- states --- */

/* A buffer is saved as [numbers of stores, bytes of data, slots, agents: 32 bits each | events of each agent: 64 bits | stores | slots |
 * data, a multiple of 8 bytes]. */
void buffers_save(struct machine *m) {
  for (uint32_t i = 0; i < m->ncreated; i++) {
    const struct buffer *b = &m->buffers->of[m->created[i]];
    const uint32_t head[4] = {(uint32_t)b->stores.count, (uint32_t)b->data.count, (uint32_t)b->slots.count, (uint32_t)b->agents.count};
    size_t stores = head[0] * sizeof *b->stores.data, slots = head[2] * 8ull, agents = head[3] * 8ull, data = (head[1] + 7) & ~7ull;
    unsigned char *to = vec_push_n(&m->saved, sizeof head + agents + stores + slots + data);
    memcpy(to, head, sizeof head);
    to += sizeof head;
    for (uint32_t k = 0; k < head[3]; k++, to += 8) memcpy(to, &(uint64_t){m->threads[b->agents.data[k]]->events}, 8);
    if (stores) memcpy(to, b->stores.data, stores);
    if (slots) memcpy(to + stores, b->slots.data, slots);
    if (data) memcpy(to + stores + slots, b->data.data, head[1]);
  }
}

static const unsigned char *load(struct machine *m, uint32_t thread, const unsigned char *from) {
  uint32_t head[4];
  struct buffer *b = &m->buffers->of[thread];
  memcpy(head, from, sizeof head);
  from += sizeof head;
  for (uint32_t k = 0; k < head[3]; k++, from += 8) {
    uint64_t events;
    memcpy(&events, from, 8);
    m->threads[b->agents.data[k]]->events = (uint32_t)events;
  }
  if (head[0]) memcpy(vec_push_n(&b->stores, head[0]), from, head[0] * sizeof *b->stores.data);
  from += head[0] * sizeof *b->stores.data;
  if (head[2]) memcpy(vec_push_n(&b->slots, head[2]), from, head[2] * 8ull);
  from += head[2] * 8ull;
  if (head[1]) memcpy(vec_push_n(&b->data, head[1]), from, head[1]);
  if (head[0]) tset_add(&m->buffers->filled, thread);
  return from + ((head[1] + 7) & ~7ull);
}

const unsigned char *buffers_load(struct machine *m, const unsigned char *from, uint32_t created) {
  for (uint32_t i = 0; i < m->ncreated; i++) {
    struct buffer *b = &m->buffers->of[m->created[i]];
    vec_clear(&b->stores);
    vec_clear(&b->data);
    vec_clear(&b->slots);
    agents_begin(m, b);
  }
  m->buffers->filled = (struct tset){0};
  m->buffers->overflow = false;
  for (uint32_t i = 0; i < created; i++) from = load(m, m->created[i], from);
  return from;
}

/* Slots belong to the state: they decide which agent will flush what. */
struct fingerprint buffers_fingerprint(const struct machine *m) {
  struct fingerprint f = {0};
  for (uint32_t k = 0; k < m->ncreated; k++) {
    uint32_t t = m->created[k];
    const struct buffer *b = &m->buffers->of[t];
    if (b->stores.count + b->slots.count == 0) continue;
    uint64_t h = hash_bytes(b->slots.data, b->slots.count * sizeof *b->slots.data, b->stores.count);
    for (size_t i = 0; i < b->stores.count; i++) {
      const struct store *s = &b->stores.data[i];
      h = hash_pair(hash_pair(h, s->address), hash_pair(s->size, (uint64_t)s->site << 8 | s->order << 2 | s->over << 1 | s->freed));
    }
    fingerprint_xor(&f, fingerprint_of(AGENTS_FROM + t + 1, hash_bytes(b->data.data, b->data.count, h)));
  }
  return f;
}
