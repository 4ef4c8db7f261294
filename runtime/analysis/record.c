#include "analysis/record.h"

_Static_assert(sizeof(struct scratch) <= SCRATCH, "a thread's scratch memory");

enum { SPARES = 64 }; /* at once, of one size */
enum { CELLS = 3 };
_Static_assert(sizeof(struct record) + CELLS * sizeof(cell) == RECORD_BYTES, "the smallest record has three cells");
_Static_assert(RECORD_BYTES % 32 == 0, "references leave out 5 bits");
enum { LINES_BITS = 13, WAYS = 8, TAG_SHIFT = 42, SETS_BYTES = 64 << 20, SETS_CHUNK = 1 << 20 };

/* Where sets are found: each in a line of the cache, by the lower bits of its hash; beside its address, without 5 bits, are the upper ones.
 * In programs whose threads are in a new epoch all the time most sets are not there, and nothing but the line has to be looked at. New ones
 * drive old ones out. */
static struct {
  _Alignas(64) uint64_t lines[1 << LINES_BITS][WAYS];
  struct rt_lock lock; /* who adds has it */
  unsigned added;
  char *next, *end;
  size_t bytes;
} sets;
static size_t record_bytes;

static size_t size_of(uint32_t cap) { return sizeof(struct record) + cap * sizeof(cell); }

void accesses_load(cell write, cell read, struct accesses *a) {
  struct accesses_view v;
  accesses_view(write, read, &v);
  a->writes = a->count = v.nwrites;
  for (unsigned i = 0; i < v.nwrites; i++) a->at[i] = v.writes[i];
  for (unsigned i = 0; i < v.nreads && a->count < ACCESSES; i++) a->at[a->count++] = v.reads[i];
}

static unsigned size_class(uint32_t cap) { return cap == CELLS ? 0 : cap == CELLS * 2 + 1 ? 1 : RECORD_SIZES; }

/* Those that a thread keeps. Words between two records of the same epochs get and lose one all the time, so most are used again at once. */
static struct record *take_spare(struct thread *t, unsigned class) {
  struct rt_blocks *near = &t->spare[class].near, *far = &t->spare[class].far;
  if (UNLIKELY(!near->count)) {
    size_t bytes = (size_t)RECORD_BYTES << class;
    if (!far->count) {
      *far = rt_alloc_some(bytes, SPARES);
      __atomic_fetch_add(&record_bytes, bytes * far->count, __ATOMIC_RELAXED);
    }
    *near = *far, *far = (struct rt_blocks){0};
  }
  return near->count ? rt_blocks_take(near) : NULL;
}
static void keep_spare(struct thread *t, unsigned class, struct record *r) {
  struct rt_blocks *near = &t->spare[class].near, *far = &t->spare[class].far;
  if (UNLIKELY(near->count == SPARES)) {
    size_t bytes = (size_t)RECORD_BYTES << class;
    __atomic_fetch_sub(&record_bytes, bytes * far->count, __ATOMIC_RELAXED);
    rt_free_some(far, bytes);
    *far = *near, *near = (struct rt_blocks){0};
  }
  rt_blocks_add(near, r);
}

static struct record *new_record(uint32_t cap) {
  struct thread *t = hd_fast.self;
  struct record *r;
  unsigned class = size_class(cap);
  if (class < RECORD_SIZES && t) {
    r = take_spare(t, class);
  } else {
    r = rt_alloc(size_of(cap));
    if (r) __atomic_fetch_add(&record_bytes, size_of(cap), __ATOMIC_RELAXED);
  }
  if (r) r->cap = (uint16_t)cap;
  return r;
}

static void free_record(struct record *r) {
  struct thread *t = hd_fast.self;
  size_t bytes = size_of(r->cap);
  unsigned class = size_class(r->cap);
  if (class < RECORD_SIZES && t) {
    keep_spare(t, class, r);
    return;
  }
  __atomic_fetch_sub(&record_bytes, bytes, __ATOMIC_RELAXED);
  rt_free(r, bytes);
}

void record_drop(cell write) {
  if (!cell_is_ref(write) || cell_what(write) != REF_RECORD) return;
  free_record(cell_at(write));
}

