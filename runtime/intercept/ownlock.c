/* Locks of the program's own making, of which it tells by the functions __tsan_mutex_* of <sanitizer/tsan_interface.h>, or by the older
 * annotations. What they do inside does not count between `pre` and `post`.
 *
 * They order in all analyses: taking one may depend on more than the lock (a condition that it waits for inside). How they may be used is
 * known from these calls alone. A lock that was misused is not looked at again, as nobody knows what the program makes of it. */
#include "analysis/held.h"
#include "analysis/lockorder.h"
#include "intercept/annotation.h"
#include "intercept/misuse.h"
#include "record/record.h"

/* What the calls say, as in that header. */
enum {
  LINKER_INIT = 1 << 0,
  READ_LOCK = 1 << 3,
  TRY_LOCK = 1 << 4,
  TRY_LOCK_FAILED = 1 << 5,
  RECURSIVE_LOCK = 1 << 6,
  RECURSIVE_UNLOCK = 1 << 7,
  NOT_STATIC = 1 << 8
};

PUBLIC void __tsan_mutex_create(void *m, unsigned flags);
PUBLIC void __tsan_mutex_destroy(void *m, unsigned flags);
PUBLIC void __tsan_mutex_pre_lock(void *m, unsigned flags);
PUBLIC void __tsan_mutex_post_lock(void *m, unsigned flags, int recursion);
PUBLIC int __tsan_mutex_pre_unlock(void *m, unsigned flags);
PUBLIC void __tsan_mutex_post_unlock(void *m, unsigned flags);
PUBLIC void __tsan_mutex_pre_signal(void *m, unsigned flags);
PUBLIC void __tsan_mutex_post_signal(void *m, unsigned flags);
PUBLIC void __tsan_mutex_pre_divert(void *m, unsigned flags);
PUBLIC void __tsan_mutex_post_divert(void *m, unsigned flags);
PUBLIC void __tsan_check_no_mutexes_held(void);

static struct sync *lock_at(uintptr_t m, unsigned flags) { return sync_at(m, flags & READ_LOCK ? SYNC_RWLOCK : SYNC_MUTEX); }

static void misused(struct thread *t, struct sync *s, enum finding_kind kind, const char *what, uintptr_t pc) {
  if (s->own & OWN_MISUSED) return;
  s->own |= OWN_MISUSED;
  misuse_of_own(t, s, kind, what, pc);
}

/* t has it, so many times more. */
static void takes(struct thread *t, uintptr_t m, unsigned flags, uint32_t times, uintptr_t pc) {
  struct sync *s = t->ignore_sync ? NULL : lock_at(m, flags);
  if (!s) return;
  bool shared = flags & READ_LOCK, mine = s->holder == t->info->number + 1;
  if (s->holder && (shared || !mine)) misused(t, s, FINDING_HELD, shared ? "read lock of" : "locking of", pc);
  if (!shared && mine) {
    s->nested += times;
    return;
  }
  if (!shared) s->holder = t->info->number + 1, s->nested = times;
  if (UNLIKELY(recording)) {
    record_sync(t, TRACE_EVENT_ACQUIRE, s, (shared ? EVENT_SHARED_LOCK : 0) | (flags & TRY_LOCK ? EVENT_TRY : 0), 0);
    return;
  }
  uint32_t site = thread_site(t, pc, SITE_LOCK, 0);
  s->own |= OWN_MADE;
  if (!(flags & TRY_LOCK)) lockorder_takes(t, s, shared, site);
  sync_lock(t, s);
  sync_tell(t, s);
  thread_acquire(t, s->clock);
  if (!shared) thread_acquire(t, s->shared);
  if (!s->site) s->site = site;
  held_add(t, s, shared, site);
  sync_unlock(t, s);
}

/* It has it once less, or not at all. Returns how many times less, of exclusive ones. */
static uint32_t gives(struct thread *t, uintptr_t m, unsigned flags, uintptr_t pc) {
  struct sync *s = t->ignore_sync ? sync_find(m) : lock_at(m, flags);
  if (!s) return 0;
  uint32_t times = 0;
  bool shared = flags & READ_LOCK, mine = s->holder == t->info->number + 1;
  if (shared ? s->holder != 0 : !mine) misused(t, s, FINDING_UNHELD, shared ? "read unlock of" : "unlock of", pc);
  if (!shared && mine) {
    times = flags & RECURSIVE_UNLOCK ? s->nested : 1;
    s->nested -= times;
  }
  bool gone = shared || !mine || s->nested == 0;
  if (UNLIKELY(recording)) {
    if (gone) record_sync(t, TRACE_EVENT_RELEASE, s, shared ? EVENT_SHARED_LOCK : 0, 0);
    if (gone && mine) s->holder = 0;
    return times;
  }
  sync_lock(t, s);
  if (gone) held_remove(t, s);
  if (gone && mine) s->holder = 0;
  if (!t->ignore_sync) thread_release_join(t, shared ? &s->shared : &s->clock);
  sync_unlock(t, s);
  return times;
}

