// A thread ends with a mutex that main waits for already, while a third one is about to fail: the deadlock is there as soon as it ends, whoever
// takes the next step.
// verdict: BUG
// finding: deadlock wait lock
// finding: deadlock wait try
// finding: deadlock lock try
// finding: thread-misuse second
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: deadlock wait lock
// finding: deadlock wait try
// finding: deadlock lock try
// finding: thread-misuse second
// case: naive
// options: --strategy=naive
// verdict: BUG
// finding: deadlock wait lock
// finding: deadlock wait try
// finding: deadlock lock try
// finding: thread-misuse second
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *keeps(void *unused) {
  pthread_mutex_lock(&mutex);  // @lock
#ifdef FIXED
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

static void *fails(void *unused) {
#ifndef FIXED
  if (pthread_mutex_trylock(&mutex))  // @try
    pthread_mutex_unlock(&other);     // @second
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, keeps, 0);
  pthread_create(&b, 0, fails, 0);
  pthread_mutex_lock(&mutex);  // @wait
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
