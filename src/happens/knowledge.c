#include "happens/knowledge.h"

#include <string.h>

#include "happens/sync_edge.h"

/* Changes of something else than a row. */
#define NO_ROW       UINT32_MAX /* an access */
#define STORE_ADDED  (UINT32_MAX - 1)
#define STORE_TAKEN  (UINT32_MAX - 2)
#define THREAD_ENDED (UINT32_MAX - 3)
#define STORES_A_ROW 64u /* more than fit in a buffer */

/* Kinds of rows. Of a thread: what it knows; what its relaxed reads would make known at a fence; what its last release fence knew. Of a
 * store, by its position in its thread's buffer: what was known when it was issued; what it will release. Of an object: what its releases
 * knew, those of readers apart. Of an atomic location, by the address of its granule and its number among the granule's. Of a byte in
 * atomic sections. */
enum row_kind {
  ROW_THREAD,
  ROW_PENDING,
  ROW_FENCE,
  ROW_ISSUED,
  ROW_RELEASED,
  ROW_SYNC,
  ROW_READERS,
  ROW_LOCATION,
  ROW_SECTION,
  ROW_SECTION_READ,
  ROW_KINDS
};

static uint64_t row_key(uint64_t object, enum row_kind kind) { return object * ROW_KINDS + kind; }

static uint32_t row_at(struct knowledge *k, uint64_t object, enum row_kind kind) {
  bool is_new;
  uint64_t key = row_key(object, kind);
  uint32_t row = (uint32_t)*hashmap_at(&k->row_ids, key, k->rows.count, &is_new);
  if (is_new) {
    *vec_push(&k->rows) = (struct known){0};
    *vec_push(&k->row_keys) = key;
    *vec_push(&k->locations) = (struct known_location){0};
  }
  return row;
}

static bool row_find(const struct knowledge *k, uint64_t object, enum row_kind kind, uint32_t *row) {
  const uint64_t *found = hashmap_find(&k->row_ids, row_key(object, kind));
  if (found) *row = (uint32_t)*found;
  return found;
}

static inline bool has(const struct known *x, uint32_t bit) { return x->words[bit / 64] >> bit % 64 & 1; }

static inline bool known_equal(const struct known *a, const struct known *b) {
  uint64_t differ = 0;
  for (unsigned i = 0; i < KNOWLEDGE_WORDS; i++) differ |= a->words[i] ^ b->words[i];
  return differ == 0;
}

static void set_location(struct knowledge *k, uint32_t row, uint8_t mask, struct known value) {
  struct known *at = &k->rows.data[row];
  uint8_t *bytes = &k->locations.data[row].mask;
  if (*bytes == mask && known_equal(at, &value)) return;
  *vec_push(&k->changes) = (struct known_change){.row = row, .bit = *bytes, .known = *at};
  *at = value, *bytes = mask;
}

static void set_row(struct knowledge *k, uint32_t row, struct known value) { set_location(k, row, k->locations.data[row].mask, value); }

static void join_known(struct knowledge *k, uint32_t to, const struct known *from) {
  struct known x = k->rows.data[to];
  for (unsigned i = 0; i < KNOWLEDGE_WORDS; i++) x.words[i] |= from->words[i];
  set_row(k, to, x);
}

static void join(struct knowledge *k, uint32_t to, uint32_t from) { join_known(k, to, &k->rows.data[from]); }

static inline uint32_t of_thread(struct knowledge *k, uint32_t t) {
  if (!k->own[t]) k->own[t] = row_at(k, t, ROW_THREAD) + 1;
  return k->own[t] - 1;
}

static void acquire(struct knowledge *k, uint32_t t, uint64_t object, bool shared) {
  uint32_t row;
  if (row_find(k, object, ROW_SYNC, &row)) join(k, of_thread(k, t), row);
  if (!shared && row_find(k, object, ROW_READERS, &row)) join(k, of_thread(k, t), row);
}

