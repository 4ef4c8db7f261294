#include "predict/recorded/memory/values.h"

#include "predict/recorded/model.h"

static struct contents_word held_before(struct recorded_model *m, uint64_t address, unsigned size, bool names) {
  struct contents_word w = contents_read(&m->state->memory, address, size);
  if (names) w = pointers_over(contents_read(&m->state->names, address, size), w);
  return pointers_over(contents_read(&m->fresh, address, size), w);
}

/* Not inlined: gcc 12 at -O2, without link-time optimisation, makes wrong code of recorded_values_name() with it (recorded-lives misses
 * races; not so with -fno-tree-vrp, nor if anything is printed there; no sanitizer finds fault with it). */
[[gnu::noinline]] static uint64_t name_of(const struct recorded_model *m, const struct event *e, uint64_t value, uint64_t position) {
  if (e->size != 8 || !pointers_may_be(value)) return value;
  uint64_t block = blocks_at(&m->blocks, value);
  if (!block) block = blocks_at(&m->state->blocks, value);
  return block ? pointers_name(e->op == EVENT_RMW ? EVENT_WRITE : e->op, value, block, position) : value;
}

/* What the window has left there, or what was there before. */
static struct contents_word holds(struct recorded_model *m, uint64_t address, unsigned size, bool names) {
  struct contents_word before = held_before(m, address, size, names), now = contents_read(names ? &m->names : &m->memory, address, size);
  uint8_t lost = contents_read(&m->lost, address, size).known;
  for (unsigned i = 0; i < size; i++)
    if (lost >> i & 1) before.value &= ~(0xffull << 8 * i);
  before.known &= (uint8_t)~lost;
  return pointers_over(now, before);
}

static void lose(struct recorded_model *m, const struct event *e) {
  contents_forget(&m->memory, e->object, e->size);
  contents_forget(&m->names, e->object, e->size);
  contents_zero(&m->lost, e->object, e->size);
}

void recorded_values_name(struct recorded_model *m, struct event *e, uint64_t position) {
  if (e->op == EVENT_FREE || !m->any_block) return;
  if (e->size > 8 || (e->flags & EVENT_BLANK)) {
    if (e->op != EVENT_READ) lose(m, e);
    return;
  }
  unsigned size = (unsigned)e->size;
  uint64_t value = e->op == EVENT_RMW ? e->value2 : e->value, name = 0;
  struct contents_word there = holds(m, e->object, size, false), named = holds(m, e->object, size, true);
  bool explained = e->op != EVENT_WRITE && pointers_same(there, contents_word_of(e->value, size));
  if (e->op != EVENT_READ || !explained) name = name_of(m, e, value, position);
  if (e->op == EVENT_READ) e->value = explained ? named.value : name;
  if (e->op == EVENT_RMW) e->value = explained ? named.value : e->value, e->value2 = name;
  if (e->op == EVENT_WRITE) e->value = name;
  contents_write(&m->memory, e->object, size, contents_word_of(value, size));
  contents_write(&m->names, e->object, size, contents_word_of(e->op == EVENT_RMW ? name : e->value, size));
}

void recorded_values_begin(struct recorded_model *m) {
  contents_clear(&m->fresh);
  contents_clear(&m->memory);
  contents_clear(&m->names);
  contents_clear(&m->lost);
  blocks_clear(&m->blocks);
  m->allocations = m->state->allocations;
  m->any_block = m->allocations > 0;
  for (uint32_t i = 0; i < m->n && !m->any_block; i++) m->any_block = m->window[i].op == EVENT_ALLOC;
}

bool recorded_model_initial(void *data, uint64_t address, uint32_t size, uint64_t *value) {
  struct contents_word w = held_before(data, address, size, true);
  *value = w.value;
  return w.known == (1u << size) - 1;
}
