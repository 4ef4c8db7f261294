// pthread_once: one call, and everyone sees what it did.
// verdict: SAFE
#include <assert.h>
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int calls, value;

static void initialise(void) {
  calls++;
  value = 42;
}

static void *work(void *unused) {
  (void)unused;
  pthread_once(&control, initialise);
  assert(value == 42);
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(calls == 1);
  return 0;
}