static void release(struct knowledge *k, uint32_t t, uint64_t object, bool shared) {
  uint32_t row = row_at(k, object, shared ? ROW_READERS : ROW_SYNC);
  join(k, row, of_thread(k, t));
}

/* --- atomic locations: see race.c --- */

static inline uint8_t mask_of(const struct event *e, uint64_t granule) {
  uint64_t from = e->object > granule ? e->object - granule : 0, end = e->object + e->size - granule, to = end < 8 ? end : 8;
  return (uint8_t)((0xffu << from) & (0xffu >> (8 - to)));
}

/* The first row of the granule, + 1; 0: it has no locations. */
static uint32_t first_location(const struct knowledge *k, uint64_t granule) {
  uint32_t row;
  return row_find(k, granule, ROW_LOCATION, &row) ? row + 1 : 0;
}

static struct known known_of_locations(const struct knowledge *k, const struct event *e) {
  struct known x = {0};
  for (uint64_t granule = e->object & ~7ull; granule < e->object + e->size; granule += 8) {
    for (uint32_t row = first_location(k, granule); row; row = k->locations.data[row - 1].next) {
      if (!(k->locations.data[row - 1].mask & mask_of(e, granule))) continue;
      for (unsigned i = 0; i < KNOWLEDGE_WORDS; i++) x.words[i] |= k->rows.data[row - 1].words[i];
    }
  }
  return x;
}

/* Takes the bytes from the row; false: it has others. */
static bool cut_location(struct knowledge *k, uint32_t row, uint8_t mask) {
  uint8_t left = k->locations.data[row].mask & (uint8_t)~mask;
  set_location(k, row, left, left ? k->rows.data[row] : (struct known){0});
  return left == 0;
}

static void put_location(struct knowledge *k, uint64_t granule, uint8_t mask, struct known x) {
  uint32_t empty = NO_ROW, last = NO_ROW, count = 0;
  for (uint32_t row = first_location(k, granule); row; row = k->locations.data[row - 1].next, count++) {
    last = row - 1;
    if (k->locations.data[last].mask == mask) {
      set_row(k, last, x); /* no other has these bytes */
      return;
    }
    if (cut_location(k, last, mask)) empty = last;
  }
  if (empty == NO_ROW) {
    empty = row_at(k, granule + count, ROW_LOCATION);
    if (last != NO_ROW) k->locations.data[last].next = empty + 1;
  }
  set_location(k, empty, mask, x);
}

static void put_locations(struct knowledge *k, const struct event *e, struct known x) {
  for (uint64_t granule = e->object & ~7ull; granule < e->object + e->size; granule += 8) put_location(k, granule, mask_of(e, granule), x);
}

/* A plain write to atomic locations: who reads them synchronises with nobody. */
static void overwrite(struct knowledge *k, const struct event *e) {
  if (e->size > k->rows.count) {
    for (uint32_t row = 0; row < k->rows.count; row++) {
      uint64_t granule = k->row_keys.data[row] / ROW_KINDS & ~7ull;
      bool location = k->row_keys.data[row] % ROW_KINDS == ROW_LOCATION;
      if (location && granule + 8 > e->object && granule < e->object + e->size) cut_location(k, row, mask_of(e, granule));
    }
    return;
  }
  for (uint64_t granule = e->object & ~7ull; granule < e->object + e->size; granule += 8) {
    for (uint32_t row = first_location(k, granule); row; row = k->locations.data[row - 1].next)
      cut_location(k, row - 1, mask_of(e, granule));
  }
}

/* --- accesses --- */

static void note_access(struct knowledge *k, uint32_t bit) {
  *vec_push(&k->changes) = (struct known_change){.row = NO_ROW, .bit = bit, .access = k->accesses[bit]};
}

