#include "analysis/seen.h"

#include <sched.h>

#include "analysis/held.h"
#include "analysis/section.h"

/* A test of the other rules asks for none of these. */
#ifndef SEEN_ORDERS
#define SEEN_ORDERS true
#endif

enum { READERS = 64 /* of a lock that are looked for at a time */ };

void seen_note(struct thread *t, cell c, bool wrote) {
  if (!SEEN_ORDERS || !t->weak || t->seen.count == SEEN_MAX) return;
  t->seen.wrote[t->seen.count] = wrote, t->seen.at[t->seen.count++] = c;
}

/* t's access races with an earlier one. */
struct meeting {
  struct thread *t;
  cell theirs;
  bool wrote; /* theirs is a write */
};

void seen_ask(struct thread *o) {
  enum { PATIENCE = 1 << 20 };
  __atomic_store_n(&o->seen.asked, true, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_SEQ_CST); /* pairs with thread_learns(): it finds that it was asked, or is waited for here */
  for (int i = 0; i < PATIENCE && __atomic_load_n(&o->seen.learning, __ATOMIC_ACQUIRE); i++) __builtin_ia32_pause();
}

static void learn_clock(struct thread *t, uint32_t slot, uint32_t clock) {
  if (slot != t->slot && clock > t->weak[slot]) t->weak[slot] = clock;
}

/* t learns what the other one knows, and what it did up to that clock; o is NULL if it has ended. */
static void learn(struct thread *t, const struct thread *o, const struct vclock *ended, uint32_t slot, uint32_t clock) {
  if (!o) thread_acquire_weak(t, vclock_weak(ended));
  if (o && o->seen.any_told) thread_acquire_weak(t, o->seen.told); /* it may have written again since: that is not noted in one epoch */
  uint32_t n = o ? o->n : 0;
  for (uint32_t i = 0; i < n; i++)
    if (i != o->slot) learn_clock(t, i, __atomic_load_n(&o->weak[i], __ATOMIC_RELAXED));
  learn_clock(t, slot, clock);
  if (n > t->n) t->n = n;
}

/* True if that was in the present epoch of o, which may be about to make the access. */
static bool is_at_it(const struct thread *o, cell theirs) {
  return o && o->slot == epoch_slot(theirs) && __atomic_load_n(&o->clock[o->slot], __ATOMIC_RELAXED) == epoch_clock(theirs);
}

/* o hears what t knows, and what t did by now; of the present epoch only if that is asked for. */
static void tell(struct thread *t, struct thread *o, bool present) {
  seen_ask(t);
  t->weak[t->slot] -= !present;
  if (vclock_join(&o->seen.told, t->weak, t->n)) __atomic_store_n(&o->seen.any_told, true, __ATOMIC_RELEASE);
  t->weak[t->slot] += !present;
}

/* Only what came before the read must come before what t does; the rest of its section does so if the lock has a say in that. */
static void suppose(struct thread *t, uint32_t slot, uint32_t clock) {
  if (t->weak[slot] >= clock) return;
  uint32_t i = t->seen.nsupposed++ % SEEN_SUPPOSED;
  t->seen.supposed[i].slot = slot, t->seen.supposed[i].from = t->weak[slot] + 1, t->seen.supposed[i].to = clock;
}

bool seen_supposed(const struct thread *t, epoch e) {
  uint32_t slot = epoch_slot(e), clock = epoch_clock(e);
  for (unsigned i = 0; i < SEEN_SUPPOSED; i++)
    if (t->seen.supposed[i].slot == slot && t->seen.supposed[i].from <= clock && clock <= t->seen.supposed[i].to) return true;
  return false;
}

/* t has read what the other one wrote. */
static void after_read(const struct meeting *m, struct thread *o, const struct vclock *ended) {
  struct thread *t = m->t;
  if (o) seen_ask(o);
  for (unsigned i = 0; i < SEEN_SUPPOSED; i++) t->seen.supposed[i].to = 0; /* it may be certain now */
  learn(t, o, ended, epoch_slot(m->theirs), epoch_clock(m->theirs));
  if (is_at_it(o, m->theirs) && t->nheld && analysis == ANALYSIS_OVP) tell(t, o, false); /* or t has read what was there before */
}

/* What the other one's section did before its read comes before t's write. */
static void learn_section(const struct meeting *m, struct thread *o, const struct vclock *ended) {
  uint32_t until = 0, slot = epoch_slot(m->theirs), clock = epoch_clock(m->theirs);
  if (o) seen_ask(o);
  enum held_sections in = held_sections(o, cell_epoch(m->theirs), cell_site(m->theirs), &until);
  if (in == HELD_THEN || in == HELD_UNKNOWN) {
    suppose(m->t, slot, until > clock ? until : clock);
    learn(m->t, o, ended, slot, until > clock ? until : clock);
  } else if (in == HELD_STILL || m->wrote) {
    learn(m->t, o, ended, slot, clock - 1); /* what comes in a section behind the read is told at its end */
  }
}

