/* predicts: data-race 1
 * doubts: data-race 5
 * processes: 3
 * What one thread does to a pipe, a lock of a file, or a process orders it with who does something to that one, and with nobody else; but what
 * the system makes of it nobody knows, so the races of `data` are told as unconfirmed. Those of `handed` are none. `raced` is one. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int data[5], handed[4], raced;
static char paths[2][32] = {"/tmp/heddle-channels-XXXXXX", "/tmp/heddle-channels-XXXXXX"};
static int files[2], one[2], two[2], pair[2], event;

static void put(int fd, size_t size) {
  if (write(fd, "12345678", size) != (ssize_t)size) abort();
}
static void get(int fd, size_t size) {
  char bytes[8];
  if (read(fd, bytes, size) != (ssize_t)size) abort();
}
static void child(void) {
  pid_t pid = fork();
  if (pid == 0) _exit(0);
  waitpid(pid, NULL, 0);
}

static void *first(void *unused) {
  raced = 1;
  data[0] = 1;
  put(one[1], 1);
  data[1] = 1;
  flock(files[0], LOCK_EX);
  flock(files[0], LOCK_UN);
  data[2] = 1;
  child();
  data[3] = 1;
  struct pollfd room = {.fd = one[1], .events = POLLOUT};
  poll(&room, 1, -1);
  put(one[1], 1);
  data[4] = 1;
  close(files[0]);
  handed[0] = 1;
  put(pair[1], 1);
  handed[1] = 1;
  put(event, 8);
  return unused;
}

static void *second(void *unused) {
  usleep(200000);
  raced = 2;
  get(two[0], 1);
  data[0] = 2;
  flock(files[1], LOCK_EX);
  flock(files[1], LOCK_UN);
  data[1] = 2;
  child();
  data[2] = 2;
  struct pollfd room = {.fd = two[1], .events = POLLOUT};
  poll(&room, 1, -1);
  data[3] = 2;
  close(files[1]);
  data[4] = 2;
  get(pair[0], 1);
  handed[0] = 2;
  struct pollfd ready = {.fd = event, .events = POLLIN};
  poll(&ready, 1, -1);
  handed[1] = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 2; i++) files[i] = mkstemp(paths[i]), unlink(paths[i]);
  event = eventfd(0, 0);
  if (pipe(one) != 0 || pipe(two) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
  put(two[1], 1);
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
