/* finds: data race A B; fixed: nothing. A thread that still runs when main returns has a moment, in which it may race. */
#include <pthread.h>
#include <unistd.h>

int shared;

static void *work(void *argument) {
  usleep(50000);
  shared = 1; /* @A */
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
#ifdef FIXED
  pthread_join(t, NULL);
#endif
  shared = 2; /* @B */
  return 0;
}
