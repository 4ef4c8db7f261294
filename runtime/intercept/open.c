/* Where descriptors come from, for reports. */
#include <unistd.h>

#include "analysis/confirm.h"
#include "analysis/section.h"
#include "intercept/channel.h"
#include "intercept/library.h"
#include "record/record.h"
#include "report/origin.h"

void opened(struct thread *t, int fd, uintptr_t pc) {
  if (UNLIKELY(confirming) && fd >= 0) confirm_renewed(descriptor_word(fd), 1);
  if (fd < 0 || t->info->id != gettid()) return; /* io.c: vfork() */
  if (recording) channel_receives(t, channel_of_number(fd));
  thread_enter(t);
  descriptor_opened(fd, thread_site(t, pc, SITE_ALLOC, 0), t->info->number);
  thread_leave(t);
}

static void opens(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  (void)f, (void)arguments;
  opened(t, (int)result, pc);
}
/* Two of them, where the function's only effect on memory says. */
static void opens_two(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  const int *fds = (const int *)arguments[f->effects[0].argument];
  if (result != 0) return;
  opened(t, fds[0], pc), opened(t, fds[1], pc);
  if (recording) channel_joins(fds[0], fds[1]);
}
static void opens_signals(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  signals_are_read = true;
  opens(t, f, arguments, result, pc);
}
const struct role OPENS_SIGNALS = {.after = opens_signals};
const struct role OPENS = {.after = opens};
const struct role OPENS_TWO = {.after = opens_two};
