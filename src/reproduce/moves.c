/* The steps of each thread, with all that is known of them before they are put in an order. */
#include <stdlib.h>
#include <string.h>

#include "machine/apart.h"
#include "reproduce/attempt.h"

/* What cells are for. */
enum cell_kind { CELL_LOCK = 1, CELL_SEMAPHORE, CELL_ROUND, CELL_CONDITION, CELL_MEMORY, CELL_KINDS };

static uint32_t add_cell(struct moves *m, uint64_t initial) {
  *vec_push(&m->initial) = initial;
  return (uint32_t)m->initial.count - 1;
}

static uint32_t cell_of(struct moves *m, enum cell_kind kind, uint64_t object, uint64_t initial) {
  bool fresh;
  uint64_t *cell = hashmap_at(&m->cells, hash_pair(kind, object), 0, &fresh);
  if (fresh) *cell = add_cell(m, initial);
  return (uint32_t)*cell;
}

/* --- memory --- */

/* Which accesses there are: by address, the first byte and the size of those that use it; or that there are several kinds. */
struct layout {
  struct hashmap of;    /* address -> index of kinds, + 1 */
  struct hashmap index; /* first byte and size -> the same */
  VEC(bool) mixed;      /* by kind: others use some of it, too */
};

static void lay_out(struct layout *l, const struct apart *a) {
  for (size_t i = 0; i < a->events.count; i++) {
    const struct apart_event *e = &a->events.data[i];
    if (!apart_accesses(e)) continue;
    bool fresh;
    uint64_t *kind = hashmap_at(&l->index, hash_pair(e->object, e->size), l->mixed.count + 1, &fresh);
    if (!fresh) continue;
    uint64_t own = *kind;
    *vec_push(&l->mixed) = false;
    for (uint64_t b = 0; b < e->size; b++) {
      uint64_t *other = hashmap_at(&l->of, e->object + b, own, NULL);
      if (*other != own) l->mixed.data[*other - 1] = l->mixed.data[own - 1] = true;
    }
  }
}

static void release_layout(struct layout *l) {
  hashmap_release(&l->of);
  hashmap_release(&l->index);
  vec_release(&l->mixed);
}

static bool is_mixed(const struct layout *l, const struct apart_event *e) {
  return l->mixed.data[*hashmap_find(&l->index, hash_pair(e->object, e->size)) - 1];
}

static void add_units(struct moves *m, struct move *v, const struct apart_event *e, bool mixed) {
  unsigned bits = mixed ? 8 : (unsigned)(8 * e->size);
  v->first_unit = (uint32_t)m->units.count;
  for (unsigned shift = 0; shift < 8 * e->size; shift += bits) {
    struct unit *u = vec_push(&m->units);
    *u = (struct unit){0, (uint8_t)shift, (uint8_t)bits};
    u->cell = cell_of(m, CELL_MEMORY, e->object + shift / 8, unit_part(u, e->initial));
    v->units++;
  }
}

/* --- waiting for others --- */

/* What semaphores had before their first events. */
static void count_semaphores(struct moves *m) {
  for (size_t i = 0; i < m->a->events.count; i++) {
    const struct apart_event *e = &m->a->events.data[i];
    if (e->op == EVENT_SEM_POST || e->op == EVENT_SEM_WAIT) (void)cell_of(m, CELL_SEMAPHORE, e->object, apart_count_before(e));
  }
}

static uint32_t last_wait(const struct moves *m, const struct thread_moves *t) {
  for (uint32_t i = (uint32_t)m->all.count; i-- > t->first;)
    if (m->all.data[i].op == EVENT_WAIT_ENTER) return i;
  return NONE;
}

static enum err refuse(const struct moves *m, const struct apart_event *e, const char *why, struct diag *d) {
  return apart_refuse(m->a->machine, e->thread, e->site, why, d);
}

/* How many of the round came before the event, in the order in which the threads were executed apart; and the round's name. */
static uint32_t comers(const struct moves *m, uint32_t event, uint64_t *round) {
  const struct apart_event *e = &m->a->events.data[event];
  uint32_t n = 0;
  for (uint32_t i = 0; i < event; i++) {
    const struct apart_event *b = &m->a->events.data[i];
    n += b->op == EVENT_BARRIER_ENTER && b->object == e->object && b->value == e->value;
  }
  *round = hash_pair(e->object, e->value);
  return n;
}

static bool ends_before(const struct moves *m, uint32_t thread, uint32_t event) {
  for (uint32_t i = 0; i < event; i++)
    if (m->a->events.data[i].thread == thread && m->a->events.data[i].op == EVENT_END) return true;
  return false;
}

