#include "cli/interrupt.h"

#include <string.h>

volatile sig_atomic_t interrupt_requested;

static void handle(int number) {
  (void)number;
  interrupt_requested = 1;
}

void interrupt_catch(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = (int)SA_RESETHAND; /* the second one does what signals do */
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}
