// A stack under a mutex: one thread pushes, one pops if the stack is not empty. The twin tests before it locks.
// verdict: SAFE
// options: --strategy=dpor
// executions: 6
// case: early-test -DEARLY
// verdict: BUG
// options: --strategy=dpor
// finding: data-race A B
#include <heddle.h>
#include <pthread.h>

#define N 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[N], top;

static void *pusher(void *unused) {
  (void)unused;
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&lock);
    items[top] = i;
    top++;  // @A
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

static void *popper(void *unused) {
  (void)unused;
  for (int i = 0; i < N; i++) {
#ifdef EARLY
    if (top == 0) continue;  // @B
#endif
    pthread_mutex_lock(&lock);
    if (top > 0) hd_assert(items[--top] < N);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, pusher, 0);
  pthread_create(&t[1], 0, popper, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return top > N;
}
