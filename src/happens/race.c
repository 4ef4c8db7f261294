#include "happens/race.h"

#include <string.h>

#include "happens/sync_edge.h"

#define NONE UINT32_MAX

/* Kinds of things in the one table. */
enum { KEY_GRANULE, KEY_SYNC, KEY_SECTION, KEYS };

/* Behind the clock of an atomic location: its bytes of the granule; the granule's next location. Locations have no byte in common: a store
 * takes its bytes from those that had them. So an access finds what was released to each of its bytes, whatever their stores' sizes. */
enum { ROW_MASK, ROW_NEXT, ROW_EXTRA };

/* Rows of a thread: its clock; what its relaxed reads would acquire at a fence; what its last release fence released. */
enum { ROW_CLOCK, ROW_PENDING, ROW_FENCE, ROWS };

static inline uint32_t *row_of(const struct races *r, uint32_t thread, uint32_t row) {
  return r->clocks + ((size_t)thread * ROWS + row) * r->width;
}

static inline uint32_t *clock_of(const struct races *r, uint32_t thread) { return row_of(r, thread, ROW_CLOCK); }

static inline void join(const struct races *r, uint32_t *restrict to, const uint32_t *restrict from) {
  for (uint32_t t = 0; t < r->width; t += 4) {
    for (uint32_t i = t; i < t + 4; i++) to[i] = to[i] > from[i] ? to[i] : from[i];
  }
}

static inline void copy(const struct races *r, uint32_t *to, const uint32_t *from) { memcpy(to, from, r->width * sizeof *to); }

static inline uint32_t *row_to_work_with(const struct races *r) { return row_of(r, r->width, 0); }

/* The rows of all threads, and one to work with. */
static size_t clocks_size(uint32_t width) { return width ? ((size_t)width * width * ROWS + width) * sizeof(uint32_t) : 0; }

static void widen(struct races *r, uint32_t threads) {
  uint32_t width = r->width ? r->width : 4;
  while (width < threads) width *= 2;
  mem_free(r->clocks, clocks_size(r->width));
  r->clocks = mem_alloc(clocks_size(width));
  r->width = width;
}

static void grow(struct races *r) {
  uint32_t cap = r->cap ? r->cap * 2 : 256;
  struct race_slot *slots = mem_alloc(cap * sizeof *slots);
  for (uint32_t i = 0; i < r->cap; i++) {
    if (r->slots[i].stamp != r->stamp) continue;
    uint32_t j = (uint32_t)(r->slots[i].key * 0x9e3779b97f4a7c15u >> 32) & (cap - 1); /* place_of() in the new table */
    while (slots[j].stamp == r->stamp) j = (j + 1) & (cap - 1);
    slots[j] = r->slots[i];
  }
  mem_free(r->slots, r->cap * sizeof *r->slots);
  r->slots = slots, r->cap = cap;
}

static inline uint32_t place_of(const struct races *r, uint64_t key) { return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & (r->cap - 1); }

[[gnu::noinline]] static struct race_slot *slot_search(struct races *r, uint64_t key) {
  if ((r->used + 1) * 2 > r->cap) grow(r);
  uint32_t j = place_of(r, key);
  for (; r->slots[j].stamp == r->stamp; j = (j + 1) & (r->cap - 1)) {
    if (r->slots[j].key == key) return &r->slots[j];
  }
  r->slots[j] = (struct race_slot){key, r->stamp, NONE, NONE, NONE};
  r->used++;
  return &r->slots[j];
}

/* The slot of an address in the present trace. The pointer holds until the next call. */
static inline struct race_slot *slot_at(struct races *r, uint64_t address, uint32_t kind) {
  uint64_t key = address * KEYS + kind;
  if (r->cap) {
    struct race_slot *slot = &r->slots[place_of(r, key)];
    if (slot->key == key && slot->stamp == r->stamp) return slot;
  }
  return slot_search(r, key);
}

[[gnu::noinline]] static uint32_t new_row(struct races *r) {
  uint32_t row = (uint32_t)r->rows.count, n = r->width + ROW_EXTRA;
  memset(vec_push_n(&r->rows, n), 0, n * sizeof(uint32_t));
  return row;
}

