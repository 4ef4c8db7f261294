// A signal to the process is taken by one of the threads that wait for it; a thread in sigsuspend runs its handler; a thread that waits for
// a signal from outside when main returns is nobody's fault, but does not excuse a main thread that waits for something else.
// verdict: SAFE
// case: deadlock -DDEADLOCK
// verdict: BUG
// finding: deadlock A
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static sem_t ready;
static sigset_t set;
static atomic_int taken, handled;

static void handle(int number) { handled += number == SIGUSR2; }

static void *taker(void *unused) {
  int number;
  sigwait(&set, &number);
  assert(number == SIGUSR1);
  taken++;
#ifndef DEADLOCK
  sem_post(&ready);
#endif
  return unused;
}

static void *suspended(void *unused) {
  int result = sigsuspend(&set);
  assert(result == -1 && handled == 1);
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  signal(SIGUSR2, handle);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  sigdelset(&set, SIGUSR2);
  sem_init(&ready, 0, 0);
  pthread_create(&a, 0, taker, 0);
  pthread_create(&b, 0, taker, 0);
  pthread_create(&c, 0, suspended, 0);
  pthread_kill(c, SIGUSR2);
  kill(getpid(), SIGUSR1);
  sem_wait(&ready);  // @A
  assert(taken == 1);
  pthread_join(c, 0);
  return 0;
}
