/* finds: data race A A; fixed: nothing. analysis: ovp. quickly. Handlers of faults, on stacks of their own: of accesses through null pointers, which they leave by a jump; of pages that they make accessible; and of recursion without end. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fixed.h"

enum { THREADS = 3, PAGE = 4096, PAGES = 4, NULLS = 20, STACK = 1 << 16 };
static _Thread_local sigjmp_buf back;
static _Thread_local volatile sig_atomic_t faults;
static char *area;
static int handled;

static void handle(int number, siginfo_t *info, void *context) {
  char *page = (char *)((uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1));
  (void)number, (void)context;
  faults = faults + 1;
  lock();
  handled++; /* @A */
  unlock();
  if (page < area || page >= area + THREADS * PAGES * PAGE) siglongjmp(back, 1);
  mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}

static int deeper(volatile int n) {
  volatile char room[PAGE];
  room[0] = (char)n;
  return deeper(n + 1) + room[0];
}

static void *work(void *argument) {
  int *volatile nowhere = (int *)8;
  stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK}, none = {.ss_flags = SS_DISABLE};
  sigaltstack(&stack, NULL);
  for (int i = 0; i < PAGES; i++) area[((intptr_t)argument * PAGES + i) * PAGE] = 1;
  for (volatile int i = 0; i < NULLS; i++)
    if (sigsetjmp(back, 1) == 0) *nowhere = 1;
  if (sigsetjmp(back, 1) == 0) deeper(0);
  sigaltstack(&none, NULL);
  free(stack.ss_sp);
  return faults == PAGES + NULLS + 1 ? NULL : argument;
}

int main(void) {
  pthread_t t[THREADS];
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  int wrong = 0;
  area = mmap(NULL, THREADS * PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  sigaction(SIGSEGV, &action, NULL);
  for (intptr_t i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(t[i], &result);
    wrong += result != NULL;
  }
  return wrong;
}