/* A lock that is given up more often than taken was the thread's at first: main() took it before there were others. */
static void hold(struct moves *m, const struct move *v) {
  bool takes = v->op == EVENT_ACQUIRE || v->takes, gives = v->op == EVENT_RELEASE || v->op == EVENT_WAIT_ENTER;
  if (!takes && !gives) return;
  uint64_t *times = hashmap_at(&m->cells, hash_pair(CELL_KINDS + THREADS_MAX + v->thread, v->mutex), 0, NULL);
  uint64_t *first = &m->initial.data[v->mutex];
  if (takes)
    ++*times;
  else if (*times)
    --*times;
  else
    *first += 1 + (v->shared || *first ? 0 : OWNED(v->thread));
}

static enum err make_meeting(struct moves *m, struct move *v, const struct apart_event *e, struct diag *d) {
  struct thread_moves *t = &m->threads[e->thread];
  uint64_t round;
  switch (e->op) {
    case EVENT_FORK:
      v->cell = m->threads[e->object].begun = add_cell(m, 0);
      break;
    case EVENT_JOIN:
      v->need = ends_before(m, (uint32_t)e->object, v->event) ? (uint32_t)e->object : NONE;
      break;
    case EVENT_ACQUIRE:
    case EVENT_RELEASE:
      v->cell = v->mutex = cell_of(m, CELL_LOCK, e->object, 0);
      break;
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
      v->cell = cell_of(m, CELL_CONDITION, e->object, 0);
      break;
    case EVENT_WAIT_ENTER:
      v->cell = cell_of(m, CELL_CONDITION, e->object, 0);
      v->mutex = cell_of(m, CELL_LOCK, e->mutex, 0);
      break;
    case EVENT_WAIT_LEAVE:
      if ((e->flags & EVENT_TIMED) || last_wait(m, t) == NONE) return refuse(m, e, "a wait with a time limit is not part of an order", d);
      v->cell = cell_of(m, CELL_CONDITION, e->object, 0);
      v->mutex = cell_of(m, CELL_LOCK, e->mutex, 0);
      v->takes = !(e->flags & EVENT_TIMED_OUT);
      break;
    case EVENT_SEM_WAIT:
    case EVENT_SEM_POST:
      if (e->flags & (EVENT_TRY | EVENT_TIMED)) return refuse(m, e, "a try of a semaphore is not part of an order", d);
      v->cell = cell_of(m, CELL_SEMAPHORE, e->object, 0);
      break;
    case EVENT_BARRIER_ENTER:
    case EVENT_BARRIER_LEAVE:
      v->need = comers(m, v->event, &round);
      v->cell = cell_of(m, CELL_ROUND, round, 0);
      break;
    default:
      break;
  }
  return ERR_NONE;
}

/* --- steps --- */

static uint32_t chain_of(struct moves *m, const struct apart_event *e) {
  uint64_t object = m->memory == MEMORY_PSO ? e->object : 0;
  bool fresh;
  uint64_t *chain = hashmap_at(&m->cells, hash_pair(CELL_KINDS + e->thread, object), 0, &fresh);
  if (fresh) {
    *chain = m->chains.count;
    *vec_push(&m->chains) = (struct chain){.thread = e->thread, .issued = add_cell(m, 0), .flushed = add_cell(m, 0)};
  }
  return (uint32_t)*chain;
}

static enum err make_move(struct moves *m, const struct layout *l, uint32_t event, struct diag *d) {
  const struct apart_event *e = &m->a->events.data[event];
  struct move v = {.event = event,
                   .op = e->op,
                   .thread = (uint8_t)e->thread,
                   .chain = NONE,
                   .need = NONE,
                   .drains = formula_drains(m->memory, e),
                   .internal = e->flags & EVENT_INTERNAL,
                   .needed = e->needed,
                   .shared = e->flags & EVENT_SHARED_LOCK};
  bits128 constant;
  enum err err = ERR_NONE;
  if (apart_accesses(e)) {
    bool mixed = is_mixed(l, e);
    if (mixed && m->memory == MEMORY_PSO) return refuse(m, e, "memory that several threads use is accessed in different sizes", d);
    add_units(m, &v, e, mixed);
    v.constant = apart_writes(e) && expr_is_constant(m->pool, e->written, &constant);
    if (v.constant) v.value = (uint64_t)constant;
  } else {
    err = make_meeting(m, &v, e, d);
    if (!err) hold(m, &v);
  }
  if (formula_buffers(m->memory, e)) {
    v.chain = chain_of(m, e);
    *vec_push(&m->chains.data[v.chain].moves) = (uint32_t)m->all.count;
  }
  m->needed += v.needed;
  *vec_push(&m->all) = v;
  m->threads[e->thread].count++;
  m->threads[e->thread].ends = e->op == EVENT_END;
  return err;
}

