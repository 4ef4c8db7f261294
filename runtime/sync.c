#include "analysis/held.h"
#include "analysis/section.h"
#include "analysis/seen.h"
#include "analysis/violation.h"
#include "enforce/enforce.h"
#include "record/record.h"
#include "touched.h"

/* A meta word is one of
 *
 *   0                          nothing
 *   index:26                   of the first object in its 16 bytes
 *   BLOCK:1 spare:10 site:21   a block of the heap begins here: the low bits of its spare, and the place of its allocation
 *   MAKER:2 spare:6 maker:24   the 16 bytes before are a block's first: the high bits, and who allocated it
 *
 * If there are objects in such bytes, too, the last of their chain stands for that word: its address is MARK, and `site` is the word. */
#define BLOCK 0x80000000u
#define MAKER 0x40000000u
enum { MARK = 1, SPARE_LOW_BITS = 31 - SITE_BITS, MAKER_BITS = 24 };

enum { OBJECTS = 1 << 26, LOCKS = 256 };

static struct {
  struct sync *all; /* [OBJECTS]; 0 is none */
  uint32_t used, free;
  uint64_t ids;                /* given so far */
  struct rt_lock lock;         /* for used and free */
  struct rt_lock locks[LOCKS]; /* for the chains, by address */
} objects;

void sync_start(void) {
  objects.all = rt_pages((size_t)OBJECTS * sizeof objects.all[0]);
  if (!objects.all) rt_die("heddle: no memory for the program's locks: is there a limit on address space (ulimit -v)?\n");
  objects.used = 1;
}

struct sync *sync_of(uint32_t index) {
  return &objects.all[index];
}

static struct rt_lock *lock_of(uintptr_t address) { return &objects.locks[(address >> 4) * 0x9e3779b97f4a7c15ull >> 56]; }

static struct sync *new_object(uintptr_t address, uint32_t next) {
  rt_lock(&objects.lock);
  uint32_t i = objects.free;
  if (i)
    objects.free = objects.all[i].next;
  else if (objects.used < OBJECTS)
    i = objects.used++;
  uint64_t id = ++objects.ids;
  rt_unlock(&objects.lock);
  if (!i) return order_lose(), NULL;
  objects.all[i] = (struct sync){.index = i, .id = id, .address = address, .next = next};
  return &objects.all[i];
}

static void free_object(struct sync *s) {
  vclock_free(s->clock), vclock_free(s->shared), sections_free(s->sections);
  waiters_free(s->waiters), vclock_free(s->notified), vclock_free(s->readers);
  __atomic_store_n(&s->id, 0, __ATOMIC_RELAXED); /* sync_lives() */
  rt_lock(&objects.lock);
  s->next = objects.free, objects.free = s->index;
  rt_unlock(&objects.lock);
}

static struct sync *first_of(uint32_t meta) { return meta && !(meta & (BLOCK | MAKER)) ? &objects.all[meta] : NULL; }
static struct sync *next_of(const struct sync *s) { return s->next ? &objects.all[s->next] : NULL; }

/* Chains only grow at the front, but for removal, after which nobody who is in the right looks for the object. */
struct sync *sync_find(uintptr_t address) {
  for (struct sync *s = first_of(__atomic_load_n(meta_of(address), __ATOMIC_ACQUIRE)); s; s = next_of(s))
    if (s->address == address) return s;
  return NULL;
}

static struct sync *add(uintptr_t address) {
  uint32_t *meta = meta_of(address);
  uint32_t next = *meta;
  if (next & (BLOCK | MAKER)) {
    struct sync *mark = new_object(MARK, 0);
    if (!mark) return NULL;
    mark->site = next;
    next = mark->index;
  }
  struct sync *s = new_object(address, next);
  if (s) __atomic_store_n(meta, s->index, __ATOMIC_RELEASE);
  return s;
}

struct sync *sync_at(uintptr_t address, enum sync_kind kind) {
  struct sync *s = sync_find(address);
  if (LIKELY(s != NULL)) {
    if (UNLIKELY(s->kind == SYNC_OTHER)) s->kind = (uint8_t)kind;
    return s;
  }
  struct thread *t = thread_enter_self();
  struct rt_lock *lock = lock_of(address);
  rt_lock(lock);
  s = sync_find(address);
  if (!s && (s = add(address))) s->kind = (uint8_t)kind;
  rt_unlock(lock);
  thread_leave_self(t);
  return s;
}

