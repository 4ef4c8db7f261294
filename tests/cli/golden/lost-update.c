#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *count(void *unused) {
  int seen = counter;
  counter = seen + 1;
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, count, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(counter == 2);
  return 0;
}
