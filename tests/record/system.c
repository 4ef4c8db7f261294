/* predicts: data-race 2
 * doubts: data-race 2
 * processes: 2
 * What the C library and the system keep orders the threads, so nothing of `data` is a race: it is told as unconfirmed. `raced` is one, and so
 * is strtok()'s variable. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int data[8], raced;
static int in[2], watch;
static char made[] = "/tmp/heddle-system-XXXXXX", text[] = "/tmp/heddle-system-XXXXXX", gone[] = "/tmp/heddle-system-XXXXXX";
static int file, other;

static void *first(void *unused) {
  char words[] = "a b";
  raced = 1;
  data[0] = 1;
  setenv("HEDDLE_SYSTEM", "1", 1);
  data[1] = 1;
  mkdir(made, 0700);
  data[2] = 1;
  umask(0123);
  data[3] = 1;
  fcntl(file, F_SETFD, FD_CLOEXEC);
  data[4] = 1;
  if (pwrite(file, "x", 1, 0) != 1) abort();
  data[5] = 1;
  unlink(gone);
  data[6] = 1;
  if (fork() == 0) {
    if (write(in[1], "y", 1) != 1) abort();
    _exit(0);
  }
  strtok(words, " ");
  return unused;
}

static void *second(void *unused) {
  char c = 0, words[] = "c d";
  struct inotify_event event[16];
  raced = 2;
  while (!getenv("HEDDLE_SYSTEM")) usleep(1000);
  data[0] = 2;
  while (access(made, F_OK) != 0) usleep(1000);
  data[1] = 2;
  while (umask(022) != 0123) usleep(1000);
  data[2] = 2;
  while (fcntl(file, F_GETFD) != FD_CLOEXEC) usleep(1000);
  data[3] = 2;
  while (pread(other, &c, 1, 0) != 1) usleep(1000);
  data[4] = 2;
  if (read(watch, event, sizeof event) <= 0) abort();
  data[5] = 2;
  if (read(in[0], &c, 1) != 1) abort();
  data[6] = 2;
  strtok(words, " ");
  return unused;
}

int main(void) {
  pthread_t a, b;
  file = mkstemp(text), other = open(text, O_RDONLY);
  close(mkstemp(gone));
  rmdir(mkdtemp(made));
  umask(022);
  watch = inotify_init1(0);
  inotify_add_watch(watch, gone, IN_DELETE_SELF);
  if (file < 0 || other < 0 || pipe(in) != 0) return 1;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  wait(NULL);
  rmdir(made), unlink(text);
  return 0;
}
