/* One order of steps while it is made.
 *
 * Signals: of each waiting thread, `waiting` counts the signals since it began to wait that nobody has used. Each may use any of its own.
 * One that goes on uses the oldest of its own, which those that came later may not have: all others with as many or more have that one,
 * too, and have one less. So a thread can go on if its count is not 0, whoever goes on before it. A broadcast is for all that wait, and is
 * not used up. */
#include "reproduce/attempt.h"

#include <string.h>

#include "machine/memory/buffer.h"

#define BROADCAST ((uint64_t)1 << 32)

static uint64_t get(const struct attempt *w, uint32_t cell) { return w->cells[cell]; }

static void set(struct attempt *w, uint32_t cell, uint64_t value) {
  uint64_t before = w->cells[cell];
  if (before == value) return;
  *vec_push(&w->undo) = (struct attempt_undo){cell, before};
  fingerprint_xor(&w->state, fingerprint_of(cell, before));
  fingerprint_xor(&w->state, fingerprint_of(cell, value));
  w->cells[cell] = value;
}

void attempt_begin(struct attempt *w, const struct moves *m) {
  *w = (struct attempt){.m = m, .left = m->needed};
  size_t cells = m->initial.count;
  w->cells = mem_alloc(cells * sizeof *w->cells);
  if (cells) memcpy(w->cells, m->initial.data, cells * sizeof *w->cells);
  w->stored = mem_alloc((m->all.count + 1) * sizeof *w->stored);
  for (size_t i = 0; i < m->a->events.count; i++) {
    struct expr read = m->a->events.data[i].read;
    if (read.id != NO_EXPR.id) value_model_set(&w->values, expr_the_symbol(m->pool, read), 0);
  }
}

struct attempt_mark attempt_mark(const struct attempt *w) {
  return (struct attempt_mark){w->undo.count, w->steps.count, w->left};
}

void attempt_back(struct attempt *w, struct attempt_mark to) {
  while (w->undo.count > to.undo) {
    struct attempt_undo u = vec_pop(&w->undo);
    fingerprint_xor(&w->state, fingerprint_of(u.cell, w->cells[u.cell]));
    fingerprint_xor(&w->state, fingerprint_of(u.cell, u.before));
    w->cells[u.cell] = u.before;
  }
  w->steps.count = to.steps;
  w->left = to.left;
}

const struct move *attempt_next(const struct attempt *w, uint32_t thread) {
  const struct thread_moves *t = &w->m->threads[thread];
  uint64_t at = get(w, t->at);
  return at < t->count ? &w->m->all.data[t->first + at] : NULL;
}

/* --- stores --- */

static uint32_t waiting_stores(const struct attempt *w, const struct chain *c) {
  return (uint32_t)(get(w, c->issued) - get(w, c->flushed));
}

static const struct move *store_of(const struct attempt *w, const struct chain *c, uint64_t i) { return &w->m->all.data[c->moves.data[i]]; }

static bool uses(const struct attempt *w, const struct move *v, uint32_t cell) {
  for (uint32_t i = 0; i < v->units; i++)
    if (w->m->units.data[v->first_unit + i].cell == cell) return true;
  return false;
}

static uint64_t stored_part(const struct attempt *w, const struct move *store, uint32_t cell) {
  for (uint32_t i = 0; i < store->units; i++) {
    const struct unit *u = &w->m->units.data[store->first_unit + i];
    if (u->cell == cell) return unit_part(u, w->stored[store - w->m->all.data]);
  }
  return 0;
}

/* What the thread finds there: its own last store that still waits, or memory. */
static uint64_t find(const struct attempt *w, uint32_t thread, uint32_t cell) {
  const struct move *last = NULL;
  for (size_t k = 0; w->m->memory != MEMORY_SC && k < w->m->chains.count; k++) {
    const struct chain *c = &w->m->chains.data[k];
    if (c->thread != thread) continue;
    for (uint64_t i = get(w, c->issued); i-- > get(w, c->flushed);) {
      const struct move *store = store_of(w, c, i);
      if (!uses(w, store, cell)) continue;
      if (!last || store > last) last = store;
      break;
    }
  }
  return last ? stored_part(w, last, cell) : get(w, cell);
}

static void write(struct attempt *w, const struct move *v, uint64_t value) {
  for (uint32_t i = 0; i < v->units; i++) {
    const struct unit *u = &w->m->units.data[v->first_unit + i];
    set(w, u->cell, unit_part(u, value));
  }
}

void attempt_flush(struct attempt *w, uint32_t chain) {
  const struct chain *c = &w->m->chains.data[chain];
  uint64_t i = get(w, c->flushed);
  const struct move *store = store_of(w, c, i);
  write(w, store, w->stored[store - w->m->all.data]);
  set(w, c->flushed, i + 1);
  *vec_push(&w->steps) = chain | ATTEMPT_FLUSH;
}

