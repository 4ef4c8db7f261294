// Two threads detach a third one, after steps that have nothing to do with each other: either may come too late.
//
// verdict: BUG
// finding: thread-misuse one
// finding: thread-misuse other
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: thread-misuse one
// finding: thread-misuse other
// case: naive
// options: --strategy=naive
// verdict: BUG
// finding: thread-misuse one
// finding: thread-misuse other
// case: join -DJOIN
// verdict: BUG
// finding: thread-misuse one
// finding: thread-misuse other
// case: join-dpor -DJOIN
// options: --strategy=dpor
// verdict: BUG
// finding: thread-misuse one
// finding: thread-misuse other
// case: fixed -DFIXED
// verdict: SAFE
// case: fixed-dpor -DFIXED
// options: --strategy=dpor
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

#ifdef JOIN
#define FINISH(thread) pthread_join(thread, NULL)
#else
#define FINISH(thread) pthread_detach(thread)
#endif

static pthread_t kept;
static atomic_int left, right;

static void *work(void *argument) { return argument; }

static void *tidy(void *unused) {
  left = 1;
#ifndef FIXED
  pthread_detach(kept); /* @one */
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&kept, NULL, work, NULL);
  pthread_create(&thread, NULL, tidy, NULL);
  right = 1;
  FINISH(kept); /* @other */
  pthread_join(thread, NULL);
  return 0;
}