static inline uint32_t *mask_of_row(const struct races *r, uint32_t row) { return &r->rows.data[row + r->width + ROW_MASK]; }
static inline uint32_t next_row(const struct races *r, uint32_t row) { return r->rows.data[row + r->width + ROW_NEXT]; }

/* Joins what was released to the bytes. */
static void join_locations(const struct races *r, uint32_t *to, const struct race_slot *slot, uint8_t mask) {
  for (uint32_t row = slot->row; row != NONE; row = next_row(r, row)) {
    if (*mask_of_row(r, row) & mask) join(r, to, r->rows.data + row);
  }
}

/* Takes the bytes from the locations that have them; gives one that has none left, or NONE. A plain write does no more: who reads it
 * synchronises with nobody. */
static uint32_t cut_locations(const struct races *r, const struct race_slot *slot, uint8_t mask) {
  uint32_t empty = NONE;
  for (uint32_t row = slot->row; row != NONE; row = next_row(r, row)) {
    *mask_of_row(r, row) &= ~(uint32_t)mask;
    if (!*mask_of_row(r, row)) empty = row;
  }
  return empty;
}

/* The location of just these bytes, to be written. */
static uint32_t *location_clock(struct races *r, struct race_slot *slot, uint8_t mask) {
  uint32_t row = cut_locations(r, slot, mask);
  if (row == NONE) {
    row = new_row(r);
    r->rows.data[row + r->width + ROW_NEXT] = slot->row;
    slot->row = row;
  }
  *mask_of_row(r, row) = mask;
  return r->rows.data + row;
}

/* A lock held for reading is ordered behind its writers, one held for writing behind its readers, too. */
static inline void acquire(struct races *r, uint32_t t, uint64_t address, bool shared) {
  const struct race_slot *slot = slot_at(r, address, KEY_SYNC);
  if (slot->row != NONE) join(r, clock_of(r, t), r->rows.data + slot->row);
  if (!shared && slot->shared != NONE) join(r, clock_of(r, t), r->rows.data + slot->shared);
}

static inline void release(struct races *r, uint32_t t, uint64_t address, bool shared) {
  struct race_slot *slot = slot_at(r, address, KEY_SYNC);
  uint32_t *row = shared ? &slot->shared : &slot->row, *clock = clock_of(r, t);
  if (*row == NONE) *row = new_row(r);
  join(r, r->rows.data + *row, clock);
  clock[t]++;
}

static inline bool acquires(uint8_t order) { return order == ORDER_ACQUIRE || order >= ORDER_ACQ_REL; }
static inline bool releases(uint8_t order) { return order == ORDER_RELEASE || order >= ORDER_ACQ_REL; }

static void fence(struct races *r, const struct event *e) {
  uint32_t *clock = clock_of(r, e->thread);
  if (acquires(e->order)) join(r, clock, row_of(r, e->thread, ROW_PENDING));
  if (releases(e->order)) {
    copy(r, row_of(r, e->thread, ROW_FENCE), clock);
    clock[e->thread]++;
  }
}

static void report(struct races *r, const struct event *trace, uint32_t first, uint32_t second) {
  uint64_t a = trace[first].site, b = trace[second].site;
  bool is_new;
  hashmap_at(&r->known, a < b ? a << 32 | b : b << 32 | a, 1, &is_new);
  if (is_new) *vec_push(&r->found) = first < second ? (struct race_pair){first, second} : (struct race_pair){second, first};
}

/* Does the later access `x` make `y` superfluous, which is ordered before it? */
static inline bool covers(const struct race_access *x, const struct race_access *y) {
  return (y->mask & ~x->mask) == 0 && (x->write || !y->write) && (!x->atomic || y->atomic);
}

/* Compares with the list, drops what `x` makes superfluous, and puts it in front. `clock` is that of its thread at `x`, which may be a
 * store that is flushed now: then its own thread may have gone on. */
