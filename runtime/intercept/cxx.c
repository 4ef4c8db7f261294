/* What the C++ library does in code of its own, which is not compiled to be watched: static variables of functions, and futures that become
 * ready at the end of a thread. (nodes.c: containers.) */
#include <limits.h>
#include <linux/futex.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "enforce/enforce.h"
#include "intercept/intercept.h"
#include "record/record.h"

/* Guards of static variables: compiled code reads their first byte with acquire. The functions are not the library's: with
 * -static-libstdc++ there is none to call. But its copies of them may meet the same guard, so the bits are theirs. */
enum { GUARD_DONE = 1, GUARD_PENDING = 1 << 8, GUARD_AWAITED = 1 << 16 };

PUBLIC int __cxa_guard_acquire(int *guard);
PUBLIC void __cxa_guard_release(int *guard);
PUBLIC void __cxa_guard_abort(int *guard);

static void guard_ends(int *guard, int value) {
  if (__atomic_exchange_n(guard, value, __ATOMIC_ACQ_REL) & GUARD_AWAITED) syscall(SYS_futex, guard, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* The initialisation needs the variable itself. The library throws an exception. */
static COLD int guard_again(int *guard) {
  int (*library)(int *) = dlsym(RTLD_NEXT, "__cxa_guard_acquire");
  if (!library) library = of_cxx_library("__cxa_guard_acquire");
  if (!library) rt_die("heddle: the initialisation of a static variable of a function needs that variable\n");
  return library(guard);
}

static bool guard_taken(int *guard) {
  for (;;) {
    int seen = 0, awaited = GUARD_PENDING | GUARD_AWAITED;
    if (__atomic_compare_exchange_n(guard, &seen, GUARD_PENDING, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return true;
    if (seen == GUARD_DONE) return false;
    if (__libc_single_threaded) return guard_again(guard);
    if (seen == awaited || __atomic_compare_exchange_n(guard, &seen, awaited, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      syscall(SYS_futex, guard, FUTEX_WAIT, awaited, NULL, NULL, 0);
  }
}

int __cxa_guard_acquire(int *guard) {
  if (__atomic_load_n((char *)guard, __ATOMIC_ACQUIRE) == 0 && guard_taken(guard)) return 1;
  struct thread *t = watched();
  if (t && !t->ignore_sync) sync_acquire(t, (uintptr_t)guard);
  return 0;
}
/* Who finds the variable initialised reads this write. */
static void guard_written(struct thread *t, int *guard) {
  struct sync *s = sync_at((uintptr_t)guard, SYNC_ONCE);
  if (!s) return guard_ends(guard, GUARD_DONE);
  enforce_before(t, 1u << TRACE_EVENT_WRITE, (uintptr_t)guard, 1, 0);
  sync_lock(t, s);
  guard_ends(guard, GUARD_DONE);
  record_atomic(t, TRACE_EVENT_WRITE, s, 0, 1, __ATOMIC_RELEASE, GUARD_DONE, 0);
  sync_unlock(t, s);
}
void __cxa_guard_release(int *guard) {
  struct thread *t = watched();
  if (t && !t->ignore_sync) sync_release(t, (uintptr_t)guard, SYNC_ONCE);
  if (UNLIKELY(recording) && t && !t->ignore_sync)
    guard_written(t, guard);
  else
    guard_ends(guard, GUARD_DONE);
}
void __cxa_guard_abort(int *guard) { guard_ends(guard, 0); }

/* std::promise::set_value_at_thread_exit(): the library stores the status, an atomic variable that the program's own code reads. With
 * -static-libstdc++ the function is the program's own, and not seen; this one is weak to be no second one then. */
struct future_state {
  void *methods, *result;
  unsigned status;
};
struct make_ready {
  struct make_ready *next;
  void (*run)(void *self);
  struct future_state *state;
};
static void (*makes_ready)(void *self);
static void is_ready(struct make_ready *m) {
  struct thread *t = watched();
  if (t && !t->ignore_sync && m->state) sync_release(t, (uintptr_t)&m->state->status, SYNC_ATOMIC);
}
/* In a trace, the store is an event of its own: of 1, ready, to an unsigned number. */
static void becomes_ready(const struct make_ready *m) {
  struct thread *t = recording ? watched() : NULL;
  struct sync *s = t && !t->ignore_sync && m->state ? sync_at((uintptr_t)&m->state->status, SYNC_ATOMIC) : NULL;
  if (!s) return;
  enforce_before(t, 1u << TRACE_EVENT_WRITE, s->address, sizeof m->state->status, 0);
  sync_lock(t, s);
  record_atomic(t, TRACE_EVENT_WRITE, s, 0, sizeof m->state->status, __ATOMIC_RELEASE, 1, 0);
  sync_unlock(t, s);
}
static void at_thread_end(void *self) {
  is_ready(self);
  becomes_ready(self);
  makes_ready(self);
}
__attribute__((weak)) PUBLIC void _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(struct make_ready *m);
void _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(struct make_ready *m) {
  static __typeof__(&_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv) library;
  static const char name[] = "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv";
  is_ready(m); /* if the thread's end is not seen */
  if (!library) library = next_function(name, NULL);
  library(m);
  __atomic_store_n(&makes_ready, m->run, __ATOMIC_RELAXED);
  m->run = at_thread_end;
}
