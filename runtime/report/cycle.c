/* Findings about cycles of threads that wait for each other. */
#include "analysis/cycle.h"
#include "analysis/confirm.h"
#include "report/report.h"
#include "sync.h"

static struct finding_lock lock_of(const struct hold *h) {
  const struct sync *s = h->address ? sync_find(h->address) : NULL;
  uint32_t made = s && s->id == h->lock ? s->site : SITE_UNKNOWN;
  return (struct finding_lock){.address = h->address, .site = h->site, .made = made, .kind = h->kind, .shared = h->shared};
}

static void report(struct thread *t, const struct cycle *c, enum finding_kind kind) {
  struct finding_part parts[CYCLE_MOST];
  struct finding_lock has[CYCLE_MOST], wants[CYCLE_MOST];
  for (unsigned i = 0; i < c->n; i++) {
    const struct waiter *w = &c->waiters[i];
    has[i] = lock_of(&w->has), wants[i] = lock_of(&w->wants);
    parts[i] = (struct finding_part){.what = kind == FINDING_DEADLOCK ? "wait for" : "request of",
                                     .thread = thread_by_number(w->thread),
                                     .wanted = &wants[i],
                                     .site = w->wants.site,
                                     .held = {.at = &has[i], .count = 1, .known = LOCKS_ALL}};
  }
  report_finding(t, &(struct finding){.kind = kind, .parts = parts, .count = c->n, .predicted = kind == FINDING_CYCLE});
}

void cycle_possible(struct thread *t, const struct cycle *c) { report(t, c, FINDING_CYCLE); }
void cycle_happened(struct thread *t, const struct cycle *c) {
  if (UNLIKELY(confirming)) confirm_deadlock(c);
  report(t, c, FINDING_DEADLOCK);
}
