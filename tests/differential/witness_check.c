#include "witness_check.h"

#include <string.h>

#include "causal/causal.h"

struct follower {
  const struct sim *x;
  struct sim_state *s;
  uint32_t (*issued)[SIM_BUFFER]; /* the events whose stores are buffered */
};

static const char *flush(struct follower *f, const struct causal_step *step) {
  uint32_t t = step->thread, i = 0, n = f->s->stores[t];
  while (i < n && f->issued[t][i] != step->event) i++;
  if (i == n) return "a flush of what is not in the buffer";
  if (!sim_may_flush(f->x, f->s, t, i)) return "a flush out of order";
  sim_forget(f->s, t, i, f->issued);
  sim_flush_at(f->s, t, i);
  return NULL;
}

/* The alternative that the machine numbers so (machine.h). */
static uint32_t choice_of(const struct follower *f, const struct event *e, const struct event *became) {
  const struct sim_state *s = f->s;
  uint32_t n = 0;
  if (e->op == EVENT_CHOICE) return (uint32_t)became->value;
  if (e->op == EVENT_JOIN && (became->flags & EVENT_TIMED_OUT)) {
    uint32_t child = (uint32_t)e->object, done = s->position[child], all = f->x->length[child];
    bool ends = all > 0 && f->x->trace[f->x->by_thread[child][all - 1]].op == EVENT_END;
    return ends && done + 1 >= all;
  }
  if (e->op != EVENT_SIGNAL || became->value == 0) return 0;
  uint32_t woken = (uint32_t)__builtin_ctzll(became->value);
  for (uint32_t t = 0; t < woken; t++) n += s->waiting[t] == s->waiting[woken] && !(s->signalled >> t & 1);
  return n;
}

static const char *execute(struct follower *f, const struct causal_step *step, bool is_last, uint64_t wanted) {
  const struct event *e = &f->x->trace[step->event];
  struct event out[SIM_OUTCOMES];
  uint64_t was, result;
  const struct event *next = sim_next(f->x, f->s, e->thread, 0);
  if (next ? next != e : sim_pending(f->x, e->thread) != e) return "an event out of program order";
  bool tells = causal_is_read(e, &was);
  uint32_t n = sim_outcomes(f->x, f->s, e, sim_seen(f->x, e->thread, e->index, e), out);
  for (uint32_t i = 0; i < n; i++) {
    bool told = causal_is_read(&out[i], &result);
    if (is_last ? !told || result != wanted : tells && result != was) continue;
    if (choice_of(f, e, &out[i]) != step->choice) return "the wrong alternative";
    uint32_t stores = f->s->stores[e->thread];
    sim_apply(f->x, f->s, is_last ? &out[i] : e);
    if (f->s->stores[e->thread] > stores) f->issued[e->thread][stores] = step->event;
    return NULL;
  }
  return n == 0 ? "an event that is blocked" : "an event with another result";
}

/* An atomic section must not be interrupted. */
static bool interrupts(const struct sim *x, const struct causal_step *steps, uint32_t i) {
  const struct event *e = &x->trace[steps[i].event];
  return (e->flags & EVENT_INTERNAL) && (i == 0 || steps[i - 1].thread != e->thread || steps[i - 1].index + 1 != e->index);
}

const char *witness_check(const struct sim *x, const struct causal_step *steps, uint32_t n, uint32_t last, uint64_t result,
                          struct sim_state *s) {
  uint32_t issued[SIM_THREADS][SIM_BUFFER] = {0};
  struct follower f = {.x = x, .s = s, .issued = issued};
  sim_replay(x, s, issued);
  if (last != UINT32_MAX && (n == 0 || steps[n - 1].flush || steps[n - 1].event != last)) return "a witness that ends in another event";
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &x->trace[steps[i].event];
    if (steps[i].thread != e->thread || steps[i].index != e->index) return "an event of another name";
    if (!steps[i].flush && interrupts(x, steps, i)) return "an interrupted section";
    if (x->cut && steps[i].event + 1 == x->n && (last == UINT32_MAX || i + 1 < n)) return "something behind what ended the execution";
    const char *wrong = steps[i].flush ? flush(&f, &steps[i]) : execute(&f, &steps[i], last != UINT32_MAX && i + 1 == n, result);
    if (wrong) return wrong;
  }
  return NULL;
}
