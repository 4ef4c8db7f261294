#include "analysis/race.h"

#include <errno.h>
#include <stdio.h>

#include "analysis/held.h"
#include "base/spec.h"
#include "report/report.h"
#include "runtime.h"

enum { EXPECTED = 1 << 12, LOCKS_SHOWN = 16 };

static struct {
  struct rt_lock lock; /* for those who add */
  struct {
    uintptr_t address;
    size_t size;
  } at[EXPECTED];
  unsigned count; /* those below never change */
} expected;

void races_expected(uintptr_t address, size_t size) {
  rt_lock(&expected.lock);
  unsigned n = expected.count;
  if (n < EXPECTED) {
    expected.at[n].address = address, expected.at[n].size = size;
    __atomic_store_n(&expected.count, n + 1, __ATOMIC_RELEASE);
  }
  rt_unlock(&expected.lock);
}

/* Nothing is there: who accesses it is stopped by the system, and goes on elsewhere if it handles that (implicit checks for null pointers).
 */
static bool is_null(uintptr_t address) { return address < 4096; }

static bool is_expected(uintptr_t address) {
  unsigned n = __atomic_load_n(&expected.count, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; i < n; i++)
    if (address - expected.at[i].address < expected.at[i].size) return true;
  return false;
}

static bool is_atomic(enum site_kind kind) { return kind == SITE_ATOMIC_READ || kind == SITE_ATOMIC_WRITE; }

static bool is_unwanted(const struct race *r) {
  enum site_kind theirs = context_kind(r->theirs);
  return options.no_atomic_races && (is_atomic(r->kind) || is_atomic(theirs)) && r->kind != SITE_FREE && theirs != SITE_FREE;
}

static const char *what_of(enum site_kind kind) {
  switch (kind) {
    case SITE_READ:
      return "read";
    case SITE_WRITE:
      return "write";
    case SITE_ATOMIC_READ:
      return "atomic read";
    case SITE_ATOMIC_WRITE:
      return "atomic write";
    case SITE_FREE:
      return "free or destruction";
    case SITE_CLOSE:
      return "close";
    case SITE_WAIT:
      return "wait";
    case SITE_NOTIFY:
      return "notification";
    case SITE_USE:
      return "use";
    case SITE_ACTION:
      return "call";
    case SITE_ALLOC:
      return "allocation";
    case SITE_CALL:
    case SITE_THREAD:
    case SITE_LOCK:
    case SITE_MERGED:
    case SITE_HELD:
    case SITE_INSIDE:
    case SITE_AMONG:
    case SITE_NEAR:
      break;
  }
  return "access";
}

static struct finding_part access_part(uint32_t site, uintptr_t address, const struct thread_info *thread) {
  const struct site *at = context_at(site);
  enum site_kind kind = context_kind(site);
  return (struct finding_part){
      .what = what_of(kind), .thread = thread, .address = address, .size = kind > SITE_ATOMIC_WRITE ? 0 : (unsigned)at->size, .site = site};
}

enum { CALL_WORDS = 400 };

/* "call of set_add(0x55555555a2a0, 1)": of the other arguments nothing is known. */
static void name_call(struct finding_part *part, const struct race_call *c, char words[CALL_WORDS]) {
  if (!c->action) return;
  struct spec_name n = c->action->name;
  int used = snprintf(words, CALL_WORDS, "call of %.*s(0x%lx", (int)n.length, n.at, (unsigned long)c->object);
  int64_t value = c->value <= UINT32_MAX ? (int32_t)c->value : (int64_t)c->value;
  bool small = value == (int32_t)value;
  if (c->valued) used += snprintf(words + used, CALL_WORDS - (size_t)used, small ? ", %ld" : ", 0x%lx", (long)value);
  snprintf(words + used, CALL_WORDS - (size_t)used, ")");
  part->what = words, part->address = 0;
}

/* Why the first access is not ordered behind the second, as far as the clocks tell. */
struct reason {
  struct finding_piece pieces[8];
  unsigned count;
  struct finding_lock lock;
};

static struct finding_piece *piece(struct reason *y, const char *text) {
  struct finding_piece *p = &y->pieces[y->count++];
  p->text = text;
  return p;
}

/* What t knows of the other thread ends with that epoch: the event that ended it, if it is known. False if it is not. */
static bool last_known(struct reason *y, epoch e) {
  const struct thread_info *born = thread_born_in(e);
  if (born)
    piece(y, " did, only what came before it created ")->thread = born;
  else if (held_given(e, &y->lock))
    piece(y, " did, only what came before it gave back ")->lock = &y->lock;
  else
    return false;
  return true;
}

