#include "base/hash.h"
#include "machine/symbolic/symbolic.h"
#include "machine/sync/sync.h"

#define LOW_WORD  0x00000000ffffffffu
#define HIGH_WORD 0xffffffff00000000u

const struct sync_type sync_mutex = {.name = "mutex",
                                     .size = sizeof(struct mutex),
                                     .seal = offsetof(struct mutex, seal),
                                     .static_allowed = true,
                                     .used = offsetof(struct mutex, unused),
                                     .busy = LOW_WORD,
                                     .uses = mutex_used_by};
const struct sync_type sync_cond = {.name = "condition variable",
                                    .size = sizeof(struct cond),
                                    .seal = offsetof(struct cond, seal),
                                    .static_allowed = true,
                                    .used = offsetof(struct cond, unused),
                                    .busy = LOW_WORD,
                                    .waits = true,
                                    .uses = cond_used_by};
const struct sync_type sync_rwlock = {.name = "read-write lock",
                                      .size = sizeof(struct rwlock),
                                      .seal = offsetof(struct rwlock, seal),
                                      .static_allowed = true,
                                      .used = offsetof(struct rwlock, unused),
                                      .busy = LOW_WORD | HIGH_WORD,
                                      .uses = rwlock_used_by};
const struct sync_type sync_barrier = {.name = "barrier",
                                       .size = sizeof(struct barrier),
                                       .seal = offsetof(struct barrier, seal),
                                       .busy = HIGH_WORD,
                                       .waits = true,
                                       .uses = barrier_used_by};
const struct sync_type sync_semaphore = {.name = "semaphore", .size = sizeof(struct semaphore), .seal = offsetof(struct semaphore, seal)};

#define ONE_WORD .size = SPIN_SIZE, .busy = SPIN_OWNER_MASK, .uses = spin_used_by
const struct sync_type sync_spin = {ONE_WORD, .name = "spin lock", .live = SPIN_LIVE, .destroyed = SPIN_DESTROYED};
const struct sync_type sync_omp_lock = {ONE_WORD, .name = "OpenMP lock", .live = OMP_LOCK_LIVE, .destroyed = OMP_LOCK_DESTROYED};
const struct sync_type sync_critical = {ONE_WORD, .name = "critical section", .static_allowed = true, .live = CRITICAL_LIVE,
                                        .destroyed = CRITICAL_DESTROYED};

/* By the mark of an object's first byte. Locks of one word have one mark: the word tells which it is. */
static const struct sync_type *const marks[] = {NULL, &sync_mutex, &sync_cond, &sync_rwlock, &sync_barrier, &sync_semaphore, &sync_spin};
#define MARKS (sizeof marks / sizeof *marks)
_Static_assert(MARKS <= OBJECT_REST, "each kind has a mark");
#define LARGEST sizeof(struct rwlock)

enum seal { SEAL_LIVE = 0x10, SEAL_DESTROYED = 0x20, SEAL_USED = 0x30 };

/* Differs by address, so that a copied object does not pass for the original. Never 0. */
static uint32_t seal_of(uint64_t address, enum seal what) { return (uint32_t)hash_mix(address + what) | 1; }

static uint32_t load32(uint64_t address) {
  uint32_t word;
  memcpy(&word, host_at(address), sizeof word);
  return word;
}

static uint64_t shadow8(uint64_t address) {
  uint64_t word;
  memcpy(&word, shadow_at(address), sizeof word);
  return word;
}

#define EACH_BYTE(bits) ((uint64_t)(bits)*0x0101010101010101u)

/* Addressable and writable from end to end; objects are multiples of 8 bytes, or 4. */
static inline bool accessible(uint64_t address, uint32_t size) {
  uint64_t want = EACH_BYTE(SHADOW_OK), mask = EACH_BYTE(SHADOW_OK | SHADOW_READONLY), wrong = 0;
  if (size < 8) {
    uint32_t word;
    memcpy(&word, shadow_at(address), sizeof word);
    return (word & (uint32_t)mask) == (uint32_t)want;
  }
  for (uint32_t i = 0; i < size; i += 8) wrong |= shadow8(address + i) ^ want;
  return (wrong & mask) == 0;
}

