// Two threads that hand a turn to and fro until somebody stops them, which nobody does: no schedule ends that. Which of two loops they are in
// is a matter of chance, and both are found. The main thread of the twin stops them: the circles that they go round in until it does are no
// livelock.
// verdict: BUG
// finding: livelock A B
// finding: livelock C D
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: livelock A B
// finding: livelock C D
// case: naive
// options: --strategy=naive
// verdict: BUG
// finding: livelock A B
// finding: livelock C D
// case: workers
// options: -j2
// verdict: BUG
// finding: livelock A B
// finding: livelock C D
// case: bound
// options: --strategy=dpor --bound=1
// verdict: BUG
// finding: livelock A B
// finding: livelock C D
// case: random
// options: --strategy=random --executions=30 --no-predict
// verdict: BUG
// finding: livelock A B
// finding: livelock C D
// case: tso
// memory: tso
// verdict: BUG
// finding: livelock A B
// finding: livelock C D
// case: fixed -DFIXED
// verdict: SAFE
// case: fixed-dpor -DFIXED
// options: --strategy=dpor
// verdict: SAFE
// case: fixed-naive -DFIXED
// options: --strategy=naive
// verdict: SAFE
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, turn;
static int way;

static void *even(void *unused) {
  if (way) {
    while (!stop) {
      if (turn == 0) turn = 1;  // @A
    }
  } else {
    while (!stop) {
      if (turn == 2) turn = 3;  // @C
    }
  }
  return unused;
}

static void *odd(void *unused) {
  if (way) {
    while (!stop) {
      if (turn == 1) turn = 0;  // @B
    }
  } else {
    while (!stop) {
      if (turn == 3) turn = 2;  // @D
    }
  }
  return unused;
}

int main(void) {
  pthread_t t[2];
  way = hd_choose(2);
  if (!way) turn = 2;
  pthread_create(&t[0], 0, even, 0);
  pthread_create(&t[1], 0, odd, 0);
#ifdef FIXED
  stop = 1;
#endif
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
