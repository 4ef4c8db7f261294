#include "predict/window.h"

#include <stdlib.h>
#include <string.h>

#include "strategy/mcr/trace.h"

#define NONE UINT32_MAX

void window_release(struct window *w) {
  vec_release(&w->model);
  vec_release(&w->origins);
  vec_release(&w->ends);
  vec_release(&w->open);
  vec_release(&w->stores);
  vec_release(&w->seen);
  hashmap_release(&w->granules);
  vec_release(&w->memory);
  hashmap_release(&w->reads);
}

void window_begin(struct window *w, const struct mcr_trace *trace) {
  w->trace = trace;
  w->from = w->to = w->flushed = 0;
  w->is_watched = false;
  vec_clear(&w->ends);
  vec_clear(&w->open);
  vec_clear(&w->stores);
  vec_clear(&w->seen);
  vec_clear(&w->origins);
  vec_clear(&w->memory);
  hashmap_clear(&w->granules);
  hashmap_clear(&w->reads);
}

bool window_may_begin(const struct mcr_trace *trace, uint32_t event) {
  return event == 0 || (trace->steps.data[event] != trace->steps.data[event - 1] && !(trace->events.data[event].flags & EVENT_INTERNAL));
}

static bool is_access(const struct event *e) {
  return e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_AWAIT;
}

static bool watches(const struct event *e) { return is_access(e) && (e->op == EVENT_AWAIT || (e->flags & EVENT_WAITS)); }

/* --- memory --- */

/* The bytes of granule `g` that are among [low, high). */
static uint8_t mask_of(uint64_t g, uint64_t low, uint64_t high) {
  uint32_t from = low > 8 * g ? (uint32_t)(low - 8 * g) : 0, to = high < 8 * g + 8 ? (uint32_t)(high - 8 * g) : 8;
  return (uint8_t)((0xffu >> (8 - to)) & (0xffu << from));
}

static uint64_t spread(uint8_t mask) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < 8; i++) bits |= mask >> i & 1 ? 0xffull << 8 * i : 0;
  return bits;
}

static struct window_granule *granule_at(const struct window *w, uint64_t g) {
  const uint64_t *at = hashmap_find(&w->granules, g);
  return at ? &w->memory.data[*at] : NULL;
}

/* Small accesses alone: where there are none the model does not ask. */
static void number_granules(struct window *w) {
  for (uint32_t i = 0; i < w->trace->n + w->trace->pending; i++) {
    const struct event *e = &w->trace->events.data[i];
    w->is_watched |= watches(e);
    if (!is_access(e) || e->size > 8 || e->size == 0) continue;
    for (uint64_t g = e->object / 8; g <= (e->object + e->size - 1) / 8; g++) {
      bool is_new = false;
      (void)hashmap_at(&w->granules, g, w->memory.count, &is_new);
      if (is_new) *vec_push(&w->memory) = (struct window_granule){0};
    }
  }
}

/* The granule has these bytes of `value`, which stands at `address`. */
static void set_bytes(struct window_granule *x, uint64_t g, uint8_t mask, uint64_t address, uint64_t value) {
  uint64_t bits = spread(mask), shifted = address > 8 * g ? value << 8 * (address - 8 * g) : value >> 8 * (8 * g - address);
  x->value = (x->value & ~bits) | (shifted & bits);
  x->known |= mask, x->vague &= (uint8_t)~mask;
}

/* What a large access writes is not known; nor what will be there behind a free. */
static void set_memory(struct window *w, const struct event *e, uint64_t value, bool writes) {
  if (e->size == 0) return;
  for (uint64_t g = e->object / 8; g <= (e->object + e->size - 1) / 8; g++) {
    struct window_granule *x = granule_at(w, g);
    uint8_t mask = mask_of(g, e->object, e->object + e->size);
    if (!x) continue;
    if (e->size <= 8 && e->op != EVENT_FREE)
      set_bytes(x, g, mask, e->object, value);
    else if (writes)
      x->vague |= mask, x->known &= (uint8_t)~mask;
  }
}

bool window_initial(const struct window *w, uint64_t address, uint32_t size,
                    bool (*initial)(void *data, uint64_t address, uint32_t size, uint64_t *value), void *data, uint64_t *value) {
  uint64_t known = 0, bits = 0, was = 0, all = size < 8 ? (1ull << 8 * size) - 1 : UINT64_MAX;
  for (uint64_t g = address / 8; g <= (address + size - 1) / 8; g++) {
    const struct window_granule *x = granule_at(w, g);
    if (!x) continue;
    if (x->vague & mask_of(g, address, address + size)) return false;
    uint64_t has = spread(x->known), held = x->value & has;
    known |= address > 8 * g ? has >> 8 * (address - 8 * g) : has << 8 * (8 * g - address);
    bits |= address > 8 * g ? held >> 8 * (address - 8 * g) : held << 8 * (8 * g - address);
  }
  if ((known & all) != all && !(initial && initial(data, address, size, &was))) return false;
  *value = ((bits & known) | (was & ~known)) & all;
  return true;
}

