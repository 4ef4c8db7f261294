/* finds: data race A A; exits: 7. Crashes that a program handles are its own: it comes back from some by a jump, goes on, and has the last,
 * a recursion without end, on a stack of its own. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int counter, crashes;
static int *volatile nowhere;
static sigjmp_buf back;

static void *count(void *argument) {
  for (int i = 0; i < 100; i++) counter++; /* @A */
  return argument;
}
static void jump(int number) {
  (void)number;
  crashes++;
  siglongjmp(back, 1);
}
static void leave(int number) { _exit(crashes == 100 && number == SIGSEGV ? 7 : 1); }

static void handle(void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler, action.sa_flags = flags;
  if (sigaction(SIGSEGV, &action, NULL) != 0) exit(1);
}

static int deeper(volatile char *from) {
  volatile char here[100];
  here[0] = from[0];
  return here[0] + deeper(here) + here[1];
}

int main(void) {
  pthread_t a, b;
  handle(jump, 0);
  while (crashes < 100)
    if (sigsetjmp(back, 1) == 0) *nowhere = 1;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  stack_t stack;
  memset(&stack, 0, sizeof stack);
  stack.ss_size = 64 << 10;
  stack.ss_sp = malloc(stack.ss_size);
  if (sigaltstack(&stack, NULL) != 0) return 1;
  handle(leave, SA_ONSTACK);
  char first[100] = "";
  return deeper(first);
}
