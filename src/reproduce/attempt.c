/* One order of steps while it is made.
 *
 * Signals: of each waiting thread, `waiting` counts the signals since it began to wait that nobody has used. Each may use any of its own.
 * One that goes on uses the oldest of its own, which those that came later may not have: all others with as many or more have that one,
 * too, and have one less. So a thread can go on if its count is not 0, whoever goes on before it. A broadcast is for all that wait, and is
 * not used up. */
#include "reproduce/attempt.h"

#include <string.h>

#include "machine/machine.h"
#include "machine/memory/buffer.h"

#define BROADCAST ((uint64_t)1 << 32)

static uint64_t get(const struct attempt *w, uint32_t cell) { return w->cells.data[cell]; }

static void set(struct attempt *w, uint32_t cell, uint64_t value) {
  uint64_t before = w->cells.data[cell];
  if (before == value) return;
  *vec_push(&w->undo) = (struct attempt_undo){cell, before};
  fingerprint_xor(&w->state, fingerprint_of(cell, before));
  fingerprint_xor(&w->state, fingerprint_of(cell, value));
  w->cells.data[cell] = value;
}

void attempt_begin(struct attempt *w, const struct moves *m, bool glued) {
  *w = (struct attempt){.m = m, .left = m->needed, .glued = glued};
  for (size_t i = 0; i < m->initial.count; i++) *vec_push(&w->cells) = m->initial.data[i];
  w->stored = mem_alloc((m->all.count + 1) * sizeof *w->stored);
  w->at = mem_alloc((m->all.count + 1) * sizeof *w->at);
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
    fingerprint_xor(&w->state, fingerprint_of(u.cell, w->cells.data[u.cell]));
    fingerprint_xor(&w->state, fingerprint_of(u.cell, u.before));
    w->cells.data[u.cell] = u.before;
  }
  w->steps.count = to.steps;
  w->left = to.left;
}

const struct move *attempt_next(const struct attempt *w, uint32_t thread) {
  const struct thread_moves *t = &w->m->threads[thread];
  uint64_t at = get(w, t->at);
  return at < t->count ? &w->m->all.data[t->from + at] : NULL;
}

/* --- memory --- */

/* Of 8 bytes, the first at a multiple of 8. */
static uint32_t word_cell(struct attempt *w, uint64_t address) {
  bool fresh;
  uint64_t *cell = hashmap_at(&w->words, address, w->cells.count, &fresh);
  if (!fresh) return (uint32_t)*cell;
  uint64_t initial = 0, byte;
  for (uint64_t i = 0; i < 8; i++)
    if (machine_initial(w->m->a->machine, address + i, 1, &byte)) initial |= byte << (8 * i);
  *vec_push(&w->cells) = initial;
  return (uint32_t)w->cells.count - 1;
}

static uint64_t low_bytes(uint64_t value, uint64_t n) { return n >= 8 ? value : value & (((uint64_t)1 << (8 * n)) - 1); }

static uint64_t load(struct attempt *w, uint64_t address, uint64_t size) {
  uint64_t offset = address % 8, value = get(w, word_cell(w, address - offset)) >> (8 * offset);
  if (offset + size > 8) value |= get(w, word_cell(w, address - offset + 8)) << (8 * (8 - offset));
  return low_bytes(value, size);
}

static void store_bytes(struct attempt *w, uint64_t address, uint64_t size, uint64_t value) {
  uint32_t cell = word_cell(w, address - address % 8);
  uint64_t mask = low_bytes(UINT64_MAX, size) << (8 * (address % 8));
  set(w, cell, (get(w, cell) & ~mask) | (value << (8 * (address % 8)) & mask));
}

static void store(struct attempt *w, uint64_t address, uint64_t size, uint64_t value) {
  uint64_t here = 8 - address % 8;
  if (here >= size) {
    store_bytes(w, address, size, value);
    return;
  }
  store_bytes(w, address, here, value);
  store_bytes(w, address + here, size - here, value >> (8 * here));
}

/* --- stores that wait --- */

struct range {
  uint64_t from, size;
};

static bool overlap(struct range a, struct range b) { return a.from < b.from + b.size && b.from < a.from + a.size; }

static uint32_t number_of(const struct attempt *w, const struct move *v) { return (uint32_t)(v - w->m->all.data); }
static uint64_t size_of(const struct attempt *w, const struct move *v) { return w->m->a->events.data[v->event].size; }
static struct range range_of(const struct attempt *w, const struct move *v) {
  return (struct range){w->at[number_of(w, v)], size_of(w, v)};
}

static bool has_left(const struct attempt *w, const struct thread_moves *t, uint64_t i) {
  return i < get(w, t->first) || (w->m->memory == MEMORY_PSO && get(w, t->left + (uint32_t)i));
}

/* The thread's waiting stores, the oldest one first: `i` from 0 on; NULL behind the last one. */
static const struct move *next_store(const struct attempt *w, const struct thread_moves *t, uint64_t *i) {
  if (*i < get(w, t->first)) *i = get(w, t->first);
  while (*i < get(w, t->issued) && has_left(w, t, *i)) ++*i;
  return *i < get(w, t->issued) ? &w->m->all.data[t->stores.data[(*i)++]] : NULL;
}

/* What the thread finds there: its own last stores that still wait, or memory. */
static uint64_t find(struct attempt *w, uint32_t thread, struct range r) {
  uint64_t value = load(w, r.from, r.size), i = 0;
  if (w->m->memory == MEMORY_SC) return value;
  for (const struct move *s; (s = next_store(w, &w->m->threads[thread], &i));) {
    struct range of = range_of(w, s);
    for (uint64_t b = 0; overlap(r, of) && b < r.size; b++) {
      uint64_t from = r.from + b - of.from;
      if (from >= of.size) continue;
      value &= ~((uint64_t)255 << (8 * b));
      value |= (w->stored[number_of(w, s)] >> (8 * from) & 255) << (8 * b);
    }
  }
  return value;
}

