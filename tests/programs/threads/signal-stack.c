// A handler's stack: how large it must be, and that it is kept.
// verdict: SAFE
// case: small -DSMALL
// verdict: BUG
// finding: assertion
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <stdlib.h>

static int handled;
static void handler(int number) { handled = number; }

int main(void) {
#ifdef SMALL
  size_t size = MINSIGSTKSZ / 2;
#else
  size_t size = SIGSTKSZ;
#endif
  stack_t stack = {.ss_sp = malloc(size), .ss_size = size}, now;
  assert(stack.ss_sp);
  assert(sigaltstack(&stack, 0) == 0);
  assert(sigaltstack(0, &now) == 0 && now.ss_sp == stack.ss_sp && now.ss_size == size);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, 0);
  raise(SIGUSR1);
  assert(handled == SIGUSR1);
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, 0);
  free(stack.ss_sp);
  return 0;
}
