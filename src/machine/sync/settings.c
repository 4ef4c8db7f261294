#include "machine/sync/settings.h"

#include <sched.h>
#include <string.h>

#include "machine/memory/access.h"
#include "machine/sync/sync.h"

/* struct hd_settings and struct hd_attributes of models/libc/settings.h. */
enum {
  SETTING_SCHEDULING = 16,
  SETTING_PROCESSORS = 24,
  SETTING_FLAGS = 32,
  SETTING_GUARD = 40,
  SETTING_STACK = 48,
  SETTING_STACK_SIZE = 56,
  SETTING_CEILINGS = 64
};
enum {
  ATTRIBUTE_POLICY = 4,
  ATTRIBUTE_FLAGS = 8,
  ATTRIBUTE_GUARD = 16,
  ATTRIBUTE_STACK = 24,
  ATTRIBUTE_STACK_SIZE = 32,
  ATTRIBUTE_MORE = 40
};
enum { MORE_SIGNALS = 0, MORE_HAS_SIGNALS = 8, MORE_USABLE = 16, MORE_PROCESSORS = 32 };
enum { FLAG_DETACHED = 1, FLAG_EXPLICIT = 2, GUARD_DEFAULT = 4096 };

static uint64_t find_global(const struct image *image, const char *name) {
  for (uint32_t i = 0; i < image->nglobals; i++) {
    const struct image_global *g = &image->globals[i];
    if ((g->flags & (GLOBAL_TLS | GLOBAL_MODEL)) == GLOBAL_MODEL && strcmp(image_string(image, g->name), name) == 0) return g->address;
  }
  return 0;
}

void settings_bind(struct machine *m) {
  m->settings_offset = builtin_thread_local(m->image, "thread_settings");
  m->default_attributes = find_global(m->image, "__hd_default_attributes");
}

static bool told(const struct machine *m) { return m->settings_offset != UINT64_MAX; }
static uint64_t settings_of(const struct machine *m, uint32_t tid) { return region_tls(tid) + m->settings_offset; }

/* A policy of its own needs a priority that it knows: 0 for the usual one, 1 to 99 for the others. */
static bool scheduling_possible(uint64_t scheduling) {
  uint32_t policy = (uint32_t)scheduling, priority = (uint32_t)(scheduling >> 32);
  return policy == SCHED_OTHER ? priority == 0 : priority >= 1 && priority <= PRIORITY_MOST;
}

/* Reads `n` bytes at each of these addresses. */
static enum run read_fields(struct machine *m, struct thread *t, uint64_t base, uint32_t n, uint32_t count, const uint32_t *offsets,
                            uint64_t *const *to) {
  for (uint32_t i = 0; i < count; i++)
    if (access_read(m, t, base + offsets[i], n, to[i]) != RUN_GO) return RUN_STOP;
  return RUN_GO;
}

static enum run read_more(struct machine *m, struct thread *t, uint64_t more, struct thread_wish *wish) {
  uint64_t has_signals = 0, set = 0;
  const uint32_t offsets[] = {MORE_SIGNALS, MORE_HAS_SIGNALS, MORE_USABLE, MORE_PROCESSORS};
  uint64_t *const to[] = {&wish->signals, &has_signals, &wish->processors, &set};
  if (read_fields(m, t, more, 8, 4, offsets, to) != RUN_GO) return RUN_STOP;
  wish->has_signals = has_signals;
  wish->possible &= !set || wish->processors;
  return RUN_GO;
}

enum run settings_look(struct machine *m, struct thread *t, uint64_t address) {
  uint64_t first, more = 0;
  enum run run = sync_told(m, t, address, ATTRIBUTE_MORE + 8, &first);
  if (run != RUN_GO || t->phase != PHASE_TOLD) return run;
  if (address) more = memory_get(address + ATTRIBUTE_MORE);
  if (more && (run = access_plain_read(m, t, more, MORE_PROCESSORS + 8)) != RUN_GO) return run;
  t->phase = PHASE_TOLD_MORE;
  return RUN_GO;
}