[[gnu::noinline]] static void access_list(struct races *r, const struct event *trace, const struct race_access *x, struct race_slot *slot,
                                          const uint32_t *clock) {
  uint32_t *link = &slot->head, reuse = NONE;
  while (*link != NONE) {
    struct race_access *y = &r->accesses.data[*link];
    bool ordered = clock[y->thread] >= y->clock && y->event < x->event;
    if (!ordered && y->thread != x->thread && (y->mask & x->mask) && (y->write || x->write) && !(y->atomic && x->atomic))
      report(r, trace, y->event, x->event);
    if (ordered && covers(x, y)) {
      reuse = *link;
      *link = y->next;
    } else {
      link = &y->next;
    }
  }
  if (reuse == NONE) {
    reuse = (uint32_t)r->accesses.count;
    (void)vec_push(&r->accesses);
  }
  r->accesses.data[reuse] = *x;
  r->accesses.data[reuse].next = slot->head;
  slot->head = reuse;
}

/* One granule's part of an access. Most take the place of the one before. */
static inline void access_slot(struct races *r, const struct event *trace, const struct race_access *x, struct race_slot *slot) {
  if (slot->head != NONE) {
    struct race_access *y = &r->accesses.data[slot->head];
    if (y->next == NONE && clock_of(r, x->thread)[y->thread] >= y->clock && covers(x, y)) {
      *y = *x;
      return;
    }
  }
  access_list(r, trace, x, slot, clock_of(r, x->thread));
}

/* --- atomics --- */

static inline uint8_t mask_of(const struct event *e, uint64_t granule) {
  uint64_t from = e->object > granule ? e->object - granule : 0, end = e->object + e->size - granule, to = end < 8 ? end : 8;
  return (uint8_t)((0xffu << from) & (0xffu >> (8 - to)));
}

/* Most accesses lie in one granule, and its first location has their bytes: its row, or NONE. */
static inline uint32_t usual_location(const struct races *r, const struct event *e, const struct race_slot *slot, uint8_t mask) {
  bool one = (e->object & 7) + e->size <= 8;
  return one && slot->row != NONE && *mask_of_row(r, slot->row) == mask ? slot->row : NONE;
}

/* `slot`: of the first granule; also the result. */
static struct race_slot *atomic_load(struct races *r, const struct event *e, struct race_slot *slot) {
  uint32_t *to = acquires(e->order) ? clock_of(r, e->thread) : row_of(r, e->thread, ROW_PENDING);
  uint64_t first = e->object & ~7ull, end = e->object + e->size;
  join_locations(r, to, slot, mask_of(e, first));
  if (end <= first + 8) return slot;
  for (uint64_t granule = first + 8; granule < end; granule += 8)
    join_locations(r, to, slot_at(r, granule / 8, KEY_GRANULE), mask_of(e, granule));
  return slot_at(r, first / 8, KEY_GRANULE);
}

static void put_locations(struct races *r, const struct event *e, const uint32_t *clock) {
  for (uint64_t granule = e->object & ~7ull; granule < e->object + e->size; granule += 8)
    copy(r, location_clock(r, slot_at(r, granule / 8, KEY_GRANULE), mask_of(e, granule)), clock);
}

/* A store starts a release sequence; read-modify-writes go on with one. `slot`: of its granule, if it lies in one. */
static void atomic_store(struct races *r, const struct event *e, const struct race_slot *slot) {
  uint32_t t = e->thread, *clock = clock_of(r, t), *from = releases(e->order) ? clock : row_of(r, t, ROW_FENCE);
  uint32_t row = usual_location(r, e, slot, mask_of(e, e->object & ~7ull)), *released = row_to_work_with(r);
  if (row != NONE && e->op == EVENT_RMW) {
    join(r, r->rows.data + row, from);
  } else if (row != NONE) {
    copy(r, r->rows.data + row, from);
  } else {
    copy(r, released, from);
    for (uint64_t granule = e->object & ~7ull; e->op == EVENT_RMW && granule < e->object + e->size; granule += 8)
      join_locations(r, released, slot_at(r, granule / 8, KEY_GRANULE), mask_of(e, granule));
    put_locations(r, e, released);
  }
  if (releases(e->order)) clock[t]++;
}

/* --- accesses --- */

