/* Descriptors: what one thread writes to a pipe, a socket or an event descriptor orders what another does that reads from one. All of them
 * count as one object: a program that tells threads apart by descriptors alone may so hide a race, but none is invented. Files order
 * nothing, but by flock(): who takes a lock of a file comes behind those who have given one back, whatever file it is of. */
#include <errno.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/confirm.h"
#include "analysis/violation.h"
#include "intercept/library.h"
#include "record/record.h"
#include "report/origin.h"
#include "report/plan.h"

static char channels, file_locks; /* stand for them all */
static bool locked;               /* some file was, once */

bool is_channel(int fd) {
  struct stat s;
  int saved = errno;
  bool yes = NEXT(fstat)(fd, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode) && !S_ISCHR(s.st_mode) && !S_ISBLK(s.st_mode);
  errno = saved;
  return yes;
}

void channel_sends(struct thread *t) {
  struct sync *s = t->ignore_sync ? NULL : sync_at((uintptr_t)&channels, SYNC_OTHER);
  if (!s) return;
  sync_lock(t, s);
  section_writes(t, s);
  if (UNLIKELY(recording))
    record_hands_on(t, s->address, &s->told);
  else
    thread_release_join(t, &s->clock);
  sync_unlock(t, s);
}
void channel_receives(struct thread *t) {
  if (!t->ignore_sync) sync_acquire(t, (uintptr_t)&channels);
  if (UNLIKELY(signals_are_read)) signals_received();
}
/* Nothing was there yet. */
static void finds_nothing(struct thread *t) {
  struct sync *s = analysis == ANALYSIS_OVP && !t->ignore_sync ? sync_at((uintptr_t)&channels, SYNC_OTHER) : NULL;
  if (!s) return;
  sync_lock(t, s);
  section_reads(t, s);
  sync_unlock(t, s);
}

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
  if (is_channel(descriptor(arguments))) channel_sends(t);
}
/* Closing the last descriptor gives the lock back. */
static void unlock_file(struct thread *t) {
  if (__atomic_load_n(&locked, __ATOMIC_RELAXED) && !t->ignore_sync) sync_release(t, (uintptr_t)&file_locks, SYNC_OTHER);
}
static void before_closing(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f;
  closes(t, descriptor(arguments), pc);
  unlock_file(t);
  if (is_channel(descriptor(arguments))) channel_sends(t);
}
static void before_waking(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f, (void)arguments, (void)pc;
  if (!t->ignore_sync) sync_release(t, (uintptr_t)&channels, SYNC_OTHER);
}
static void before_receiving(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f;
  plans_input(descriptor(arguments));
  uses(t, descriptor(arguments), pc);
}
static void received(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  (void)f, (void)arguments, (void)pc;
  if (result < 0)
    finds_nothing(t);
  else
    channel_receives(t);
}
static void looked(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  (void)f, (void)arguments, (void)pc;
  if (result >= 0) channel_receives(t);
  if (result <= 0) finds_nothing(t);
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
  if ((int)arguments[1] & LOCK_UN) unlock_file(t);
}
static void after_locking(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  (void)f, (void)pc;
  bool takes = ((int)arguments[1] & (LOCK_EX | LOCK_SH)) != 0;
  if (takes && result == 0 && !t->ignore_sync) sync_acquire(t, (uintptr_t)&file_locks);
}
static void before_putting(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f, (void)arguments, (void)pc;
  channel_sends(t);
}
const struct role PUTS = {.before = before_putting};
const struct role TAKES = {.after = received};
/* What a process has done, and why it ended. */
const struct role REAPS = {.after = received};
const struct role PASSES = {.before = before_putting, .after = received};
const struct role SENDS = {.before = before_sending};
const struct role REPLACES = {.before = before_replacing, .after = replaced};
const struct role LOCKS_FILE = {.before = before_locking, .after = after_locking};
const struct role CLOSES = {.before = before_closing};
const struct role WAKES = {.before = before_waking};
const struct role RECEIVES = {.before = before_receiving, .after = received};
const struct role LOOKS = {.after = looked};
const struct role ACCEPTS = {.after = accepted};