/* Of the thread's waiting stores, how many there are; the chain of the oldest. */
static uint32_t count_stores(const struct attempt *w, uint32_t thread, uint32_t *oldest) {
  uint32_t n = 0;
  const struct move *first = NULL;
  for (uint32_t k = 0; k < w->m->chains.count; k++) {
    const struct chain *c = &w->m->chains.data[k];
    uint32_t waiting = c->thread == thread ? waiting_stores(w, c) : 0;
    n += waiting;
    const struct move *store = waiting ? store_of(w, c, get(w, c->flushed)) : NULL;
    if (store && (!first || store < first)) first = store, *oldest = k;
  }
  return n;
}

static void keep_stores(struct attempt *w, uint32_t thread, uint32_t most) {
  uint32_t oldest = 0;
  while (count_stores(w, thread, &oldest) > most) attempt_flush(w, oldest);
}

/* --- what a move waits for --- */

static bool is_free(const struct attempt *w, const struct move *v) {
  uint64_t lock = get(w, v->mutex);
  return lock == 0 || (v->shared ? lock >> 32 == 0 : lock >> 32 == (uint64_t)v->thread + 1);
}

static bool has_ended(const struct attempt *w, uint32_t thread) {
  const struct thread_moves *t = &w->m->threads[thread];
  return t->ends && get(w, t->at) == t->count;
}

bool attempt_ready(const struct attempt *w, uint32_t thread) {
  const struct thread_moves *t = &w->m->threads[thread];
  const struct move *v = attempt_next(w, thread);
  if (!v || (get(w, t->at) == 0 && t->begun != NONE && !get(w, t->begun))) return false;
  switch (v->op) {
    case EVENT_JOIN:
      return v->need == NONE || has_ended(w, v->need);
    case EVENT_ACQUIRE:
      return is_free(w, v);
    case EVENT_WAIT_LEAVE:
      return get(w, t->waiting) && (!v->takes || get(w, v->mutex) == 0);
    case EVENT_SEM_WAIT:
      return get(w, v->cell) != 0;
    case EVENT_BARRIER_LEAVE:
      return get(w, v->cell) >= v->need;
    default:
      return true;
  }
}

/* --- what a move does --- */

static void take_lock(struct attempt *w, const struct move *v) {
  set(w, v->mutex, get(w, v->mutex) + 1 + (v->shared || get(w, v->mutex) ? 0 : OWNED(v->thread)));
}

static void give_lock(struct attempt *w, const struct move *v) {
  uint64_t lock = get(w, v->mutex);
  if (lock) set(w, v->mutex, (uint32_t)lock == 1 ? 0 : lock - 1);
}

static void wake(struct attempt *w, const struct move *v) {
  for (uint32_t t = 0; t < w->m->nthreads; t++) {
    const struct thread_moves *of = &w->m->threads[t];
    uint64_t n = get(w, of->waiting);
    if (get(w, of->awaits) == (uint64_t)v->cell + 1 && n < BROADCAST) set(w, of->waiting, v->op == EVENT_BROADCAST ? BROADCAST : n + 1);
  }
}

static void go_on(struct attempt *w, const struct move *v) {
  const struct thread_moves *own = &w->m->threads[v->thread];
  uint64_t n = get(w, own->waiting);
  set(w, own->awaits, 0);
  set(w, own->waiting, 0);
  for (uint32_t t = 0; n < BROADCAST && t < w->m->nthreads; t++) {
    const struct thread_moves *of = &w->m->threads[t];
    uint64_t has = get(w, of->waiting);
    if (get(w, of->awaits) == (uint64_t)v->cell + 1 && has >= n && has < BROADCAST) set(w, of->waiting, has - 1);
  }
}

static void meet(struct attempt *w, const struct move *v) {
  const struct thread_moves *own = &w->m->threads[v->thread];
  switch (v->op) {
    case EVENT_FORK:
      set(w, v->cell, 1);
      break;
    case EVENT_ACQUIRE:
      take_lock(w, v);
      break;
    case EVENT_RELEASE:
      give_lock(w, v);
      break;
    case EVENT_WAIT_ENTER:
      give_lock(w, v);
      set(w, own->awaits, (uint64_t)v->cell + 1);
      set(w, own->waiting, 0);
      break;
    case EVENT_WAIT_LEAVE:
      go_on(w, v);
      if (v->takes) take_lock(w, v);
      break;
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
      wake(w, v);
      break;
    case EVENT_SEM_WAIT:
      set(w, v->cell, get(w, v->cell) - 1);
      break;
    case EVENT_SEM_POST:
    case EVENT_BARRIER_ENTER:
      set(w, v->cell, get(w, v->cell) + 1);
      break;
    default:
      break;
  }
}

