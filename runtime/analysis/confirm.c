#include "analysis/confirm.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "analysis/access.h"
#include "analysis/cycle.h"
#include "analysis/place.h"

enum { HOLDS = 8, ENDED = 64, LATELY = 2048, INTS = 64, THREADS = 64, PRIMED_MS = 4000, STEP_NS = 200000 };

bool confirming;

/* First events of a plan, lately, by the four bytes that they were about (the first INTS of each); and how often threads came to where they
 * are held. */
struct visited {
  uintptr_t address;
  size_t size;
  uint32_t thread, count;
};
struct lately {
  struct visited at[LATELY];
  uint32_t counts[THREADS];
};
static struct lately lately[CONFIRM_PLANS];

/* The thread that is held, or was, and the second events: of a LOST those since then, of an END what is not there any more. */
enum state { FREE, HELD_BACK, LET_GO };
static struct {
  struct rt_lock lock; /* for all of this, and `lately` */
  enum state state;
  uint32_t who; /* its number */
  bool at_event;
  uintptr_t address; /* if so: of it */
  size_t size;
  uint64_t until; /* it is, or counts as let go, until then */
  struct {
    uintptr_t address;
    size_t size;
    uint32_t thread;
  } ended[ENDED];
  unsigned nended;
  uint32_t holds, visits, next; /* the visit that is to be the next hold */
  uint32_t waiter;              /* the number of the thread that waits in vain, plus 1 */
} now;

/* Of a cycle: who is held at its places. */
static struct { uint32_t who[CONFIRM_PLACES], visits[CONFIRM_PLACES], next[CONFIRM_PLACES], rounds, holds; } cycle;

/* How the prediction is tried in this run. */
static enum { FIRST_VISITS, SEEN_VISITS, ONLY_LOOKING, OTHER_WAY } way;

static struct confirm_plan *active(void) { return &plans->plans[plans->active]; }

static uint64_t milliseconds(void) {
  struct timespec t;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static _Noreturn void confirmed(struct confirm_plan *p) {
  __atomic_store_n(&p->confirmed, 1, __ATOMIC_RELEASE);
  syscall(SYS_exit_group, 0);
  __builtin_unreachable();
}

static bool overlap(uintptr_t a, size_t n, uintptr_t b, size_t m) { return a < b + m && b < a + n; }

void confirm_again(void) {
  if (places_missing()) places_find();
}

static void access_event(struct thread *t, uintptr_t address, size_t size, enum site_kind kind, uintptr_t pc) {
  if (LIKELY(!is_place(pc))) return;
  confirm_event_slow(t, address, size, kind, pc);
}

void confirm_start(void) {
  struct confirm_plan *p = active();
  if (plans->attempt == 0)
    way = FIRST_VISITS;
  else if (p->seen_count && !p->directed)
    way = SEEN_VISITS, p->directed = 1;
  else
    way = plans->attempt == 1 && p->kind != CONFIRM_CYCLE ? ONLY_LOOKING : OTHER_WAY;
  now.next = 1;
  confirming = true, access_instead = access_event;
  ignored_accesses = 1;
  hd_fast.self->ignore_reads = hd_fast.self->ignore_writes = ignored_accesses;
  places_find();
}

/* Only the calling thread is left. */
void confirm_after_fork(void) {
  places_after_fork();
  now.lock.held = 0;
  now.state = FREE, now.waiter = 0;
  for (unsigned i = 0; i < CONFIRM_PLACES; i++) cycle.who[i] = 0;
}

/* What the accesses are called in this attempt: for a race either may be held. */
static unsigned first_of(const struct confirm_plan *p) {
  return p->kind == CONFIRM_RACE && p == active() && way == OTHER_WAY ? CONFIRM_SECOND : CONFIRM_FIRST;
}
static unsigned held_of(const struct confirm_plan *p) {
  if (p->nplaces <= CONFIRM_HELD || p->kind == CONFIRM_RACE) return first_of(p);
  return p->nplaces > CONFIRM_OUTER && p == active() && way == OTHER_WAY ? CONFIRM_OUTER : CONFIRM_HELD;
}

/* A thread comes to a place of the active plan for the so manieth time. The visits that are tried become ever rarer, as loops may be
 * long. */
static bool is_due(uint32_t visit, uint32_t *next) {
  if (visit < *next) return false;
  *next = visit + 1 + (visit > 2 ? visit / 2 : 0);
  return true;
}

/* Such a visit of t. */
static bool is_chosen(const struct confirm_plan *p, const struct thread *t, uint32_t count) {
  if (now.state != FREE && milliseconds() <= now.until) return false;
  now.state = FREE, now.visits++;
  if (now.holds >= HOLDS || way == ONLY_LOOKING) return false;
  if (way == SEEN_VISITS) return t->info->number == p->seen_thread && count >= p->seen_count;
  return is_due(now.visits, &now.next);
}

/* Until somebody lets the thread go, or the time is over. Its signals are handled meanwhile. */
static void hold(struct confirm_plan *p, uint32_t who) {
  for (;;) {
    syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = STEP_NS}, NULL);
    rt_lock(&now.lock);
    bool mine = now.who == who, over = !mine || now.state != HELD_BACK;
    if (!over && milliseconds() > now.until) now.state = FREE, over = true;
    if (over && mine && now.state == LET_GO && now.at_event && p->kind == CONFIRM_LOST) {
      now.state = FREE, now.waiter = who + 1;
      __atomic_store_n(&p->waits, milliseconds(), __ATOMIC_RELEASE);
    }
    rt_unlock(&now.lock);
    if (over) return;
  }
}

