/* unexplained: 100
 * Handlers that come at any time, in the midst of what is recorded. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
static volatile sig_atomic_t ticks;
static volatile long handled;
static void tick(int number) { (void)number, ticks++, handled += 2; }
static void *work(void *argument) {
  long own[2] = {0};
  volatile long *volatile counters = own;
  while (ticks < 10)
    for (int i = 0; i < 1000; i++) counters[i % 2]++;
  return argument;
}
int main(void) {
  struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
  pthread_t t;
  signal(SIGALRM, tick);
  signal(SIGUSR1, tick);
  for (int i = 0; i < 3; i++) raise(SIGUSR1);
  setitimer(ITIMER_REAL, &often, 0);
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  setitimer(ITIMER_REAL, &never, 0);
  assert(handled >= 20);
  return 0;
}
