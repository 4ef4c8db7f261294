/* The steps of each thread, with all that is known of them before they are put in an order. */
#include <stdlib.h>
#include <string.h>

#include "machine/apart.h"
#include "reproduce/attempt.h"

/* What cells are for. */
enum cell_kind { CELL_LOCK = 1, CELL_SEMAPHORE, CELL_ROUND, CELL_CONDITION, CELL_KINDS };

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

/* First byte and size of the accesses at each address, or that there are several kinds. Under PSO stores to one address leave the buffer in
 * their order, and others in any; of what overlaps otherwise nothing is said. */
static bool is_mixed(struct hashmap *kinds, const struct apart_event *e) {
  for (uint64_t b = 0; b < e->size; b++) {
    uint64_t kind = hash_pair(e->object, e->size);
    if (*hashmap_at(kinds, e->object + b, kind, NULL) != kind) return true;
  }
  return false;
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
  for (uint32_t i = (uint32_t)m->all.count; i-- > t->from;)
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

/* How many come to rounds before that of the event; and the name of the last of these. */
static uint32_t earlier_comers(const struct moves *m, const struct apart_event *e, uint64_t *round) {
  uint64_t last = 0;
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->a->events.count; i++) {
    const struct apart_event *b = &m->a->events.data[i];
    if (b->op != EVENT_BARRIER_ENTER || b->object != e->object || b->value >= e->value) continue;
    if (b->value > last) n = 0, last = b->value;
    n += b->value == last;
  }
  *round = hash_pair(e->object, last);
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
      if (e->op == EVENT_BARRIER_LEAVE) break;
      v->need = earlier_comers(m, e, &round);
      v->mutex = cell_of(m, CELL_ROUND, round, 0);
      break;
    default:
      break;
  }
  return ERR_NONE;
}

/* --- steps --- */

static enum err make_move(struct moves *m, struct hashmap *kinds, uint32_t event, struct diag *d) {
  const struct apart_event *e = &m->a->events.data[event];
  struct move v = {.event = event,
                   .op = e->op,
                   .thread = (uint8_t)e->thread,
                   .store = NONE,
                   .need = NONE,
                   .drains = formula_drains(m->memory, e),
                   .internal = e->flags & EVENT_INTERNAL,
                   .needed = e->needed,
                   .shared = e->flags & EVENT_SHARED_LOCK,
                   .hidden = e->hidden};
  struct thread_moves *t = &m->threads[e->thread];
  bits128 constant;
  enum err err = ERR_NONE;
  if (apart_accesses(e)) {
    if (m->memory == MEMORY_PSO && !e->hidden && is_mixed(kinds, e))
      return refuse(m, e, "memory that several threads use is accessed in different sizes", d);
    v.constant = apart_writes(e) && expr_is_constant(m->pool, e->written, &constant);
    if (v.constant) v.value = (uint64_t)constant;
  } else {
    err = make_meeting(m, &v, e, d);
    if (!err) hold(m, &v);
  }
  if (formula_buffers(m->memory, e)) {
    v.store = (uint32_t)t->stores.count;
    *vec_push(&t->stores) = (uint32_t)m->all.count;
  }
  m->needed += v.needed;
  m->hidden |= v.hidden;
  *vec_push(&m->all) = v;
  t->count++;
  t->ends = e->op == EVENT_END;
  return err;
}

static enum err make_threads(struct moves *m, struct hashmap *kinds, struct diag *d) {
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
    of->from = (uint32_t)m->all.count;
    of->issued = add_cell(m, 0), of->first = add_cell(m, 0);
    of->at = add_cell(m, 0), of->history = add_cell(m, 0), of->waiting = add_cell(m, 0), of->awaits = add_cell(m, 0);
    for (uint32_t i = 0; i < m->a->events.count && !e; i++)
      if (m->a->events.data[i].thread == t) e = make_move(m, kinds, i, d);
    of->left = (uint32_t)m->initial.count;
    for (size_t i = 0; m->memory == MEMORY_PSO && i < of->stores.count; i++) (void)add_cell(m, 0);
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
    if (e->address.id != NO_EXPR.id) need_until(m, &r, e->address, i);
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
  struct hashmap kinds = {0};
  *m = (struct moves){.a = a, .memory = memory, .pool = apart_pool(a->machine)};
  count_semaphores(m);
  enum err e = make_threads(m, &kinds, d);
  if (!e) e = make_conditions(m, any_address, d);
  hashmap_release(&kinds);
  hashmap_release(&m->cells);
  return e;
}

void moves_release(struct moves *m) {
  for (uint32_t t = 0; t < m->nthreads; t++) vec_release(&m->threads[t].stores);
  vec_release(&m->all);
  vec_release(&m->due);
  vec_release(&m->initial);
  hashmap_release(&m->cells);
}