static void forget_bit(struct knowledge *k, uint32_t bit) {
  for (uint32_t row = 0; row < k->rows.count; row++) {
    struct known x = k->rows.data[row];
    if (!has(&x, bit)) continue;
    x.words[bit / 64] &= ~(1ull << bit % 64);
    set_row(k, row, x);
  }
  note_access(k, bit);
  k->accesses[bit].granule = 0;
  k->used.words[bit / 64] &= ~(1ull << bit % 64);
}

static uint32_t free_bit(const struct knowledge *k) {
  for (unsigned i = 0; i < KNOWLEDGE_WORDS; i++) {
    if (~k->used.words[i]) return i * 64 + (uint32_t)__builtin_ctzll(~k->used.words[i]);
  }
  return KNOWLEDGE_BITS;
}

/* Does the later access `x` make `y` superfluous, which is ordered before it? */
static inline bool covers(const struct known_access *x, const struct known_access *y) {
  return (y->mask & ~x->mask) == 0 && (x->write || !y->write) && (!x->atomic || y->atomic);
}

/* Meets those that thread x did not know of when it knew `mine`, and forgets those that it makes superfluous. `exact`: what the thread
 * knows is all that race.c will say it knows. */
static void compare(struct knowledge *k, const struct known_access *x, const struct known *mine, bool exact) {
  for (unsigned i = 0; i < KNOWLEDGE_WORDS; i++) {
    for (uint64_t rest = k->used.words[i]; rest; rest &= rest - 1) {
      uint32_t bit = i * 64 + (uint32_t)__builtin_ctzll(rest);
      const struct known_access *y = &k->accesses[bit];
      if (y->granule != x->granule || y->buffered) continue;
      bool ordered = has(mine, bit);
      if (!ordered && y->thread != x->thread && accesses_conflict(x, y)) k->raced |= racers_meet(&k->racers, x, y, exact);
      if (ordered && covers(x, y)) forget_bit(k, bit);
    }
  }
}

static void enter(struct knowledge *k, struct known_access x) {
  uint32_t bit = free_bit(k), own = of_thread(k, x.thread);
  if (bit == KNOWLEDGE_BITS) {
    if (!k->lost) k->lost = (uint32_t)k->steps.count;
    k->raced = true;
    return;
  }
  uint64_t what = x.mask | (uint64_t)x.write << 8 | (uint64_t)x.atomic << 9 | (uint64_t)x.thread << 16 | (uint64_t)x.site << 32;
  x.what = hash_pair(x.granule, what);
  note_access(k, bit);
  k->accesses[bit] = x;
  k->used.words[bit / 64] |= 1ull << bit % 64;
  struct known mine = k->rows.data[own];
  mine.words[bit / 64] |= 1ull << bit % 64;
  set_row(k, own, mine);
}

static void access_granule(struct knowledge *k, struct known_access x, bool exact) {
  uint32_t own = of_thread(k, x.thread);
  struct known mine = k->rows.data[own];
  racers_see(&k->racers, &x);
  if (!x.buffered) compare(k, &x, &mine, exact);
  enter(k, x);
}

static void access_plain(struct knowledge *k, const struct event *e, const struct hashmap *granules, bool exact) {
  bool atomic = e->order != ORDER_PLAIN && e->op != EVENT_FREE;
  struct known_access x = {.thread = e->thread, .site = e->site, .write = e->op != EVENT_READ, .atomic = atomic};
  x.buffered = e->op == EVENT_WRITE && (e->flags & EVENT_BUFFERED), x.event = e->index;
  uint64_t first = e->object / 8, last = (e->object + e->size - 1) / 8;
  if (last - first >= granules->cap) { /* looks at what may race instead of at all there is */
    for (size_t i = 0; i < granules->cap; i++) {
      if (!granules->used[i] || granules->keys[i] - first > last - first) continue;
      x.granule = granules->keys[i], x.mask = mask_of(e, x.granule * 8);
      access_granule(k, x, exact);
    }
    return;
  }
  for (uint64_t g = first; g <= last; g++) {
    if (!hashmap_find(granules, g)) continue;
    x.granule = g, x.mask = mask_of(e, g * 8);
    access_granule(k, x, exact);
  }
}

