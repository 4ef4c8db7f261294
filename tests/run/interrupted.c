/* finds: nothing. A signal's handler, which forks, comes in the midst of what the runtime does when threads meet or are joined. */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 40, TIMES = 25 };
static pthread_barrier_t end, alone;
static volatile sig_atomic_t count;

/* The next one comes that long after this one's handler: on a busy machine that can take longer than any time between signals would be. */
static void ask_for_next(void) { setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 1500}}, NULL); }

static void split(int number) {
  (void)number;
  pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  count = count + 1;
  ask_for_next();
}

static void *wait_for(void *barrier) {
  if (barrier) pthread_barrier_wait(barrier);
  return NULL;
}

int main(void) {
  pthread_t t[THREADS], short_lived;
  sigset_t alarm;
  struct itimerval never = {0};
  pthread_barrier_init(&end, NULL, THREADS + 1);
  pthread_barrier_init(&alone, NULL, 1);
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarm, NULL);
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, wait_for, &end);
  signal(SIGALRM, split);
  ask_for_next();
  pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
  while (count < TIMES) pthread_barrier_wait(&alone);
  while (count < 2 * TIMES) {
    pthread_sigmask(SIG_BLOCK, &alarm, NULL);
    pthread_create(&short_lived, NULL, wait_for, NULL);
    pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
    pthread_join(short_lived, NULL);
  }
  setitimer(ITIMER_REAL, &never, NULL);
  pthread_barrier_wait(&end);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  return 0;
}
