/* confirms: use after close A B; fixed: nothing. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int fd;

static void *uses(void *argument) {
  pthread_mutex_lock(&m);
  if (fd >= 0 && write(fd, "x", 1) != 1) _exit(9); /* @A */
  pthread_mutex_unlock(&m);
  return argument;
}

static void *ends(void *argument) {
  usleep(50000);
  pthread_mutex_lock(&m);
  close(fd); /* @B */
#ifdef FIXED
  fd = -1;
#endif
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t t, u;
  fd = open("/dev/null", O_WRONLY);
  pthread_create(&t, NULL, uses, NULL);
  pthread_create(&u, NULL, ends, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