void attempt_flush(struct attempt *w, uint32_t move) {
  const struct move *v = &w->m->all.data[move];
  const struct thread_moves *t = &w->m->threads[v->thread];
  store(w, w->at[move], size_of(w, v), w->stored[move]);
  uint64_t first = get(w, t->first);
  if (v->store == first)
    while (++first < get(w, t->issued) && has_left(w, t, first)) continue;
  else
    set(w, t->left + v->store, 1);
  set(w, t->first, first);
  *vec_push(&w->steps) = move | ATTEMPT_FLUSH;
}

static void keep_stores(struct attempt *w, uint32_t thread, uint32_t most) {
  const struct thread_moves *t = &w->m->threads[thread];
  uint32_t n = 0;
  uint64_t i = 0;
  while (next_store(w, t, &i)) n++;
  for (; n > most; n--) attempt_flush(w, number_of(w, next_store(w, t, &(uint64_t){0})));
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
    case EVENT_BARRIER_ENTER:
      return v->need == 0 || get(w, v->mutex) >= v->need;
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
  uint64_t value = find(w, v->thread, range_of(w, v));
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

static uint64_t address_of(struct attempt *w, const struct move *v) {
  const struct apart_event *e = &w->m->a->events.data[v->event];
  if (e->address.id == NO_EXPR.id) return e->object;
  evaluator_begin(&w->evaluator, w->m->pool, &w->values);
  return (uint64_t)evaluator_value(&w->evaluator, e->address);
}

static bool one_move(struct attempt *w, const struct move *v) {
  const struct thread_moves *t = &w->m->threads[v->thread];
  const struct apart_event *e = &w->m->a->events.data[v->event];
  if (v->drains) keep_stores(w, v->thread, 0);
  *vec_push(&w->steps) = v->thread;
  set(w, t->at, get(w, t->at) + 1);
  w->left -= v->needed;
  meet(w, v);
  if (apart_accesses(e)) w->at[number_of(w, v)] = address_of(w, v);
  if (apart_reads(e) && !read(w, v)) return false;
  if (!apart_writes(e)) return true;
  uint64_t value = written(w, v);
  if (v->store == NONE) {
    store(w, w->at[number_of(w, v)], e->size, value);
    return true;
  }
  w->stored[number_of(w, v)] = value;
  w->steps.count--;
  keep_stores(w, v->thread, STORES_MAX - 1);
  *vec_push(&w->steps) = v->thread;
  set(w, t->issued, v->store + 1);
  return true;
}

bool attempt_move(struct attempt *w, uint32_t thread) {
  if (!one_move(w, attempt_next(w, thread))) return false;
  for (const struct move *v = attempt_next(w, thread); v && (v->internal || (v->hidden && w->glued)); v = attempt_next(w, thread))
    if (!attempt_ready(w, thread) || !one_move(w, v)) return false;
  return true;
}

/* --- which stores make a difference --- */

/* Memory that somebody is about to use. */
typedef VEC(struct range) ranges;

static bool use_any(const struct attempt *w, const struct move *v, const ranges *of) {
  for (size_t i = 0; i < of->count; i++)
    if (overlap(range_of(w, v), of->data[i])) return true;
  return false;
}

static void add_waiting(const struct attempt *w, const struct thread_moves *t, ranges *of) {
  uint64_t i = 0;
  for (const struct move *s; (s = next_store(w, t, &i));) *vec_push(of) = range_of(w, s);
}

/* Of the thread's stores, the one that leaves the buffer first of those that have to, so that one to such memory can: under TSO all before
 * it, under PSO those to the same memory. Their memory counts, too. NONE: there is no such store. */
static uint32_t offer(const struct attempt *w, const struct thread_moves *t, ranges *of) {
  const struct move *wanted = NULL, *first = NULL;
  uint64_t i = 0;
  for (const struct move *s; !wanted && (s = next_store(w, t, &i));)
    if (use_any(w, s, of)) wanted = s;
  i = 0;
  for (const struct move *s; wanted && (s = next_store(w, t, &i)) && s <= wanted;) {
    if (w->m->memory == MEMORY_PSO && !overlap(range_of(w, s), range_of(w, wanted))) continue;
    if (!first) first = s;
    *vec_push(of) = range_of(w, s);
  }
  return first ? number_of(w, first) : NONE;
}

/* Under PSO a thread may have several to offer. */
static bool is_offered(const attempt_stores *out, size_t from, uint32_t store) {
  for (size_t i = from; i < out->count; i++)
    if (out->data[i] == store) return true;
  return false;
}

void attempt_offers(struct attempt *w, uint32_t thread, attempt_stores *out) {
  const struct moves *m = w->m;
  const struct move *v = attempt_next(w, thread);
  if (m->memory == MEMORY_SC || !v) return;
  ranges of = {0};
  size_t first = out->count;
  if (v->store == NONE && apart_accesses(&m->a->events.data[v->event])) *vec_push(&of) = (struct range){address_of(w, v), size_of(w, v)};
  if (v->drains) add_waiting(w, &m->threads[thread], &of);
  for (bool more = of.count > 0; more;) {
    more = false;
    for (uint32_t t = 0; t < m->nthreads; t++) {
      if (t == thread && out->count == first) continue;
      uint32_t store = offer(w, &m->threads[t], &of);
      if (store == NONE || is_offered(out, first, store)) continue;
      *vec_push(out) = store;
      more = true;
    }
  }
  vec_release(&of);
}
