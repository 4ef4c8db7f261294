#include "report/explain.h"

#include "machine/machine.h"
#include "report/action.h"
#include "report/held.h"
#include "report/names.h"
#include "report/witness.h"

static const char *thread_name(const struct witness *w, uint32_t thread) { return machine_thread_name(w->replayer.m, thread); }

static const struct event *trace_of(const struct witness *w, uint32_t *count) { return machine_trace(w->replayer.m, count); }

/* "thread 0.1 holds mutex a (bank.c:10) there" */
static void locks_text(struct names *names, const struct witness *w, const struct held *held, uint32_t thread, struct text *out) {
  text_printf(out, "thread %s holds ", thread_name(w, thread));
  if (held->locks.count == 0) text_puts(out, "no lock");
  for (size_t i = 0; i < held->locks.count; i++) {
    const struct held_lock *lock = &held->locks.data[i];
    if (i) text_puts(out, i + 1 == held->locks.count ? " and " : ", ");
    names_object_text(names, w->replayer.m, lock->object, lock->size, out);
    if (lock->shared) text_puts(out, " for reading");
    const struct moment *moment = timeline_find(&w->timeline, lock->event);
    if (!moment) continue;
    text_puts(out, " (since ");
    place_short_text(&moment->place, out);
    text_puts(out, ")");
  }
}

static bool share_a_lock(const struct held *a, const struct held *b) {
  for (size_t i = 0; i < a->locks.count; i++)
    for (size_t k = 0; k < b->locks.count; k++)
      if (a->locks.data[i].object == b->locks.data[k].object) return true;
  return false;
}

static void race_text(struct names *names, const struct witness *w, struct text *out) {
  uint32_t count;
  const struct event *trace = trace_of(w, &count);
  const struct finding_site *s = w->finding.sites.data;
  if (w->finding.sites.count < 2 || s[0].event >= count || s[1].event >= count) return;
  const struct event *a = &trace[s[0].event], *b = &trace[s[1].event];
  if ((a->order == ORDER_PLAIN) != (b->order == ORDER_PLAIN))
    text_printf(out, "Only the access of thread %s is atomic; both must be, or something must order them.\n",
                thread_name(w, a->order == ORDER_PLAIN ? b->thread : a->thread));
  struct held held[2] = {0};
  held_at(trace, s[0].event, a->thread, &held[0]);
  held_at(trace, s[1].event, b->thread, &held[1]);
  locks_text(names, w, &held[0], a->thread, out);
  text_puts(out, "; ");
  locks_text(names, w, &held[1], b->thread, out);
  if (share_a_lock(&held[0], &held[1]))
    text_puts(out, ", but not so that one section excludes the other.\n");
  else
    text_puts(out, held[0].locks.count && held[1].locks.count ? ": none in common.\n" : ".\n");
  text_puts(out, "No start or end of a thread, lock, signal or atomic access between them orders one before the other.\n");
  held_release(&held[0]);
  held_release(&held[1]);
}

static void wait_text(struct names *names, const struct witness *w, uint32_t thread, struct text *out) {
  const struct machine *m = w->replayer.m;
  const struct event *pending = machine_pending(m, thread);
  text_printf(out, "thread %s ", thread_name(w, thread));
  action_wait_text(names, m, pending, out);
  uint32_t count, holder, acquire;
  const struct event *trace = trace_of(w, &count);
  if (pending->op == EVENT_ACQUIRE && held_by(trace, count, pending->object, &holder, &acquire)) {
    if (holder == thread)
      text_puts(out, ", which it holds itself");
    else
      text_printf(out, ", which thread %s holds", thread_name(w, holder));
    const struct moment *moment = timeline_find(&w->timeline, acquire);
    if (moment) {
      text_puts(out, " since ");
      place_short_text(&moment->place, out);
    }
  }
  text_puts(out, "\n");
}

static void blocked_text(struct names *names, const struct witness *w, struct text *out) {
  const struct machine *m = w->replayer.m;
  const struct tset *alive = machine_alive(m);
  for (uint32_t t = tset_next(alive, 0); t < THREADS_MAX; t = tset_next(alive, t + 1))
    if (!tset_has(machine_enabled(m), t) && machine_pending(m, t)->op != EVENT_FLUSH) wait_text(names, w, t, out);
}

void explain_text(struct names *names, const struct witness *w, struct text *out) {
  switch (w->finding.kind) {
    case FINDING_DATA_RACE:
      race_text(names, w, out);
      return;
    case FINDING_DEADLOCK:
    case FINDING_LOST_WAKEUP:
      blocked_text(names, w, out);
      return;
    case FINDING_ASSERTION:
    case FINDING_ABORT:
    case FINDING_UNCAUGHT_EXCEPTION:
    case FINDING_USE_AFTER_FREE:
    case FINDING_OUT_OF_BOUNDS:
    case FINDING_DOUBLE_FREE:
    case FINDING_BAD_FREE:
    case FINDING_ALLOCATION_MISUSE:
    case FINDING_LEAK:
    case FINDING_UNINITIALISED:
    case FINDING_NULL_DEREFERENCE:
    case FINDING_DIVISION_BY_ZERO:
    case FINDING_OVERFLOW:
    case FINDING_THREAD_MISUSE:
    case FINDING_LIVELOCK:
    case FINDING_EXIT_CODE:
    case FINDING_UNREACHED_GOAL:
    case FINDING_ORDER_VIOLATION:
    case FINDING_ATOMICITY_VIOLATION:
    case FINDING_PROPERTY:
    case FINDING_NOT_LINEARIZABLE:
    case FINDING_NOT_OBSTRUCTION_FREE:
    case FINDING_NOT_LOCK_FREE:
    case FINDING_NOT_WAIT_FREE:
    case FINDING_COUNT:
      return;
  }
}
