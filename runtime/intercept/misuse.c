#include "intercept/misuse.h"

#include <errno.h>
#include <unistd.h>

#include "analysis/held.h"
#include "report/report.h"

/* Where it was destroyed, if that is the last that was written to it. */
static bool destroyed_at(uintptr_t lock, struct finding_part *part) {
  cell w = cell_load(&shadow_of(lock)->write);
  if (cell_is_ref(w) || !(cell_mask(w) & mask_of(lock, 1)) || context_at(cell_site(w))->kind != SITE_FREE) return false;
  *part = (struct finding_part){
      .what = "destruction", .previous = true, .thread = thread_of_epoch(cell_epoch(w)), .address = lock, .site = cell_site(w)};
  return true;
}

/* NULL if t does not hold it, or holds so many that the runtime lost count. */
static const struct held *held_of(const struct thread *t, uintptr_t lock) {
  const struct sync *s = sync_find(lock);
  for (uint32_t i = 0; s && i < t->nheld; i++)
    if (t->held[i].lock == s->id) return &t->held[i];
  return NULL;
}

/* Where t took it, if it holds it. */
static bool taken_at(const struct thread *t, uintptr_t lock, struct finding_part *part) {
  const struct held *h = held_of(t, lock);
  if (h) *part = (struct finding_part){.what = "locking", .previous = true, .thread = t->info, .address = lock, .site = h->site};
  return h != NULL;
}

static void found(struct thread *t, enum finding_kind kind, const char *what, const void *at, enum sync_kind lock_kind, uintptr_t pc) {
  uintptr_t address = (uintptr_t)at;
  int saved = errno;
  thread_enter(t);
  uint32_t site = thread_site(t, pc, SITE_USE, 0);
  const struct sync *s = sync_find(address);
  struct finding_lock lock = {.address = address, .made = s ? s->site : SITE_UNKNOWN, .kind = (uint8_t)lock_kind};
  struct finding_part parts[2] = {{.what = what, .thread = t->info, .wanted = &lock, .site = site}};
  bool of_holder = kind == FINDING_LOCKED || kind == FINDING_HELD || kind == FINDING_KEPT || kind == FINDING_UNHELD;
  bool more = kind == FINDING_DESTROYED ? destroyed_at(address, &parts[1]) : of_holder && taken_at(t, address, &parts[1]);
  uint32_t owner = !s ? 0 : s->holder ? s->holder : s->owner;
  struct finding_piece holder[] = {{"It is held by ", owner ? thread_by_number(owner - 1) : NULL, NULL, true}, {0}};
  bool others = holder[0].thread && holder[0].thread != t->info;
  if (report_is_new(kind, &site, 1))
    report_finding(
        t, &(struct finding){.kind = kind, .parts = parts, .count = more ? 2 : 1, .location = address, .notes = others ? holder : NULL});
  thread_leave(t);
  errno = saved;
}

/* The runtime's record. After a fork() the child's thread has another number with the system, and holds what it held. */
static bool holds(const struct thread *t, const void *lock) {
  const struct sync *s = sync_find((uintptr_t)lock);
  if (t->held_more) return true;
  return (s && s->owner == t->info->number + 1) || held_of(t, (uintptr_t)lock);
}

/* The C library's: the holder of a mutex, as the system numbers threads. An elided lock has none. */
static bool library_holds(const pthread_mutex_t *m) {
  enum { ELIDED = 256 };
  return (m->__data.__kind & ELIDED) || m->__data.__owner == gettid();
}
/* Its kind when it was destroyed. */
static bool is_destroyed(const pthread_mutex_t *m) { return m->__data.__kind == -1; }

/* A recursive one, one that checks for errors and a robust one return an error to who does not hold it, as POSIX has it. Hardly anybody
 * looks at it, std::recursive_mutex cannot: it is told as of others. */
static bool refuses_others(const pthread_mutex_t *m) {
  enum { TYPE = 3, ROBUST = 16 };
  int type = m->__data.__kind & TYPE;
  return (m->__data.__kind & ROBUST) || type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK;
}

static bool is_unheld(struct thread *t, const pthread_mutex_t *m) {
  return !t->ignore_sync && !holds(t, m) && !library_holds(m) && !is_destroyed(m);
}

bool misuse_of_unlock(struct thread *t, const pthread_mutex_t *m, uintptr_t pc) {
  bool destroyed = is_destroyed(m), unheld = is_unheld(t, m);
  if (destroyed || unheld) found(t, destroyed ? FINDING_DESTROYED : FINDING_UNHELD, "unlock of", m, SYNC_MUTEX, pc);
  return destroyed || (unheld && refuses_others(m));
}

void misuse_of_spin_unlock(struct thread *t, pthread_spinlock_t *l, uintptr_t pc) {
  enum { FREE = 1 };
  const void *lock = (const void *)(uintptr_t)l;
  const struct sync *s = sync_find((uintptr_t)l);
  bool others = s && s->owner;
  if (!t->ignore_sync && !holds(t, lock) && (others || *l == FREE)) found(t, FINDING_UNHELD, "unlock of", lock, SYNC_SPIN, pc);
}

enum { READER = 8 }; /* the C library counts readers in these steps */

void misuse_of_rwlock_unlock(struct thread *t, const pthread_rwlock_t *l, uintptr_t pc) {
  int writer = l->__data.__cur_writer;
  bool others = writer ? writer != gettid() : l->__data.__readers < READER;
  if (!t->ignore_sync && !holds(t, l) && others) found(t, FINDING_UNHELD, "unlock of", l, SYNC_RWLOCK, pc);
}