static void explain(struct reason *y, const struct thread *t, const struct race *r, const struct finding_part *parts) {
  const struct thread_info *theirs = parts[1].thread;
  uint32_t slot = epoch_slot(r->epoch), known = t->clock[slot];
  *y = (struct reason){.count = 0};
  if (!theirs) return;
  bool whole = thread_by_number(theirs->number) == theirs; /* else it had other clocks before these */
  if (known < theirs->start) {
    if (!whole) return;
    piece(y, "Not ordered: nothing that ")->thread = theirs;
    piece(y, theirs->over ? " did, not even its end, comes before this " : " did so far comes before this ");
  } else {
    piece(y, "Not ordered: of what ")->thread = theirs;
    if (last_known(y, epoch_make(slot, known)))
      piece(y, " comes before this ");
    else
      piece(y, " did, only what came before an earlier release of its comes before this ");
  }
  piece(y, parts[0].what);
  piece(y, " by ")->thread = parts[0].thread;
  y->pieces[y->count - 1].ends = true;
}

/* This run has the two in this order; nothing but that is known. */
static void predict(struct reason *y, const struct finding_part *parts, bool tasks) {
  *y = (struct reason){.count = 0};
  if (tasks && parts[0].thread && parts[1].thread && parts[0].thread->number == parts[1].thread->number) {
    piece(y, "In this run the two were done by ")->thread = parts[0].thread;
    piece(y, ", one after the other, but in two tasks: nothing says that two threads cannot do them at the same time")->ends = true;
    return;
  }
  if (tasks)
    piece(y,
          "In this run the two are ordered by locks, or by a thread that did two tasks one after the other: nothing else says that this ");
  else
    piece(y, "In this run locks order the two, but their critical sections may change places: nothing in them says that this ");
  piece(y, parts[0].what);
  piece(y, " cannot come before the ");
  piece(y, parts[1].what);
  piece(y, " by ")->thread = parts[1].thread;
  y->pieces[y->count - 1].ends = true;
}

static void lose(struct reason *y) {
  *y = (struct reason){.count = 0};
  piece(y, "The notification may come before the wait: then nobody hears it, and the wait goes on until there is another")->ends = true;
}

static void come_late(struct reason *y, const struct finding_part *parts) {
  *y = (struct reason){.count = 0};
  piece(y, "The block was gone when this ");
  piece(y, parts[0].what);
  piece(y, " came: its memory may have been another one's already")->ends = true;
}

static enum finding_kind kind_of(const struct race *r) {
  if (r->late) return FINDING_LATE;
  if (r->calls[0].action) return r->ends ? FINDING_ENDED : FINDING_COMMUTING;
  if (r->kind == SITE_NOTIFY) return FINDING_LOST;
  if (r->kind == SITE_CLOSE) return FINDING_CLOSED;
  if (context_at(r->theirs)->kind == SITE_ALLOC) return FINDING_RACE;
  return r->kind == SITE_FREE || context_at(r->theirs)->kind == SITE_FREE ? FINDING_FREED : FINDING_RACE;
}

static void describe(struct thread *t, const struct race *r) {
  struct finding_lock locks[2][LOCKS_SHOWN];
  struct finding_part parts[] = {access_part(r->mine, r->address, r->who), access_part(r->theirs, r->address, r->other)};
  struct reason reason;
  char words[2][CALL_WORDS];
  name_call(&parts[0], &r->calls[0], words[0]), name_call(&parts[1], &r->calls[1], words[1]);
  bool now = t->info == r->who && hd_fast.epoch == r->when; /* else it was told of later */
  parts[0].held = now ? held_now(t, locks[0], LOCKS_SHOWN) : held_then(r->when, r->mine, locks[0], LOCKS_SHOWN);
  parts[1].held = held_then(r->epoch, r->theirs, locks[1], LOCKS_SHOWN);
  parts[1].previous = true;
  if (r->kind == SITE_NOTIFY)
    lose(&reason);
  else if (r->late)
    come_late(&reason, parts);
  else if (r->predicted)
    predict(&reason, parts, r->tasks);
  else
    explain(&reason, t, r, parts);
  struct finding f = {.kind = kind_of(r),
                      .parts = parts,
                      .count = 2,
                      .predicted = r->predicted,
                      .location = r->address,
                      .origin = &r->origin,
                      .sleep = now && !r->predicted ? thread_slept_after(t, r->epoch) : SITE_UNKNOWN,
                      .notes = reason.pieces};
  report_finding(t, &f);
}

static void tell_lost(void) {
  static bool told;
  if (__atomic_exchange_n(&told, true, __ATOMIC_RELAXED)) return;
  rt_say(
      "heddle: memory, or room for threads, ended, and the order of events with it: races that are found from here on are not reported\n");
}

void race_found(struct thread *t, const struct race *r) {
  int saved = errno;
  thread_enter(t);
  if (UNLIKELY(__atomic_load_n(&order_lost, __ATOMIC_RELAXED)))
    tell_lost();
  else if (!is_null(r->address) && !is_expected(r->address) && !is_unwanted(r) &&
           report_is_new(FINDING_RACE, (const uint32_t[]){r->mine, r->theirs}, 2))
    describe(t, r);
  thread_leave(t);
  errno = saved;
}
