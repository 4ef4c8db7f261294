/* A signal's handler writes to a pipe that a loop reads; what it is about is handed over beside it. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
enum { ROUNDS = 20 };
static int ends[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int requests;
static void handle(int signal) {
  int saved = errno;
  (void)signal;
  if (write(ends[1], "s", 1) < 0) {
  }
  errno = saved;
}
static void *loop(void *argument) {
  int seen = 0;
  while (seen < ROUNDS) {
    char c;
    struct pollfd p = {.fd = ends[0], .events = POLLIN};
    if (poll(&p, 1, 1000) <= 0 || read(ends[0], &c, 1) != 1) continue;
#ifdef RACY
    seen = requests;
#else
    pthread_mutex_lock(&m);
    seen = requests;
    pthread_mutex_unlock(&m);
#endif
  }
  return argument;
}
int main(void) {
  pthread_t t;
  sigset_t set;
  if (pipe(ends) || fcntl(ends[1], F_SETFL, O_NONBLOCK)) return 1;
  sigemptyset(&set), sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&t, NULL, loop, NULL);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  signal(SIGUSR1, handle);
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&m);
    requests++;
    pthread_mutex_unlock(&m);
    raise(SIGUSR1);
    usleep(200);
  }
  return pthread_join(t, NULL);
}
