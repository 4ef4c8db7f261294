/* Calls that POSIX leaves undefined for the state that a lock is in. Each is told once for a place, and only if the C library's own record
 * of the lock says the same as the runtime's: a program may have taken the lock where nobody looked. */
#pragma once
#include <pthread.h>

#include "sync.h"

/* t is about to give the lock back: does it not hold it? */
void misuse_of_unlock(struct thread *t, const pthread_mutex_t *m, uintptr_t pc);
void misuse_of_spin_unlock(struct thread *t, pthread_spinlock_t *l, uintptr_t pc);
void misuse_of_rwlock_unlock(struct thread *t, const pthread_rwlock_t *l, uintptr_t pc);
/* It is about to wait for a condition with a mutex. True if it does not hold that. */
bool misuse_of_wait(struct thread *t, const pthread_mutex_t *m, uintptr_t pc);
/* It asked for a mutex, and the C library answered `error`. */
void misuse_of_mutex(struct thread *t, const pthread_mutex_t *m, int error, uintptr_t pc);
/* It is about to destroy it; the C library refused, since it is held or waited with. */
void misuse_of_destruction(struct thread *t, const pthread_mutex_t *m, uintptr_t pc);
void misuse_of_held(struct thread *t, const pthread_mutex_t *m, uintptr_t pc);
void misuse_of_rwlock_destruction(struct thread *t, const pthread_rwlock_t *l, uintptr_t pc);