static uint32_t hash_of(const cell *at, unsigned n) {
  uint64_t h = n;
  for (unsigned i = 0; i < n; i++) h = (h ^ at[i]) * 0x9e3779b97f4a7c15ull, h ^= h >> 32;
  return (uint32_t)h;
}

static uint64_t *line_of(uint32_t hash) { return sets.lines[hash & ((1 << LINES_BITS) - 1)]; }
static uint64_t tag_of(uint32_t hash) { return (uint64_t)(hash >> (32 - (64 - TAG_SHIFT))) << TAG_SHIFT; }

static struct set *find(uint32_t hash, const cell *at, unsigned n) {
  const uint64_t *line = line_of(hash);
  for (unsigned way = 0; way < WAYS; way++) {
    uint64_t entry = __atomic_load_n(&line[way], __ATOMIC_ACQUIRE) ^ tag_of(hash);
    if (LIKELY(entry >> TAG_SHIFT) || !entry) continue;
    struct set *s = (struct set *)(uintptr_t)(entry << 5);
    if (s->hash != hash || s->count != n) continue;
    unsigned i = 0;
    while (i < n && s->at[i] == at[i]) i++;
    if (i == n) return s;
  }
  return NULL;
}

static void add(struct set *s) {
  uint64_t *line = line_of(s->hash);
  __atomic_store_n(&line[sets.added++ % WAYS], tag_of(s->hash) | (uintptr_t)s >> 5, __ATOMIC_RELEASE);
}

static struct set *new_set(uint32_t hash, const cell *at, unsigned n) {
  size_t bytes = (sizeof(struct set) + n * sizeof at[0] + 31) & ~(size_t)31; /* references leave out 5 bits */
  if ((size_t)(sets.end - sets.next) < bytes) {
    char *chunk = sets.bytes < SETS_BYTES ? rt_pages(SETS_CHUNK) : NULL;
    if (!chunk) return NULL;
    sets.next = chunk, sets.end = chunk + SETS_CHUNK;
    __atomic_store_n(&sets.bytes, sets.bytes + SETS_CHUNK, __ATOMIC_RELAXED);
  }
  struct set *s = (struct set *)(void *)sets.next;
  sets.next += bytes;
  s->hash = hash, s->count = n;
  for (unsigned i = 0; i < n; i++) s->at[i] = at[i];
  return s;
}

/* What does not come again needs no set, and fills their table: if there is none yet, one in so many such reads gets one. Reads that come
 * again and again get theirs soon. 0 if there is none, or no room. */
static cell set_of(struct thread *t, const cell *at, unsigned n) {
  enum { TRIES = 8 };
  uint32_t hash = hash_of(at, n);
  struct set *s = find(hash, at, n);
  if (!s && ++t->setless % TRIES == 0) {
    rt_lock(&sets.lock);
    s = find(hash, at, n);
    if (!s && (s = new_set(hash, at, n))) add(s);
    rt_unlock(&sets.lock);
  }
  return s ? cell_ref(REF_SET, (uintptr_t)s) : 0;
}

bool set_covers(cell set, epoch e, unsigned mask) {
  const struct set *s = cell_at(set);
  for (unsigned i = 0; i < s->count; i++)
    if (cell_covers(s->at[i], e, mask)) return true;
  return false;
}

/* In one order, so that equal sets are found to be equal. */
static void sort(cell *at, unsigned n) {
  for (unsigned i = 1; i < n; i++) {
    cell c = at[i];
    unsigned k = i;
    for (; k > 0 && at[k - 1] > c; k--) at[k] = at[k - 1];
    at[k] = c;
  }
}

static cell fill(struct record *r, const cell *at, unsigned writes, unsigned count) {
  r->writes = (uint16_t)writes, r->count = (uint16_t)count;
  for (unsigned i = 0; i < count; i++) r->at[i] = at[i];
  return cell_ref(REF_RECORD, (uintptr_t)r);
}

static struct record *record_for(unsigned count) {
  uint32_t cap = CELLS;
  while (cap < count) cap = cap * 2 + 1; /* sizes are powers of two */
  return new_record(cap);
}

cell record_of(const cell *at, unsigned writes, unsigned count) {
  struct record *r = record_for(count);
  return r ? fill(r, at, writes, count) : 0;
}