static struct visited *visited_at(struct lately *l, uintptr_t number) { return &l->at[(number * 0x9e3779b97f4a7c15ull >> 40) % LATELY]; }

static uintptr_t ints_end(uintptr_t address, size_t size) {
  uintptr_t from = address / 4, to = (address + size + 3) / 4;
  return to - from > INTS ? from + INTS : to;
}

/* Another thread's first event was about these bytes. */
static void notice(struct confirm_plan *p, uint32_t me, uintptr_t address, size_t size) {
  struct lately *l = &lately[p - plans->plans];
  for (uintptr_t i = address / 4; i < ints_end(address, size); i++) {
    const struct visited *v = visited_at(l, i);
    if (!v->count || v->thread == me || !overlap(v->address, v->size, address, size)) continue;
    p->seen_thread = v->thread;
    __atomic_store_n(&p->seen_count, v->count, __ATOMIC_RELAXED);
  }
}

/* The second event. */
static void second(struct confirm_plan *p, const struct thread *t, uintptr_t address, size_t size) {
  uint32_t me = t->info->number;
  notice(p, me, address, size);
  if (p != active()) return;
  bool fits = now.state != FREE && now.who != me && (!now.at_event || overlap(now.address, now.size, address, size));
  if (fits && now.at_event && now.state == HELD_BACK && p->kind != CONFIRM_LOST) confirmed(p);
  if ((p->kind == CONFIRM_END || fits) && (fits || now.nended < ENDED)) {
    unsigned at = now.nended++ % ENDED;
    now.ended[at].address = address, now.ended[at].size = size, now.ended[at].thread = me;
  }
  if (fits && now.state == HELD_BACK) now.state = LET_GO, now.until = milliseconds() + PRIMED_MS;
}

/* The first event. */
static void first(struct confirm_plan *p, const struct thread *t, uintptr_t address, size_t size) {
  struct lately *l = &lately[p - plans->plans];
  uint32_t me = t->info->number, count = l->counts[me % THREADS];
  for (uintptr_t i = address / 4; i < ints_end(address, size); i++) *visited_at(l, i) = (struct visited){address, size, me, count};
  if (p != active()) return;
  for (unsigned i = 0; i < now.nended && i < ENDED; i++) {
    if (now.ended[i].thread == me || !overlap(now.ended[i].address, now.ended[i].size, address, size)) continue;
    bool block = now.ended[i].size > 1; /* nothing else comes there; a lock may, which nobody initialises */
    if (!block && (now.state != LET_GO || now.who != me || now.at_event)) continue;
    if (p->kind == CONFIRM_END) confirmed(p);
    now.state = FREE, now.waiter = me + 1;
    __atomic_store_n(&p->waits, milliseconds(), __ATOMIC_RELEASE);
  }
}

/* The place where threads are held. True if t is to be. */
static bool visit(struct confirm_plan *p, const struct thread *t, uintptr_t address, size_t size, bool at_event) {
  uint32_t me = t->info->number, count = lately[p - plans->plans].counts[me % THREADS];
  if (p != active()) return false;
  if (now.state == LET_GO && now.who == me && !at_event) now.state = FREE; /* its section is over */
  if (!is_chosen(p, t, count)) return false;
  now.state = HELD_BACK, now.who = me, now.holds++;
  if (p->kind == CONFIRM_LOST) now.nended = 0;
  now.at_event = at_event, now.address = address, now.size = size;
  now.until = milliseconds() + (now.holds == 1 ? plans->first_hold_ms : plans->hold_ms);
  __atomic_fetch_add(&p->holds, 1, __ATOMIC_RELAXED);
  return true;
}