bool misuse_of_wait(struct thread *t, const pthread_mutex_t *m, uintptr_t pc) {
  if (!is_unheld(t, m)) return false;
  found(t, FINDING_UNHELD, "wait with", m, SYNC_MUTEX, pc);
  return true;
}

void misuse_of_mutex(struct thread *t, const pthread_mutex_t *m, int error, uintptr_t pc) {
  if (error == EINVAL && is_destroyed(m)) found(t, FINDING_DESTROYED, "locking of", m, SYNC_MUTEX, pc);
}

void misuse_of_destruction(struct thread *t, const pthread_mutex_t *m, uintptr_t pc) {
  if (is_destroyed(m)) found(t, FINDING_DESTROYED, "destruction of", m, SYNC_MUTEX, pc);
}
void misuse_of_held(struct thread *t, const pthread_mutex_t *m, uintptr_t pc) {
  const struct sync *s = sync_find((uintptr_t)m);
  if (s && s->owner) found(t, FINDING_LOCKED, "destruction of", m, SYNC_MUTEX, pc);
}

void misuse_of_rwlock_destruction(struct thread *t, const pthread_rwlock_t *l, uintptr_t pc) {
  const struct sync *s = sync_find((uintptr_t)l);
  bool locked = l->__data.__cur_writer ? s && s->owner : l->__data.__readers >= READER;
  if (locked && !t->ignore_sync) found(t, FINDING_LOCKED, "destruction of", l, SYNC_RWLOCK, pc);
}

/* --- condition variables --- */

/* A wait binds the condition to its mutex until it returns. */
static void found_mutexes(struct thread *t, const struct sync *c, uintptr_t mutex, uint32_t site) {
  struct finding_lock mine = {.address = mutex, .made = SITE_UNKNOWN, .kind = SYNC_MUTEX}, theirs = mine;
  theirs.address = c->with;
  struct finding_part parts[] = {
      {.what = "wait with", .thread = t->info, .wanted = &mine, .site = site},
      {.what = "wait with", .previous = true, .thread = thread_by_number(c->owner - 1), .wanted = &theirs, .site = c->site}};
  if (report_is_new(FINDING_MUTEXES, (uint32_t[]){site, c->site}, 2))
    report_finding(t, &(struct finding){.kind = FINDING_MUTEXES, .parts = parts, .count = 2, .location = c->address});
}

uint64_t misuse_wait_begins(struct thread *t, uintptr_t condition, uintptr_t mutex, bool timed, uintptr_t pc) {
  struct sync *c = t->ignore_sync ? NULL : sync_at(condition, SYNC_COND);
  if (!c) return 0;
  sync_lock(t, c);
  uint32_t site = thread_site(t, pc, SITE_WAIT, 0);
  struct sync other = {.address = condition, .with = c->with, .owner = c->owner, .site = c->site};
  bool differs = c->inside > 0 && c->with != mutex;
  uint64_t id = c->id;
  c->inside++;
  if (!timed) c->endless++, c->blocked++;
  c->with = mutex, c->owner = t->info->number + 1, c->site = site;
  sync_unlock(t, c);
  if (differs) {
    thread_enter(t);
    found_mutexes(t, &other, mutex, site);
    thread_leave(t);
  }
  return id;
}

/* Whether it was notified, nobody knows: it counts so if any was. */
void misuse_wait_ends(struct thread *t, uintptr_t condition, uint64_t wait, bool timed) {
  struct sync *c = wait ? sync_find(condition) : NULL;
  if (!c) return;
  sync_lock(t, c);
  if (c->id == wait && c->inside > 0) {
    c->inside--;
    if (!timed) c->endless--;
    if (c->blocked > c->endless) c->blocked = c->endless;
  }
  sync_unlock(t, c);
}

void misuse_notified(struct thread *t, uintptr_t condition, bool all) {
  struct sync *c = sync_find(condition);
  if (!c) return;
  sync_lock(t, c);
  if (all)
    c->blocked = 0;
  else if (c->blocked > 0)
    c->blocked--;
  sync_unlock(t, c);
}

void misuse_of_condition(struct thread *t, const pthread_cond_t *at, const char *what, uintptr_t pc) {
  enum { SHARED = 1 }; /* other processes may have notified it */
  uintptr_t condition = (uintptr_t)at;
  const struct sync *c = t->ignore_sync ? NULL : sync_find(condition);
  if (!c || c->blocked == 0 || at->__data.__wrefs & SHARED) return;
  thread_enter(t);
  struct finding_part parts[] = {
      {.what = what, .thread = t->info, .address = condition, .site = thread_site(t, pc, SITE_USE, 0)},
      {.what = "wait", .previous = true, .thread = thread_by_number(c->owner - 1), .address = condition, .site = c->site}};
  if (report_is_new(FINDING_WAITED, (uint32_t[]){parts[0].site, parts[1].site}, 2))
    report_finding(t, &(struct finding){.kind = FINDING_WAITED, .parts = parts, .count = 2, .location = condition});
  thread_leave(t);
}

void misuse_of_own(struct thread *t, const struct sync *s, enum finding_kind kind, const char *what, uintptr_t pc) {
  found(t, kind, what, (const void *)s->address, (enum sync_kind)s->kind, pc);
}