/* The symbol is what is found. Do all conditions hold that can be decided now? */
static bool read(struct attempt *w, const struct move *v) {
  const struct moves *m = w->m;
  const struct thread_moves *t = &m->threads[v->thread];
  uint64_t value = 0;
  for (uint32_t i = 0; i < v->units; i++) {
    const struct unit *u = &m->units.data[v->first_unit + i];
    value |= find(w, v->thread, u->cell) << u->shift;
  }
  value_model_set(&w->values, expr_the_symbol(m->pool, m->a->events.data[v->event].read), value);
  if (v->remembered) set(w, t->history, hash_pair(get(w, t->history), value));
  evaluator_begin(&w->evaluator, m->pool, &w->values);
  for (uint32_t i = 0; i < v->dues; i++)
    if (!evaluator_value(&w->evaluator, m->a->conditions.data[m->due.data[v->first_due + i]])) return false;
  return true;
}

static uint64_t written(struct attempt *w, const struct move *v) {
  if (v->constant) return v->value;
  evaluator_begin(&w->evaluator, w->m->pool, &w->values);
  return (uint64_t)evaluator_value(&w->evaluator, w->m->a->events.data[v->event].written);
}

static bool one_move(struct attempt *w, const struct move *v) {
  const struct thread_moves *t = &w->m->threads[v->thread];
  const struct apart_event *e = &w->m->a->events.data[v->event];
  if (v->drains) keep_stores(w, v->thread, 0);
  *vec_push(&w->steps) = v->thread;
  set(w, t->at, get(w, t->at) + 1);
  w->left -= v->needed;
  meet(w, v);
  if (apart_reads(e) && !read(w, v)) return false;
  if (!apart_writes(e)) return true;
  uint64_t value = written(w, v);
  if (v->chain == NONE) {
    write(w, v, value);
    return true;
  }
  const struct chain *c = &w->m->chains.data[v->chain];
  w->stored[v - w->m->all.data] = value;
  w->steps.count--;
  keep_stores(w, v->thread, STORES_MAX - 1);
  *vec_push(&w->steps) = v->thread;
  set(w, c->issued, get(w, c->issued) + 1);
  return true;
}

bool attempt_move(struct attempt *w, uint32_t thread) {
  if (!one_move(w, attempt_next(w, thread))) return false;
  for (const struct move *v = attempt_next(w, thread); v && v->internal; v = attempt_next(w, thread))
    if (!attempt_ready(w, thread) || !one_move(w, v)) return false;
  return true;
}

/* --- which stores make a difference --- */

/* Cells that somebody is about to use. */
typedef VEC(uint32_t) cells;

static void add_cells(const struct attempt *w, cells *of, const struct move *v) {
  for (uint32_t i = 0; i < v->units; i++) *vec_push(of) = w->m->units.data[v->first_unit + i].cell;
}

static bool use_any(const struct attempt *w, const struct move *v, const cells *of) {
  for (size_t i = 0; i < of->count; i++)
    if (uses(w, v, of->data[i])) return true;
  return false;
}

/* Is one of the chain's stores to these cells? It and those before it are flushed first: their cells count, too. */
static bool offer(const struct attempt *w, const struct chain *c, cells *of) {
  uint64_t first = get(w, c->flushed);
  for (uint64_t i = first; i < get(w, c->issued); i++) {
    if (!use_any(w, store_of(w, c, i), of)) continue;
    for (uint64_t k = first; k <= i; k++) add_cells(w, of, store_of(w, c, k));
    return true;
  }
  return false;
}

void attempt_offers(const struct attempt *w, uint32_t thread, attempt_chains *out) {
  const struct moves *m = w->m;
  const struct move *v = attempt_next(w, thread);
  if (m->memory == MEMORY_SC || !v) return;
  cells of = {0};
  size_t first = out->count;
  if (v->chain == NONE) add_cells(w, &of, v);
  for (uint32_t k = 0; v->drains && k < m->chains.count; k++) {
    const struct chain *c = &m->chains.data[k];
    for (uint64_t i = get(w, c->flushed); c->thread == thread && i < get(w, c->issued); i++) add_cells(w, &of, store_of(w, c, i));
  }
  for (bool more = of.count > 0; more;) {
    more = false;
    for (uint32_t k = 0; k < m->chains.count; k++) {
      bool known = m->chains.data[k].thread == thread && out->count == first;
      for (size_t i = first; i < out->count && !known; i++) known = out->data[i] == k;
      if (known || !offer(w, &m->chains.data[k], &of)) continue;
      *vec_push(out) = k;
      more = true;
    }
  }
  vec_release(&of);
}
