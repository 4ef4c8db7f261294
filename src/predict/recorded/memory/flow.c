#include "predict/recorded/memory/flow.h"

#include <string.h>

#include "predict/recorded/owners.h"

#define NONE RECORDED_NONE
#define WIDE 4096u /* bytes of an access that are looked at */

struct telling {
  void (*knows)(void *data, uint32_t thread, uint32_t block, uint32_t position);
  void *data;
  uint32_t thread, position; /* the run's number of the thread; from where on */
};

static uint32_t number_of(struct flow *f, uint64_t thread) {
  bool is_new = false;
  uint64_t *at = hashmap_at(&f->numbers, thread, f->threads, &is_new);
  f->threads += is_new;
  return (uint32_t)*at;
}

static uint32_t *row(struct flow *f, uint32_t number) { return &f->known.data[(size_t)number * f->threads]; }
static uint32_t *record(struct flow *f, uint32_t i) { return &f->records.data[(size_t)i * f->threads]; }

static uint32_t add_record(struct flow *f) {
  uint32_t i = (uint32_t)(f->records.count / f->threads);
  vec_push_n(&f->records, f->threads);
  return i;
}

/* The thread learns what the row says. */
static void learn(struct flow *f, const uint32_t *from, const struct telling *t) {
  uint32_t number = number_of(f, t->thread), *to = row(f, number);
  for (uint32_t by = 0; by < f->threads; by++) {
    if (from[by] <= to[by]) continue;
    for (uint32_t k = to[by]; k < from[by]; k++) t->knows(t->data, t->thread, f->blocks.data[f->begins.data[by] + k], t->position);
    to[by] = from[by];
    f->current.data[number] = NONE;
  }
}

/* --- memory --- */

static void read_memory(struct flow *f, const struct event *e, const struct telling *t) {
  uint64_t size = e->size < WIDE ? e->size : WIDE;
  for (uint64_t granule = e->object / 8; granule <= (e->object + size - 1) / 8; granule++) {
    const uint64_t *at = hashmap_find(&f->written, granule);
    if (at) learn(f, record(f, (uint32_t)*at), t);
  }
}

static uint32_t record_of(struct flow *f, uint32_t number) {
  if (f->current.data[number] == NONE) {
    uint32_t i = add_record(f);
    memcpy(record(f, i), row(f, number), f->threads * sizeof(uint32_t));
    f->current.data[number] = i;
  }
  return f->current.data[number];
}

/* Of a part of eight bytes: the others say what they said. */
static uint32_t both(struct flow *f, uint32_t a, uint32_t b) {
  if (a == b) return a;
  uint32_t i = add_record(f);
  for (uint32_t k = 0; k < f->threads; k++) {
    uint32_t x = record(f, a)[k], y = record(f, b)[k];
    record(f, i)[k] = x > y ? x : y;
  }
  return i;
}

static void write_memory(struct flow *f, const struct event *e) {
  uint64_t size = e->size < WIDE ? e->size : WIDE;
  uint32_t now = record_of(f, number_of(f, e->thread));
  for (uint64_t granule = e->object / 8; granule <= (e->object + size - 1) / 8; granule++) {
    bool is_new = false, whole = e->object <= granule * 8 && e->object + size >= granule * 8 + 8;
    uint64_t *at = hashmap_at(&f->written, granule, now, &is_new);
    *at = whole || is_new ? now : both(f, (uint32_t)*at, now);
  }
}

static void access(struct flow *f, const struct event *e, const struct telling *t) {
  if (e->op == EVENT_READ || e->op == EVENT_RMW) read_memory(f, e, t);
  if (e->op == EVENT_WRITE || e->op == EVENT_RMW) write_memory(f, e);
}

/* --- events --- */

static void begin(struct flow *f, const struct event *window, uint32_t n, const struct flow_block *blocks, uint32_t count) {
  f->threads = 0;
  hashmap_clear(&f->numbers), hashmap_clear(&f->written);
  vec_clear(&f->known), vec_clear(&f->records), vec_clear(&f->current), vec_clear(&f->blocks), vec_clear(&f->begins);
  for (uint32_t i = 0; i < n; i++) {
    (void)number_of(f, window[i].thread);
    if (window[i].op == EVENT_FORK || window[i].op == EVENT_JOIN) (void)number_of(f, window[i].object);
  }
  if (f->threads == 0) return;
  memset(vec_push_n(&f->known, (size_t)f->threads * f->threads), 0, (size_t)f->threads * f->threads * sizeof(uint32_t));
  memset(vec_push_n(&f->current, f->threads), 0xff, f->threads * sizeof(uint32_t));
  for (uint32_t number = 0; number < f->threads; number++) {
    *vec_push(&f->begins) = (uint32_t)f->blocks.count;
    for (uint32_t k = 0; k < count; k++)
      if (number_of(f, window[blocks[k].position].thread) == number) *vec_push(&f->blocks) = blocks[k].block;
  }
}

void flow_find(struct flow *f, const struct event *window, uint32_t n, const struct flow_block *blocks, uint32_t count,
               void (*knows)(void *data, uint32_t thread, uint32_t block, uint32_t position), void *data) {
  begin(f, window, n, blocks, count);
  for (uint32_t i = 0, k = 0; i < n; i++) {
    const struct event *e = &window[i];
    struct telling t = {knows, data, e->thread, i + 1};
    if (recorded_is_access(e) && e->object < RECORDED_ORDERS) access(f, e, &t);
    if (e->op == EVENT_JOIN && !(e->flags & EVENT_TIMED_OUT)) learn(f, row(f, number_of(f, e->object)), &t);
    if (e->op == EVENT_FORK) t.thread = (uint32_t)e->object, learn(f, row(f, number_of(f, e->thread)), &t);
    if (k == count || blocks[k].position != i) continue;
    uint32_t number = number_of(f, e->thread);
    row(f, number)[number]++, f->current.data[number] = NONE;
    knows(data, e->thread, blocks[k++].block, i + 1);
  }
}

void flow_release(struct flow *f) {
  hashmap_release(&f->numbers);
  hashmap_release(&f->written);
  vec_release(&f->known);
  vec_release(&f->records);
  vec_release(&f->current);
  vec_release(&f->blocks);
  vec_release(&f->begins);
}