/* --- what is kept --- */

static struct window_kept copy_of(const struct window *w, uint32_t event) {
  struct window_kept x = {.origin = event, .event = w->trace->events.data[event]};
  x.event.flags &= (uint8_t)~EVENT_INTERNAL; /* sections are over */
  return x;
}

static struct window_kept *keep(struct window *w, uint32_t event) {
  struct window_kept *x = vec_push(&w->open);
  *x = copy_of(w, event);
  return x;
}

static void drop(struct window *w, size_t i) {
  memmove(&w->open.data[i], &w->open.data[i + 1], (w->open.count - i - 1) * sizeof *w->open.data);
  w->open.count--;
}

/* The thread's last event of this kind at the object; or open.count. */
static size_t last_open(const struct window *w, uint32_t thread, enum event_op op, uint64_t object, bool given_up) {
  for (size_t i = w->open.count; i-- > 0;) {
    const struct window_kept *x = &w->open.data[i];
    if (x->event.thread == thread && x->event.op == op && x->event.object == object && x->given_up == given_up) return i;
  }
  return w->open.count;
}

static void take_lock(struct window *w, uint32_t event, uint64_t lock) {
  struct window_kept *x = keep(w, event);
  x->event.op = EVENT_ACQUIRE;
  x->event.object = lock, x->event.value2 = 0;
  x->event.flags &= EVENT_SHARED_LOCK;
}

static void release_lock(struct window *w, uint32_t thread, uint64_t lock) {
  size_t i = last_open(w, thread, EVENT_ACQUIRE, lock, false);
  if (i < w->open.count) drop(w, i);
}

static void enter_wait(struct window *w, const struct event *e, uint32_t event) {
  size_t i = e->value2 ? last_open(w, e->thread, EVENT_ACQUIRE, e->value2, false) : w->open.count;
  if (i < w->open.count) w->open.data[i].given_up = true;
  (void)keep(w, event);
}

static void leave_wait(struct window *w, const struct event *e, uint32_t event) {
  size_t i = last_open(w, e->thread, EVENT_WAIT_ENTER, e->object, false);
  if (i < w->open.count) {
    uint64_t mutex = w->open.data[i].event.value2;
    drop(w, i);
    i = last_open(w, e->thread, EVENT_ACQUIRE, mutex, true);
    if (i < w->open.count) drop(w, i);
  }
  for (i = w->open.count; i-- > 0;) {
    struct event *x = &w->open.data[i].event;
    if ((x->op != EVENT_SIGNAL && x->op != EVENT_BROADCAST) || x->object != e->object || e->thread >= 64) continue;
    x->value &= ~(1ull << e->thread);
    if (x->value == 0) drop(w, i);
  }
  if (e->value2 && !(e->flags & EVENT_TIMED_OUT)) take_lock(w, event, e->value2);
}

/* Forgets arrivals in the rounds before `round`. */
static void forget_rounds(struct window *w, uint64_t barrier, uint64_t round) {
  for (size_t i = w->open.count; i-- > 0;) {
    const struct event *x = &w->open.data[i].event;
    if (x->op == EVENT_BARRIER_ENTER && x->object == barrier && x->value < round) drop(w, i);
  }
}

/* Forgets arrivals at barriers of this memory: another one there begins to count again. */
static void forget_barriers(struct window *w, const struct event *freed) {
  for (size_t i = w->open.count; i-- > 0;) {
    const struct event *x = &w->open.data[i].event;
    if (x->op == EVENT_BARRIER_ENTER && x->object >= freed->object && x->object < freed->object + freed->size) drop(w, i);
  }
}

static void operate(struct window *w, const struct event *e, uint32_t event) {
  if (e->op == EVENT_ACQUIRE) take_lock(w, event, e->object);
  if (e->op == EVENT_RELEASE) release_lock(w, e->thread, e->object);
  if (e->op == EVENT_WAIT_ENTER) enter_wait(w, e, event);
  if (e->op == EVENT_WAIT_LEAVE) leave_wait(w, e, event);
  if ((e->op == EVENT_SIGNAL || e->op == EVENT_BROADCAST) && e->value) (void)keep(w, event);
  if (e->op != EVENT_BARRIER_ENTER) return;
  forget_rounds(w, e->object, e->value ? e->value - 1 : 0);
  (void)keep(w, event);
}

static uint64_t read_key(const struct event *e) { return hash_pair(hash_pair(e->object, e->size), e->thread); }

/* Under TSO and PSO a read may come from the thread's own buffer: it says nothing about memory. */
static void access_memory(struct window *w, const struct event *e, uint32_t event) {
  if (e->op == EVENT_WRITE && w->trace->buffers && (e->flags & EVENT_BUFFERED)) {
    *vec_push(&w->stores) = copy_of(w, event);
    return;
  }
  if (e->op == EVENT_READ && !w->trace->buffers) set_memory(w, e, e->value, false);
  if (e->op == EVENT_WRITE) set_memory(w, e, e->value, true);
  if (e->op == EVENT_RMW) set_memory(w, e, e->value2, true);
  if (w->is_watched && (e->op == EVENT_READ || e->op == EVENT_RMW)) *hashmap_at(&w->reads, read_key(e), event, NULL) = event;
}

