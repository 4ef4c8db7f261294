/* finds: use after close A B; fixed: nothing. A descriptor is closed that another thread uses, and nothing orders the two; what it is called
 * by was handed over before. A use behind the close, and another file of the same number, are in order. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "moment.h"

static int file;

static void *writes(void *argument) {
  ssize_t n = write(file, "x", 1); /* @A */
  moment_reach(1);
  return n == 1 ? argument : NULL;
}

int main(void) {
  pthread_t t;
  file = open("/dev/null", O_RDWR);
  pthread_create(&t, NULL, writes, NULL);
#ifdef FIXED
  pthread_join(t, NULL);
#else
  moment_await(1); /* that orders nothing */
#endif
  close(file); /* @B */
#ifndef FIXED
  pthread_join(t, NULL);
#endif
  file = open("/dev/null", O_RDWR);
  pthread_create(&t, NULL, writes, NULL);
  pthread_join(t, NULL);
  return close(file);
}
