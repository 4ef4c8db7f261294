// memcpy() out of a buffer that another thread fills.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <string.h>

static char buffer[8];

static void *filler(void *unused) {
  (void)unused;
  buffer[5] = 1;  // @A
  return 0;
}

int main(void) {
  pthread_t t;
  char mine[8];
  pthread_create(&t, 0, filler, 0);
#ifdef FIXED
  memcpy(mine, buffer, 5);
#else
  memcpy(mine, buffer, 8);  // @B
#endif
  pthread_join(t, 0);
  return mine[4];
}
