/* The electron microscope's bug (thesis, figure 3.9a): a position is set up, and the flag that says so is set last; under PSO the flag
 * may be seen before the coordinates are. N rounds by both threads. Right under SC and TSO as far as N = 1 goes; the accesses race. */
#include <heddle.h>
#include <pthread.h>

#ifndef N
#define N 1
#endif

static int x, y, z;
static int printed[2];

static void *display(void *unused) {
  (void)unused;
  long error = 0;
  for (int i = 0; i < N; i++) {
    if (z != 1) continue;
    if (x + 1 != y) {
      printed[0] = x;
      printed[1] = y;
      error = 1;
    }
  }
  return (void *)error;
}

int main(void) {
  pthread_t thread;
  void *error;
  pthread_create(&thread, 0, display, 0);
  for (int i = 0; i < N; i++) {
    z = 0;
    x = 0;
    y = 0;
    x = 2;
    y = 3;
    z = 1;
  }
  pthread_join(thread, &error);
  hd_assert(!error);
  return 0;
}
