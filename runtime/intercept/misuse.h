/* Calls that POSIX leaves undefined for the state that a lock is in. Each is told once for a place, and only if the C library's own record
 * of the lock says the same as the runtime's: a program may have taken the lock where nobody looked. */
#pragma once
#include <pthread.h>

#include "report/finding.h"
#include "sync.h"

/* t is about to give the lock back: does it not hold it? True if the C library will refuse to take it back. */
bool misuse_of_unlock(struct thread *t, const pthread_mutex_t *m, uintptr_t pc);
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
/* t begins to wait for a condition, or is done with it; `wait` names the object that it waited for. */
uint64_t misuse_wait_begins(struct thread *t, uintptr_t condition, uintptr_t mutex, bool timed, uintptr_t pc);
void misuse_wait_ends(struct thread *t, uintptr_t condition, uint64_t wait, bool timed);
/* It wakes one that waits, or all. */
void misuse_notified(struct thread *t, uintptr_t condition, bool all);
/* It is about to destroy or initialise it (`what`). */
void misuse_of_condition(struct thread *t, const pthread_cond_t *condition, const char *what, uintptr_t pc);
/* The same of any lock: what it is, in words such as "unlock of", is known. */
void misuse_of_own(struct thread *t, const struct sync *s, enum finding_kind kind, const char *what, uintptr_t pc);