enum run settings_read(struct machine *m, struct thread *t, uint64_t address, struct thread_wish *wish) {
  *wish = (struct thread_wish){.possible = true, .guard = GUARD_DEFAULT};
  if (!address && m->default_attributes) {
    address = memory_get(m->default_attributes);
    wish->by_default = true;
  }
  if (!address) return RUN_GO;
  uint64_t policy = 0, priority = 0, more = 0;
  const uint32_t words[] = {ATTRIBUTE_FLAGS}, all[] = {ATTRIBUTE_GUARD, ATTRIBUTE_STACK, ATTRIBUTE_STACK_SIZE, ATTRIBUTE_MORE};
  uint64_t *const to_words[] = {&wish->flags}, *const to_all[] = {&wish->guard, &wish->stack, &wish->stack_size, &more};
  if (read_fields(m, t, address, 4, 1, words, to_words) != RUN_GO || read_fields(m, t, address, 8, 4, all, to_all) != RUN_GO)
    return RUN_STOP;
  wish->detached = wish->flags & FLAG_DETACHED;
  wish->explicit_scheduling = wish->flags & FLAG_EXPLICIT;
  if (wish->explicit_scheduling) {
    if (access_read(m, t, address + ATTRIBUTE_POLICY, 4, &policy) != RUN_GO) return RUN_STOP;
    if (access_read(m, t, address, 4, &priority) != RUN_GO) return RUN_STOP;
    wish->scheduling = priority << 32 | policy;
    wish->possible = scheduling_possible(wish->scheduling);
  }
  return more ? read_more(m, t, more, wish) : RUN_GO;
}

/* The present step has read this word of the models, which other threads may write. */
static uint64_t note_read(struct machine *m, struct thread *t, uint64_t address) {
  uint64_t value = memory_get(address);
  if (m->single) return value;
  struct event *e = machine_record(m, t, EVENT_READ, address, 8);
  e->order = ORDER_ACQUIRE;
  return e->value = value;
}

static uint64_t stack_size(const struct machine *m, const struct thread_wish *wish) {
  uint64_t usual = m->default_attributes ? memory_get(m->default_attributes) : 0;
  return wish->stack_size || !usual ? wish->stack_size : memory_get(usual + ATTRIBUTE_STACK_SIZE);
}

void settings_give(struct machine *m, struct thread *t, const struct thread *child, const struct thread_wish *wish) {
  if (m->signals_offset != UINT64_MAX) {
    uint64_t mask = wish->has_signals ? wish->signals : memory_get(region_tls(t->tid) + m->signals_offset);
    memory_put(&m->memory, region_tls(child->tid) + m->signals_offset, mask);
  }
  if (wish->by_default) note_read(m, t, m->default_attributes);
  if (!told(m)) return;
  uint64_t from = settings_of(m, t->tid), to = settings_of(m, child->tid);
  for (uint64_t i = 0; i < SETTING_SCHEDULING; i += 8) memory_put(&m->memory, to + i, note_read(m, t, from + i));
  uint64_t scheduling = note_read(m, t, from + SETTING_SCHEDULING), processors = note_read(m, t, from + SETTING_PROCESSORS);
  memory_put(&m->memory, to + SETTING_SCHEDULING, wish->explicit_scheduling ? wish->scheduling : scheduling);
  memory_put(&m->memory, to + SETTING_PROCESSORS, wish->processors ? wish->processors : processors);
  memory_put(&m->memory, to + SETTING_FLAGS, wish->flags);
  memory_put(&m->memory, to + SETTING_GUARD, (wish->stack ? 0 : wish->guard) + 1);
  memory_put(&m->memory, to + SETTING_STACK, wish->stack);
  memory_put(&m->memory, to + SETTING_STACK_SIZE, stack_size(m, wish));
}

uint32_t settings_priority(const struct machine *m, const struct thread *t) {
  return told(m) ? (uint32_t)(memory_get(settings_of(m, t->tid) + SETTING_SCHEDULING) >> 32) : 0;
}

void settings_hold_ceiling(struct machine *m, uint32_t tid, uint32_t ceiling, bool holds) {
  if (!told(m)) return;
  uint64_t at = settings_of(m, tid) + SETTING_CEILINGS + ceiling, word = at & ~7ull, one = 1ull << (at & 7) * 8;
  memory_put(&m->memory, word, holds ? memory_get(word) + one : memory_get(word) - one);
}

void settings_detach(struct machine *m, struct thread *t, const struct thread *other) {
  if (!told(m) || other->state != THREAD_LIVE) return;
  uint64_t at = settings_of(m, other->tid) + SETTING_FLAGS;
  memory_put(&m->memory, at, memory_get(at) | FLAG_DETACHED);
  if (m->single) return;
  struct event *e = machine_record(m, t, EVENT_WRITE, at, 8);
  e->order = ORDER_RELAXED, e->value = memory_get(at);
}
