// A deadlock of two threads that nobody asked for does not hide what the third one sees then.
// verdict: BUG
// finding: deadlock
// case: ignored -DA
// verdict: BUG
// options: --ignore=deadlock
// finding: assertion A
// case: only -DA
// verdict: BUG
// options: --only=assertion --strategy=dpor
// finding: assertion A
// case: naive -DA
// verdict: BUG
// options: --only=assertion --strategy=naive
// finding: assertion A
// case: neither
// verdict: SAFE
// options: --ignore=deadlock,assertion
// case: fixed -DFIXED
// verdict: SAFE
// options: --only=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int has_a, has_b;

static void *forward(void *unused) {
  pthread_mutex_lock(&a);
  has_a = 1;
  pthread_mutex_lock(&b);
  has_a = 0;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}

static void *backward(void *unused) {
#ifdef FIXED
  pthread_mutex_lock(&a);
#endif
  pthread_mutex_lock(&b);
  has_b = 1;
#ifndef FIXED
  pthread_mutex_lock(&a);
#endif
  has_b = 0;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, forward, 0);
  pthread_create(&t[1], 0, backward, 0);
  int first = has_a, second = has_b, third = has_a;
  assert(!(first && second && third));  // @A
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