/* Was any of the bytes that hold its state never written? */
static bool uninitialised(uint64_t address, const struct sync_type *type) {
  return (*shadow_at(address) | *shadow_at(address + type->seal)) & SHADOW_UNINIT;
}

static bool sealed_live(uint64_t address, const struct sync_type *type) {
  uint32_t seal = load32(address + type->seal);
  if (type->live && seal) return (seal & ~(uint32_t)SPIN_OWNER_MASK) == type->live;
  return seal == 0 ? type->static_allowed : seal == seal_of(address, SEAL_LIVE);
}

static bool sealed_destroyed(uint64_t address, const struct sync_type *type) {
  uint32_t seal = load32(address + type->seal);
  return type->live ? seal == type->destroyed : seal == seal_of(address, SEAL_DESTROYED);
}

/* Do its bytes say that a thread uses it? */
static bool busy(uint64_t address, const struct sync_type *type) {
  uint64_t word = load32(address);
  if (type->size >= 8) memcpy(&word, host_at(address), 8);
  return word & type->busy;
}

/* Its bytes say that it is in use, and it was not by us that they came to. */
static bool overwritten(uint64_t address, const struct sync_type *type) { return !sync_marked(address) && busy(address, type); }

bool sync_usable(uint64_t address, const struct sync_type *type) {
  return accessible(address, type->size) && !uninitialised(address, type) && sealed_live(address, type) && !overwritten(address, type);
}

/* An object on another thread's stack or heap is shared memory: what the other one does alone must not depend on its state (spin.c). So is
 * a global one to whose bytes others write as to any memory: its initialisation by assignment is a step. */
static void note_owner(struct machine *m, const struct thread *t, uint64_t address, uint64_t size) {
  uint32_t owner = region_of(address);
  if (m->single || owner == t->tid) return;
  if (owner >= THREADS_MAX) {
    memory_use_global(&m->memory, t->tid, address, size);
    return;
  }
  uint8_t shadow = *shadow_at(address);
  if ((shadow & SHADOW_OK) && !(shadow & SHADOW_SHARED)) memory_share(&m->memory, address, size);
}

bool sync_possible_slow(struct machine *m, struct thread *t, uint64_t address, uint64_t size) {
  if (!in_arena(address, size)) return access_check(m, t, address, size, true) == RUN_GO;
  if (region_of(address) != t->tid) note_owner(m, t, address, size);
  return true;
}

void sync_fix_slow(struct machine *m, uint64_t address, uint64_t size) { symbolic_fix_memory(m, address, size); }

void sync_name(const struct machine *m, uint64_t address, const struct sync_type *type, struct text *out) {
  text_printf(out, "%s ", type->name);
  machine_object_text(m, address, type->size, out);
}

enum run sync_misuse(struct machine *m, struct thread *t, uint64_t address, const struct sync_type *type, const char *format) {
  struct text name = {0}, message = {0};
  sync_name(m, address, type, &name);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  text_printf(&message, format, text_str(&name));
#pragma GCC diagnostic pop
  machine_fail(m, t, FINDING_THREAD_MISUSE, "use", "%s", text_str(&message));
  text_release(&name);
  text_release(&message);
  return RUN_STOP;
}

void sync_mark_used(struct machine *m, uint64_t address, const struct sync_type *type) {
  if (!m->initialises || !type->static_allowed || !type->used || load32(address + type->seal) != 0) return;
  uint32_t mark = seal_of(address, SEAL_USED);
  if (load32(address + type->used) != mark) sync_put(m, (uint8_t *)host_at(address) + type->used, mark);
}

static bool is_used(uint64_t address, const struct sync_type *type) {
  return type->static_allowed && type->used && sync_usable(address, type) && load32(address + type->used) == seal_of(address, SEAL_USED);
}

bool sync_live(struct machine *m, struct thread *t, uint64_t address, const struct sync_type *type) {
  if (!accessible(address, type->size)) {
    access_check(m, t, address, type->size, true);
    return false;
  }
  if (sync_usable(address, type)) {
    sync_mark(m, address, type);
    sync_mark_used(m, address, type);
    return true;
  }
  if (sealed_destroyed(address, type))
    sync_misuse(m, t, address, type, "use of the destroyed %s");
  else if (uninitialised(address, type) || (load32(address + type->seal) == 0 && !type->static_allowed))
    sync_misuse(m, t, address, type, "use of the uninitialised %s");
  else
    sync_misuse(m, t, address, type, "use of something that is no valid %s (it was overwritten, or copied from another)");
  return false;
}

