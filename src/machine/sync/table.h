/* The thread library's functions: name, builtin, fewest argument slots. Those with a time get it as a number (models/libc/timed.c). */
#pragma once
#include "machine/internal.h"

/* clang-format off */
#define SYNC_LIST(X) \
  X(pthread_mutex_init, mutex_init, 2) \
  X(pthread_mutex_destroy, mutex_destroy, 1) \
  X(pthread_mutex_lock, mutex_lock, 1) \
  X(pthread_mutex_trylock, mutex_trylock, 1) \
  X(__hd_mutex_timedlock, mutex_timedlock, 2) \
  X(pthread_mutex_unlock, mutex_unlock, 1) \
  X(pthread_mutex_consistent, mutex_consistent, 1) \
  X(pthread_mutex_consistent_np, mutex_consistent, 1) \
  X(pthread_mutex_getprioceiling, mutex_getprioceiling, 2) \
  X(pthread_mutex_setprioceiling, mutex_setprioceiling, 3) \
  X(pthread_cond_init, cond_init, 2) \
  X(pthread_cond_destroy, cond_destroy, 1) \
  X(pthread_cond_wait, cond_wait, 2) \
  X(__hd_cond_timedwait, cond_timedwait, 3) \
  X(pthread_cond_signal, cond_signal, 1) \
  X(pthread_cond_broadcast, cond_broadcast, 1) \
  X(pthread_rwlock_init, rwlock_init, 2) \
  X(pthread_rwlock_destroy, rwlock_destroy, 1) \
  X(pthread_rwlock_rdlock, rwlock_rdlock, 1) \
  X(pthread_rwlock_tryrdlock, rwlock_tryrdlock, 1) \
  X(__hd_rwlock_timedrdlock, rwlock_timedrdlock, 2) \
  X(pthread_rwlock_wrlock, rwlock_wrlock, 1) \
  X(pthread_rwlock_trywrlock, rwlock_trywrlock, 1) \
  X(__hd_rwlock_timedwrlock, rwlock_timedwrlock, 2) \
  X(pthread_rwlock_unlock, rwlock_unlock, 1) \
  X(pthread_barrier_init, barrier_init, 3) \
  X(pthread_barrier_destroy, barrier_destroy, 1) \
  X(pthread_barrier_wait, barrier_wait, 1) \
  X(pthread_spin_init, spinlock_init, 2) \
  X(pthread_spin_destroy, spinlock_destroy, 1) \
  X(pthread_spin_lock, spinlock_lock, 1) \
  X(pthread_spin_trylock, spinlock_trylock, 1) \
  X(pthread_spin_unlock, spinlock_unlock, 1) \
  X(__hd_omp_lock_init, omp_lock_init, 1) \
  X(__hd_omp_lock_destroy, omp_lock_destroy, 1) \
  X(__hd_omp_lock_set, omp_lock_set, 1) \
  X(__hd_omp_lock_test, omp_lock_test, 1) \
  X(__hd_omp_lock_unset, omp_lock_unset, 1) \
  X(__hd_omp_lock_is_own, omp_lock_is_own, 1) \
  X(__hd_critical_enter, critical_enter, 1) \
  X(__hd_critical_leave, critical_leave, 1) \
  X(sem_init, semaphore_init, 3) \
  X(sem_destroy, semaphore_destroy, 1) \
  X(sem_wait, semaphore_wait, 1) \
  X(sem_trywait, semaphore_trywait, 1) \
  X(__hd_sem_timedwait, semaphore_timedwait, 2) \
  X(sem_post, semaphore_post, 1) \
  X(sem_getvalue, semaphore_getvalue, 2) \
  X(pthread_create, thread_builtin_create, 4) \
  X(__hd_thread_create_with, thread_builtin_create_with, 6) \
  X(pthread_join, thread_builtin_join, 2) \
  X(pthread_tryjoin_np, thread_builtin_tryjoin, 2) \
  X(__hd_timedjoin, thread_builtin_timedjoin, 3) \
  X(pthread_detach, thread_builtin_detach, 1) \
  X(pthread_exit, thread_builtin_exit, 1) \
  X(pthread_self, thread_builtin_self, 0) \
  X(__hd_local_of, thread_builtin_local_of, 2) \
  X(pthread_equal, thread_builtin_equal, 2) \
  X(sched_yield, thread_builtin_yield, 0) \
  X(pthread_yield, thread_builtin_yield, 0) \
  X(pthread_cancel, cancel_cancel, 1) \
  X(pthread_testcancel, cancel_testcancel, 0) \
  X(pthread_setcancelstate, cancel_setcancelstate, 2) \
  X(pthread_setcanceltype, cancel_setcanceltype, 2) \
  X(__pthread_register_cancel, thread_builtin_cleanup_push, 1) \
  X(__pthread_unregister_cancel, thread_builtin_cleanup_pop, 1) \
  X(__pthread_unwind_next, thread_builtin_cleanup_next, 1)
/* clang-format on */

/* A builtin's definition (internal.h, builtin_function). */
#define BUILTIN(name)                                                                                                         \
  enum run name(struct machine *m [[maybe_unused]], struct thread *t [[maybe_unused]], const uint64_t *args [[maybe_unused]], \
                uint32_t nargs [[maybe_unused]], uint64_t *result [[maybe_unused]])

#define X(name, function, params) builtin_function function;
SYNC_LIST(X)
#undef X