/* One that is recorded goes on with its numbers, whatever it is next. */
static bool is_kept(uintptr_t address) {
  struct sync *s = recording ? sync_find(address) : NULL;
  if (s) s->owner = s->depth = s->parties = 0;
  return recording;
}

void sync_remove(uintptr_t address) {
  if (UNLIKELY(is_kept(address))) return;
  struct thread *t = thread_enter_self();
  struct rt_lock *lock = lock_of(address);
  rt_lock(lock);
  uint32_t *meta = meta_of(address);
  struct sync *before = NULL, *s = first_of(*meta);
  while (s && s->address != address) before = s, s = next_of(s);
  if (s) {
    __atomic_store_n(before ? &before->next : meta, s->next, __ATOMIC_RELEASE);
    free_object(s);
  }
  rt_unlock(lock);
  thread_leave_self(t);
}

const struct sync *held_object(const struct held *h) {
  const struct sync *s = &objects.all[h->index];
  return s->id == h->lock ? s : NULL;
}

const char *sync_kind_name(uint8_t kind) {
  static const char *const names[] = {[SYNC_OTHER] = "lock",
                                      [SYNC_MUTEX] = "mutex",
                                      [SYNC_RWLOCK] = "read-write lock",
                                      [SYNC_SPIN] = "spin lock",
                                      [SYNC_COND] = "condition variable",
                                      [SYNC_SEM] = "semaphore",
                                      [SYNC_BARRIER] = "barrier",
                                      [SYNC_ONCE] = "once",
                                      [SYNC_ATOMIC] = "atomic"};
  return names[kind];
}

bool sync_lives(uint32_t index, uint64_t id) { return __atomic_load_n(&objects.all[index].id, __ATOMIC_RELAXED) == id; }

/* A handler of a signal that comes meanwhile is not watched: it might want the same lock. */
void sync_lock(struct thread *t, struct sync *s) {
  thread_enter(t);
  rt_lock(&s->lock);
}
void sync_unlock(struct thread *t, struct sync *s) {
  rt_unlock(&s->lock);
  thread_leave(t);
}

/* Under the registry's lock: o, who withheld it, does not end meanwhile; NULL if it has ended. It need not have heard yet what it was told.
 */
static void withheld_by(struct thread *o, const struct vclock *ended, void *data) {
  struct vclock **known = data;
  const struct vclock *weak = o ? NULL : vclock_weak(ended), *told = o ? o->seen.told : NULL;
  if (o) seen_ask(o);
  if (o) vclock_join_other(known, o->weak, o->n);
  if (told) vclock_join(known, told->at, told->n);
  if (weak) vclock_join(known, weak->at, weak->n);
}

void sync_tell(struct thread *t, struct sync *s) {
  struct vclock *known = NULL;
  if (!s->withheld) return;
  if (s->alone == t->info->number + 1)
    thread_release_weak(t, &known, true);
  else
    thread_meet(s->alone - 1, withheld_by, &known);
  if (known) vclock_join_weak(&s->clock, known->at, known->n);
  if (known && s->withheld == WITHHELD_IN_SECTIONS) vclock_join(&s->readers, known->at, known->n);
  vclock_free(known);
  s->withheld = WITHHELD_NONE, s->turns = 0;
}

static void tell_of(struct sync *s, void *data) {
  struct thread *t = data;
  if (s->withheld && s->alone == t->info->number + 1) sync_tell(t, s);
}
void sync_tell_all(struct thread *t) {
  if (t->withholds) sync_each(tell_of, t);
  t->withholds = false;
}

