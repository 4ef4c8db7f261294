/* A lock that only the corrected form of a test takes. */
#pragma once
#include <pthread.h>

static pthread_mutex_t lock_of_fixed = PTHREAD_MUTEX_INITIALIZER;

static inline void lock(void) {
#ifdef FIXED
  pthread_mutex_lock(&lock_of_fixed);
#endif
}
static inline void unlock(void) {
#ifdef FIXED
  pthread_mutex_unlock(&lock_of_fixed);
#endif
}
