/* predicts: data-race 1
 * System calls that are made by syscall(): what is written to a pipe comes before who has read it; a lock of the system's. */
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

int fds[2], data[2], raced;
static unsigned lock;

static void *first(void *unused) {
  raced = 1;
  syscall(SYS_futex, &lock, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
  data[1] = 1;
  syscall(SYS_futex, &lock, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
  data[0] = 1;
  syscall(SYS_write, fds[1], "x", 1);
  return unused;
}

static void *second(void *unused) {
  char c;
  usleep(50000);
  raced = 2;
  syscall(SYS_futex, &lock, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
  data[1] = 2;
  syscall(SYS_futex, &lock, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
  syscall(SYS_read, fds[0], &c, 1);
  data[0] = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  if (pipe(fds)) return 1;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