/* Of the active cycle. The threads stay until all are there. */
static void visit_cycle(struct confirm_plan *p, uint32_t at, const struct thread *t) {
  uint32_t me = t->info->number + 1;
  unsigned place = 0;
  if (t->nheld == 0) return;
  rt_lock(&now.lock);
  for (unsigned i = 0; i < p->nplaces; i++)
    if (at >> i & 1) place = i; /* several threads may come to one place of the program */
  for (unsigned i = 0; i < p->nplaces; i++)
    if (at >> i & 1 && !cycle.who[i]) place = i;
  bool stays = cycle.who[place] == 0 && is_due(++cycle.visits[place], &cycle.next[place]) && cycle.holds < HOLDS * p->nplaces;
  for (unsigned i = 0; i < p->nplaces; i++) stays &= cycle.who[i] != me;
  if (stays) {
    unsigned there = 0;
    cycle.who[place] = me, cycle.holds++;
    for (unsigned i = 0; i < p->nplaces; i++) there += cycle.who[i] != 0;
    if (there == p->nplaces) {
      for (unsigned i = 0; i < p->nplaces; i++) cycle.who[i] = 0;
      cycle.rounds++, stays = false;
    }
    __atomic_fetch_add(&p->holds, 1, __ATOMIC_RELAXED);
  }
  uint32_t round = cycle.rounds;
  uint64_t until = milliseconds() + (cycle.holds <= p->nplaces ? plans->first_hold_ms : plans->hold_ms);
  rt_unlock(&now.lock);
  for (bool over = !stays; !over;) {
    syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = STEP_NS}, NULL);
    rt_lock(&now.lock);
    over = cycle.rounds != round;
    if (!over && milliseconds() > until) cycle.who[place] = 0, over = true;
    rt_unlock(&now.lock);
  }
}

/* True if t is to be held at it. */
static bool happens(struct confirm_plan *p, struct thread *t, uint32_t at, uint32_t exact, uintptr_t address, size_t size) {
  unsigned one = first_of(p), held = held_of(p);
  bool at_event = held == one, comes = (at_event ? exact : at) >> held & 1, holds = false;
  rt_lock(&now.lock);
  if (comes) lately[p - plans->plans].counts[t->info->number % THREADS]++;
  if (at >> (CONFIRM_FIRST + CONFIRM_SECOND - one) & 1) second(p, t, address, size);
  if (at >> one & 1) first(p, t, address, size);
  if (comes) holds = visit(p, t, address, size, at_event);
  rt_unlock(&now.lock);
  return holds;
}

void confirm_event_slow(struct thread *t, uintptr_t address, size_t size, enum site_kind kind, uintptr_t pc) {
  if (!is_place(pc) || t->busy) return;
  int saved = errno;
  bool holds = false;
  uint32_t exact, cycle_at = 0;
  thread_enter(t);
  uint64_t stack = place_stack_now(t);
  for (unsigned i = 0; i < CONFIRM_PLANS && i < plans->nplans; i++) {
    struct confirm_plan *p = &plans->plans[i];
    uint32_t at = p->ready && p->kind != CONFIRM_NONE ? places_at(i, pc, kind, stack, &exact) : 0;
    if (at && p->kind != CONFIRM_CYCLE)
      holds |= happens(p, t, at, exact, address, size);
    else if (at && p == active())
      cycle_at = at;
  }
  thread_leave(t);
  if (cycle_at) visit_cycle(active(), cycle_at, t);
  if (holds) hold(active(), t->info->number);
  errno = saved;
}

bool confirm_holds(struct thread *t, uintptr_t pc) {
  uint32_t exact, held = 1u << held_of(active());
  if (!confirming || !t || !is_place(pc)) return false;
  thread_enter(t);
  uint32_t at = places_at(plans->active, pc, SITE_LOCK, place_stack_now(t), &exact);
  thread_leave(t);
  return at & held;
}

void confirm_wait_over(const struct thread *t) {
  rt_lock(&now.lock);
  if (now.waiter == t->info->number + 1) {
    now.waiter = 0;
    __atomic_store_n(&active()->waits, 0, __ATOMIC_RELEASE);
  }
  rt_unlock(&now.lock);
}

bool confirm_keeps(uintptr_t address) {
  bool keeps = false;
  rt_lock(&now.lock);
  for (unsigned i = 0; i < now.nended && i < ENDED; i++) keeps |= now.ended[i].address == address;
  rt_unlock(&now.lock);
  return keeps;
}

void confirm_renewed(uintptr_t address, size_t size) {
  rt_lock(&now.lock);
  for (unsigned i = 0; i < now.nended && i < ENDED; i++)
    if (overlap(now.ended[i].address, now.ended[i].size, address, size)) now.ended[i].size = 0;
  rt_unlock(&now.lock);
}

/* The threads wait for the locks of the plan. */
static bool is_cycle(unsigned plan, const struct cycle *c) {
  const struct confirm_plan *p = &plans->plans[plan];
  uint32_t exact, all = 0;
  if (!p->ready || p->kind != CONFIRM_CYCLE || p->nplaces != c->n) return false;
  for (unsigned i = 0; i < c->n; i++) {
    const struct site *s = context_at(c->waiters[i].wants.site);
    all |= places_at(plan, s->pc, SITE_LOCK, place_stack(s->parent), &exact);
  }
  return all == (1u << c->n) - 1;
}

void confirm_deadlock(const struct cycle *c) {
  struct confirm_plan *found = NULL;
  for (unsigned i = 0; i < CONFIRM_PLANS && i < plans->nplans && !found; i++)
    if (is_cycle(i, c)) found = &plans->plans[i];
  if (found) confirmed(found);
}
