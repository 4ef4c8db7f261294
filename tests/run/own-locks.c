/* finds: destruction of a lock that is held A B, locking of a lock that is held D, use of a lock that the thread does not hold E, locking of a lock that is held F G, use of a lock that the thread does not hold H I, lock that is held where none may be J K, data race L M; fixed: nothing. Locks of the program's own making that are not used as locks are; readers of such a lock are not ordered. */
#include <dlfcn.h>
#include <pthread.h>
#include <sanitizer/tsan_interface.h>

#include "moment.h"

#define AT __FILE__, __LINE__
void AnnotateRWLockCreate(const char *, int, void *);
void AnnotateRWLockCreateStatic(const char *, int, void *);
void AnnotateRWLockDestroy(const char *, int, void *);
void AnnotateRWLockAcquired(const char *, int, void *, long writes);
void AnnotateRWLockReleased(const char *, int, void *, long writes);

static long gone, always, readers;
long shared;
#ifndef FIXED
static long twice, never, both, other;
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

#ifndef FIXED
static void *takes_twice(void *argument) {
  AnnotateRWLockAcquired(AT, &twice, 1); /* @D */
  return argument;
}
#endif

static void *reads(void *argument) {
  AnnotateRWLockAcquired(AT, &readers, 0);
#ifdef FIXED
  __atomic_store_n(&shared, 1, __ATOMIC_RELAXED);
#else
  shared = 1; /* @L */
#endif
  AnnotateRWLockReleased(AT, &readers, 0);
  moment_reach(1);
  return argument;
}

int main(void) {
  pthread_t t;
  void (*none_held)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "__tsan_check_no_mutexes_held"); /* older compilers know nothing of it */
  __tsan_mutex_create(&gone, 0);
  __tsan_mutex_pre_lock(&gone, 0);
  __tsan_mutex_post_lock(&gone, 0, 0); /* @A */
#ifdef FIXED
  __tsan_mutex_pre_unlock(&gone, 0);
  __tsan_mutex_post_unlock(&gone, 0);
#endif
  __tsan_mutex_destroy(&gone, 0); /* @B */
#ifndef FIXED
  __tsan_mutex_pre_unlock(&gone, 0); /* told already */
  __tsan_mutex_post_unlock(&gone, 0);
  AnnotateRWLockAcquired(AT, &twice, 1);
  pthread_create(&t, NULL, takes_twice, NULL);
  pthread_join(t, NULL);
  AnnotateRWLockReleased(AT, &never, 1); /* @E */
  AnnotateRWLockAcquired(AT, &both, 1);  /* @F */
  AnnotateRWLockAcquired(AT, &both, 0);  /* @G */
  AnnotateRWLockAcquired(AT, &other, 1); /* @H */
  AnnotateRWLockReleased(AT, &other, 0); /* @I */
#endif

  /* One that lasts for as long as the program runs. */
  AnnotateRWLockAcquired(AT, &always, 1);
  AnnotateRWLockCreateStatic(AT, &always);
  AnnotateRWLockReleased(AT, &always, 1);
  AnnotateRWLockAcquired(AT, &always, 1);
  AnnotateRWLockDestroy(AT, &always);
  AnnotateRWLockReleased(AT, &always, 1);

  pthread_mutex_lock(&m); /* @K */
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  if (none_held) none_held(); /* @J */
#ifndef FIXED
  pthread_mutex_unlock(&m);
#endif

  AnnotateRWLockCreate(AT, &readers);
  pthread_create(&t, NULL, reads, NULL);
  moment_await(1);
  AnnotateRWLockAcquired(AT, &readers, 0);
#ifdef FIXED
  __atomic_store_n(&shared, 2, __ATOMIC_RELAXED);
#else
  shared = 2; /* @M */
#endif
  AnnotateRWLockReleased(AT, &readers, 0);
  pthread_join(t, NULL);
  AnnotateRWLockAcquired(AT, &readers, 1);
  shared = 3;
  AnnotateRWLockReleased(AT, &readers, 1);
  AnnotateRWLockDestroy(AT, &readers);
  return 0;
}
