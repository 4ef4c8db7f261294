/* finds: data race A A; fixed: nothing. analysis: ovp. quickly. Fibers by swapcontext(), which threads take over from each other in the midst of calls. */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

#include "fixed.h"
#include "moment.h"

enum { FIBERS = 8, THREADS = 3, ROUNDS = 6, DEPTH = 20, STACK = 1 << 17 };
static struct fiber {
  ucontext_t context, *back;
  int calls;
  int over;
  struct fiber *next;
} fibers[FIBERS], *ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int left = FIBERS, unguarded;

static void pause_in(struct fiber *f) { swapcontext(&f->context, f->back); }

static void call(struct fiber *f, int depth) {
  f->calls++;
  if (depth > 0) call(f, depth - 1);
  lock();
  unguarded++; /* @A */
  unlock();
  if (depth % 7 == 0) pause_in(f);
}
static void body(unsigned number) {
  struct fiber *f = &fibers[number];
  for (int i = 0; i < ROUNDS; i++) call(f, DEPTH - 1);
  f->over = 1;
  pause_in(f);
}

static struct fiber *take(int *over) {
  pthread_mutex_lock(&mutex);
  struct fiber *f = ready;
  if (f) ready = f->next;
  *over = left == 0;
  pthread_mutex_unlock(&mutex);
  return f;
}
static void put(struct fiber *f) {
  pthread_mutex_lock(&mutex);
  if (f->over)
    left--;
  else
    f->next = ready, ready = f;
  pthread_mutex_unlock(&mutex);
}
static void meet(intptr_t i) {
  moment_reach((int)i);
  for (int k = 0; k < THREADS; k++) moment_await(k);
}
static void *work(void *argument) {
  bool first = true;
  ucontext_t here;
  for (int over = 0; !over;) {
    struct fiber *f = take(&over);
    if (f) {
      if (first) meet((intptr_t)argument), first = false;
      f->back = &here;
      swapcontext(&here, &f->context);
      put(f);
    }
    sched_yield();
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  void *stacks = malloc(FIBERS * STACK);
  int calls = 0;
  for (unsigned i = 0; i < FIBERS; i++) {
    getcontext(&fibers[i].context);
    fibers[i].context.uc_stack = (stack_t){.ss_sp = (char *)stacks + i * STACK, .ss_size = STACK};
    makecontext(&fibers[i].context, (void (*)(void))(void *)body, 1, i);
    fibers[i].next = ready, ready = &fibers[i];
  }
  for (intptr_t i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < FIBERS; i++) calls += fibers[i].calls;
  free(stacks);
  return calls != FIBERS * ROUNDS * DEPTH;
}
