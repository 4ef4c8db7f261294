// A thread that has just told others something uses a lock, a semaphore or the like that is not there yet: its failure is a step of its own.
// verdict: BUG
// finding: null-dereference A
// case: destroy -DUSE=pthread_mutex_destroy(m)
// verdict: BUG
// finding: null-dereference A
// case: condition -DUSE=pthread_cond_signal((pthread_cond_t*)m)
// verdict: BUG
// finding: null-dereference A
// case: semaphore -DUSE=sem_post((sem_t*)m)
// verdict: BUG
// finding: null-dereference A
// case: spin -DUSE=pthread_spin_lock((pthread_spinlock_t*)m)
// verdict: BUG
// finding: null-dereference A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifndef USE
#define USE pthread_mutex_lock(m), pthread_mutex_unlock(m)
#endif
static pthread_mutex_t *_Atomic made;
static atomic_int ready;

static void *use(void *x) {
  pthread_mutex_t *m = made;
  ready++;
#ifdef FIXED
  if (!m) return x;
#endif
  USE;  // @A
  return x;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, use, 0);
#ifdef FIXED
  static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  made = &m;
#endif
  ready++;
  pthread_join(t, 0);
  return 0;
}
