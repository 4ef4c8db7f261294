#include "intercept/handler.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "report/report.h"

bool signals_handled;

static void found(struct thread *t, enum finding_kind kind, const struct finding_part *parts, unsigned count, const char *why) {
  const struct finding_piece notes[] = {{why, NULL, NULL, true}, {0}};
  if (report_is_new(kind, &parts[0].site, 1))
    report_finding(t, &(struct finding){.kind = kind, .parts = parts, .count = count, .predicted = true, .notes = notes});
}

static void unsafe_in_handler(struct thread *t, const char *name, uint32_t site) {
  char what[64], other[64];
  snprintf(what, sizeof what, "call of %s() in a handler", name);
  snprintf(other, sizeof other, "call of %s()", t->unsafe.name);
  const struct finding_part parts[] = {{.what = what, .thread = t->info, .site = site},
                                       {.what = other, .previous = true, .thread = t->info, .site = t->unsafe.site}};
  found(t, FINDING_SIGNAL, parts, 2,
        "The signal may come within the previous call as well: POSIX leaves undefined what the call does then");
}

void unsafe_call(const char *name, uintptr_t pc) {
  struct thread *t = watched();
  if (!t) return;
  int saved = errno;
  thread_enter(t);
  uint32_t site = thread_site(t, pc, SITE_USE, 0);
  if (!t->handling)
    t->unsafe = (struct unsafe_call){.name = name, .site = site, .epoch = hd_fast.epoch};
  else if (t->within)
    unsafe_in_handler(t, name, site);
  thread_leave(t);
  errno = saved;
}

void handler_left(struct thread *t) {
  t->unsafe.epoch = 0;
  if (t->handling && hd_fast.top < t->handling) t->handling = NULL;
}

/* It is what the thread did itself, by the instruction that it came at. */
static bool is_own_doing(const struct thread *t, int number) {
  return t->raising == number || number == SIGABRT || number == SIGPIPE || number == SIGSYS || number == SIGTRAP || number == SIGXFSZ;
}

/* The last unsafe call comes before the signal was sent, or its handler set up. */
static bool is_later(struct thread *t, uintptr_t senders) {
  struct sync *s = sync_find(senders);
  uint32_t slot = epoch_slot(t->unsafe.epoch);
  if (!s) return false;
  sync_lock(t, s);
  bool later = s->clock && slot < s->clock->n && s->clock->at[slot] >= epoch_clock(t->unsafe.epoch);
  sync_unlock(t, s);
  return later;
}

/* The instruction is not one behind a system call that failed: that would have its error behind the handler. */
static bool is_in_code(const ucontext_t *interrupted) {
  enum { LAST_ERROR = 4095 };
  static const unsigned char system_call[] = {0x0f, 0x05};
  const unsigned char *next = (const unsigned char *)interrupted->uc_mcontext.gregs[REG_RIP];
  greg_t result = interrupted->uc_mcontext.gregs[REG_RAX];
  return next[-2] != system_call[0] || next[-1] != system_call[1] || result >= 0 || result < -LAST_ERROR;
}

struct handling handler_begins(struct thread *t, int number, const void *function, const ucontext_t *interrupted, uintptr_t senders) {
  struct handling h = {.since = t->handling,
                       .number = number,
                       .error = errno,
                       .function = function,
                       .ignore_reads = t->ignore_reads,
                       .ignore_writes = t->ignore_writes,
                       .ignore_sync = t->ignore_sync};
  t->ignore_reads = t->ignore_writes = ignored_accesses, t->ignore_sync = 0;
  bool astray = t->astray >> (number - 1) & 1, let_in = !sigismember(&interrupted->uc_sigmask, number) && !is_own_doing(t, number);
  h.within = h.since && t->within;
  h.anywhere = let_in && (astray || is_in_code(interrupted));
  t->astray &= ~(1ull << (number - 1));
  t->within = h.within || (let_in && t->unsafe.epoch && !order_lost && !is_later(t, senders));
  if (!h.since) t->handling = hd_fast.top;
  return h;
}

void handler_ends(struct thread *t, const struct handling *h) {
  char what[64];
  t->handling = h->since, t->within = h->within;
  t->ignore_reads = h->ignore_reads, t->ignore_writes = h->ignore_writes, t->ignore_sync = h->ignore_sync;
  if (!h->anywhere || errno == h->error) return;
  int saved = errno;
  thread_enter(t);
  const char *name = sigabbrev_np(h->number);
  if (name)
    snprintf(what, sizeof what, "handler of SIG%s", name);
  else
    snprintf(what, sizeof what, "handler of signal %d", h->number);
  const struct finding_part part = {.what = what, .thread = t->info, .site = thread_site(t, (uintptr_t)h->function + 1, SITE_USE, 0)};
  found(t, FINDING_ERRNO, &part, 1, "What it interrupted may look at errno, and finds what the handler left there");
  thread_leave(t);
  errno = saved;
}
