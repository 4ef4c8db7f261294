/* finds: data race A B; fixed: nothing. analysis: ovp. quickly. Timers that call a function in a thread of the C library's. The process ends at once, though one of these threads waits for ever. */
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "fixed.h"
#include "moment.h"

struct context {
  int step;
};
static sem_t enough;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static volatile int seen;

static void expired(union sigval value) {
  const struct context *c = value.sival_ptr;
  pthread_mutex_lock(&mutex);
  count += c->step;
  bool first = count == 1;
  if (count == 6) sem_post(&enough);
  pthread_mutex_unlock(&mutex);
  if (!first) return;
  lock();
  seen = 1; /* @A */
  unlock();
  moment_reach(1);
}

int main(void) {
  enum { TIMERS = 2, OFTEN = 2000000 };
  timer_t timers[TIMERS];
  struct timespec begin, end;
  sem_init(&enough, 0, 0);
  for (int i = 0; i < TIMERS; i++) {
    struct context *c = malloc(sizeof *c);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired, .sigev_value.sival_ptr = c};
    struct itimerspec often = {{0, OFTEN}, {0, OFTEN}};
    c->step = 1;
    if (timer_create(CLOCK_MONOTONIC, &event, &timers[i]) != 0) return 1;
    timer_settime(timers[i], 0, &often, NULL);
  }
  moment_await(1);
  lock();
  seen = 2; /* @B */
  unlock();
  while (sem_wait(&enough) != 0) continue;
  for (int i = 0; i < TIMERS; i++) timer_delete(timers[i]);
  return 0;
}
