#include "witness_reference.h"

#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "causal/causal.h"

#define MOST_STATES 60000u
#define SLOTS       (1u << 18)

static VEC(struct sim_state) found;
static uint32_t slots[SLOTS]; /* state + 1 */

void reference_release(void) { vec_release(&found); }

/* Adds a state that is new. */
static void visit(const struct sim_state *s) {
  uint64_t h = hash_bytes(s, sizeof *s, 1);
  for (uint64_t i = h % SLOTS;; i = (i + 1) % SLOTS) {
    if (slots[i] == 0) {
      slots[i] = (uint32_t)found.count + 1;
      *vec_push(&found) = *s;
      return;
    }
    if (memcmp(&found.data[slots[i] - 1], s, sizeof *s) == 0) return;
  }
}

bool reference_can(const struct reference *r, uint32_t event, uint64_t result) {
  for (uint32_t i = 0; i < r->results[event]; i++)
    if (r->result[event][i] == result) return true;
  return false;
}

static void note(struct reference *r, uint32_t event, uint64_t result, uint32_t length) {
  uint32_t i = 0;
  while (i < r->results[event] && r->result[event][i] != result) i++;
  if (i == REFERENCE_RESULTS) r->overflow = true;
  if (i == REFERENCE_RESULTS) return;
  if (i == r->results[event]) {
    r->results[event]++;
    r->result[event][i] = result;
    r->shortest[event][i] = length;
  }
  if (length < r->shortest[event][i]) r->shortest[event][i] = length;
}

/* Does the event go on as it did in the trace? If so, `*s` is the state after it. All that it could return is noted. */
static bool follow(struct reference *r, const struct sim *x, struct sim_state *s, const struct event *e) {
  struct event out[SIM_OUTCOMES];
  uint64_t was, result;
  uint32_t length = 1, index = x->by_thread[e->thread][e->index];
  bool kept = false, tells = causal_is_read(e, &was);
  for (uint32_t t = 0; t < x->threads; t++) length += s->position[t];
  length -= x->prefix;
  uint32_t n = sim_outcomes(x, s, e, sim_seen(x, e->thread, e->index, e), out);
  for (uint32_t i = 0; i < n; i++) {
    if (causal_is_read(&out[i], &result)) note(r, index, result, length);
    kept |= !tells || result == was;
  }
  if (kept) sim_apply(x, s, e);
  return kept;
}

/* What the thread's pending operation could do. */
static void look_ahead(struct reference *r, const struct sim *x, const struct sim_state *s, uint32_t t) {
  struct event out[SIM_OUTCOMES];
  const struct event *e = sim_pending(x, t);
  uint32_t length = 1;
  if (!e) return;
  for (uint32_t i = 0; i < x->threads; i++) length += s->position[i];
  uint32_t n = sim_outcomes(x, s, e, sim_seen(x, t, x->length[t], e), out);
  for (uint32_t i = 0; i < n; i++) {
    uint64_t result;
    if (!(e->flags & EVENT_WAITS) || e->op == EVENT_AWAIT || !causal_is_read(&out[i], &result)) result = 1;
    note(r, (uint32_t)(e - x->trace), result, length - x->prefix);
  }
}

static void step(struct reference *r, const struct sim *x, const struct sim_state *from, uint32_t t) {
  struct sim_state s = *from;
  uint32_t n = sim_step_length(x, t, s.position[t]);
  for (uint32_t i = 0; i < n; i++)
    if (!follow(r, x, &s, sim_next(x, &s, t, 0))) return;
  bool ended = x->cut && x->trace[x->n - 1].thread == t && x->trace[x->n - 1].index < s.position[t];
  if (!ended) visit(&s);
}

/* --- properties --- */

static void note_pairs(struct reference *r, const struct sim *x, const struct sim_state *s) {
  const struct event *next[SIM_THREADS];
  for (uint32_t t = 0; t < x->threads; t++) next[t] = s->begun >> t & 1 ? sim_next(x, s, t, 0) : NULL;
  for (uint32_t t = 0; t < x->threads; t++) {
    for (uint32_t u = 0; u < x->threads; u++) {
      if (t == u || !next[t] || !sim_is_access(next[t])) continue;
      uint32_t a = x->by_thread[t][next[t]->index];
      if (next[u] && sim_is_access(next[u])) r->race[a][x->by_thread[u][next[u]->index]] = true;
      for (uint32_t i = 0; i < s->position[u]; i++) {
        const struct event *f = &x->trace[x->by_thread[u][i]];
        if (f->op == EVENT_FREE && sim_overlap(f, next[t])) r->freed[x->by_thread[u][i]][a] = true;
      }
    }
  }
}

/* The threads that hold the lock in a way that keeps `e` out. */
static uint32_t blockers(const struct sim_state *s, const struct event *e) {
  uint32_t lock = (uint32_t)(e->object - SIM_LOCK) / 64, set = 0;
  if (s->writer[lock]) set |= 1u << (s->writer[lock] - 1);
  if (!(e->flags & EVENT_SHARED_LOCK)) set |= s->readers[lock];
  return set;
}

