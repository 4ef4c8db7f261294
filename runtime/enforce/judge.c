#include "enforce/judge.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "trace/event.h"

enum { NULL_PAGES = 1 << 16 /* no program has memory below */, TAKEN_SHARED = EVENT_SHARED_LOCK };

static struct enforce_held *held;   /* of each thread of the witness; its own, but for judge() */
static struct enforce_held section; /* what the thread of the first noted event held then */
static struct rt_lock lock;         /* for judge() and what it looks at */
static uint32_t serials;

void judge_start(void) { held = rt_pages((enforced->threads + 1) * sizeof *held); }

/* To who looks at the threads as they stand now. */
static void tell_debugger(enum enforce_result result, const char *why) {
  static const char *const seen[] = {
#define X(name, seen) seen,
      ENFORCE_KIND_LIST(X)
#undef X
  };
  const char *confirmed = enforced->kind < ENFORCE_KINDS ? seen[enforced->kind] : "";
  rt_say("heddle: %s; the program ends here\n", result == ENFORCE_CONFIRMED ? confirmed : why);
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGTRAP);
}

_Noreturn void judge_ends(enum enforce_result result, const char *why, uint32_t step, uint32_t other) {
  uint32_t open = ENFORCE_OPEN;
  static uint32_t first;
  if (!__atomic_exchange_n(&first, 1, __ATOMIC_ACQ_REL)) {
    size_t n = rt_length(why);
    if (n >= sizeof enforced->why) n = sizeof enforced->why - 1;
    rt_copy(enforced->why, why, n);
    enforced->step = step, enforced->other = other;
    __atomic_compare_exchange_n(&enforced->result, &open, result, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    if (enforced->debugged) tell_debugger(result, why);
    syscall(SYS_exit_group, 0);
  }
  for (;;) syscall(SYS_pause); /* another thread ends the process */
}

static void takes(struct enforce_held *h, uintptr_t lock_address, bool shared) {
  if (h->n == ENFORCE_HELD) return;
  h->at[h->n].lock = lock_address, h->at[h->n].shared = shared;
  h->at[h->n].serial = __atomic_add_fetch(&serials, 1, __ATOMIC_RELAXED);
  h->n++;
}
static void gives(struct enforce_held *h, uintptr_t lock_address) {
  for (uint32_t i = h->n; i-- > 0;)
    if (h->at[i].lock == lock_address) {
      for (h->n--; i < h->n; i++) h->at[i] = h->at[i + 1];
      return;
    }
}

static bool overlap(const struct enforce_seen *a, const struct enforce_seen *b) {
  return a->address < b->address + b->size && b->address < a->address + a->size;
}

void judge_event(uint32_t thread, const struct trace_event *e) {
  struct enforce_held *h = &held[thread];
  if (e->op == TRACE_EVENT_ALLOC) {
    struct enforce_seen block = {.address = e->object, .size = e->size};
    for (unsigned i = 0; i < ENFORCE_NOTES; i++)
      if (enforced->notes[i].op == TRACE_EVENT_FREE && overlap(&enforced->notes[i], &block)) enforced->notes[i].there = 0;
    return;
  }
  if (e->op == TRACE_EVENT_WAIT_LEAVE && enforced->waits && enforced->kind == ENFORCE_LOST_WAKEUP && enforced->stands[0].thread == thread) {
    judge_ends(ENFORCE_OTHER, "the wait ended after all", 0, 0);
  }
  rt_lock(&lock);
  if (e->op == TRACE_EVENT_ACQUIRE) takes(h, e->object, e->flags & TAKEN_SHARED);
  if (e->op == TRACE_EVENT_RELEASE) gives(h, e->object);
  if (e->op == TRACE_EVENT_WAIT_ENTER) gives(h, e->value2);
  if (e->op == TRACE_EVENT_WAIT_LEAVE && !(e->flags & EVENT_TIMED_OUT)) takes(h, e->value2, false);
  rt_unlock(&lock);
}

void judge_note(uint32_t note, const struct enforce_seen *seen) {
  if (note > ENFORCE_NOTES) return;
  rt_lock(&lock);
  enforced->notes[note - 1] = *seen;
  if (note == 1) section = held[seen->thread];
  rt_unlock(&lock);
}

void judge_stands(uint32_t end, const struct enforce_seen *seen) {
  rt_lock(&lock);
  enforced->stands[end] = *seen;
  rt_unlock(&lock);
  judge();
}

/* --- the kinds: NULL if it is so, else what is not --- */

static const char *race(const struct enforce_seen *s) {
  bool writes = s[0].op != TRACE_EVENT_READ || s[1].op != TRACE_EVENT_READ;
  if (s[0].thread == s[1].thread || !writes || (s[0].atomic && s[1].atomic)) return "the two accesses do not conflict";
  return overlap(&s[0], &s[1]) ? NULL : "the threads stood before accesses of different memory";
}

static const struct enforce_held *holder_of(const struct enforce_seen *want, uint32_t thread, bool *shared) {
  const struct enforce_held *h = &held[thread];
  for (uint32_t i = 0; i < h->n; i++)
    if (h->at[i].lock == want->address) {
      *shared = h->at[i].shared;
      return h;
    }
  return NULL;
}

static const char *deadlock(const struct enforce_seen *s, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    bool shared = false;
    if (s[i].flags & (EVENT_TRY | EVENT_TIMED)) return "one of the threads does not wait for ever";
    if (!holder_of(&s[i], s[(i + 1) % n].thread, &shared)) return "one of the locks was not held by the next thread";
    if (shared && s[i].flags & EVENT_SHARED_LOCK) return "two readers do not wait for each other";
  }
  return NULL;
}

