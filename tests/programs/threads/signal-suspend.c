// sigsuspend() lets a blocked signal in and waits, at once: none is lost between the two. Where the signal is not blocked before, it may be
// handled too early, and nobody ends the wait.
// verdict: SAFE
// case: pause -DPAUSE
// verdict: BUG
// finding: deadlock
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t told;
static sem_t done;

static void handle(int number) { told = 1; }

static void *work(void *unused) {
#ifdef PAUSE
  if (!told) pause();
#else
  sigset_t none;
  sigemptyset(&none);
  while (!told) sigsuspend(&none);
#endif
  assert(told);
  sem_post(&done);
  return unused;
}

int main(void) {
  pthread_t t;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  signal(SIGUSR1, handle);
  sem_init(&done, 0, 0);
#ifndef PAUSE
  pthread_sigmask(SIG_BLOCK, &set, 0);
#endif
  pthread_create(&t, 0, work, 0);
  pthread_kill(t, SIGUSR1);
  sem_wait(&done);
  return 0;
}