const struct sync_type *sync_spin_type(uint64_t address) {
  static const struct sync_type *const types[] = {&sync_spin, &sync_omp_lock, &sync_critical};
  uint32_t mark = load32(address) & ~(uint32_t)SPIN_OWNER_MASK;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (mark == types[i]->live || mark == types[i]->destroyed) return types[i];
  return &sync_spin;
}

static void mark_initialised(uint64_t address, uint64_t size) {
  uint8_t *shadow = shadow_at(address);
  for (uint64_t i = 0; i < size; i++) shadow[i] &= (uint8_t)~SHADOW_UNINIT;
}

enum run sync_init(struct machine *m, struct thread *t, uint64_t address, const struct sync_type *type) {
  if (!sync_fits(m, t, address, type->size)) return RUN_STOP;
  if (!sync_visible(m, t, EVENT_WRITE, address, type->size, 0, NEED_NOTHING, 0)) return RUN_YIELD;
  /* What was there before decides nothing: that symbolic data could be an initialised object of this machine's says nothing of the program.
   */
  if (m->symbolic) symbolic_forget(m, address, type->size);
  if (access_check(m, t, address, type->size, true) != RUN_GO) return RUN_STOP;
  bool was_init = load32(address + type->seal) != 0 && sync_usable(address, type);
  if (was_init) return sync_misuse(m, t, address, type, "initialisation of the %s, which is initialised already");
  if (is_used(address, type)) return sync_misuse(m, t, address, type, "initialisation of the %s, which has been used already");
  m->remade = true;
  memory_log(&m->memory, address, type->size);
  memset(host_at(address), 0, type->size);
  mark_initialised(address, type->size);
  uint32_t seal = type->live ? type->live : seal_of(address, SEAL_LIVE);
  memcpy((uint8_t *)host_at(address) + type->seal, &seal, sizeof seal);
  sync_mark(m, address, type);
  return RUN_GO;
}

enum run sync_destroy(struct machine *m, struct thread *t, uint64_t address, const struct sync_type *type) {
  if (!sync_possible(m, t, address, type->size)) return RUN_STOP;
  if (!sync_visible(m, t, EVENT_FREE, address, type->size, 0, NEED_NOTHING, 0)) return RUN_YIELD;
  return sync_live(m, t, address, type) ? RUN_GO : RUN_STOP;
}

void sync_seal_destroyed(struct machine *m, uint64_t address, const struct sync_type *type) {
  uint32_t seal = type->live ? type->destroyed : seal_of(address, SEAL_DESTROYED);
  memory_log(&m->memory, address + type->seal, sizeof seal);
  memcpy((uint8_t *)host_at(address) + type->seal, &seal, sizeof seal);
}

void sync_put(struct machine *m, void *field, uint32_t value) {
  memory_log(&m->memory, (uint64_t)(uintptr_t)field, sizeof value);
  memcpy(field, &value, sizeof value);
}

void sync_put64(struct machine *m, uint64_t address, uint64_t value) {
  memory_log(&m->memory, address, sizeof value);
  memcpy(host_at(address), &value, sizeof value);
}

/* --- marks --- */

/* The granule of the first byte is logged; what is left of the other marks when an execution is taken back does no harm. */
void sync_mark_slow(struct machine *m, uint64_t address, const struct sync_type *type) {
  uint8_t kind = 1, *shadow = shadow_at(address);
  while (marks[kind] != type && marks[kind] != &sync_spin) kind++;
  memory_log(&m->memory, address, 1);
  for (uint32_t i = 0; i < type->size; i++) shadow[i] |= OBJECT_REST;
  *shadow = (uint8_t)((*shadow & ~SHADOW_OBJECT) | kind);
}

static uint8_t mark_at(uint64_t address) {
  uint8_t shadow = *shadow_at(address);
  return shadow & SHADOW_OK ? shadow & SHADOW_OBJECT : 0;
}

