#include "happens/section.h"

#include <string.h>

static struct section *section_at(struct sections *s, uint32_t thread, uint32_t site, bool *is_new) {
  *is_new = false;
  for (size_t i = 0; i < s->known.count; i++) {
    if (s->known.data[i].thread == thread && s->known.data[i].site == site) return &s->known.data[i];
  }
  *is_new = true;
  struct section *section = vec_push(&s->known);
  *section = (struct section){.thread = thread, .site = site};
  return section;
}

static bool is_access(uint8_t op) {
  return op == EVENT_READ || op == EVENT_WRITE || op == EVENT_RMW || op == EVENT_AWAIT || op == EVENT_ALLOC || op == EVENT_FREE;
}

/* An event as an access that depends on at least what the event depends on: synchronisation writes its object. */
static struct event as_access(const struct event *e) {
  struct event access = {.op = EVENT_READ, .flags = EVENT_INTERNAL, .thread = e->thread, .site = e->site, .object = e->object};
  access.size = e->size ? e->size : 1;
  if (e->op != EVENT_READ && e->op != EVENT_AWAIT) access.op = EVENT_WRITE;
  return access;
}

static bool touches(uint8_t op) { return is_access(op) || (op >= EVENT_ACQUIRE && op <= EVENT_SEM_WAIT); }

static bool covers(const struct event *events, size_t n, const struct event *access) {
  for (size_t i = 0; i < n; i++) {
    const struct event *e = &events[i];
    if (is_access(e->op) && e->object == access->object && e->size == access->size && (access->op == EVENT_READ || e->op != EVENT_READ))
      return true;
  }
  return false;
}

/* The section that a step belongs to which makes the events from `from` on: it begins it, or goes on with it behind a choice or a wait.
 * NULL: none. */
static struct section *section_of(struct sections *s, const struct event *trace, uint32_t from, bool *is_new) {
  uint32_t thread = trace[from].thread, begin = from;
  if (trace[from].op != EVENT_ATOMIC && !(trace[from].flags & EVENT_INTERNAL)) return NULL;
  while (begin > 0 && (trace[begin].thread != thread || trace[begin].op != EVENT_ATOMIC)) begin--;
  return section_at(s, thread, trace[begin].site, is_new);
}

const struct event *sections_complete(struct sections *s, const struct event *trace, uint32_t from, uint32_t *n) {
  bool is_new;
  const struct event *events = trace + from;
  struct section *section = *n ? section_of(s, trace, from, &is_new) : NULL;
  if (!section) return events;
  for (uint32_t i = 0; i < *n; i++) {
    if (!touches(events[i].op) || !(events[i].flags & EVENT_INTERNAL)) continue;
    struct event access = as_access(&events[i]);
    if (covers(section->touched.data, section->touched.count, &access)) continue;
    *vec_push(&section->touched) = access;
    s->grown |= !is_new, s->news = true;
  }
  vec_clear(&s->buffer);
  memcpy(vec_push_n(&s->buffer, *n), events, *n * sizeof *events);
  for (size_t i = 0; i < section->touched.count; i++) {
    if (!covers(events, *n, &section->touched.data[i])) *vec_push(&s->buffer) = section->touched.data[i];
  }
  *n = (uint32_t)s->buffer.count;
  return s->buffer.data;
}

void sections_release(struct sections *s) {
  for (size_t i = 0; i < s->known.count; i++) vec_release(&s->known.data[i].touched);
  vec_release(&s->known);
  vec_release(&s->buffer);
}
