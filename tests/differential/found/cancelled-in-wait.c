/* A request to cancel comes to a wait that a handler may interrupt: before the handler, or behind it. Each of the two is one more way for the
 * waiting thread to go on, so the numbers of the ways change. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
static atomic_int c; static sem_t s;
static void handler(int n) { c += n; }
static void *hails(void *x) { pthread_kill(*(pthread_t *)x, SIGUSR1); pthread_cancel(*(pthread_t *)x); return x; }
int main(void) {
  pthread_t t, self = pthread_self();
  struct sigaction l = {.sa_handler = handler};
  sigaction(SIGUSR1, &l, 0);
  pthread_create(&t, 0, hails, &self);
  sem_wait(&s);
  return 0; }
