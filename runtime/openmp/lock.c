/* Locks and critical sections: mutexes, as far as the analyses are concerned. */
#include "analysis/deadlock.h"
#include "openmp/library.h"

static void waits_for(void *lock, bool again, void (*take)(void *), uintptr_t pc) {
  struct thread *t = watched();
  bool says = mutex_wanted(t, lock, again, pc);
  take(lock);
  if (says) deadlock_over(t);
  mutex_taken(lock, true, pc);
}

#define LOCK(kind, again)                                                                          \
  PUBLIC void omp_init_##kind(void *lock);                                                         \
  PUBLIC void omp_init_##kind##_with_hint(void *lock, int hint);                                   \
  PUBLIC void omp_destroy_##kind(void *lock);                                                      \
  PUBLIC void omp_set_##kind(void *lock);                                                          \
  PUBLIC void omp_unset_##kind(void *lock);                                                        \
  PUBLIC int omp_test_##kind(void *lock);                                                          \
  void omp_init_##kind(void *lock) {                                                               \
    mutex_made(lock, CALLER);                                                                      \
    NEXT_OPENMP(omp_init_##kind)(lock);                                                            \
  }                                                                                                \
  void omp_init_##kind##_with_hint(void *lock, int hint) {                                         \
    mutex_made(lock, CALLER);                                                                      \
    NEXT_OPENMP(omp_init_##kind##_with_hint)(lock, hint);                                          \
  }                                                                                                \
  void omp_destroy_##kind(void *lock) {                                                            \
    mutex_gone(lock, CALLER);                                                                      \
    NEXT_OPENMP(omp_destroy_##kind)(lock);                                                         \
  }                                                                                                \
  void omp_set_##kind(void *lock) { waits_for(lock, again, NEXT_OPENMP(omp_set_##kind), CALLER); } \
  void omp_unset_##kind(void *lock) {                                                              \
    mutex_given(lock, CALLER);                                                                     \
    NEXT_OPENMP(omp_unset_##kind)(lock);                                                           \
  }                                                                                                \
  int omp_test_##kind(void *lock) {                                                                \
    int got = NEXT_OPENMP(omp_test_##kind)(lock);                                                  \
    if (got)                                                                                       \
      mutex_taken(lock, false, CALLER);                                                            \
    else                                                                                           \
      mutex_refused(lock, CALLER);                                                                 \
    return got;                                                                                    \
  }
LOCK(lock, false)
LOCK(nest_lock, true)

/* gcc's critical sections: one without a name, others by a word of their own, and one for atomic updates that no instruction does. */
PUBLIC void GOMP_critical_start(void);
PUBLIC void GOMP_critical_end(void);
PUBLIC void GOMP_atomic_start(void);
PUBLIC void GOMP_atomic_end(void);
PUBLIC void GOMP_critical_name_start(void *name);
PUBLIC void GOMP_critical_name_end(void *name);
static char critical, atomic_update;
static void start_critical(void *lock) { (void)lock, NEXT_OPENMP(GOMP_critical_start)(); }
static void start_atomic(void *lock) { (void)lock, NEXT_OPENMP(GOMP_atomic_start)(); }
void GOMP_critical_start(void) { waits_for(&critical, false, start_critical, CALLER); }
void GOMP_critical_end(void) {
  mutex_given(&critical, CALLER);
  NEXT_OPENMP(GOMP_critical_end)();
}
void GOMP_atomic_start(void) { waits_for(&atomic_update, false, start_atomic, CALLER); }
void GOMP_atomic_end(void) {
  mutex_given(&atomic_update, CALLER);
  NEXT_OPENMP(GOMP_atomic_end)();
}
void GOMP_critical_name_start(void *name) { waits_for(name, false, NEXT_OPENMP(GOMP_critical_name_start), CALLER); }
void GOMP_critical_name_end(void *name) {
  mutex_given(name, CALLER);
  NEXT_OPENMP(GOMP_critical_name_end)(name);
}

/* clang's. */
PUBLIC void __kmpc_critical(void *place, int thread, void *lock);
PUBLIC void __kmpc_critical_with_hint(void *place, int thread, void *lock, unsigned hint);
PUBLIC void __kmpc_end_critical(void *place, int thread, void *lock);
static void got(bool waited, void *lock, uintptr_t pc) {
  if (waited) deadlock_over(watched());
  mutex_taken(lock, true, pc);
}
void __kmpc_critical(void *place, int thread, void *lock) {
  bool says = mutex_wanted(watched(), lock, false, CALLER);
  NEXT_OPENMP(__kmpc_critical)(place, thread, lock);
  got(says, lock, CALLER);
}
void __kmpc_critical_with_hint(void *place, int thread, void *lock, unsigned hint) {
  bool says = mutex_wanted(watched(), lock, false, CALLER);
  NEXT_OPENMP(__kmpc_critical_with_hint)(place, thread, lock, hint);
  got(says, lock, CALLER);
}
void __kmpc_end_critical(void *place, int thread, void *lock) {
  mutex_given(lock, CALLER);
  NEXT_OPENMP(__kmpc_end_critical)(place, thread, lock);
}
