#include "explore/race.h"

#include <string.h>

#define NONE UINT32_MAX

/* Kinds of things in the one table. */
enum { KEY_GRANULE, KEY_ATOMIC, KEY_SYNC, KEY_SHARED, KEYS };

/* Rows of a thread: its clock; what its relaxed reads would acquire at a fence; what its last release fence released. */
enum { ROW_CLOCK, ROW_PENDING, ROW_FENCE, ROWS };

static inline uint32_t *row_of(const struct races *r, uint32_t thread, uint32_t row) {
  return r->clocks + ((size_t)thread * ROWS + row) * r->width;
}

static inline uint32_t *clock_of(const struct races *r, uint32_t thread) { return row_of(r, thread, ROW_CLOCK); }

static inline void join(const struct races *r, uint32_t *to, const uint32_t *from) {
  for (uint32_t t = 0; t < r->width; t++) to[t] = to[t] > from[t] ? to[t] : from[t];
}

static inline void copy(const struct races *r, uint32_t *to, const uint32_t *from) { memcpy(to, from, r->width * sizeof *to); }

static void widen(struct races *r, uint32_t threads) {
  uint32_t width = r->width ? r->width : 4;
  while (width < threads) width *= 2;
  mem_free(r->clocks, (size_t)r->width * r->width * ROWS * sizeof *r->clocks);
  r->clocks = mem_alloc((size_t)width * width * ROWS * sizeof *r->clocks);
  r->width = width;
}

static void grow(struct races *r) {
  uint32_t cap = r->cap ? r->cap * 2 : 256;
  struct race_slot *slots = mem_alloc(cap * sizeof *slots);
  for (uint32_t i = 0; i < r->cap; i++) {
    if (r->slots[i].stamp != r->stamp) continue;
    uint32_t j = (uint32_t)hash_mix(r->slots[i].key) & (cap - 1);
    while (slots[j].stamp == r->stamp) j = (j + 1) & (cap - 1);
    slots[j] = r->slots[i];
  }
  mem_free(r->slots, r->cap * sizeof *r->slots);
  r->slots = slots, r->cap = cap;
}

/* The value of a key in the present trace; NONE for a new one. The pointer holds until the next call. */
static uint32_t *slot_at(struct races *r, uint64_t address, uint32_t kind) {
  if ((r->used + 1) * 2 > r->cap) grow(r);
  uint64_t key = address * KEYS + kind;
  uint32_t j = (uint32_t)hash_mix(key) & (r->cap - 1);
  for (; r->slots[j].stamp == r->stamp; j = (j + 1) & (r->cap - 1)) {
    if (r->slots[j].key == key) return &r->slots[j].value;
  }
  r->slots[j] = (struct race_slot){key, r->stamp, NONE};
  r->used++;
  return &r->slots[j].value;
}

/* The clock of a synchronisation object; zero at first. One more entry behind it names a thread (see atomic_store()). */
static uint32_t *object_clock(struct races *r, uint64_t address, uint32_t kind) {
  uint32_t *value = slot_at(r, address, kind);
  if (*value == NONE) {
    *value = (uint32_t)r->rows.count;
    memset(vec_push_n(&r->rows, r->width + 1), 0, (r->width + 1) * sizeof(uint32_t));
  }
  return r->rows.data + *value;
}

static void acquire(struct races *r, uint32_t t, uint64_t address, uint32_t kind) {
  join(r, clock_of(r, t), object_clock(r, address, kind));
}

static void release(struct races *r, uint32_t t, uint64_t address, uint32_t kind) {
  uint32_t *clock = clock_of(r, t);
  join(r, object_clock(r, address, kind), clock);
  clock[t]++;
}

static inline bool acquires(uint8_t order) { return order == ORDER_ACQUIRE || order >= ORDER_ACQ_REL; }
static inline bool releases(uint8_t order) { return order == ORDER_RELEASE || order >= ORDER_ACQ_REL; }

static void atomic_load(struct races *r, const struct event *e) {
  const uint32_t *location = object_clock(r, e->object, KEY_ATOMIC);
  join(r, acquires(e->order) ? clock_of(r, e->thread) : row_of(r, e->thread, ROW_PENDING), location);
}