static void free_large(struct races *r, const struct event *trace, struct race_access *x) {
  const struct event *e = &trace[x->event];
  /* Looks at what was touched instead of at all there is. Nothing valid touches it later. */
  for (uint32_t j = 0; j < r->cap; j++) {
    uint64_t granule = r->slots[j].key / KEYS * 8;
    if (r->slots[j].stamp != r->stamp || r->slots[j].key % KEYS != KEY_GRANULE) continue;
    if (granule < e->object || granule >= e->object + e->size) continue;
    x->mask = 0xff;
    access_slot(r, trace, x, &r->slots[j]);
    cut_locations(r, &r->slots[j], x->mask);
  }
}

static void access(struct races *r, const struct event *trace, uint32_t i) {
  const struct event *e = &trace[i];
  bool reads = e->op == EVENT_READ || e->op == EVENT_RMW, writes = e->op != EVENT_READ;
  bool atomic = e->order != ORDER_PLAIN && e->op != EVENT_FREE;
  struct race_access x = {.thread = e->thread, .event = i, .next = NONE, .write = writes, .atomic = atomic};
  uint64_t granule = e->object & ~7ull;
  if (e->size == 0) return;
  struct race_slot *slot = slot_at(r, granule / 8, KEY_GRANULE);
  if (atomic && reads) slot = atomic_load(r, e, slot);
  x.clock = clock_of(r, e->thread)[e->thread];
  if (e->op == EVENT_FREE && e->size / 8 > r->cap) {
    free_large(r, trace, &x);
    return;
  }
  for (;;) {
    x.mask = mask_of(e, granule);
    access_slot(r, trace, &x, slot);
    if (!atomic && writes) cut_locations(r, slot, x.mask);
    granule += 8;
    if (granule >= e->object + e->size) break;
    slot = slot_at(r, granule / 8, KEY_GRANULE);
  }
  if (atomic && writes) atomic_store(r, e, slot);
}

/* --- store buffers --- */

/* Atomic or plain: what a load acquires that reads from a plain one is nothing. */
static void store_issued(struct races *r, const struct event *trace, uint32_t i) {
  const struct event *e = &trace[i];
  uint32_t t = e->thread, issued = new_row(r), released = new_row(r), *clock = clock_of(r, t);
  *vec_push(&r->stores) = (struct race_store){i, issued, released};
  copy(r, r->rows.data + issued, clock);
  if (e->order == ORDER_PLAIN) return;
  copy(r, r->rows.data + released, releases(e->order) ? clock : row_of(r, t, ROW_FENCE));
  if (releases(e->order)) clock[t]++;
}

/* The store is compared with the accesses before its flush. */
static void store_done(struct races *r, const struct event *trace, const struct race_store *store) {
  const struct event *e = &trace[store->event];
  bool atomic = e->order != ORDER_PLAIN;
  struct race_access x = {.thread = e->thread, .event = store->event, .next = NONE, .write = true, .atomic = atomic};
  x.clock = r->rows.data[store->issued + e->thread];
  for (uint64_t granule = e->object & ~7ull; granule < e->object + e->size; granule += 8) {
    struct race_slot *slot = slot_at(r, granule / 8, KEY_GRANULE);
    x.mask = mask_of(e, granule);
    access_list(r, trace, &x, slot, r->rows.data + store->issued);
    if (!atomic) cut_locations(r, slot, x.mask);
  }
  if (!atomic) return;
  uint32_t *released = row_to_work_with(r);
  copy(r, released, r->rows.data + store->released); /* rows may move */
  put_locations(r, e, released);
}

static void store_flushed(struct races *r, const struct event *trace, const struct event *flush) {
  size_t i = 0;
  while (!event_flushes_for(flush, &trace[r->stores.data[i].event]) || trace[r->stores.data[i].event].index != flush_store(flush)) i++;
  struct race_store store = r->stores.data[i];
  r->stores.data[i] = vec_pop(&r->stores);
  store_done(r, trace, &store);
}

static void begin_thread(struct races *r, uint32_t t, const uint32_t *parent) {
  uint32_t before = r->started[t] == r->stamp ? clock_of(r, t)[t] : 0; /* of one that was joined, whose number it has */
  memset(row_of(r, t, 0), 0, (size_t)ROWS * r->width * sizeof(uint32_t));
  if (parent) copy(r, clock_of(r, t), parent);
  clock_of(r, t)[t] = before + 1;
  r->started[t] = r->stamp;
}