static inline bool acquires(uint8_t order) { return order == ORDER_ACQUIRE || order >= ORDER_ACQ_REL; }
static inline bool releases(uint8_t order) { return order == ORDER_RELEASE || order >= ORDER_ACQ_REL; }

static void access(struct knowledge *k, const struct event *e, const struct hashmap *granules, bool exact) {
  bool reads = e->op == EVENT_READ || e->op == EVENT_RMW, writes = e->op != EVENT_READ;
  bool atomic = e->order != ORDER_PLAIN && e->op != EVENT_FREE;
  if (e->size == 0) return;
  uint32_t t = e->thread;
  struct known x = {0};
  if (atomic && reads) {
    x = known_of_locations(k, e);
    join_known(k, acquires(e->order) ? of_thread(k, t) : row_at(k, t, ROW_PENDING), &x);
  }
  access_plain(k, e, granules, exact);
  if (!atomic && writes) overwrite(k, e);
  if (!atomic || !writes) return;
  uint32_t from = releases(e->order) ? of_thread(k, t) : row_at(k, t, ROW_FENCE);
  x = (struct known){0};
  if (e->op == EVENT_RMW) x = known_of_locations(k, e); /* a store starts a release sequence, read-modify-writes go on with one */
  for (unsigned i = 0; i < KNOWLEDGE_WORDS; i++) x.words[i] |= k->rows.data[from].words[i];
  put_locations(k, e, x);
}

/* --- store buffers: see race.c --- */

static uint32_t row_of_store(struct knowledge *k, uint32_t thread, uint32_t position, enum row_kind kind) {
  return row_at(k, thread * STORES_A_ROW + position, kind);
}

static void issue(struct knowledge *k, const struct event *e, const struct hashmap *granules) {
  uint32_t t = e->thread, own = of_thread(k, t), position = 0;
  for (size_t i = 0; i < k->stores.count; i++) position += k->stores.data[i].thread == t;
  uint32_t issued = row_of_store(k, t, position, ROW_ISSUED), released = row_of_store(k, t, position, ROW_RELEASED);
  k->agents = true;
  *vec_push(&k->changes) = (struct known_change){.row = STORE_ADDED};
  *vec_push(&k->stores) = (struct known_store){t, e->index};
  set_row(k, issued, k->rows.data[own]);
  access_plain(k, e, granules, false);
  if (e->order == ORDER_PLAIN) return;
  uint32_t from = releases(e->order) ? own : row_at(k, t, ROW_FENCE);
  set_row(k, released, k->rows.data[from]);
}

/* The accesses that the store is, now that they are visible. */
static void meet_flushed(struct knowledge *k, const struct known_store *store, const struct known *issued) {
  for (uint32_t bit = 0; bit < KNOWLEDGE_BITS; bit++) {
    if (bit % 64 == 0 && k->used.words[bit / 64] == 0) bit += 63;
    if (!has(&k->used, bit)) continue;
    struct known_access x = k->accesses[bit];
    if (!x.buffered || x.thread != store->thread || x.event != store->event) continue;
    compare(k, &x, issued, true);
    note_access(k, bit);
    k->accesses[bit].buffered = false;
  }
}