static enum err make_threads(struct moves *m, const struct layout *l, struct diag *d) {
  enum err e = ERR_NONE;
  for (uint32_t t = 0; t < THREADS_MAX; t++) {
    m->threads[t] = (struct thread_moves){.begun = NONE};
  }
  for (size_t i = 0; i < m->a->events.count; i++) {
    const struct apart_event *x = &m->a->events.data[i];
    if (x->thread + 1 > m->nthreads) m->nthreads = x->thread + 1;
  }
  for (uint32_t t = 0; t < m->nthreads && !e; t++) {
    struct thread_moves *of = &m->threads[t];
    of->first = (uint32_t)m->all.count;
    of->at = add_cell(m, 0), of->history = add_cell(m, 0), of->waiting = add_cell(m, 0), of->awaits = add_cell(m, 0);
    for (uint32_t i = 0; i < m->a->events.count && !e; i++)
      if (m->a->events.data[i].thread == t) e = make_move(m, l, i, d);
  }
  return e;
}

/* --- conditions --- */

/* Of a symbol: the move that reads it; and the last one that needs it. */
struct reading {
  uint32_t move, last;
};

struct readings {
  VEC(struct reading) of;
  struct hashmap index; /* symbol -> index */
};

static struct reading *reading_of(struct readings *r, struct symbol s) {
  const uint64_t *i = hashmap_find(&r->index, s.id);
  return i ? &r->of.data[*i] : NULL;
}

/* The last read that it depends on: its move; NONE: none. */
static uint32_t last_read(const struct moves *m, struct readings *r, struct expr e) {
  size_t n;
  uint32_t last = NONE;
  const struct symbol *of = symbol_set_list(m->pool, expr_symbols(m->pool, e), &n);
  for (size_t i = 0; i < n; i++) {
    const struct reading *x = reading_of(r, of[i]);
    if (x && (last == NONE || x->move > last)) last = x->move;
  }
  return last;
}

static void need_until(const struct moves *m, struct readings *r, struct expr e, uint32_t move) {
  size_t n;
  const struct symbol *of = symbol_set_list(m->pool, expr_symbols(m->pool, e), &n);
  for (size_t i = 0; i < n; i++) {
    struct reading *x = reading_of(r, of[i]);
    if (x && move > x->last) x->last = move;
  }
}

struct due {
  uint32_t move, condition;
};

static int compare_due(const void *a, const void *b) {
  const struct due *x = a, *y = b;
  if (x->move != y->move) return x->move < y->move ? -1 : 1;
  return x->condition < y->condition ? -1 : x->condition > y->condition;
}

static enum err make_conditions(struct moves *m, bool any_address, struct diag *d) {
  struct readings r = {0};
  VEC(struct due) due = {0};
  enum err err = ERR_NONE;
  for (uint32_t i = 0; i < m->all.count; i++) {
    const struct apart_event *e = &m->a->events.data[m->all.data[i].event];
    if (!apart_reads(e)) continue;
    *hashmap_at(&r.index, expr_the_symbol(m->pool, e->read).id, 0, NULL) = r.of.count;
    *vec_push(&r.of) = (struct reading){i, i};
  }
  for (uint32_t i = 0; i < m->all.count; i++) {
    const struct apart_event *e = &m->a->events.data[m->all.data[i].event];
    if (apart_writes(e) && !m->all.data[i].constant) need_until(m, &r, e->written, i);
  }
  for (uint32_t i = 0; i < m->a->conditions.count && !err; i++) {
    struct expr c = m->a->conditions.data[i];
    bits128 constant;
    if (any_address && m->a->fixes.data[i]) continue;
    if (expr_is_constant(m->pool, c, &constant)) {
      if (!constant) err = diag_set(d, ERR_UNSUPPORTED, "what the log says cannot be, whatever the order of steps");
      continue;
    }
    uint32_t last = last_read(m, &r, c);
    if (last == NONE) continue;
    need_until(m, &r, c, last);
    *vec_push(&due) = (struct due){last, i};
  }
  if (due.count) qsort(due.data, due.count, sizeof *due.data, compare_due);
  for (size_t i = 0; i < due.count; i++) {
    struct move *v = &m->all.data[due.data[i].move];
    if (!v->dues++) v->first_due = (uint32_t)m->due.count;
    *vec_push(&m->due) = due.data[i].condition;
  }
  for (size_t i = 0; i < r.of.count; i++) m->all.data[r.of.data[i].move].remembered = r.of.data[i].last > r.of.data[i].move;
  vec_release(&due);
  vec_release(&r.of);
  hashmap_release(&r.index);
  return err;
}

enum err moves_make(struct moves *m, const struct apart *a, enum machine_memory memory, bool any_address, struct diag *d) {
  struct layout l = {0};
  *m = (struct moves){.a = a, .memory = memory, .pool = apart_pool(a->machine)};
  lay_out(&l, a);
  count_semaphores(m);
  enum err e = make_threads(m, &l, d);
  if (!e) e = make_conditions(m, any_address, d);
  release_layout(&l);
  hashmap_release(&m->cells);
  return e;
}

void moves_release(struct moves *m) {
  for (size_t i = 0; i < m->chains.count; i++) vec_release(&m->chains.data[i].moves);
  vec_release(&m->all);
  vec_release(&m->units);
  vec_release(&m->chains);
  vec_release(&m->due);
  vec_release(&m->initial);
  hashmap_release(&m->cells);
}
