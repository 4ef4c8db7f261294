/* finds: data race A B. Stacks are right behind longjmp(), deep recursion, and in signal handlers. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static jmp_buf out;
static volatile int shared;
static volatile int handled;

static void deep(int n) {
  if (n == 0) longjmp(out, 1);
  deep(n - 1);
  handled = n; /* no tail call */
}
static int recurse(int n) { return n == 0 ? 0 : 1 + recurse(n - 1); }
static void handler(int number) { handled = number; }
static void touch(int value) { shared = value; /* @A */ }

static void *work(void *argument) {
  for (int i = 0; i < 300; i++)
    if (!setjmp(out)) deep(50);
  touch(recurse(1000));
  return argument;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handler);
  pthread_create(&t, NULL, work, NULL);
  raise(SIGUSR1);
  shared = 2; /* @B */
  pthread_join(t, NULL);
  return handled != SIGUSR1 && !handled;
}