/* A store starts a release sequence (C11 5.1.2.4), or goes on with one if it is by the same thread or a read-modify-write. The last
 * entry of the location's clock is 1 + the thread that headed the sequence. */
static void atomic_store(struct races *r, const struct event *e) {
  uint32_t t = e->thread;
  uint32_t *clock = clock_of(r, t), *location = object_clock(r, e->object, KEY_ATOMIC);
  if (e->op == EVENT_WRITE && location[r->width] != t + 1) memset(location, 0, r->width * sizeof *location);
  if (e->op == EVENT_WRITE) location[r->width] = t + 1;
  join(r, location, releases(e->order) ? clock : row_of(r, t, ROW_FENCE));
  if (releases(e->order)) clock[t]++;
}

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
  if (is_new) *vec_push(&r->found) = (struct race_pair){first, second};
}

/* One granule's part of an access: compares with the list, drops what it makes superfluous, and joins the list. */
static void access_granule(struct races *r, const struct event *trace, const struct race_access *x, uint64_t granule) {
  const uint32_t *clock = clock_of(r, x->thread);
  uint32_t *link = slot_at(r, granule, KEY_GRANULE), reuse = NONE;
  while (*link != NONE) {
    struct race_access *y = &r->accesses.data[*link];
    bool ordered = clock[y->thread] >= y->clock;
    if (!ordered && (y->mask & x->mask) && (y->write || x->write) && !(y->atomic && x->atomic)) report(r, trace, y->event, x->event);
    if (ordered && (y->mask & ~x->mask) == 0 && (x->write || !y->write) && (!x->atomic || y->atomic)) {
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
  uint32_t *head = slot_at(r, granule, KEY_GRANULE);
  r->accesses.data[reuse].next = *head;
  *head = reuse;
}

static void access(struct races *r, const struct event *trace, uint32_t i, bool write) {
  const struct event *e = &trace[i];
  struct race_access x = {.thread = e->thread, .clock = clock_of(r, e->thread)[e->thread], .event = i, .write = write};
  x.atomic = e->order != ORDER_PLAIN && e->op != EVENT_FREE;
  uint64_t end = e->object + e->size;
  if (e->op == EVENT_FREE && e->size / 8 > r->cap) {
    /* A large block: look at what was touched instead of at all it has. Nothing valid touches it later. */
    if ((r->used + 1) * 2 > r->cap) grow(r); /* not while the table is walked */
    for (uint32_t j = 0; j < r->cap; j++) {
      uint64_t granule = r->slots[j].key / KEYS * 8;
      if (r->slots[j].stamp != r->stamp || r->slots[j].key % KEYS != KEY_GRANULE || granule < e->object || granule >= end) continue;
      x.mask = 0xff;
      access_granule(r, trace, &x, granule / 8);
    }
    return;
  }
  for (uint64_t g = e->object & ~7ull; g < end; g += 8) {
    uint64_t from = e->object > g ? e->object - g : 0, to = end - g < 8 ? end - g : 8;
    x.mask = (uint8_t)((0xffu << from) & (0xffu >> (8 - to)));
    access_granule(r, trace, &x, g / 8);
  }
}

static void begin_thread(struct races *r, uint32_t t, const uint32_t *parent) {
  memset(row_of(r, t, 0), 0, (size_t)ROWS * r->width * sizeof(uint32_t));
  if (parent) copy(r, clock_of(r, t), parent);
  clock_of(r, t)[t] = 1;
  r->started[t] = r->stamp;
}

/* Atomic sections (__VERIFIER_atomic_begin) exclude each other: one lock for all of them. Its address is no object's. */
#define SECTION_LOCK 1u

static void sections(struct races *r, const struct event *e) {
  if (r->section != NONE && (e->thread != r->section || !(e->flags & EVENT_INTERNAL))) {
    release(r, r->section, SECTION_LOCK, KEY_SYNC);
    r->section = NONE;
  }
  if (e->op != EVENT_ATOMIC) return;
  acquire(r, e->thread, SECTION_LOCK, KEY_SYNC);
  r->section = e->thread;
}

/* Barriers of successive generations may overlap in the trace: a clock for the even and one for the odd ones. */
static uint64_t barrier_key(const struct event *e) { return e->object * 2 + (e->value & 1); }

/* long: one case an operation */
static void step(struct races *r, const struct event *trace, uint32_t i) {
  const struct event *e = &trace[i];
  uint32_t t = e->thread;
  bool atomic = e->order != ORDER_PLAIN, shared = e->flags & EVENT_SHARED_LOCK;
  switch ((enum event_op)e->op) {
    case EVENT_FORK:
      begin_thread(r, (uint32_t)e->object, clock_of(r, t));
      clock_of(r, t)[t]++;
      break;
    case EVENT_JOIN:
      if (!(e->flags & EVENT_TIMED_OUT)) join(r, clock_of(r, t), clock_of(r, (uint32_t)e->object));
      break;
    case EVENT_READ:
      if (atomic) atomic_load(r, e);
      access(r, trace, i, false);
      break;
    case EVENT_WRITE:
      access(r, trace, i, true);
      if (atomic) atomic_store(r, e);
      break;
    case EVENT_RMW:
      atomic_load(r, e);
      access(r, trace, i, true);
      atomic_store(r, e);
      break;
    case EVENT_FREE:
      access(r, trace, i, true);
      break;
    case EVENT_FENCE:
      fence(r, e);
      break;
    case EVENT_ACQUIRE:
      acquire(r, t, e->object, KEY_SYNC);
      if (!shared) acquire(r, t, e->object, KEY_SHARED);
      break;
    case EVENT_RELEASE:
      release(r, t, e->object, shared ? KEY_SHARED : KEY_SYNC);
      break;
    case EVENT_WAIT_ENTER:
      release(r, t, e->value2, KEY_SYNC);
      break;
    case EVENT_WAIT_LEAVE:
      if (e->flags & EVENT_TIMED_OUT) break; /* the mutex is acquired later */
      acquire(r, t, e->value2, KEY_SYNC);
      acquire(r, t, e->object, KEY_SYNC);
      break;
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
    case EVENT_SEM_POST:
      release(r, t, e->object, KEY_SYNC);
      break;
    case EVENT_SEM_WAIT:
      acquire(r, t, e->object, KEY_SYNC);
      break;
    case EVENT_BARRIER_ENTER:
      release(r, t, barrier_key(e), KEY_SYNC);
      break;
    case EVENT_BARRIER_LEAVE:
      acquire(r, t, barrier_key(e), KEY_SYNC);
      break;
    case EVENT_NONE:
    case EVENT_BEGIN:
    case EVENT_END:
    case EVENT_TRYFAIL:
    case EVENT_ALLOC:
    case EVENT_CHOICE:
    case EVENT_AWAIT:
    case EVENT_ATOMIC:
    case EVENT_YIELD:
    case EVENT_COUNT:
      break;
  }
}

void races_find(struct races *r, const struct event *trace, uint32_t n) {
  vec_clear(&r->found);
  vec_clear(&r->rows);
  vec_clear(&r->accesses);
  uint32_t threads = 1;
  for (uint32_t i = 0; i < n; i++) {
    if (trace[i].thread >= threads) threads = trace[i].thread + 1;
    if ((trace[i].op == EVENT_FORK || trace[i].op == EVENT_JOIN) && trace[i].object >= threads) threads = (uint32_t)trace[i].object + 1;
  }
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
    if (r->started[e->thread] != r->stamp) begin_thread(r, e->thread, NULL);
    if (e->op == EVENT_JOIN && r->started[e->object] != r->stamp) begin_thread(r, (uint32_t)e->object, NULL);
    if (r->section != NONE || e->op == EVENT_ATOMIC) sections(r, e);
    step(r, trace, i);
  }
}

void races_forget(struct races *r) { hashmap_clear(&r->known); }

void races_release(struct races *r) {
  vec_release(&r->found);
  vec_release(&r->rows);
  vec_release(&r->accesses);
  hashmap_release(&r->known);
  mem_free(r->slots, r->cap * sizeof *r->slots);
  mem_free(r->clocks, (size_t)r->width * r->width * ROWS * sizeof *r->clocks);
  *r = (struct races){0};
}
