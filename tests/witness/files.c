/* The second thread begins only when the file of the first is there: what is predicted, unconfirmed, cannot be.
 * refutes: data-race 1 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[64];
int shared;

static void *first(void *unused) {
  usleep(20000);
  shared = 1;
  if (mkdir(path, 0700) != 0) _exit(9);
  return unused;
}
static void *second(void *unused) {
  while (access(path, F_OK) != 0) usleep(1000);
  shared = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  snprintf(path, sizeof path, "/tmp/heddle-witness-%d", getpid());
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  rmdir(path);
  return 0;
}