static void flush(struct knowledge *k, const struct event *e) {
  const struct known_store store = {flush_thread(e), flush_store(e)};
  uint32_t position = 0, i = 0, last = 0;
  for (; i < k->stores.count && (k->stores.data[i].thread != store.thread || k->stores.data[i].event != store.event); i++)
    position += k->stores.data[i].thread == store.thread;
  if (i == k->stores.count) return; /* issued when nothing was suspect: the exploration will start again */
  uint32_t row = row_of_store(k, store.thread, position, ROW_ISSUED);
  struct known issued = k->rows.data[row];
  meet_flushed(k, &store, &issued);
  if (e->order == ORDER_PLAIN) {
    overwrite(k, e);
  } else {
    put_locations(k, e, k->rows.data[row_of_store(k, store.thread, position, ROW_RELEASED)]);
  }
  *vec_push(&k->changes) = (struct known_change){.row = STORE_TAKEN, .bit = i, .store = store};
  memmove(&k->stores.data[i], &k->stores.data[i + 1], (k->stores.count - i - 1) * sizeof store);
  k->stores.count--;
  for (size_t j = 0; j < k->stores.count; j++) last += k->stores.data[j].thread == store.thread;
  for (; position <= last; position++) { /* those behind it move up */
    for (enum row_kind kind = ROW_ISSUED; kind <= ROW_RELEASED; kind++) {
      uint32_t to = row_of_store(k, store.thread, position, kind), from = row_of_store(k, store.thread, position + 1, kind);
      set_row(k, to, position < last ? k->rows.data[from] : (struct known){0});
    }
  }
}

static void fence(struct knowledge *k, const struct event *e) {
  uint32_t t = e->thread, own = of_thread(k, t);
  if (acquires(e->order)) join(k, own, row_at(k, t, ROW_PENDING));
  if (releases(e->order)) {
    uint32_t row = row_at(k, t, ROW_FENCE);
    set_row(k, row, k->rows.data[own]);
  }
}

/* --- steps --- */

static void make_thread(struct knowledge *k, const struct event *e) {
  uint32_t parent = of_thread(k, e->thread), child = of_thread(k, (uint32_t)e->object);
  set_row(k, child, k->rows.data[parent]);
  set_row(k, row_at(k, e->object, ROW_PENDING), (struct known){0});
  set_row(k, row_at(k, e->object, ROW_FENCE), (struct known){0});
}

void knowledge_stop(struct knowledge *k, uint32_t thread) {
  *vec_push(&k->changes) = (struct known_change){.row = THREAD_ENDED, .bit = thread};
  tset_add(&k->ended, thread);
}

static void uses(struct knowledge *k, const struct event *e, const struct hashmap *granules, bool exact) {
  struct sync_use use = sync_use(e);
  struct known_access x = {.thread = e->thread, .site = e->site, .event = e->index, .atomic = true};
  for (unsigned i = 0; i < use.count; i++) {
    x.granule = use.objects[i] / 8, x.mask = sync_use_mask(use.objects[i]);
    if (hashmap_find(granules, x.granule)) access_granule(k, x, exact);
  }
}

static void synchronise(struct knowledge *k, const struct event *e, const struct hashmap *granules, bool exact) {
  struct sync_edge edge = sync_edge(e);
  uses(k, e, granules, exact);
  for (unsigned i = 0; i < edge.count && edge.kind == SYNC_EDGE_ACQUIRE; i++) acquire(k, e->thread, edge.objects[i], edge.shared);
  if (edge.kind == SYNC_EDGE_RELEASE) release(k, e->thread, edge.objects[0], edge.shared);
}

static void follow_event(struct knowledge *k, const struct event *e, const struct hashmap *granules, bool exact) {
  if (e->op == EVENT_WRITE && (e->flags & EVENT_BUFFERED)) {
    issue(k, e, granules);
  } else if (e->op == EVENT_FLUSH) {
    flush(k, e);
  } else if (e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_FREE) {
    access(k, e, granules, exact);
  } else if (e->op == EVENT_FORK) {
    make_thread(k, e);
  } else if (e->op == EVENT_JOIN) {
    if (e->flags & EVENT_TIMED_OUT) return;
    join(k, of_thread(k, e->thread), of_thread(k, (uint32_t)e->object));
    set_row(k, of_thread(k, (uint32_t)e->object), (struct known){0}); /* nobody can ask it any more */
  } else if (e->op == EVENT_FENCE) {
    fence(k, e);
  } else if (e->op == EVENT_END) {
    knowledge_stop(k, e->thread);
  } else {
    synchronise(k, e, granules, exact);
  }
}

