/* Descriptors: what one thread writes to a pipe, a socket or an event descriptor orders what another does that reads from it (channel.h).
 * Files order nothing, but by flock(): who takes a lock of a file comes behind those who have given one back, whatever file it is of; where
 * a run is recorded, of that file. */
#include <errno.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <unistd.h>

#include "analysis/confirm.h"
#include "analysis/violation.h"
#include "intercept/channel.h"
#include "intercept/library.h"
#include "record/record.h"
#include "report/origin.h"
#include "report/plan.h"

static char file_locks[CHANNELS]; /* stand for them all; where a run is recorded, for some each */
static bool locked;               /* some file was, once */

/* A descriptor that is used when it is closed already may be another one's by then. */
static void uses(struct thread *t, int fd, uintptr_t pc) {
  uintptr_t word = descriptor_word(fd);
  if (word) touches(t, (void *)word, 1, SITE_USE, pc);
}
static void closes(struct thread *t, int fd, uintptr_t pc) {
  uintptr_t word = descriptor_word(fd);
  if (!word || t->info->id != gettid()) return; /* a child of vfork(), with its parent's memory, closes what is its own */
  confirm_event(t, (void *)word, SITE_CLOSE, pc);
  if (confirming) return;
  thread_enter(t);
  violation_of_end(t, word, 1, thread_site(t, pc, SITE_CLOSE, 0));
  access_forget(word, sizeof(uint64_t));
  thread_leave(t);
}

/* The descriptor is the first argument of all of them. */
static int descriptor(const uintptr_t *arguments) { return (int)arguments[0]; }

static void before_sending(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f;
  uses(t, descriptor(arguments), pc);
  channel_sends(t, channel_of(descriptor(arguments)));
}
static uintptr_t lock_of(int fd) { return (uintptr_t)&file_locks[recording ? channel_of_file(fd) : 0]; }
/* Closing the last descriptor gives the lock back. */
static void unlock_file(struct thread *t, int fd) {
  if (__atomic_load_n(&locked, __ATOMIC_RELAXED) && !t->ignore_sync) sync_release(t, lock_of(fd), SYNC_OTHER);
}
static void before_closing(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f;
  closes(t, descriptor(arguments), pc);
  unlock_file(t, descriptor(arguments));
  uint32_t channel = channel_of(descriptor(arguments)), number = channel_of_number(descriptor(arguments));
  channel_sends(t, channel);
  if (recording && number != channel) channel_sends(t, number);
}
static void before_waking(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f, (void)pc;
  channel_sends(t, channel_of(descriptor(arguments)));
}
static void before_receiving(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f;
  plans_input(descriptor(arguments));
  uses(t, descriptor(arguments), pc);
}
static void received_from(struct thread *t, uint32_t channel, intptr_t result) {
  if (result < 0)
    channel_is_empty(t);
  else
    channel_receives(t, channel);
}
static void received(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  (void)f, (void)pc;
  received_from(t, channel_of(descriptor(arguments)), result);
}
static void polled(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  (void)f, (void)pc;
  if (result >= 0) channels_polled(t, (const struct pollfd *)arguments[0], arguments[1]);
  if (result <= 0) channel_is_empty(t);
}
static void selected(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  (void)f, (void)pc;
  if (result >= 0 && !recording) channel_receives(t, CHANNEL_NONE);
  for (unsigned i = 1; i <= 3 && result > 0; i += 2) /* not those that have room */
    channels_selected(t, (int)arguments[0], (const fd_set *)arguments[i]);
  if (result <= 0) channel_is_empty(t);
}
static void ready(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  (void)f, (void)pc;
  if (result >= 0) channels_ready(t, descriptor(arguments), (const struct epoll_event *)arguments[1], (int)result);
  if (result <= 0) channel_is_empty(t);
}
static void looked(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  (void)f, (void)pc;
  if (result >= 0) channel_receives(t, channel_of(descriptor(arguments)));
  if (result <= 0) channel_is_empty(t);
}
static void accepted(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  looked(t, f, arguments, result, pc);
  opened(t, (int)result, pc);
}
/* The second argument is another descriptor from then on, though others may know its number. */
static void before_replacing(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f;
  int from = (int)arguments[0], to = (int)arguments[1];
  uses(t, from, pc);
  if (from != to) closes(t, to, pc);
}
static void replaced(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  (void)f, (void)arguments;
  if (result >= 0) opened(t, (int)result, pc), uses(t, (int)result, pc);
}
static void before_locking(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f, (void)pc;
  __atomic_store_n(&locked, true, __ATOMIC_RELAXED);
  if ((int)arguments[1] & LOCK_UN) unlock_file(t, descriptor(arguments));
}
static void after_locking(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  (void)f, (void)pc;
  bool takes = ((int)arguments[1] & (LOCK_EX | LOCK_SH)) != 0;
  if (takes && result == 0 && !t->ignore_sync) sync_acquire(t, lock_of(descriptor(arguments)));
}
static void before_putting(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f, (void)pc;
  channel_sends(t, channel_of_queue((unsigned)arguments[0]));
}
static void taken(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  (void)f, (void)pc;
  received_from(t, channel_of_queue((unsigned)arguments[0]), result);
}
/* splice() and tee(), from their first argument to another one. */
static int splices_to(const struct library_function *f, const uintptr_t *arguments) { return (int)arguments[*f->name == 't' ? 1 : 2]; }
static void before_splicing(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)pc;
  channel_sends(t, channel_of(splices_to(f, arguments)));
}
static void before_watching(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  const struct epoll_event *event = (const struct epoll_event *)arguments[3];
  if (recording && event && (int)arguments[1] != EPOLL_CTL_DEL) channel_watched(descriptor(arguments), (int)arguments[2], event->data.u64);
  before_waking(t, f, arguments, pc);
}
const struct role PUTS = {.before = before_putting};
const struct role TAKES = {.after = taken};
const struct role PASSES = {.before = before_putting, .after = taken};
/* vmsplice() */
const struct role SENDS_OR_RECEIVES = {.before = before_waking, .after = received};
const struct role SPLICES = {.before = before_splicing, .after = received};
const struct role SENDS = {.before = before_sending};
const struct role REPLACES = {.before = before_replacing, .after = replaced};
const struct role LOCKS_FILE = {.before = before_locking, .after = after_locking};
const struct role CLOSES = {.before = before_closing};
const struct role WAKES = {.before = before_waking};
const struct role RECEIVES = {.before = before_receiving, .after = received};
const struct role WATCHES = {.before = before_watching};
const struct role LOOKS = {.after = looked};
const struct role POLLS_ALL = {.after = polled};
const struct role SELECTS = {.after = selected};
const struct role READY = {.after = ready};
const struct role ACCEPTS = {.after = accepted};
