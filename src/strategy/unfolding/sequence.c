#include "strategy/unfolding/sequence.h"

#include <string.h>

#include "happens/history.h"

void sequence_add(struct sequence *q, uint32_t thread, uint32_t choice, const struct event *events, uint32_t n) {
  *vec_push(&q->steps) = (struct sequence_step){thread, choice, (uint32_t)q->events.count, n};
  if (n) memcpy(vec_push_n(&q->events, n), events, n * sizeof *events);
}

void sequence_release(struct sequence *q) {
  vec_release(&q->steps);
  vec_release(&q->events);
}

uint32_t sequence_find(const struct sequence *q, uint32_t thread) {
  uint32_t i = 0;
  while (i < q->steps.count && q->steps.data[i].thread != thread) i++;
  return i;
}

/* What the event may be where the step comes in another place. */
static struct event at_most(struct event e) {
  if (e.op == EVENT_READ && e.order != ORDER_PLAIN) e.op = EVENT_RMW;
  if (e.op == EVENT_TRYFAIL) e.op = EVENT_ACQUIRE;
  return e;
}

static bool step_commutes(const struct sequence *q, uint32_t step, const struct event *events, uint32_t count) {
  const struct sequence_step *s = &q->steps.data[step];
  const struct event *own = &q->events.data[s->first];
  if (!s->events || history_wakes(events, count, own, s->events)) return false;
  for (uint32_t i = 0; s->choice == ANY_CHOICE && i < s->events; i++) {
    struct event e = at_most(own[i]);
    if (history_wakes(events, count, &e, 1)) return false;
  }
  return true;
}

bool sequence_commutes(const struct sequence *q, uint32_t n, const struct event *events, uint32_t count) {
  for (uint32_t i = 0; i < n; i++)
    if (!step_commutes(q, i, events, count)) return false;
  return true;
}

void sequence_remove(struct sequence *q, uint32_t step) {
  struct sequence_step *s = &q->steps.data[step];
  memmove(s, s + 1, (q->steps.count - step - 1) * sizeof *s);
  q->steps.count--;
}

bool sequence_begins(const struct sequence *of, const struct sequence *q) {
  struct sequence left = {0};
  if (of->steps.count) memcpy(vec_push_n(&left.steps, of->steps.count), of->steps.data, of->steps.count * sizeof *of->steps.data);
  left.events = of->events; /* borrowed */
  bool begins = q->steps.count <= of->steps.count;
  for (uint32_t i = 0; begins && i < q->steps.count; i++) {
    const struct sequence_step *s = &q->steps.data[i];
    uint32_t at = sequence_find(&left, s->thread);
    begins = at < left.steps.count && left.steps.data[at].choice == s->choice && s->events &&
             sequence_commutes(&left, at, &q->events.data[s->first], s->events);
    if (begins) sequence_remove(&left, at);
  }
  vec_release(&left.steps);
  return begins;
}

void sequence_leave_out(struct sequence *q, uint32_t thread, const struct event *events, uint32_t count) {
  struct tset out = {0};
  VEC(struct event) causes = {0};
  tset_add(&out, thread);
  memcpy(vec_push_n(&causes, count), events, count * sizeof *events);
  for (uint32_t i = 0; i < q->steps.count;) {
    const struct sequence_step *s = &q->steps.data[i];
    const struct event *own = &q->events.data[s->first];
    if (!tset_has(&out, s->thread) && !(s->events && history_wakes(causes.data, (uint32_t)causes.count, own, s->events))) {
      i++;
      continue;
    }
    tset_add(&out, s->thread);
    if (s->events) memcpy(vec_push_n(&causes, s->events), own, s->events * sizeof *own);
    sequence_remove(q, i);
  }
  vec_release(&causes);
}