/* --- atomic sections (__VERIFIER_atomic_begin) ---
 *
 * They exclude each other, but are not ordered by one lock for all of them: the order of two sections that do not conflict is not one that
 * an exploration reverses, so it must not hide races. Each byte has the clocks of the sections that wrote it (`row`) and that
 * read it (`shared`). */

static bool section_goes_on(const struct races *r, const struct event *e) { return e->thread == r->section && (e->flags & EVENT_INTERNAL); }

static void join_section(struct races *r, uint32_t t, const struct race_slot *slot, bool writes) {
  if (slot->row != NONE) join(r, clock_of(r, t), r->rows.data + slot->row);
  if (writes && slot->shared != NONE) join(r, clock_of(r, t), r->rows.data + slot->shared);
}

static void enter_free(struct races *r, const struct event *e) {
  for (uint32_t j = 0; j < r->cap; j++) {
    const struct race_slot *slot = &r->slots[j];
    bool inside = slot->key / KEYS >= e->object && slot->key / KEYS - e->object < e->size;
    if (slot->stamp == r->stamp && slot->key % KEYS == KEY_SECTION && inside) join_section(r, e->thread, slot, true);
  }
}

static void enter_section(struct races *r, const struct event *e) {
  bool reads = e->op == EVENT_READ, writes = e->op == EVENT_WRITE || e->op == EVENT_RMW;
  for (uint64_t at = e->object; (reads || writes) && at < e->object + e->size; at++) {
    join_section(r, e->thread, slot_at(r, at, KEY_SECTION), writes);
  }
  if (e->op == EVENT_FREE) enter_free(r, e); /* nothing valid comes behind it */
}

static void leave_section(struct races *r, const struct event *e) {
  bool reads = e->op == EVENT_READ, writes = e->op == EVENT_WRITE || e->op == EVENT_RMW;
  for (uint64_t at = e->object; (reads || writes) && at < e->object + e->size; at++) {
    struct race_slot *slot = slot_at(r, at, KEY_SECTION);
    uint32_t *row = writes ? &slot->row : &slot->shared;
    if (*row == NONE) *row = new_row(r);
    join(r, r->rows.data + *row, clock_of(r, e->thread));
  }
}

/* Before event i: ends the open section, begins one. A section happens as a whole behind all that its events conflict with. */
static void sections(struct races *r, const struct event *trace, uint32_t i, uint32_t n) {
  if (r->section != NONE && !section_goes_on(r, &trace[i])) {
    for (uint32_t k = r->section_from; k < i; k++) leave_section(r, &trace[k]);
    clock_of(r, r->section)[r->section]++;
    r->section = NONE;
  }
  /* What a section goes on with behind others' steps; else it belongs to a step of the usual kind. */
  bool goes_on = (trace[i].flags & EVENT_INTERNAL) && (i == 0 || trace[i - 1].thread != trace[i].thread);
  if (r->section != NONE || (trace[i].op != EVENT_ATOMIC && !goes_on)) return;
  r->section = trace[i].thread;
  r->section_from = i;
  for (uint32_t k = i; k < n && (k == i || section_goes_on(r, &trace[k])); k++) enter_section(r, &trace[k]);
}

/* Before what the operation acquires: who hands over a mutex does not tell by it that the mutex was initialised. */
static void uses(struct races *r, const struct event *trace, uint32_t i) {
  struct sync_use use = sync_use(&trace[i]);
  struct race_access x = {.thread = trace[i].thread, .event = i, .next = NONE, .atomic = true};
  x.clock = clock_of(r, x.thread)[x.thread];
  for (unsigned k = 0; k < use.count; k++) {
    x.mask = sync_use_mask(use.objects[k]);
    access_slot(r, trace, &x, slot_at(r, use.objects[k] / 8, KEY_GRANULE));
  }
}

static void synchronise(struct races *r, const struct event *trace, uint32_t i) {
  const struct event *e = &trace[i];
  struct sync_edge edge = sync_edge(e);
  uses(r, trace, i);
  for (unsigned k = 0; k < edge.count && edge.kind == SYNC_EDGE_ACQUIRE; k++) acquire(r, e->thread, edge.objects[k], edge.shared);
  if (edge.kind == SYNC_EDGE_RELEASE) release(r, e->thread, edge.objects[0], edge.shared);
}

