/* Which alternative each step of a witness takes: it depends on the state (machine.h), so the witness is followed. */
#include "causal/internal.h"

static struct thread *thread_of(struct causal *c, uint64_t tid) {
  return tid < THREADS_MAX && c->slot_of[tid] ? &c->threads.data[c->slot_of[tid] - 1] : NULL;
}

/* How many waiting threads of smaller tid come before `tid` in the choice of a signal. */
static uint32_t rank(const struct causal *c, uint64_t cond, uint32_t tid) {
  uint32_t n = 0;
  for (size_t i = 0; i < c->threads.count; i++) {
    const struct thread *t = &c->threads.data[i];
    n += t->waits_at == cond && !t->signalled && t->tid < tid;
  }
  return n;
}

/* A thread ends together with the step before its end. */
static bool has_ended(const struct thread *t) { return t && t->end != NONE && (t->issue == NONE || t->issue >= t->end); }

static uint32_t choice(struct causal *c, const struct event *e, uint64_t result) {
  switch (e->op) {
    case EVENT_SIGNAL:
      return result ? rank(c, e->object, (uint32_t)__builtin_ctzll(result)) : 0;
    case EVENT_JOIN:
      return !result && has_ended(thread_of(c, e->object));
    case EVENT_CHOICE:
      return (uint32_t)result;
    default:
      return e->choice;
  }
}

static void apply(struct causal *c, const struct event *e, uint32_t event) {
  struct thread *t = &c->threads.data[c->info.data[event].slot];
  t->issue = c->info.data[event].next;
  if (e->op == EVENT_WAIT_ENTER) t->waits_at = e->object;
  if (e->op == EVENT_WAIT_LEAVE) t->waits_at = 0, t->signalled = false;
  if (e->op != EVENT_SIGNAL && e->op != EVENT_BROADCAST) return;
  for (uint64_t rest = e->value; rest; rest &= rest - 1) {
    struct thread *woken = thread_of(c, (uint64_t)__builtin_ctzll(rest));
    if (woken) woken->signalled = true;
  }
}

void witness_choose(struct causal *c, uint32_t changed, uint64_t result) {
  for (size_t i = 0; i < c->threads.count; i++) {
    struct thread *t = &c->threads.data[i];
    t->issue = t->first, t->waits_at = 0, t->signalled = false;
  }
  for (uint32_t i = 0; i < c->prefix; i++) apply(c, &c->trace[i], i);
  for (size_t i = 0; i < c->steps.count; i++) {
    struct causal_step *s = &c->steps.data[i];
    if (s->flush) continue;
    const struct event *e = &c->trace[s->event];
    bool changes = s->event == changed;
    uint64_t was = 0;
    (void)causal_is_read(e, &was);
    if (e->op == EVENT_JOIN) was = !(e->flags & EVENT_TIMED_OUT);
    s->choice = changes && e->op == EVENT_WAIT_LEAVE ? 0 : choice(c, e, changes ? result : was);
    apply(c, e, s->event);
  }
}
