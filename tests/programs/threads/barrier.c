// A barrier used twice; exactly one thread is told that it is the serial one each time.
// verdict: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int serial;
static int cells[2];

static void meet(void) {
  int r = pthread_barrier_wait(&barrier);
  assert(r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD);
  if (r) atomic_fetch_add(&serial, 1);
}

static void *work(void *argument) {
  int me = *(int *)argument;
  cells[me] = 1;
  meet();
  assert(cells[!me] == 1);
  meet();
  cells[me] = 2;
  return 0;
}

int main(void) {
  pthread_t t[2];
  static int names[2] = {0, 1};
  pthread_barrier_init(&barrier, 0, 2);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &names[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(atomic_load(&serial) == 2);
  assert(pthread_barrier_destroy(&barrier) == 0);
  return 0;
}
