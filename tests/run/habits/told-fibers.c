/* finds: data race A A; fixed: nothing. analysis: ovp. quickly. Fibers that the program tells of (__tsan_switch_to_fiber): each is a thread of its own to the analyses, and switching orders only if it says so. */
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_set_fiber_name(void *fiber, const char *name);

#ifdef FIXED
enum { HOW = 0 };
#else
enum { HOW = 1 }; /* orders nothing */
#endif
enum { FIBERS = 20, DEPTH = 10, STACK = 1 << 16 };
static struct fiber {
  ucontext_t context;
  void *told;
  int over;
} fibers[FIBERS], *present;
static ucontext_t scheduler;
static void *scheduling;
static int count;

static void pause_in(struct fiber *f) {
  __tsan_switch_to_fiber(scheduling, HOW);
  swapcontext(&f->context, &scheduler);
}
static void call(struct fiber *f, int depth) {
  count++; /* @A */
  if (depth > 0) call(f, depth - 1);
  pause_in(f);
}
__attribute__((no_sanitize("thread"))) static void body(void) {
  struct fiber *f = present;
  call(f, DEPTH - 1);
  f->over = 1;
  pause_in(f);
}

__attribute__((no_sanitize("thread"))) int main(void) {
  char *stacks = malloc(FIBERS * STACK);
  int left = FIBERS;
  scheduling = __tsan_get_current_fiber();
  for (int i = 0; i < FIBERS; i++) {
    getcontext(&fibers[i].context);
    fibers[i].context.uc_stack = (stack_t){.ss_sp = stacks + i * STACK, .ss_size = STACK};
    makecontext(&fibers[i].context, body, 0);
    fibers[i].told = __tsan_create_fiber(0);
    __tsan_set_fiber_name(fibers[i].told, "fiber");
  }
  while (left > 0)
    for (int i = 0; i < FIBERS; i++) {
      if (fibers[i].over) continue;
      present = &fibers[i];
      __tsan_switch_to_fiber(fibers[i].told, HOW);
      swapcontext(&scheduler, &fibers[i].context);
      if (!fibers[i].over) continue;
      __tsan_destroy_fiber(fibers[i].told);
      left--;
    }
  free(stacks);
  return 0;
}
