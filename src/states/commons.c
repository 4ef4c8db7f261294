#include "states/commons.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "states/visited.h"

#define LEVELS         12u
#define FIRST_PLACES   (1u << 17) /* of the smallest table; each next one has four times as many */
#define WINDOW         12u        /* places that a key may have, one behind the other */
#define OPERATIONS     (1u << 18)
#define OPERATION_CAP  (2 * OPERATIONS)
#define HINTS          (1u << 12)
#define ACCESSES       (1u << 18)
#define USED_BITS      40
#define SET_HEAD_WORDS 2u

struct place {
  _Atomic uint64_t a, b;
  _Atomic uint32_t summary, generation; /* generation 0: never used */
};

struct common_operation {
  uint64_t key;
  struct operation operation;
};

struct common_access {
  _Atomic bool said; /* the rest is there */
  struct known_access access;
};

struct common_hint {
  _Atomic uint64_t key; /* 0: none */
  struct commons_hint hint;
};

/* What lies at the beginning of the shared memory. */
struct board {
  _Atomic uint64_t arena;          /* words used | generation, from 1, in the upper bits */
  _Atomic uint32_t level, growing; /* the present table; the one that is being filled from it: the same if none is */
  _Atomic uint32_t operations, accesses;
  _Atomic uint64_t said;              /* accesses that are there as a whole: one whose worker was killed may never be */
  _Atomic uint64_t states, forgotten; /* states: of this generation, in the table */
};

struct commons {
  void *memory;
  size_t size;
  struct board *board;
  struct common_hint *hints;
  _Atomic uint32_t *operation_ids; /* open addressing by key: number + 1; 0: free */
  struct common_operation *operations;
  struct common_access *accesses;
  _Atomic uint64_t *arena;
  uint64_t arena_words;
  struct place *tables[LEVELS];
  size_t caps[LEVELS];
  uint32_t levels;
};

/* --- memory --- */

static size_t pages(size_t n) { return (n + 4095) & ~(size_t)4095; }

/* Says where everything is, from `memory` on, and returns how much it is. */
static size_t lay_out(struct commons *c, char *memory, size_t bytes) {
  size_t at = 0, table_bytes = bytes / 4 * 3;
  c->board = (struct board *)(void *)(memory + at), at += pages(sizeof *c->board);
  c->hints = (struct common_hint *)(void *)(memory + at), at += pages(HINTS * sizeof *c->hints);
  c->operation_ids = (_Atomic uint32_t *)(void *)(memory + at), at += pages(OPERATION_CAP * sizeof *c->operation_ids);
  c->operations = (struct common_operation *)(void *)(memory + at), at += pages(OPERATIONS * sizeof *c->operations);
  c->accesses = (struct common_access *)(void *)(memory + at), at += pages(ACCESSES * sizeof *c->accesses);
  c->arena_words = bytes / 4 / sizeof *c->arena;
  if (c->arena_words > UINT32_MAX) c->arena_words = UINT32_MAX;
  c->arena = (_Atomic uint64_t *)(void *)(memory + at), at += pages(c->arena_words * sizeof *c->arena);
  size_t cap = FIRST_PLACES, left = table_bytes;
  while (cap > 2 * WINDOW && cap * sizeof(struct place) > left) cap /= 2;
  for (c->levels = 0; c->levels < LEVELS && (c->levels == 0 || cap * sizeof(struct place) <= left); cap *= 4) {
    size_t size = cap * sizeof(struct place);
    c->tables[c->levels] = (struct place *)(void *)(memory + at), at += pages(size);
    c->caps[c->levels++] = cap;
    left = left > size ? left - size : 0;
  }
  return at;
}

