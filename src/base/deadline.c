#include "base/deadline.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

#define SECOND 1000000000ll

volatile sig_atomic_t deadline_passed;

/* Nanoseconds of CLOCK_MONOTONIC; 0: none. Written while the timer is off, read by its handler. */
static volatile long long until;
static timer_t timer;
static bool has_timer;

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

double deadline_now(void) { return (double)now() / SECOND; }

/* A signal of a timer that was set before may come late. */
static void handle_alarm(int number) {
  (void)number;
  if (until && now() >= until && !deadline_passed) deadline_passed = DEADLINE_TIME;
}

static void handle_interrupt(int number) {
  (void)number;
  deadline_interrupt();
}

static void catch_signal(int number, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART; /* who waits for something else looks at the clock */
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

static void make_timer(void) {
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGALRM;
  catch_signal(SIGALRM, handle_alarm);
  has_timer = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
}

static void arm(long long at) {
  if (!has_timer && at == 0) return;
  if (!has_timer) make_timer();
  struct itimerspec when;
  memset(&when, 0, sizeof when);
  when.it_value.tv_sec = at / SECOND, when.it_value.tv_nsec = at % SECOND;
  if (has_timer) timer_settime(timer, TIMER_ABSTIME, &when, NULL);
}

void deadline_set(double at) {
  arm(0);
  until = at > 0 ? (long long)(at * SECOND) : 0;
  if (deadline_passed == DEADLINE_TIME) deadline_passed = DEADLINE_NONE;
  if (until == 0 || deadline_passed) return;
  if (now() >= until)
    deadline_passed = DEADLINE_TIME;
  else
    arm(until);
}

void deadline_renew(double at) {
  deadline_passed = DEADLINE_NONE;
  deadline_set(at);
}

void deadline_interrupt(void) { deadline_passed = DEADLINE_INTERRUPTED; }

void deadline_inherit(double more) {
  has_timer = false; /* it is the parent's */
  catch_signal(SIGTERM, handle_interrupt);
  deadline_renew(until ? (double)until / SECOND + more : 0);
}