__attribute__((noinline)) bool sync_alone_slow(struct thread *t, struct sync *s, bool changes, bool reads) {
  uint32_t me = t->info->number + 1;
  if (s->alone != me) {
    sync_tell(t, s);
    s->alone = me, s->turns = 0;
  }
  if (reads) return false;
  if (!changes || t->nseats) return sync_tell(t, s), s->turns = 0, false;
  if (s->turns + 1 < ALONE) return s->turns++, false;
  s->withheld = t->nheld || s->withheld == WITHHELD_IN_SECTIONS ? WITHHELD_IN_SECTIONS : WITHHELD_SOME;
  return t->withholds = true;
}

void sync_acquire(struct thread *t, uintptr_t address) {
  struct sync *s = sync_find(address);
  if (!s) return;
  enforce_before(t, 1u << TRACE_EVENT_READ, address, 1, 0);
  sync_lock(t, s);
  sync_tell(t, s);
  if (UNLIKELY(recording))
    record_takes(t, address, &s->told);
  else
    thread_acquire(t, s->clock);
  if (s->clock && (s->kind == SYNC_MUTEX || s->kind == SYNC_SPIN)) s->clock->from = 0; /* others than its holders know it: section.c */
  sync_unlock(t, s);
}

void sync_release(struct thread *t, uintptr_t address, enum sync_kind kind) {
  struct sync *s = sync_at(address, kind);
  if (!s) return;
  enforce_before(t, 1u << TRACE_EVENT_RMW, address, 1, 0);
  sync_lock(t, s);
  sync_tell(t, s);
  if (UNLIKELY(recording))
    record_hands_on(t, address, &s->told);
  else
    thread_release_join(t, &s->clock);
  sync_unlock(t, s);
}

