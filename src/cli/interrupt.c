#include "cli/interrupt.h"

#include <string.h>
#include <time.h>

volatile sig_atomic_t interrupt_requested;

enum { AT_ONCE = 500 }; /* ms: timeout(1) sends its signal to the process, and then to its group */

/* The second one does what signals do. */
static void handle(int number) {
  static struct timespec first[2];
  struct timespec now, *at = &first[number == SIGTERM];
  clock_gettime(CLOCK_MONOTONIC, &now);
  interrupt_requested = 1;
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
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}