static const char *use_after_free(const struct enforce_seen *use) {
  const struct enforce_seen *f = &enforced->notes[0];
  if (!f->there) return "the memory was in use again";
  return overlap(f, use) ? NULL : "the memory that was freed is not what the thread stood before";
}

static const char *atomicity(const struct enforce_seen *last) {
  const struct enforce_seen *first = &enforced->notes[0], *between = &enforced->notes[1];
  const struct enforce_held *h = &held[last->thread];
  bool same = false;
  if (!first->there || !between->there || first->thread != last->thread || between->thread == last->thread)
    return "one of the accesses did not come";
  if (!overlap(first, last) || !overlap(first, between) || !overlap(between, last)) return "the accesses were of different memory";
  for (uint32_t i = 0; i < h->n; i++)
    for (uint32_t k = 0; k < section.n; k++) same |= h->at[i].serial == section.at[k].serial;
  return same ? NULL : "the two accesses were not in one section of a lock";
}

static const char *what_is_not(void) {
  const struct enforce_seen *s = enforced->stands;
  switch ((enum enforce_kind)enforced->kind) {
    case ENFORCE_RACE:
      return enforced->ends == 2 ? race(s) : "two threads should stand";
    case ENFORCE_DEADLOCK:
      return deadlock(s, enforced->ends);
    case ENFORCE_USE_AFTER_FREE:
      return use_after_free(s);
    case ENFORCE_ATOMICITY:
      return atomicity(s);
    case ENFORCE_NULL_POINTER:
      return s->address < NULL_PAGES ? NULL : "the pointer was not NULL";
    case ENFORCE_LOST_WAKEUP:
      return s->op == TRACE_EVENT_WAIT_ENTER ? NULL : "the thread did not come to wait";
    case ENFORCE_ORDER:
      return NULL; /* all its events were done */
    case ENFORCE_ENDING:
    case ENFORCE_HANGING:
      return NULL; /* what comes now, who started the process sees */
    case ENFORCE_UNSEEN:
      return "nobody sees such a finding in a run without the machine";
    case ENFORCE_KINDS:
      break;
  }
  return "a kind that is not known";
}

void judge(void) {
  rt_lock(&lock);
  bool all = __atomic_load_n(&enforced->position, __ATOMIC_ACQUIRE) >= enforced->steps;
  for (uint32_t i = 0; i < enforced->ends; i++) all &= enforced->stands[i].there != 0;
  if (all && !enforced->released && enforced->kind != ENFORCE_ENDING) {
    const char *why = what_is_not();
    if (why) judge_ends(ENFORCE_OTHER, why, 0, 0);
    if (enforced->kind != ENFORCE_LOST_WAKEUP && enforced->kind != ENFORCE_HANGING) judge_ends(ENFORCE_CONFIRMED, "", 0, 0);
    __atomic_store_n(&enforced->waits, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&enforced->released, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &enforced->released, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
    syscall(SYS_futex, &enforced->position, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
  }
  rt_unlock(&lock);
}
