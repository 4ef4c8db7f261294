#include "cli/interrupt.h"

#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/deadline.h"

enum { AT_ONCE = 500 }; /* ms: timeout(1) sends its signal to the process, and then to its group */

/* The second one does what signals do. */
static void handle(int number) {
  static struct timespec first[2];
  struct timespec now, *at = &first[number == SIGTERM];
  clock_gettime(CLOCK_MONOTONIC, &now);
  deadline_interrupt();
  if (at->tv_sec == 0 && at->tv_nsec == 0) {
    *at = now;
    return;
  }
  if ((now.tv_sec - at->tv_sec) * 1000 + (now.tv_nsec - at->tv_nsec) / 1000000 < AT_ONCE) return;
  signal(number, SIG_DFL);
  raise(number);
}

void interrupt_catch(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART; /* who waits for something else looks at the clock */
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}