/* 1 + the site where it was taken while there was one thread, or 0. */
static uint32_t early_of(uint64_t address, const struct sync_type *type) {
  if (type == &sync_mutex) return ((const struct mutex *)host_at(address))->early;
  return type == &sync_rwlock ? ((const struct rwlock *)host_at(address))->early : 0;
}

static enum run fail_overwrite(struct machine *m, struct thread *t, const struct thread *user, uint64_t address,
                               const struct sync_type *type) {
  struct text name = {0};
  sync_name(m, address, type, &name);
  machine_fail(m, t, FINDING_THREAD_MISUSE, "write", "write over the %s, %s thread %s %s", text_str(&name),
               type->waits ? "at which" : "which", machine_thread_name(m, user->tid), type->waits ? "waits" : "holds");
  text_release(&name);
  if (type->waits)
    machine_fail_site(m, user->tid, user->pending.site, "waits");
  else
    sync_add_holder(m, user->tid, address, early_of(address, type));
  return RUN_STOP;
}

/* Does the thread hold the object, or wait at it? If it has ended, it may hold it still. */
static bool uses(const struct thread *u, uint64_t address, const struct sync_type *type) {
  return u && u->state != THREAD_NONE && !(type->waits && u->state == THREAD_ENDED) && type->uses(u, address);
}

/* A thread, other than the one that stores, which uses the object; NULL: none does. One that has been joined does not, and for whom nothing
 * orders the store behind that, the two are dependent. */
static const struct thread *user_of(struct machine *m, const struct thread *t, uint64_t address, const struct sync_type *type) {
  if (!busy(address, type) || !sync_usable(address, type)) return NULL;
  for (uint32_t i = 0; i < THREADS_MAX; i++)
    if (i != t->tid && uses(m->threads[i], address, type) && !m->threads[i]->joined) return m->threads[i];
  for (uint32_t i = 0; i < THREADS_MAX && !m->single; i++) /* a step of the thread's, or of what flushes its store */
    if (i != t->tid && uses(m->threads[i], address, type))
      thread_note_joined(m, m->threads[vec_last(&m->trace).thread], m->threads[i], EVENT_READ);
  return NULL;
}

enum run sync_overwrite(struct machine *m, struct thread *t, uint64_t address, uint64_t size) {
  uint64_t from = address;
  while (address - from < LARGEST && mark_at(from) == OBJECT_REST && in_arena(from - 1, 1)) from--;
  for (uint64_t at = from; at < address + size; at++) {
    uint8_t mark = mark_at(at);
    if (mark == 0 || mark == OBJECT_REST || at + marks[mark]->size <= address) continue;
    const struct sync_type *type = marks[mark] == &sync_spin ? sync_spin_type(at) : marks[mark];
    const struct thread *user = user_of(m, t, at, type);
    if (user) return fail_overwrite(m, t, user, at, type);
    if (address - at >= 8 && at < address) continue; /* what says whether it is in use is left as it is */
    memory_log(&m->memory, at, 1);
    *shadow_at(at) |= OBJECT_REST;
  }
  m->remade = true;
  return RUN_GO;
}

/* Did this event give its thread the lock? */
static bool gives_lock(const struct event *e, uint64_t lock) {
  if (e->op == EVENT_ACQUIRE) return e->object == lock;
  return e->op == EVENT_WAIT_LEAVE && e->value2 == lock && !(e->flags & EVENT_TIMED_OUT);
}

void sync_add_holder(struct machine *m, uint32_t holder, uint64_t lock, uint32_t early) {
  for (size_t i = m->trace.count; i-- > 0;) {
    const struct event *e = &m->trace.data[i];
    if (e->thread != holder || !gives_lock(e, lock)) continue;
    machine_fail_site(m, holder, e->site, "holds");
    return;
  }
  if (early) machine_fail_site(m, holder, early - 1, "holds");
}

bool sync_time_comes(const struct machine *m, struct thread *t, uint64_t deadline) {
  if (deadline == TIME_INVALID) return false;
  if (m->clocked && deadline < UINT64_MAX / 4) clock_reach(t, deadline);
  return true;
}