static void flush(struct window *w, uint32_t store) {
  for (size_t i = 0; i < w->stores.count; i++) {
    if (w->stores.data[i].origin != store) continue;
    const struct event *e = &w->trace->events.data[store];
    set_memory(w, e, e->value, true);
    memmove(&w->stores.data[i], &w->stores.data[i + 1], (w->stores.count - i - 1) * sizeof *w->stores.data);
    w->stores.count--;
    return;
  }
}

/* The flushes that came before the event. */
static void flush_until(struct window *w, uint32_t event) {
  const struct mcr_trace *t = w->trace;
  for (; w->flushed < t->flushes.count && t->flushes.data[w->flushed].at <= event; w->flushed++)
    flush(w, t->flushes.data[w->flushed].event);
}

static void pass(struct window *w, uint32_t event) {
  const struct event *e = &w->trace->events.data[event];
  flush_until(w, event);
  if (e->op == EVENT_END) *vec_push(&w->ends) = copy_of(w, event);
  if (e->op == EVENT_FREE) {
    set_memory(w, e, 0, true);
    forget_barriers(w, e);
  }
  if (is_access(e)) access_memory(w, e, event);
  operate(w, e, event);
}

void window_move(struct window *w, uint32_t to) {
  if (w->from == 0 && w->to > 0) number_granules(w);
  for (uint32_t i = w->from; i < w->to; i++) pass(w, i);
  w->from = w->to, w->to = to;
  if (w->from) flush_until(w, w->from);
  vec_clear(&w->origins);
}

/* --- what the window needs --- */

static void see(struct window *w, uint32_t event) {
  for (size_t i = 0; i < w->seen.count; i++)
    if (w->seen.data[i].origin == event) return;
  struct window_kept *x = vec_push(&w->seen);
  *x = copy_of(w, event);
  x->event.op = EVENT_READ, x->event.flags = 0; /* what an update wrote is in memory */
}

/* Without what is in memory the model would take a read of the prefix for that. */
static bool is_vague(const struct window *w, const struct event *e) {
  for (uint64_t g = e->object / 8; e->size && g <= (e->object + e->size - 1) / 8; g++) {
    const struct window_granule *x = granule_at(w, g);
    if (!x || (x->vague & mask_of(g, e->object, e->object + e->size))) return true;
  }
  return false;
}

static void find_read(struct window *w, const struct event *e) {
  const uint64_t *at = hashmap_find(&w->reads, read_key(e));
  if (at && !is_vague(w, e)) see(w, (uint32_t)*at);
}

static int by_origin(const void *a, const void *b) {
  const struct window_kept *x = a, *y = b;
  return (x->origin > y->origin) - (x->origin < y->origin);
}

/* All that is kept, in the trace's order. */
static void gather(struct window *w) {
  size_t n = w->ends.count + w->open.count + w->stores.count, own = w->seen.count;
  struct window_kept *to = vec_push_n(&w->seen, n);
  if (w->ends.count) memcpy(to, w->ends.data, w->ends.count * sizeof *to);
  if (w->open.count) memcpy(to + w->ends.count, w->open.data, w->open.count * sizeof *to);
  if (w->stores.count) memcpy(to + w->ends.count + w->open.count, w->stores.data, w->stores.count * sizeof *to);
  if (n + own > 1) qsort(w->seen.data, n + own, sizeof *to, by_origin);
}

struct causal_trace window_model(struct window *w, bool cut) {
  const struct mcr_trace *t = w->trace;
  bool last = w->to == t->n;
  uint32_t end = w->to + (last ? t->pending : 0);
  if (w->from == 0)
    return (struct causal_trace){.events = t->events.data, .n = w->to, .pending = last ? t->pending : 0, .cut = last && cut};
  vec_clear(&w->seen);
  for (uint32_t i = w->from; i < end; i++) {
    if (watches(&t->events.data[i])) find_read(w, &t->events.data[i]);
  }
  gather(w);
  vec_clear(&w->model);
  vec_clear(&w->origins);
  for (size_t i = 0; i < w->seen.count; i++) {
    *vec_push(&w->model) = w->seen.data[i].event;
    *vec_push(&w->origins) = w->seen.data[i].origin;
  }
  uint32_t kept = (uint32_t)w->origins.count;
  if (end > w->from) memcpy(vec_push_n(&w->model, end - w->from), t->events.data + w->from, (end - w->from) * sizeof(struct event));
  return (struct causal_trace){
      .events = w->model.data, .n = kept + w->to - w->from, .prefix = kept, .pending = end - w->to, .cut = last && cut};
}