static void note_cycle(struct reference *r, const uint32_t cycle[SIM_THREADS]) {
  for (uint32_t i = 0; i < r->cycles; i++)
    if (memcmp(r->cycle[i], cycle, sizeof r->cycle[i]) == 0) return;
  if (r->cycles < REFERENCE_CYCLES) memcpy(r->cycle[r->cycles++], cycle, sizeof r->cycle[0]);
}

/* Goes on from thread `t`, which is in the cycle, to those that block it; `first` closes it. */
static void extend_cycle(struct reference *r, const struct sim *x, const struct sim_state *s, uint32_t first, uint32_t t,
                         uint32_t cycle[SIM_THREADS]) {
  const struct event *e = s->begun >> t & 1 ? sim_next(x, s, t, 0) : NULL;
  if (!e && (s->begun >> t & 1)) e = sim_pending(x, t);
  if (!e || e->op != EVENT_ACQUIRE || (e->flags & (EVENT_TRY | EVENT_TIMED))) return;
  cycle[t] = (uint32_t)(e - x->trace);
  uint32_t set = blockers(s, e) & ~(1u << t);
  for (uint32_t u = first; u < x->threads; u++) {
    if (!(set >> u & 1)) continue;
    if (u == first)
      note_cycle(r, cycle);
    else if (cycle[u] == UINT32_MAX)
      extend_cycle(r, x, s, first, u, cycle);
  }
  cycle[t] = UINT32_MAX;
}

static void note_deadlocks(struct reference *r, const struct sim *x, const struct sim_state *s) {
  for (uint32_t t = 0; t < x->threads; t++) {
    uint32_t cycle[SIM_THREADS] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    extend_cycle(r, x, s, t, t, cycle);
  }
}

void reference_find(struct reference *r, const struct sim *x) {
  struct sim_state s;
  memset(r, 0, sizeof *r);
  memset(slots, 0, sizeof slots);
  vec_clear(&found);
  uint32_t issued[SIM_THREADS][SIM_BUFFER];
  sim_replay(x, &s, issued);
  visit(&s);
  for (size_t i = 0; i < found.count && found.count < MOST_STATES; i++) {
    s = found.data[i];
    note_pairs(r, x, &s);
    note_deadlocks(r, x, &s);
    for (uint32_t t = 0; t < x->threads; t++) {
      struct sim_state next = s;
      if (sim_next(x, &next, t, 0))
        step(r, x, &next, t);
      else
        look_ahead(r, x, &s, t);
      for (uint32_t n = sim_flushes(x, &s, t), k = 0; k < n; k++) {
        next = s;
        sim_flush(x, &next, t, k);
        visit(&next);
      }
    }
  }
  r->complete = found.count < MOST_STATES && !r->overflow;
  r->states = (uint32_t)found.count;
}

/* The states behind one step of the thread, all results being as they were, or the changed one for the read in question. */
static void step_kept(const struct sim *x, const struct sim_state *from, uint32_t t, uint32_t event, uint64_t value) {
  struct sim_state s = *from;
  const struct event *changed = &x->trace[event], *e = sim_next(x, &s, t, 0);
  if (!e || (t == changed->thread && e->index > changed->index)) return;
  for (uint32_t n = sim_step_length(x, t, s.position[t]); n > 0; n--) {
    struct event out[SIM_OUTCOMES];
    uint64_t was, result;
    e = sim_next(x, &s, t, 0);
    bool tells = causal_is_read(e, &was), done = false;
    uint32_t outcomes = sim_outcomes(x, &s, e, sim_seen(x, t, e->index, e), out);
    for (uint32_t i = 0; i < outcomes && !done; i++)
      done = e == changed ? causal_is_read(&out[i], &result) && result == value
                          : !tells || (causal_is_read(&out[i], &result) && result == was);
    if (!done) return;
    sim_apply(x, &s, e);
  }
  visit(&s);
}

static bool is_reached(const struct sim *x, const struct sim_state *s, uint32_t event, const uint32_t *least) {
  for (uint32_t t = 0; t < x->threads; t++)
    if (s->position[t] < (t == x->trace[event].thread ? x->trace[event].index + 1 : least[t])) return false;
  return true;
}

bool reference_kept(const struct sim *x, uint32_t event, uint64_t value, const uint32_t least[SIM_THREADS]) {
  struct sim_state s;
  uint32_t issued[SIM_THREADS][SIM_BUFFER];
  memset(slots, 0, sizeof slots);
  vec_clear(&found);
  sim_replay(x, &s, issued);
  visit(&s);
  for (size_t i = 0; i < found.count && found.count < MOST_STATES; i++) {
    s = found.data[i];
    if (is_reached(x, &s, event, least)) return true;
    for (uint32_t t = 0; t < x->threads; t++) {
      step_kept(x, &s, t, event, value);
      for (uint32_t n = sim_flushes(x, &s, t), k = 0; k < n; k++) {
        struct sim_state next = s;
        sim_flush(x, &next, t, k);
        visit(&next);
      }
    }
  }
  return false;
}
