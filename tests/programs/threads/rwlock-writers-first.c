// Of a lock that prefers writers and is not recursive, no reader passes a waiting writer: not even one that reads already.
// verdict: SAFE
// case: recursive -DRECURSIVE
// verdict: BUG
// finding: deadlock
// case: readers-first -DRECURSIVE -DKIND=PTHREAD_RWLOCK_PREFER_READER_NP
// verdict: SAFE
// case: initialised -DRECURSIVE -DINIT
// verdict: BUG
// finding: deadlock
// case: tried -DTRIED
// verdict: SAFE
// case: tried-readers-first -DTRIED -DINIT -DKIND=PTHREAD_RWLOCK_PREFER_READER_NP
// verdict: SAFE
// case: timed -DRECURSIVE -DTIMED
// verdict: SAFE
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#ifndef KIND
#define KIND PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
#endif
static pthread_rwlock_t l = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int value;

static void *writer(void *unused) {
#ifdef TIMED
  struct timespec until = {0};
  if (pthread_rwlock_timedwrlock(&l, &until)) return unused;
#else
  pthread_rwlock_wrlock(&l);
#endif
  value++;
  pthread_rwlock_unlock(&l);
  return unused;
}

static void *reader(void *unused) {
#ifdef TRIED /* as soon as a writer waits, nobody gets the lock for reading */
  int busy = 0;
  for (int i = 0; i < 2; i++) {
    int error = pthread_rwlock_tryrdlock(&l);
    assert(error == EBUSY || !busy || value == 1);
    busy |= error == EBUSY;
    if (!error) pthread_rwlock_unlock(&l);
  }
#endif
  pthread_rwlock_rdlock(&l);
#ifdef RECURSIVE
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
#endif
  assert(value >= 0);
  pthread_rwlock_unlock(&l);
  return unused;
}

int main(void) {
  pthread_t w, r;
#if defined INIT || defined RECURSIVE
  pthread_rwlockattr_t a;
  pthread_rwlockattr_init(&a);
  pthread_rwlockattr_setkind_np(&a, KIND);
  pthread_rwlock_init(&l, &a);
#endif
  pthread_create(&w, 0, writer, 0);
#ifdef TRIED
  pthread_rwlock_rdlock(&l);
  pthread_create(&r, 0, reader, 0);
  pthread_rwlock_unlock(&l);
#else
  pthread_create(&r, 0, reader, 0);
#endif
  pthread_join(w, 0);
  pthread_join(r, 0);
  return value > 1;
}