/* Atomic sections, byte by byte: see race.c. A free has nothing valid behind it. */
static void section(struct knowledge *k, const struct event *e, bool leave) {
  bool reads = e->op == EVENT_READ, writes = e->op == EVENT_WRITE || e->op == EVENT_RMW;
  uint32_t row;
  if (e->op == EVENT_FREE && !leave) {
    for (row = 0; row < k->rows.count; row++) {
      uint64_t kind = k->row_keys.data[row] % ROW_KINDS, byte = k->row_keys.data[row] / ROW_KINDS;
      if (kind >= ROW_SECTION && byte - e->object < e->size) join(k, of_thread(k, e->thread), row);
    }
  }
  for (uint64_t at = e->object; (reads || writes) && at < e->object + e->size; at++) {
    if (leave) {
      row = row_at(k, at, writes ? ROW_SECTION : ROW_SECTION_READ);
      join(k, row, of_thread(k, e->thread));
    } else {
      if (row_find(k, at, ROW_SECTION, &row)) join(k, of_thread(k, e->thread), row);
      if (writes && row_find(k, at, ROW_SECTION_READ, &row)) join(k, of_thread(k, e->thread), row);
    }
  }
}

void knowledge_push(struct knowledge *k, const struct event *trace, uint32_t from, uint32_t to, const struct hashmap *granules) {
  *vec_push(&k->steps) = k->changes.count;
  if (from == to) return;
  uint32_t begin = from, thread = trace[from].thread;
  bool inside = trace[from].op == EVENT_ATOMIC || (trace[from].flags & EVENT_INTERNAL);
  while (inside && begin > 0 && (trace[begin].thread != thread || trace[begin].op != EVENT_ATOMIC)) begin--;
  for (uint32_t i = from; inside && i < to; i++) section(k, &trace[i], false);
  for (uint32_t i = from; i < to; i++) follow_event(k, &trace[i], granules, !inside);
  for (uint32_t i = begin; inside && i < to; i++) {
    if (trace[i].thread == thread) section(k, &trace[i], true);
  }
}

void knowledge_pop(struct knowledge *k, uint32_t n) {
  if (k->steps.count <= n) return;
  size_t changes = k->steps.data[n];
  while (k->changes.count > changes) {
    const struct known_change *c = &vec_last(&k->changes);
    if (c->row == NO_ROW) {
      k->accesses[c->bit] = c->access;
      uint64_t *word = &k->used.words[c->bit / 64], bit = 1ull << c->bit % 64;
      *word = c->access.granule ? *word | bit : *word & ~bit;
    } else if (c->row == THREAD_ENDED) {
      tset_remove(&k->ended, c->bit);
    } else if (c->row == STORE_ADDED) {
      k->stores.count--;
    } else if (c->row == STORE_TAKEN) {
      (void)vec_push(&k->stores);
      memmove(&k->stores.data[c->bit + 1], &k->stores.data[c->bit], (k->stores.count - c->bit - 1) * sizeof c->store);
      k->stores.data[c->bit] = c->store;
    } else {
      k->rows.data[c->row] = c->known;
      k->locations.data[c->row].mask = (uint8_t)c->bit;
    }
    k->changes.count--;
  }
  k->steps.count = n;
  if (k->lost > n) k->lost = 0;
}

/* Who knows of the access, and will whatever happens: a live thread that does, and did when it issued the stores that are still to be
 * flushed; `all`: every live thread does, and so will those that they make. */
static bool knows(const struct knowledge *k, uint32_t thread, uint32_t bit, const struct tset *alive, bool all) {
  uint32_t position = 0, row = 0;
  for (size_t i = 0; i < k->stores.count; i++) {
    if (k->stores.data[i].thread != thread) continue;
    if (row_find(k, thread * STORES_A_ROW + position++, ROW_ISSUED, &row) && !has(&k->rows.data[row], bit)) return false;
  }
  if (tset_has(&k->ended, thread) && !k->again) return true;
  return tset_has(alive, thread) ? k->own[thread] && has(&k->rows.data[k->own[thread] - 1], bit) : all;
}