/* One that may be used before it is made, and when it is gone, keeps what it is. */
static void made(void *m, unsigned flags, uintptr_t pc) {
  struct thread *t = watched();
  if (!t) return;
  if (!(flags & LINKER_INIT)) {
    touches(t, m, 1, SITE_WRITE, pc);
    sync_remove((uintptr_t)m);
  }
  struct sync *s = lock_at((uintptr_t)m, flags);
  if (!s) return;
  s->own |= flags & LINKER_INIT ? OWN_STAYS : 0;
  s->own |= flags & NOT_STATIC ? OWN_NOT_STATIC : 0;
  if (flags & LINKER_INIT) return;
  thread_enter(t);
  s->site = thread_site(t, pc, SITE_ALLOC, 0);
  thread_leave(t);
}

static void gone(void *m, unsigned flags, uintptr_t pc) {
  struct thread *t = watched();
  struct sync *s = t ? sync_find((uintptr_t)m) : NULL;
  unsigned own = s ? s->own : 0;
  if (flags & LINKER_INIT || own & OWN_STAYS || (flags & NOT_STATIC && !(own & OWN_NOT_STATIC))) return;
  if (s && s->holder) misused(t, s, FINDING_LOCKED, "destruction of", pc);
  if (!recording) touches(t, m, 1, SITE_FREE, pc);
  if (s && !(s->own & OWN_MISUSED)) sync_remove((uintptr_t)m);
}

static void ignore(int by) {
  struct thread *t = runtime_on ? hd_fast.self : NULL;
  if (t) t->ignore_reads += by, t->ignore_writes += by, t->ignore_sync += by;
}
void __tsan_mutex_create(void *m, unsigned flags) { made(m, flags, CALLER); }
void __tsan_mutex_destroy(void *m, unsigned flags) { gone(m, flags, CALLER); }
void __tsan_mutex_pre_lock(void *m, unsigned flags) { (void)m, (void)flags, ignore(1); }
void __tsan_mutex_post_lock(void *m, unsigned flags, int recursion) {
  struct thread *t = watched();
  ignore(-1);
  if (!t || (flags & TRY_LOCK_FAILED)) return;
  touches(t, m, 1, SITE_ATOMIC_READ, CALLER);
  takes(t, (uintptr_t)m, flags, flags & RECURSIVE_LOCK && recursion > 0 ? (uint32_t)recursion : 1, CALLER);
}
int __tsan_mutex_pre_unlock(void *m, unsigned flags) {
  struct thread *t = watched();
  touches(t, m, 1, SITE_ATOMIC_READ, CALLER);
  uint32_t times = t ? gives(t, (uintptr_t)m, flags, CALLER) : 0;
  ignore(1);
  return (int)times;
}
void __tsan_mutex_post_unlock(void *m, unsigned flags) { (void)m, (void)flags, ignore(-1); }
void __tsan_mutex_pre_signal(void *m, unsigned flags) { (void)m, (void)flags, ignore(1); }
void __tsan_mutex_post_signal(void *m, unsigned flags) { (void)m, (void)flags, ignore(-1); }
void __tsan_mutex_pre_divert(void *m, unsigned flags) { (void)m, (void)flags, ignore(-1); }
void __tsan_mutex_post_divert(void *m, unsigned flags) { (void)m, (void)flags, ignore(1); }

void __tsan_check_no_mutexes_held(void) {
  struct thread *t = watched();
  if (t && t->nheld > 0) misuse_of_own(t, sync_by_index(t->held[t->nheld - 1].index), FINDING_KEPT, "call with", CALLER);
}

ANNOTATION(AnnotateRWLockCreate, (AT, void *m), made(m, 0, CALLER))
ANNOTATION(AnnotateRWLockCreateStatic, (AT, void *m), made(m, LINKER_INIT, CALLER))
ANNOTATION(AnnotateRWLockDestroy, (AT, void *m), gone(m, 0, CALLER))
/* These do not say whether the lock was waited for. */
#define RWLOCK(does)                                                  \
  struct thread *t = watched();                                       \
  unsigned flags = (exclusive ? 0u : (unsigned)READ_LOCK) | TRY_LOCK; \
  if (t) does
ANNOTATION(AnnotateRWLockAcquired, (AT, uintptr_t m, uintptr_t exclusive), RWLOCK(takes(t, m, flags, 1, CALLER)))
ANNOTATION(AnnotateRWLockReleased, (AT, uintptr_t m, uintptr_t exclusive), RWLOCK(gives(t, m, flags, CALLER)))
