/* Sleeps order nothing, but programs are written as if they did: reports of races name the last one. */
#include "intercept/library.h"

static void slept(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  (void)f, (void)arguments, (void)result;
  thread_enter(t);
  thread_slept(t, thread_site(t, pc, SITE_WAIT, 0));
  thread_leave(t);
}

const struct role SLEEPS = {.after = slept};