/* Can somebody make a race of the access that was not seen? */
static bool matters(struct knowledge *k, uint32_t bit, const struct tset *alive, bool all) {
  uint64_t of = hash_pair(k->accesses[bit].what, k->racers.version);
  if (k->against_of[bit] != of) k->against[bit] = racers_against(&k->racers, &k->accesses[bit]), k->against_of[bit] = of;
  const struct tset *against = &k->against[bit];
  for (uint32_t t = tset_next(against, 0); t < THREADS_MAX; t = tset_next(against, t + 1)) {
    if (!knows(k, t, bit, alive, all)) return true;
  }
  return false;
}

/* Sum of what the accesses are that both have. */
static uint64_t sum_of(const struct knowledge *k, const struct known *a, const struct known *b, unsigned words) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < words; i++) {
    for (uint64_t rest = a->words[i] & b->words[i]; rest; rest &= rest - 1) {
      sum += k->accesses[i * 64 + (uint32_t)__builtin_ctzll(rest)].what;
    }
  }
  return sum;
}

static void add(struct fingerprint *f, uint64_t key, uint64_t value) {
  struct fingerprint one = fingerprint_of(key, value);
  f->lo += one.lo, f->hi += one.hi;
}

/* What the row is about: for a location its bytes, not its number among the granule's. */
static uint64_t known_as(const struct knowledge *k, uint32_t row) {
  uint64_t key = k->row_keys.data[row];
  uint8_t mask = k->locations.data[row].mask;
  return mask ? hash_pair(row_key(key / ROW_KINDS & ~7ull, ROW_LOCATION), mask) : key;
}

bool knowledge_fingerprint(struct knowledge *k, const struct tset *alive, struct fingerprint *f) {
  if (k->lost) return false;
  struct known live = {0}, all = k->used; /* what every live thread knows */
  unsigned words = KNOWLEDGE_WORDS;
  while (words > 0 && k->used.words[words - 1] == 0) words--;
  uint32_t end = k->agents ? AGENTS_FROM : THREADS_MAX;
  for (uint32_t t = tset_next(alive, 0); t < end; t = tset_next(alive, t + 1)) {
    for (unsigned i = 0; i < words; i++) all.words[i] &= k->own[t] ? k->rows.data[k->own[t] - 1].words[i] : 0;
  }
  uint64_t any = 0;
  for (unsigned i = 0; i < words; i++) {
    for (uint64_t rest = k->used.words[i]; rest; rest &= rest - 1) {
      uint32_t bit = i * 64 + (uint32_t)__builtin_ctzll(rest);
      if (matters(k, bit, alive, has(&all, bit))) live.words[i] |= 1ull << bit % 64;
    }
    any |= live.words[i];
  }
  if (!any) return true;
  add(f, 1, sum_of(k, &live, &live, words));
  for (uint32_t row = 0; row < k->rows.count; row++) {
    uint64_t sum = sum_of(k, &live, &k->rows.data[row], words), key = k->row_keys.data[row];
    if (!sum) continue;
    bool gone = key % ROW_KINDS <= ROW_FENCE && !tset_has(alive, (uint32_t)(key / ROW_KINDS));
    bool joinable = key % ROW_KINDS == ROW_THREAD; /* who joins it will know what it knew */
    if (!gone || joinable) add(f, known_as(k, row) + 2, sum);
  }
  return true;
}

void knowledge_release(struct knowledge *k) {
  hashmap_release(&k->row_ids);
  racers_release(&k->racers);
  vec_release(&k->rows);
  vec_release(&k->row_keys);
  vec_release(&k->locations);
  vec_release(&k->stores);
  vec_release(&k->changes);
  vec_release(&k->steps);
}
