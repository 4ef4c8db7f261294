/* A file that one thread closes and another one writes. */
#include "launch.h"
static int fd;

static void *work(void *data) {
  ssize_t n = write(fd, "x", 1);
  moment_reach(0);
  return n == 1 ? data : NULL;
}

int main(void) {
  fd = open("/dev/null", O_RDWR);
  pthread_t t;
  launch(0, &t, work, NULL);
  close(fd);
  pthread_join(t, NULL);
  return 0;
}
