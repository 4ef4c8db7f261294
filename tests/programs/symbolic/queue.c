// Values that go through shared memory, in loops: none of them decides anything.
// verdict: SAFE
// executions: 2
#include <pthread.h>
#define N 3

int __VERIFIER_nondet_int(void);
void reach_error(void);

static int stored[N], queue[N], head, tail, amount, full;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *put(void *unused) {
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < N; i++) {
    int value = __VERIFIER_nondet_int();
    queue[tail++ % N] = value;
    stored[i] = value;
    amount++;
  }
  full = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *take(void *unused) {
  pthread_mutex_lock(&mutex);
  for (int i = 0; full && i < N; i++) {
    int value = queue[head++ % N];
    amount--;
    if (value != stored[i]) reach_error();
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, put, 0);
  pthread_create(&t[1], 0, take, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return amount != 0 && amount != N;
}