static void step(struct races *r, const struct event *trace, uint32_t i) {
  const struct event *e = &trace[i];
  uint32_t t = e->thread;
  if (e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_FREE) {
    if (e->op == EVENT_WRITE && (e->flags & EVENT_BUFFERED))
      store_issued(r, trace, i);
    else
      access(r, trace, i);
  } else if (e->op == EVENT_FORK) {
    begin_thread(r, (uint32_t)e->object, clock_of(r, t));
    clock_of(r, t)[t]++;
  } else if (e->op == EVENT_JOIN) {
    if (!(e->flags & EVENT_TIMED_OUT)) join(r, clock_of(r, t), clock_of(r, (uint32_t)e->object));
  } else if (e->op == EVENT_FENCE) {
    fence(r, e);
  } else {
    synchronise(r, trace, i);
  }
}

/* How many threads there are; 0 if nothing in the trace can race. */
static uint32_t survey(const struct event *trace, uint32_t n) {
  const uint64_t accesses = 1ull << EVENT_READ | 1ull << EVENT_WRITE | 1ull << EVENT_FREE;
  uint32_t last = 0;
  bool plain = false;
  for (const struct event *e = trace; e < trace + n; e++) {
    if (e->op == EVENT_FLUSH) continue;
    plain |= e->order == ORDER_PLAIN && (accesses >> e->op & 1);
    if (e->thread > last) last = e->thread;
    if (e->op == EVENT_FORK && e->object > last) last = (uint32_t)e->object;
  }
  return plain ? last + 1 : 0;
}

void races_find(struct races *r, const struct event *trace, uint32_t n) {
  vec_clear(&r->found);
  vec_clear(&r->rows);
  vec_clear(&r->accesses);
  vec_clear(&r->stores);
  if (!locksets_may_race(&r->locksets, trace, n)) return;
  uint32_t threads = survey(trace, n);
  if (threads == 0) return;
  if (threads > r->width) widen(r, threads);
  if (++r->stamp == 0) { /* wrapped: old stamps would look new */
    if (r->slots) memset(r->slots, 0, r->cap * sizeof *r->slots);
    memset(r->started, 0, sizeof r->started);
    r->stamp = 1;
  }
  r->used = 0;
  r->section = NONE;
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &trace[i];
    if (e->op == EVENT_FLUSH) {
      store_flushed(r, trace, e);
      continue;
    }
    if (r->started[e->thread] != r->stamp) begin_thread(r, e->thread, NULL);
    if (e->op == EVENT_JOIN && r->started[e->object] != r->stamp) begin_thread(r, (uint32_t)e->object, NULL);
    if (r->section != NONE || e->op == EVENT_ATOMIC || (e->flags & EVENT_INTERNAL)) sections(r, trace, i, n);
    step(r, trace, i);
  }
  for (size_t i = 0; i < r->stores.count; i++) store_done(r, trace, &r->stores.data[i]); /* the end came first */
}

/* The one that the other event is about: a wait uses a mutex as well. */
static uint64_t object_met(const struct event *e, const struct event *other) {
  struct sync_use use = sync_use(e);
  for (unsigned k = 0; k < use.count; k++) {
    if (use.objects[k] + SYNC_USE_SIZE > other->object && use.objects[k] < other->object + other->size) return use.objects[k];
  }
  return e->object;
}

uint64_t race_object(const struct event *a, const struct event *b) {
  uint64_t x = object_met(a, b), y = object_met(b, a);
  return x > y ? x : y;
}

void races_forget(struct races *r) { hashmap_clear(&r->known); }

void races_release(struct races *r) {
  vec_release(&r->found);
  vec_release(&r->rows);
  vec_release(&r->accesses);
  vec_release(&r->stores);
  hashmap_release(&r->known);
  locksets_release(&r->locksets);
  mem_free(r->slots, r->cap * sizeof *r->slots);
  mem_free(r->clocks, clocks_size(r->width));
  *r = (struct races){0};
}