/* An object may come about there meanwhile. */
static void set_word(uintptr_t at, uint32_t word) {
  uint32_t *meta = meta_of(at), was = __atomic_load_n(meta, __ATOMIC_ACQUIRE);
  while (!first_of(was))
    if (__atomic_compare_exchange_n(meta, &was, word, true, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) return;
  for (struct sync *s = first_of(was); s; s = next_of(s))
    if (s->address == MARK) __atomic_store_n(&s->site, word, __ATOMIC_RELAXED);
}

void block_add(const struct block *b, size_t size) {
  uint32_t spare = b->spare < BLOCK_SPARE ? b->spare : BLOCK_SPARE, low = spare & ((1u << SPARE_LOW_BITS) - 1);
  _Static_assert(BLOCK_SPARE >> SPARE_LOW_BITS < 1 << (30 - MAKER_BITS), "bits of the words");
  set_word(b->start, BLOCK | low << SITE_BITS | b->site);
  if (size <= 16) return;
  uint32_t maker = b->maker < 1u << MAKER_BITS ? b->maker : 0;
  set_word(b->start + 16, MAKER | (spare >> SPARE_LOW_BITS) << MAKER_BITS | maker);
}

struct sync *sync_by_index(uint32_t index) {
  return &objects.all[index];
}

void sync_each(void (*f)(struct sync *, void *), void *data) {
  uint32_t n = __atomic_load_n(&objects.used, __ATOMIC_ACQUIRE);
  for (uint32_t i = 1; i < n; i++) {
    struct sync *s = &objects.all[i];
    rt_lock(&s->lock);
    if (s->id) f(s, data);
    rt_unlock(&s->lock);
  }
}

static void clear(uint32_t *meta, uintptr_t address) {
  uint32_t word = __atomic_load_n(meta, __ATOMIC_RELAXED);
  if (word & (BLOCK | MAKER) && __atomic_compare_exchange_n(meta, &word, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
  struct thread *t = thread_enter_self();
  struct rt_lock *lock = lock_of(address);
  rt_lock(lock);
  for (struct sync *s = first_of(*meta), *next; s; s = next) {
    next = next_of(s);
    free_object(s);
  }
  *meta = 0;
  rt_unlock(lock);
  thread_leave_self(t);
}

/* Words of meta, and the address that the first of them is of. */
struct metas {
  uint32_t *first;
  uintptr_t address;
};

static void clear_all(uintptr_t at, size_t bytes, void *data) {
  const struct metas *m = data;
  for (uint32_t *meta = (uint32_t *)at, *end = meta + bytes / sizeof *meta; meta < end; meta++)
    if (__atomic_load_n(meta, __ATOMIC_RELAXED)) clear(meta, m->address + 16 * (uintptr_t)(meta - m->first));
}

void block_remove(uintptr_t address, size_t size) {
  clear(meta_of(address), address);
  size_t words = (size + 15) / 16;
  if (words <= 1) return;
  struct metas m = {meta_of(address), address};
  uintptr_t from = (uintptr_t)(m.first + 1), to = (uintptr_t)(m.first + words);
  uintptr_t first = (from + PAGE - 1) & ~(uintptr_t)(PAGE - 1), last = to & ~(uintptr_t)(PAGE - 1); /* whole pages */
  if (first >= last) {
    clear_all(from, to - from, &m);
    return;
  }
  clear_all(from, first - from, &m);
  touched_each(first, last - first, clear_all, &m);
  clear_all(last, to - last, &m);
}

/* The word that says something of a block, or 0. */
static uint32_t block_word(uintptr_t at) {
  uint32_t meta = __atomic_load_n(meta_of(at), __ATOMIC_RELAXED);
  if (!meta || meta & (BLOCK | MAKER)) return meta;
  for (const struct sync *s = first_of(meta); s; s = next_of(s))
    if (s->address == MARK) return s->site;
  return 0;
}

/* The last block that begins in [from, to), and not before `least`. */
struct begun {
  uintptr_t least, from, to, at;
  uint32_t word; /* 0: none */
};

static void find_back(struct begun *b, uintptr_t from, uintptr_t to) {
  for (uintptr_t at = to; at > from;) {
    at -= 16;
    uint32_t word = block_word(at);
    if (!(word & BLOCK)) continue;
    b->at = at, b->word = word;
    return;
  }
}

/* The same of those whose words are there. */
static void find_touched(uintptr_t first, size_t bytes, void *data) {
  struct begun *b = data;
  uintptr_t from = b->from + (first - (uintptr_t)meta_of(b->from)) * 4;
  find_back(b, from > b->least ? from : b->least, from + bytes * 4);
}

/* Words that were never written need not be read, and what was allocated lately is near: of blocks that begin in a page of words, or some,
 * none is looked for in the ones before. */
static struct begun begun_before(uintptr_t at, size_t far) {
  enum { COVERED = PAGE * 4 };
  struct begun b = {.least = at > far ? at - far + 16 : COVERED, .from = at & ~(uintptr_t)(COVERED - 1), .to = at + 16};
  find_back(&b, b.from > b.least ? b.from : b.least, b.to);
  for (size_t step = COVERED; !b.word && b.from > b.least; step *= 8) {
    b.to = b.from, b.from = b.to - b.least > step ? b.to - step : b.least & ~(uintptr_t)(COVERED - 1);
    touched_each((uintptr_t)meta_of(b.from), (b.to - b.from) / 4, find_touched, &b);
  }
  return b;
}

bool block_of(uintptr_t address, size_t far, struct block *b) {
  struct begun begun = begun_before(address & ~(uintptr_t)15, far);
  uintptr_t at = begun.at;
  uint32_t word = begun.word;
  if (!word) return false;
  uint32_t more = block_word(at + 16);
  *b = (struct block){.start = at, .site = word & ((1u << SITE_BITS) - 1), .spare = word >> SITE_BITS & ((1u << SPARE_LOW_BITS) - 1)};
  if (!(more & MAKER) || more & BLOCK) return true;
  b->spare |= (more >> MAKER_BITS & ((1u << (30 - MAKER_BITS)) - 1)) << SPARE_LOW_BITS;
  b->maker = more & ((1u << MAKER_BITS) - 1);
  return true;
}

void sync_before_fork(void) {
  for (int i = 0; i < LOCKS; i++) rt_lock(&objects.locks[i]);
  rt_lock(&objects.lock);
}
void sync_after_fork(bool child) {
  for (uint32_t i = 1; child && i < objects.used; i++) { /* of threads that are not there */
    objects.all[i].lock = objects.all[i].ends = (struct rt_lock){0};
    objects.all[i].inside = objects.all[i].endless = objects.all[i].blocked = 0;
  }
  rt_unlock(&objects.lock);
  for (int i = 0; i < LOCKS; i++) rt_unlock(&objects.locks[i]);
}