struct commons *commons_new(size_t bytes) {
  struct commons *c = mem_alloc(sizeof *c);
  c->size = lay_out(c, NULL, bytes);
  c->memory = mmap(NULL, c->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (c->memory == MAP_FAILED) {
    mem_free(c, sizeof *c);
    return NULL;
  }
  lay_out(c, c->memory, bytes);
  atomic_init(&c->board->arena, 1ull << USED_BITS);
  return c;
}

void commons_free(struct commons *c) {
  if (!c) return;
  munmap(c->memory, c->size);
  mem_free(c, sizeof *c);
}

static uint32_t generation_of(const struct commons *c) {
  return (uint32_t)(atomic_load_explicit(&c->board->arena, memory_order_acquire) >> USED_BITS);
}

/* --- the table --- */

static inline uint64_t link_of(uint32_t summary, uint32_t generation) { return (uint64_t)generation << 32 | summary; }
/* Different links give different words. */
static inline uint64_t first_mix(uint64_t link) { return link * 0x9e3779b97f4a7c15u; }
static inline uint64_t second_mix(uint64_t link) { return hash_mix(link); }

static inline size_t home_of(size_t cap, struct fingerprint key) { return (size_t)(key.lo * 0x9e3779b97f4a7c15u >> 20) & (cap - 1); }

static inline struct place *place_at(const struct commons *c, uint32_t level, struct fingerprint key, unsigned i) {
  return &c->tables[level][(home_of(c->caps[level], key) + i) & (c->caps[level] - 1)];
}

/* What is at the place, if anything of this generation. */
static inline bool read_place(const struct place *p, uint32_t generation, struct fingerprint *key, uint32_t *summary) {
  *summary = atomic_load_explicit(&p->summary, memory_order_acquire);
  uint64_t link = link_of(*summary, generation);
  key->lo = atomic_load_explicit(&p->a, memory_order_relaxed) ^ first_mix(link);
  key->hi = atomic_load_explicit(&p->b, memory_order_relaxed) ^ second_mix(link);
  return atomic_load_explicit(&p->generation, memory_order_relaxed) == generation;
}

static void write_place(struct place *p, uint32_t generation, struct fingerprint key, uint32_t summary) {
  uint64_t link = link_of(summary, generation);
  atomic_store_explicit(&p->a, key.lo ^ first_mix(link), memory_order_relaxed);
  atomic_store_explicit(&p->b, key.hi ^ second_mix(link), memory_order_relaxed);
  atomic_store_explicit(&p->summary, summary, memory_order_release);
  atomic_store_explicit(&p->generation, generation, memory_order_release);
}

/* The place that has the key; or NULL. */
static struct place *search(const struct commons *c, uint32_t level, uint32_t generation, struct fingerprint key, uint32_t *summary) {
  for (unsigned i = 0; i < WINDOW; i++) {
    struct place *p = place_at(c, level, key, i);
    struct fingerprint other;
    if (atomic_load_explicit(&p->generation, memory_order_acquire) == 0) return NULL;
    if (read_place(p, generation, &other, summary) && fingerprint_equal(other, key)) return p;
  }
  return NULL;
}

/* Returns whether there is one state more than before. */
static bool enter(struct commons *c, uint32_t level, uint32_t generation, struct fingerprint key, uint32_t summary) {
  uint32_t other;
  struct place *p = search(c, level, generation, key, &other);
  bool found = p;
  for (unsigned i = 0; !p && i < WINDOW; i++) {
    struct place *free = place_at(c, level, key, i);
    if (atomic_load_explicit(&free->generation, memory_order_relaxed) != generation) p = free;
  }
  bool full = !p;
  if (full) p = place_at(c, level, key, (unsigned)(key.hi >> 32) % WINDOW);
  write_place(p, generation, key, summary);
  if (full) atomic_fetch_add_explicit(&c->board->forgotten, 1, memory_order_relaxed);
  return !found && !full;
}

/* What is entered by others meanwhile goes into both. */
static void copy_table(struct commons *c, uint32_t from, uint32_t to) {
  uint32_t generation = generation_of(c), summary;
  struct fingerprint key;
  for (size_t i = 0; i < c->caps[from]; i++) {
    if (read_place(&c->tables[from][i], generation, &key, &summary)) enter(c, to, generation, key, summary);
  }
}

void commons_tend(struct commons *c) {
  uint32_t level = atomic_load(&c->board->level);
  uint64_t states = atomic_load(&c->board->states);
  if (level + 1 == c->levels || states < c->caps[level] / 2) return;
  atomic_store(&c->board->growing, level + 1);
  copy_table(c, level, level + 1);
  atomic_store(&c->board->level, level + 1);
  madvise(c->tables[level], pages(c->caps[level] * sizeof(struct place)), MADV_REMOVE); /* who still looks there finds nothing */
}

uint64_t commons_states(const struct commons *c) { return atomic_load(&c->board->states); }
uint64_t commons_forgotten(const struct commons *c) { return atomic_load(&c->board->forgotten); }

/* --- operations --- */

/* Its number; UINT32_MAX if there are too many. */
static uint32_t operation_there(struct commons *c, const struct operation *o) {
  uint64_t key = operation_key(o);
  uint32_t id = UINT32_MAX;
  for (size_t i = (size_t)hash_mix(key) & (OPERATION_CAP - 1);; i = (i + 1) & (OPERATION_CAP - 1)) {
    uint32_t found = atomic_load_explicit(&c->operation_ids[i], memory_order_acquire);
    while (found == 0) {
      if (id == UINT32_MAX) {
        if (atomic_load(&c->board->operations) >= OPERATIONS) return UINT32_MAX;
        id = atomic_fetch_add(&c->board->operations, 1);
        if (id >= OPERATIONS) return UINT32_MAX;
        c->operations[id] = (struct common_operation){key, *o};
      }
      if (atomic_compare_exchange_strong(&c->operation_ids[i], &found, id + 1)) return id;
    }
    if (c->operations[found - 1].key == key) return found - 1;
  }
}

static void know(struct commons_view *v, uint32_t ours, uint32_t theirs) {
  while (v->here.count <= ours) *vec_push(&v->here) = 0;
  while (v->there.count <= theirs) *vec_push(&v->there) = 0;
  v->here.data[ours] = theirs + 1, v->there.data[theirs] = ours + 1;
}

static uint32_t to_theirs(struct commons_view *v, const struct summaries *s, uint32_t ours) {
  if (ours < v->here.count && v->here.data[ours]) return v->here.data[ours] - 1;
  uint32_t theirs = operation_there(v->commons, &s->operations.data[ours]);
  if (theirs != UINT32_MAX) know(v, ours, theirs);
  return theirs;
}

static uint32_t to_ours(struct commons_view *v, struct summaries *s, uint32_t theirs) {
  if (theirs < v->there.count && v->there.data[theirs]) return v->there.data[theirs] - 1;
  uint32_t ours = summary_operation(s, &v->commons->operations[theirs].operation);
  know(v, ours, theirs);
  return ours;
}

/* --- summaries --- */

/* Room for a set; 0: there is none. Begins a new generation if the present one has filled it. */
static uint32_t allocate(struct commons *c, uint64_t words, uint32_t generation) {
  uint64_t arena = atomic_load(&c->board->arena);
  words += SET_HEAD_WORDS;
  for (;;) {
    uint64_t used = arena & ((1ull << USED_BITS) - 1), present = arena >> USED_BITS;
    if (present != generation || words >= c->arena_words) return 0;
    if (used == 0) used = 1; /* 0 is the empty set */
    bool fits = used + words <= c->arena_words;
    uint64_t next = fits ? present << USED_BITS | (used + words) : (present + 1) << USED_BITS;
    if (!atomic_compare_exchange_weak(&c->board->arena, &arena, next)) continue;
    if (fits) return (uint32_t)used;
    atomic_fetch_add(&c->board->forgotten, atomic_exchange(&c->board->states, 0));
    return 0;
  }
}

static uint64_t check_of(const uint64_t *words, size_t n, uint32_t generation) {
  return hash_bytes(words, n * sizeof *words, hash_pair(generation, n));
}

static uint32_t write_set(struct commons *c, const uint64_t *words, size_t n, uint32_t generation) {
  uint32_t at = allocate(c, n, generation);
  if (at == 0) return 0;
  _Atomic uint64_t *to = &c->arena[at];
  atomic_store_explicit(&to[0], check_of(words, n, generation), memory_order_relaxed);
  atomic_store_explicit(&to[1], n, memory_order_relaxed);
  for (size_t i = 0; i < n; i++) atomic_store_explicit(&to[SET_HEAD_WORDS + i], words[i], memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  return at;
}

struct bits {
  VEC(uint64_t) words;
};

static void add_bit(struct bits *b, uint32_t i) {
  while (b->words.count <= i / 64) *vec_push(&b->words) = 0;
  b->words.data[i / 64] |= 1ull << i % 64;
}

/* False: it is not there any more. */
static bool read_set(const struct commons *c, uint32_t at, uint32_t generation, struct bits *out) {
  if ((uint64_t)at + SET_HEAD_WORDS > c->arena_words) return false;
  const _Atomic uint64_t *from = &c->arena[at];
  uint64_t check = atomic_load_explicit(&from[0], memory_order_relaxed), n = atomic_load_explicit(&from[1], memory_order_relaxed);
  if (n > OPERATIONS / 64 || at + SET_HEAD_WORDS + n > c->arena_words) return false;
  for (uint64_t i = 0; i < n; i++) *vec_push(&out->words) = atomic_load_explicit(&from[SET_HEAD_WORDS + i], memory_order_relaxed);
  return check_of(out->words.data, n, generation) == check;
}

/* Sets of an earlier generation are somewhere else now, or nowhere. */
static void keep_up(struct commons_view *v) {
  uint32_t generation = generation_of(v->commons);
  if (v->generation == generation) return;
  commons_view_sweep(v);
  v->generation = generation;
}

void commons_view_sweep(struct commons_view *v) {
  hashmap_clear(&v->sets_here);
  hashmap_clear(&v->sets_there);
}

void commons_view_release(struct commons_view *v) {
  hashmap_release(&v->sets_here);
  hashmap_release(&v->sets_there);
  vec_release(&v->here);
  vec_release(&v->there);
}

static bool import(struct commons_view *v, struct summaries *s, uint32_t at, uint32_t *set) {
  const uint64_t *known = at ? hashmap_find(&v->sets_there, at) : &(uint64_t){0};
  if (known) {
    *set = (uint32_t)*known;
    return true;
  }
  struct bits theirs = {0}, ours = {0};
  bool ok = read_set(v->commons, at, v->generation, &theirs);
  for (uint32_t w = 0; ok && w < theirs.words.count; w++) {
    for (uint64_t rest = theirs.words.data[w]; rest; rest &= rest - 1)
      add_bit(&ours, to_ours(v, s, w * 64 + (uint32_t)__builtin_ctzll(rest)));
  }
  if (ok) {
    *set = summary_of_operations(s, ours.words.data, ours.words.count);
    hashmap_at(&v->sets_there, at, *set, NULL);
    hashmap_at(&v->sets_here, *set, at, NULL);
  }
  vec_release(&theirs.words);
  vec_release(&ours.words);
  return ok;
}

static bool export(struct commons_view *v, struct summaries *s, uint32_t set, uint32_t *at) {
  const uint64_t *known = set ? hashmap_find(&v->sets_here, set) : &(uint64_t){0};
  if (known) {
    *at = (uint32_t)*known;
    return true;
  }
  struct bits theirs = {0};
  bool ok = true;
  for (uint32_t i = summary_next(s, set, 0); ok && i != UINT32_MAX; i = summary_next(s, set, i + 1)) {
    uint32_t id = to_theirs(v, s, i);
    ok = id != UINT32_MAX;
    if (ok) add_bit(&theirs, id);
  }
  *at = ok ? write_set(v->commons, theirs.words.data, theirs.words.count, v->generation) : 0;
  vec_release(&theirs.words);
  if (*at == 0) return false;
  hashmap_at(&v->sets_here, set, *at, NULL);
  hashmap_at(&v->sets_there, *at, set, NULL);
  return true;
}

/* --- states --- */

uint32_t commons_find(struct commons_view *v, struct summaries *s, struct fingerprint key) {
  struct commons *c = v->commons;
  uint32_t at, set;
  keep_up(v);
  if (!search(c, atomic_load_explicit(&c->board->level, memory_order_acquire), v->generation, key, &at)) return NOT_VISITED;
  return import(v, s, at, &set) ? set : NOT_VISITED;
}

void commons_add(struct commons_view *v, struct summaries *s, struct fingerprint key, uint32_t summary) {
  struct commons *c = v->commons;
  uint32_t at;
  keep_up(v);
  if (!export(v, s, summary, &at)) {
    atomic_fetch_add_explicit(&c->board->forgotten, 1, memory_order_relaxed);
    return;
  }
  uint32_t growing = atomic_load_explicit(&c->board->growing, memory_order_acquire);
  uint32_t level = atomic_load_explicit(&c->board->level, memory_order_acquire);
  if (enter(c, level, v->generation, key, at)) atomic_fetch_add_explicit(&c->board->states, 1, memory_order_relaxed);
  if (growing > level) enter(c, growing, v->generation, key, at);
}

/* --- accesses --- */

bool commons_say(struct commons *c, const struct known_access *x) {
  if (atomic_load(&c->board->accesses) >= ACCESSES) return false;
  uint32_t i = atomic_fetch_add(&c->board->accesses, 1);
  if (i >= ACCESSES) return false;
  c->accesses[i].access = *x;
  atomic_store(&c->accesses[i].said, true);
  atomic_fetch_add(&c->board->said, 1);
  return true;
}

bool commons_hear(struct commons_view *v, struct racers *to) {
  const struct commons *c = v->commons;
  uint64_t said = atomic_load(&c->board->said);
  if (said == v->heard) return false;
  uint32_t count = atomic_load(&c->board->accesses);
  bool all = true;
  v->heard = said;
  for (uint32_t i = v->first; i < count && i < ACCESSES; i++) {
    bool there = atomic_load(&c->accesses[i].said);
    if (there) racers_see(to, &c->accesses[i].access);
    all = all && there;
    if (all) v->first = i + 1;
  }
  return true;
}

/* --- hints --- */

static inline uint64_t hint_key(struct fingerprint key) { return key.lo ? key.lo : 1; }
static inline struct common_hint *hint_at(const struct commons *c, struct fingerprint key) { return &c->hints[key.hi >> 20 & (HINTS - 1)]; }

void commons_tell(struct commons *c, struct fingerprint key, const struct tset *explore, const struct tset *done, uint32_t worker,
                  uint32_t present) {
  struct common_hint *h = hint_at(c, key);
  bool same = atomic_load_explicit(&h->key, memory_order_relaxed) == hint_key(key);
  if (!same) h->hint = (struct commons_hint){0};
  tset_union(&h->hint.explore, explore);
  tset_union(&h->hint.done, done);
  h->hint.present[worker % COMMONS_WORKERS] = (uint16_t)(present < THREADS_MAX ? present + 1 : 0);
  if (!same) atomic_store_explicit(&h->key, hint_key(key), memory_order_relaxed);
}

bool commons_ask(const struct commons *c, struct fingerprint key, struct commons_hint *hint) {
  const struct common_hint *h = hint_at(c, key);
  if (atomic_load_explicit(&h->key, memory_order_relaxed) != hint_key(key)) return false;
  *hint = h->hint;
  return true;
}

void commons_leave(struct commons *c, struct fingerprint key, uint32_t worker) {
  struct common_hint *h = hint_at(c, key);
  if (atomic_load_explicit(&h->key, memory_order_relaxed) == hint_key(key)) h->hint.present[worker % COMMONS_WORKERS] = 0;
}

void commons_hush(struct commons *c, struct fingerprint key) {
  struct common_hint *h = hint_at(c, key);
  if (atomic_load_explicit(&h->key, memory_order_relaxed) == hint_key(key)) atomic_store_explicit(&h->key, 0, memory_order_relaxed);
}
