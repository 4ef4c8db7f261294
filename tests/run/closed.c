/* finds: use after close A B; fixed: nothing. analysis: ovp. A file is closed that another thread may still write to, by then perhaps
 * another file. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "moment.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int file, written, closing;

static void *writes(void *argument) {
  pthread_mutex_lock(&m);
#ifdef FIXED
  if (!closing)
#endif
    written += (int)write(file, "x", 1); /* @A */
  pthread_mutex_unlock(&m);
  moment_reach(1);
  return argument;
}

int main(void) {
  char name[] = "closedXXXXXX";
  pthread_t t;
  file = mkstemp(name);
  unlink(name);
  pthread_create(&t, NULL, writes, NULL);
  moment_await(1);
  pthread_mutex_lock(&m);
  closing = 1;
  close(file); /* @B */
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return written > 1;
}
