/* Streams: uses and ends as specs/streams.spec has them. What is written to a pipe by one orders what another thread reads, as with
 * descriptors. */
#include <errno.h>
#include <stdio.h>

#include "analysis/action.h"
#include "base/spec.h"
#include "intercept/channel.h"
#include "intercept/library.h"
#include "report/plan.h"

static const char streams_spec[] =
#include "streams.inc"
    ;

void streams_start(void) {
  actions_specify(streams_spec, "streams.spec");
  for (struct library_function *const *f = __start_library_functions; f < __stop_library_functions; f++)
    (*f)->action = action_named((*f)->name);
}

static uint32_t closed; /* streams, so far */

/* t uses the stream, or ends it: the channel that it is, or CHANNEL_NONE. To use it again in the same epoch says nothing new. */
static uint32_t touched(struct thread *t, const struct spec_action *a, FILE *f, uintptr_t pc) {
  uint32_t ends = a->ends ? __atomic_add_fetch(&closed, 1, __ATOMIC_RELAXED) : __atomic_load_n(&closed, __ATOMIC_RELAXED);
  if (t->stream.at == f && t->stream.epoch == hd_fast.epoch && t->stream.closed == ends) return t->stream.channel;
  int saved = errno;
  thread_enter(t);
  action_point(t, a, (uintptr_t)f, pc);
  t->stream.channel = f ? channel_of(fileno(f)) : CHANNEL_NONE;
  thread_leave(t);
  errno = saved;
  t->stream.at = f, t->stream.epoch = hd_fast.epoch, t->stream.closed = ends;
  return t->stream.channel;
}

static void before_stream(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  not_in_handler(f->name, pc);
  if (f->action && arguments[f->action->on] == (uintptr_t)stdin) plans_standard_input(); /* it may be closed */
  if (f->action) channel_sends(t, touched(t, f->action, (FILE *)arguments[f->action->on], pc));
}
static void before_reading(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  not_in_handler(f->name, pc);
  if (f->action && arguments[f->action->on] == (uintptr_t)stdin) plans_input(0);
  if (f->action) touched(t, f->action, (FILE *)arguments[f->action->on], pc);
}
/* What was read comes behind what was written. */
static void after_reading(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  (void)result, (void)pc;
  const void *stream = f->action ? (const void *)arguments[f->action->on] : NULL;
  if (stream && t->stream.at == stream && t->stream.channel != CHANNEL_NONE) channel_receives(t, t->stream.channel);
}
/* Standard input or output. */
static void before_standard(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)t, (void)arguments;
  not_in_handler(f->name, pc);
}
static void before_standard_reading(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  before_standard(t, f, arguments, pc);
  plans_input(0);
}
static void before_directory(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  if (f->action) action_point(t, f->action, arguments[f->action->on], pc);
}
const struct role STREAM = {.before = before_stream};
const struct role STREAM_READ = {.before = before_reading, .after = after_reading};
const struct role STANDARD = {.before = before_standard};
const struct role STANDARD_READ = {.before = before_standard_reading};
const struct role DIRECTORY = {.before = before_directory};