static cell store_record(cell old, const struct accesses *a, unsigned count) {
  struct record *r = cell_is_ref(old) ? cell_at(old) : NULL;
  if (!r || r->cap < count) {
    record_drop(old);
    r = record_for(count);
    if (!r) return a->writes ? a->at[0] : 0;
  }
  return fill(r, a->at, a->writes < count ? a->writes : count, count);
}

/* True if that write, another one, and the read, if there is any, can be two cells of which the read one is BOTH: that is *both then. An
 * atomic write may be of bytes that an earlier one wrote, too. */
static bool is_both(cell write, cell other, cell read, cell *both) {
  unsigned more = cell_mask(read) & ~cell_mask(write);
  if (cell_atomic(write) || (cell_mask(write) & cell_mask(other)) || (more & ~cell_mask(other)) ||
      (read && (write ^ read) & (ATOMIC | EPOCH_MASK)))
    return false;
  uint32_t site = more ? context_merged(cell_site(read), more, cell_site(write), cell_mask(write)) : cell_site(write);
  *both = cell_make(cell_epoch(write), site, cell_mask(write) | more, false) | BOTH;
  return true;
}

/* True if these reads are one thread's, of one epoch and the one before, and of all bytes: *both are the cells' then. */
static bool is_older(cell a, cell b, cell *both) {
  cell newer = a > b ? a : b, older = a > b ? b : a;
  if (((newer | older) & ATOMIC) || cell_epoch(newer) - cell_epoch(older) != EPOCH_STEP || (cell_mask(a) ^ cell_mask(b)) != MASK_ALL)
    return false;
  uint32_t site = context_merged(cell_site(older), cell_mask(older), cell_site(newer), cell_mask(newer));
  *both = cell_make(cell_epoch(newer), site, cell_mask(newer), false);
  return true;
}

/* True if two cells can hold these accesses. */
static bool in_cells(const cell *at, unsigned writes, unsigned count, cell *w, cell *r) {
  cell read = count > writes ? at[writes] : 0;
  if (count == writes + 2 && writes <= 1 && hd_fast.self->equal && is_older(at[writes], at[writes + 1], r))
    return *w = (writes ? at[0] : 0) | OLDER, true;
  if (count > writes + 1) return false;
  if (writes <= 1) {
    *w = writes ? at[0] : 0, *r = read ? read : *w;
    return true;
  }
  bool second = cell_epoch(at[0]) != hd_fast.epoch; /* the thread's own is best seen where reads are */
  *w = at[!second];
  if (writes == 2 && is_both(at[second], *w, read, r)) return true;
  *w = at[second];
  return writes == 2 && is_both(at[!second], *w, read, r);
}

cell record_settle(struct pair *p, struct record *r, cell did) {
  cell write, read;
  if (in_cells(r->at, r->writes, r->count, &write, &read))
    free_record(r);
  else
    write = cell_ref(REF_RECORD, (uintptr_t)r), read = did;
  cell_store(&p->read, read);
  return write;
}

cell accesses_store(struct pair *p, cell old, const struct accesses *a, cell did, bool again) {
  unsigned count = a->count < ACCESSES ? a->count : ACCESSES;
  cell write, read;
  if (in_cells(a->at, a->writes, a->count, &write, &read)) {
    record_drop(old);
    cell_store(&p->read, read);
    return write;
  }
  if (a->writes <= 1 && !again && !cell_is_ref(old)) {
    cell *sorted = ((struct scratch *)hd_fast.self->scratch)->sorted;
    for (unsigned i = 0; i < count - a->writes; i++) sorted[i] = a->at[a->writes + i];
    sort(sorted, count - a->writes);
    cell set = set_of(hd_fast.self, sorted, count - a->writes);
    if (set) {
      cell_store(&p->read, set);
      return a->writes ? a->at[0] : 0;
    }
  }
  cell record = store_record(old, a, count);
  cell_store(&p->read, cell_is_ref(record) ? did : record);
  return record;
}

size_t records_bytes(void) { return __atomic_load_n(&record_bytes, __ATOMIC_RELAXED) + __atomic_load_n(&sets.bytes, __ATOMIC_RELAXED); }

void records_before_fork(void) { rt_lock(&sets.lock); }
void records_after_fork(void) { rt_unlock(&sets.lock); }