/* t has written what the other one had read, or has read and written. */
static void after_write(const struct meeting *m, struct thread *o, const struct vclock *ended) {
  if (analysis == ANALYSIS_OVP) learn_section(m, o, ended);
  if (is_at_it(o, m->theirs)) tell(m->t, o, true);
}

/* What t is asked is under the registry's lock, too: so either it is in a new epoch now, or it is asked to begin one. */
static bool may_learn(struct thread *t) { return !__atomic_load_n(&t->seen.asked, __ATOMIC_RELAXED); }

struct settling {
  struct meeting m;
  bool writes, done;
};

static void settle(struct thread *o, const struct vclock *ended, void *data) {
  struct settling *s = data;
  s->done = may_learn(s->m.t);
  if (s->done && s->writes)
    after_write(&s->m, o, ended);
  else if (s->done)
    after_read(&s->m, o, ended);
}

static void hear(struct thread *t, const struct vclock *ended, void *data) {
  (void)ended, (void)data;
  if (!may_learn(t)) return;
  t->seen.any_told = false;
  thread_acquire_weak(t, t->seen.told);
  vclock_clear(t->seen.told);
}

void seen_hear_slow(struct thread *t) {
  while (t->seen.any_told) {
    if (!may_learn(t)) thread_tick(t);
    thread_meet(t->info->number, hear, NULL);
  }
}

void seen_free(struct thread *t) { vclock_free(t->seen.told); }

/* In a loop the same two places of the same two epochs may race again and again. */
static bool is_settled_before(struct thread *t, cell theirs, bool writes) {
  cell key = (cell_with_mask(theirs, 0) & ~ATOMIC) | writes;
  cell *known = &t->seen.settled[(cell_site(theirs) ^ epoch_slot(theirs)) % (SEEN_SETTLED / 2) * 2 + writes];
  if (t->seen.settled_in != hd_fast.epoch) {
    for (unsigned i = 0; i < SEEN_SETTLED; i++) t->seen.settled[i] = 0;
    t->seen.settled_in = hd_fast.epoch;
  }
  bool before = *known == key;
  *known = key;
  return before;
}

void seen_settle(struct thread *t, bool writes) {
  unsigned n = t->seen.count;
  t->seen.count = 0;
  for (unsigned i = 0; i < n; i++) {
    struct settling s = {.m = {t, t->seen.at[i], t->seen.wrote[i]}, .writes = writes};
    const struct thread_info *who = thread_of_epoch(cell_epoch(s.m.theirs));
    if (!who || is_settled_before(t, s.m.theirs, writes)) continue;
    while (!s.done) {
      if (!may_learn(t)) thread_tick(t);
      thread_meet(who->number, settle, &s);
    }
  }
}

/* Sections of a lock that go on: their first epochs. */
struct holding {
  uint64_t lock;
  const struct thread *refused; /* not its own */
  unsigned count;
  epoch first[READERS];
};

/* The thread may take and give locks meanwhile: an epoch that it has not come to is none of its sections' begins. */
static void find_holding(struct thread *o, const struct vclock *ended, void *data) {
  struct holding *h = data;
  (void)ended;
  for (uint32_t i = 0; o && o != h->refused && i < __atomic_load_n(&o->nheld, __ATOMIC_RELAXED) && i < HELD; i++) {
    epoch first = __atomic_load_n(&o->held[i].first, __ATOMIC_RELAXED);
    if (__atomic_load_n(&o->held[i].lock, __ATOMIC_RELAXED) != h->lock || epoch_slot(first) != o->slot) continue;
    if (epoch_clock(first) <= __atomic_load_n(&o->clock[o->slot], __ATOMIC_RELAXED) && h->count < READERS) h->first[h->count++] = first;
  }
}

static bool holds(const struct thread *t, const struct sync *s) {
  for (uint32_t i = 0; i < t->nheld; i++)
    if (t->held[i].lock == s->id) return true;
  return false;
}

void seen_tries(struct thread *t, const struct sync *s) { t->seen.begun = __atomic_load_n(&s->begun, __ATOMIC_RELAXED); }

static void find_sections(struct holding *h, const struct sync *s) {
  uint32_t owner = __atomic_load_n(&s->owner, __ATOMIC_RELAXED);
  if (owner)
    thread_meet(owner - 1, find_holding, h);
  else
    threads_meet(find_holding, h);
}

void seen_refused(struct thread *t, struct sync *s) {
  enum { PATIENCE = 10 };
  struct holding h = {.lock = s->id, .refused = t};
  if (!SEEN_ORDERS || !t->weak || holds(t, s)) return; /* its own section was in the way, if no other */
  find_sections(&h, s);
  for (int i = 0; i < PATIENCE && h.count == 0; i++) {
    sched_yield();
    find_sections(&h, s);
  }
  if (h.count == 0 || __atomic_load_n(&s->begun, __ATOMIC_RELAXED) != t->seen.begun) sections_since(t, s, t->seen.begun);
  for (unsigned i = 0; i < h.count; i++) {
    seen_note(t, cell_make(h.first[i], 0, 1, false), true); /* as a value that was read */
    seen_settle(t, false);
  }
}
