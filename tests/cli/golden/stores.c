/* Two threads that each announce themselves before they look for the other: with store buffers both may miss the other. And a message
 * whose flag may be seen before it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define PUT(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)
#define GET(variable)        atomic_load_explicit(&(variable), memory_order_relaxed)

static atomic_int here, there, message, flag;
static _Alignas(8) int alone[2];

static void *first(void *unused) {
  PUT(here, 1);
  alone[0] = !GET(there);
  PUT(message, 42);
  PUT(flag, 1);
  return unused;
}

static void *second(void *unused) {
  PUT(there, 1);
  alone[1] = !GET(here);
  if (GET(flag)) assert(GET(message) == 42);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!alone[0] || !alone[1]);
  return 0;
}
